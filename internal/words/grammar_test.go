package words

import "testing"

func TestConstantWords(t *testing.T) {
	for _, tt := range []struct{ name, typeName, want string }{
		{"StateOpen", "State", "open"},
		{"OpenState", "State", "open"},
		{"SpecAES", "KeySpec", "aes"},
		{"SpecNistP256", "KeySpec", "nist p256"},
		{"Open", "State", "open"},
		{"Spec", "KeySpec", "spec"},
	} {
		if got := constantWords(tt.name, tt.typeName); got != tt.want {
			t.Errorf("constantWords(%s, %s) = %q, want %q", tt.name, tt.typeName, got, tt.want)
		}
	}
}

// What says its subject itself stands alone, and a single letter is no word for a subject.
func TestSubject_chosen(t *testing.T) {
	for _, tt := range []struct{ name, constant, want string }{
		{"spec", "spec p256", "spec p256"},
		{"spec", "p256", "p256 spec"},
		{"t", "aes", "aes"},
	} {
		if got := (subject{name: tt.name}).chosen(tt.constant, true).text; got != tt.want {
			t.Errorf("%s chosen of %s = %q, want %q", tt.constant, tt.name, got, tt.want)
		}
	}
}
