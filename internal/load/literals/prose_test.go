package literals

import (
	"slices"
	"testing"
)

func TestSpoken(t *testing.T) {
	for _, tt := range []struct {
		prose string
		want  []string
	}{
		{"Extract turns a name into an address. 54.119.58.176.in-addr.arpa. becomes 176.58.119.54. If it fails, \"\" is returned.", []string{"54.119.58.176.in-addr.arpa."}},
		{"Size reads sizes like \"10 MB\" and \"3k\", and returns \"bad\" for others.", []string{"10 MB", "3k"}},
		{"Mode reads `u=rwx` or g+w, see https://example.com/a.b and RFC1035.2, e.g. in net/http.", []string{"u=rwx"}},
		{"At splits ann@example.com at its @.", []string{"ann@example.com"}},
		{"It calls strings.Cut, b.Foo and x.y, and/or io.EOF; see pkg/sub/file and version v2.", nil},
		{"Use \"Name\" or \"Type.Field\" for fields.", nil}, // names in Go
		{"Range reads 10.0.0.0/8, or 1-3,5.", []string{"10.0.0.0/8"}},
		{"", nil},
	} {
		if got := spoken(tt.prose); !slices.Equal(got, tt.want) {
			t.Errorf("spoken(%q) = %q, want %q", tt.prose, got, tt.want)
		}
	}
}
