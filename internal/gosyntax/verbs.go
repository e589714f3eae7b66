package gosyntax

import (
	"slices"
	"strings"
	"unicode"
)

// Verbs with which the names of functions begin that read texts and print them.
var (
	Reading  = []string{"Decode", "Deserialize", "From", "Load", "MustParse", "New", "Parse", "Read", "Scan", "Unmarshal"}
	Printing = []string{"Append", "Dump", "Encode", "Format", "Hex", "Marshal", "Print", "Serialize", "Sprint", "String", "To", "Write"}
)

// Verbs of which the first undo the second, also where both functions take texts and return texts.
var (
	Decoding = []string{"Decode", "Decompress", "Decrypt", "From", "Parse", "Split", "Unescape", "Unmarshal", "Unpack", "Unquote", "Unwrap"}
	Encoding = []string{"Compress", "Encode", "Encrypt", "Escape", "Format", "Join", "Marshal", "Pack", "Quote", "To", "Wrap"}
)

// HasVerb reports whether a name begins with one of the verbs.
func HasVerb(name string, verbs []string) bool {
	return slices.ContainsFunc(verbs, func(verb string) bool {
		rest, ok := strings.CutPrefix(name, verb)
		return ok && (rest == "" || !unicode.IsLower(rune(rest[0])))
	})
}
