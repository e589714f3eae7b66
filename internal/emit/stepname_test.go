package emit

import "testing"

func TestBeginning(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"3", `"one,two,three,four,five,six,seven"`}, "one,two,three,four,five,..."},
		{[]string{`"short"`}, ""},
		{[]string{`"a\nvery long text that begins with a short line"`}, ""},
		{nil, ""},
	} {
		if got := beginning(tt.args); got != tt.want {
			t.Errorf("beginning(%q) = %q, want %q", tt.args, got, tt.want)
		}
	}
}
