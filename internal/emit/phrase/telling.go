package phrase

import "regexp"

// tellingWords are words of names that say how values compare with others or what they are among: what no list of the values
// says by itself. That a number is positive, or 3, a reader sees in the row.
var tellingWords = regexp.MustCompile(`(?i)\b(above|below|at most|at least|longer|shorter|equal|same|multiple|divisible|largest|smallest|overflows?|empty|full|several|elements?|first|last|middle|only|absent|present|before|after|becomes?|not|no|invalid|unknown|out of range|too)\b`)

// IsTelling reports whether the name of a row says more than the numbers that the row passes.
func IsTelling(name string) bool { return tellingWords.MatchString(name) }
