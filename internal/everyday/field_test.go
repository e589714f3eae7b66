package everyday

import (
	"slices"
	"testing"
)

func TestOfField(t *testing.T) {
	tests := []struct {
		name string
		web  bool
		want string // the first of the texts, "" if there are none
	}{
		{"AuthURL", false, "https://example.com/auth"},
		{"JWKSURL", false, "https://example.com/jwks"},
		{"authorization_endpoint", false, "https://example.com/authorization"},
		{"URL", false, "https://example.com/a"},
		{"PoolName", false, "pool1"},
		{"UserName", false, "ann"},
		{"Name", false, "ann"},
		{"UserID", false, "user-1"},
		{"ContentType", false, "application/json"},
		{"AccessTokenHash", false, "access-token-hash"},
		{"Algorithms", false, "algorithm1"},
		{"Policies", false, "policy1"},
		{"Class", false, "class"},
		{"Method", true, "GET"},
		{"AllowedMethods", true, "GET"},
		{"x-forwarded-proto", false, "x-forwarded-proto"},
		{"Value", false, "value"},
		{"Args", false, "arg1"},
		{"Source", false, "source"},
		{"X", false, ""},
		{"", false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			texts := OfField(tt.name, tt.web)
			if len(texts) > 0 {
				got = texts[0]
			}
			if got != tt.want {
				t.Errorf("OfField(%q, %t) = %q, want %q first", tt.name, tt.web, texts, tt.want)
			}
		})
	}
	if got := OfParameter("src", false); got != nil {
		t.Errorf("OfParameter(%q, false) = %q, want nil", "src", got)
	}
	if got := OfParameter("issuer", false); len(got) == 0 || got[0] != "issuer" {
		t.Errorf("OfParameter(%q, false) = %q, want issuer first", "issuer", got)
	}
	if got, want := OfField("Subject", false), []string{"subject", "subject2", "subject3", "subject4"}; !slices.Equal(got, want) {
		t.Errorf("OfField(%q, false) = %q, want %q", "Subject", got, want)
	}
}
