package giver

import (
	"fmt"
	"go/ast"
	"go/constant"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// setenvHelper is the method by which tests set a variable of the environment for as long as they run.
func setenvHelper() helper {
	return helper{
		doc:    "sets a variable of the environment.",
		method: "Setenv",
		code:   `func setenv(t testing.TB, key, value string) { t.Setenv(key, value) }`,
	}
}

// environmentFamily has the helper that sets variables, for packages that ask for variables by name. It makes no values.
func environmentFamily() *family {
	return &family{
		name: "environment", path: "testing", imports: []string{"testing"}, helpers: []helper{setenvHelper()}, always: true,
		when: func(pkg *load.Package) bool { return mentions(pkg, "LookupEnv", "Getenv") },
	}
}

// Setenv returns the call that sets a variable of the environment, or nil if no function of the package asks for one by
// name.
func (r *Room) Setenv() *testcase.Operation {
	if r == nil || r.setenv == nil {
		return nil
	}
	return &testcase.Operation{Kind: testcase.OpFunc, Func: r.setenv.Func, Via: r.setenv}
}

// variableOf returns the variable of the environment for a field: no other program has one of its name.
func variableOf(field string) string { return "APP_" + strings.ToUpper(field) }

// environments returns statements that set variables and return a pointer to a struct whose fields are read from these: of
// the usual kinds, with texts that are such values and texts that are not, and with each option that tags may have.
func environments(pkg *load.Package, key string) []string {
	type field struct{ name, typ, value string }
	one := func(option string, fields ...field) string {
		var set, list strings.Builder
		for _, f := range fields {
			if f.value != "" {
				fmt.Fprintf(&set, "setenv(nil, %q, %q)\n", variableOf(f.name), f.value)
			}
			fmt.Fprintf(&list, "%s %s `%s:%q`; ", f.name, f.typ, key, variableOf(f.name)+option)
		}
		return fmt.Sprintf("%sreturn &struct{ %s }{}", set.String(), strings.TrimSuffix(list.String(), "; "))
	}
	out := []string{
		one("", field{"Name", "string", "ann"}, field{"Port", "int", "8080"}),
		one("", field{"Port", "int", "abc"}),
		one("", field{"Tags", "[]string", "a,b"}, field{"Ports", "[]int", "80,443"}),
		one("", field{"Labels", "map[string]string", "a:1,b:2"}),
		one("", field{"Timeout", "time.Duration", "5s"}, field{"Debug", "bool", "true"}, field{"Rate", "float64", "2.5"}),
		one("", field{"Count", "*int", "3"}, field{"Names", "[]*string", "a,b"}),
		one("", field{"Ports", "[]int", "80,abc"}),
		one("", field{"Level", "int8", "1"}, field{"Port", "int16", "80"}, field{"ID", "int64", "7"}, field{"Weight", "int32", "9"}),
		one("", field{"Size", "uint", "3"}, field{"Shard", "uint8", "2"}, field{"Year", "uint16", "2024"}, field{"Sum", "uint32", "5"}, field{"Total", "uint64", "6"}, field{"Share", "float32", "0.5"}),
		one("", field{"Starts", "[]time.Time", "2024-01-02T15:04:05Z,2025-01-02T15:04:05Z"}),
		one("", field{"Start", "time.Time", "2024-01-02T15:04:05Z"}),
		fmt.Sprintf("setenv(nil, %[2]q, \"localhost\")\nreturn &struct{ Server struct{ Host string `%[1]s:%[2]q` } }{}", key, variableOf("Host")),
	}
	for _, word := range tagOptions(pkg) {
		out = append(out, one(","+word, field{"Name", "string", "ann"}), one(","+word, field{"Name", "string", ""}))
	}
	return out
}

// optionWord matches options of tags.
var optionWord = regexp.MustCompile(`^[a-zA-Z]{3,12}$`)

// tagOptions returns the words that a package compares parts of tags with: the cases of switches over what it calls a tag
// or an option.
func tagOptions(pkg *load.Package) []string {
	const most = 8
	var out []string
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SwitchStmt)
			if !ok {
				return true
			}
			id, ok := s.Tag.(*ast.Ident)
			if !ok || !slices.ContainsFunc([]string{"tag", "opt", "flag"}, func(part string) bool { return strings.Contains(strings.ToLower(id.Name), part) }) {
				return true
			}
			for _, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					if v := pkg.Info.Types[e].Value; v != nil && v.Kind() == constant.String && optionWord.MatchString(constant.StringVal(v)) {
						addTo(&out, constant.StringVal(v), most)
					}
				}
			}
			return true
		})
	}
	return out
}
