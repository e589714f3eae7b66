package literals

import (
	"fmt"
	"testing"
)

func TestSeed(t *testing.T) {
	for text, want := range map[string]string{
		"go test fuzz v1\nstring(\"a\\n\")\nint(-3)\n":                            `["a\n" -3]`,
		"go test fuzz v1\n[]byte(\"x\\x00\")\nbool(true)\nrune('b')\n":            `["x\x00" true 98]`,
		"go test fuzz v1\nfloat64(1.5)\nmath.Float64frombits(0x8000000000000000)": `[1.5 0]`,
		"go test fuzz v1\nfloat64(NaN)\n":                                         `[]`,
		"go test fuzz v1\nmath.Float64frombits(0x7ff8000000000001)\n":             `[]`,
		"go test fuzz v2\nint(1)\n":                                               `[]`,
		"go test fuzz v1\nint(\n":                                                 `[]`,
		"anything":                                                                `[]`,
	} {
		if got := fmt.Sprint(seed(text)); got != want {
			t.Errorf("seed(%q) = %s, want %s", text, got, want)
		}
	}
}
