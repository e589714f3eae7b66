package words

import "testing"

func TestPartPlaces(t *testing.T) {
	for _, tt := range []struct{ word, text, part, want string }{
		{"suffix", "kitten", "ten", "has the suffix"},
		{"suffix", "kitten", "kit", "no such suffix"},
		{"suffix", "ten", "ten", "the whole text"},
		{"suffix", "n", "ten", "suffix longer than the text"},
		{"suffix", "kitten", "", ""},
		{"prefix", "kitten", "kit", "has the prefix"},
		{"prefix", "kitten", "ten", "no such prefix"},
		{"sub", "kitten", "itt", "in the middle"},
		{"sub", "kitten", "kit", "at the beginning"},
		{"sub", "kitten", "ten", "at the end"},
		{"sub", "kitten", "t", "found several times"},
		{"sub", "kitten", "x", "not found"},
		{"sep", "a,b", ",", "one separator"},
		{"sep", "a,b,c", ",", "several separators"},
		{"sep", "abc", ",", "no separator"},
		{"name", "abc", "a", ""},
	} {
		t.Run(tt.word+" "+tt.part+" of "+tt.text, func(t *testing.T) {
			got := ""
			for _, p := range partPlaces(tt.word) {
				if p.holds(tt.text, tt.part) {
					if got != "" {
						t.Errorf("both %q and %q hold", got, p.text)
					}
					got = p.text
				}
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
