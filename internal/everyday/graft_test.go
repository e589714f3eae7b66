package everyday

import (
	"slices"
	"testing"
)

func TestGrafts(t *testing.T) {
	tests := []struct {
		name   string
		text   string
		groups [][]string
		want   []string
	}{
		{"a word of the same function", "every Monday at 9", [][]string{{"monday", "Tuesday", "at", "on"}}, []string{"every Tuesday at 9", "every at at 9", "every on at 9", "every Monday monday 9", "every Monday Tuesday 9", "every Monday on 9"}},
		{"a word of another function stays", "3 MB", [][]string{{"MB", "KB"}, {"GiB"}}, []string{"3 KB"}},
		{"something of the same form", "on Windows NT 10.0;", [][]string{{" NT 6.1", " NT 6.0", "Linux"}}, []string{"on Windows NT 6.1;", "on Windows NT 6.0;"}},
		{"numbers alone have no form", "1.2.3", [][]string{{"0.0", "7.7"}}, nil},
		{"formats, signs and bytes are no parts", "a/b", [][]string{{"a", "/", "%s", "x\ny"}}, nil},
		{"a number has other signs around it", "v1-x", [][]string{{"-x", "-y", "z"}}, []string{"v1-y"}},
		{"nothing to exchange", "abc", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Grafts(tt.text, tt.groups); !slices.Equal(got, tt.want) {
				t.Errorf("Grafts(%q, %q) = %q, want %q", tt.text, tt.groups, got, tt.want)
			}
		})
	}
	if n := len(Grafts("a1 b1 c1 d1 e1 f1 g1 h1", [][]string{{"a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1", "k1", "l1", "m1", "n1", "o1", "p1", "q1", "r1"}, {"a1", "x1", "y1", "z1", "x2", "x3", "x4", "x5", "x6"}})); n > mostGrafts {
		t.Errorf("%d texts, want at most %d", n, mostGrafts)
	}
}
