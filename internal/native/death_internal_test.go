package native

import "testing"

func TestSourceName(t *testing.T) {
	for symbol, want := range map[string]string{
		"example.com/m.F":               "example.com/m.F",
		"gopkg.in/yaml%2ev3.Unmarshal":  "gopkg.in/yaml.v3.Unmarshal",
		"m/a%2eb.(*T).M":                "m/a.b.(*T).M",
		"m.F[go.shape.struct { 100%d }": "m.F[go.shape.struct { 100%d }",
	} {
		if got := sourceName(symbol); got != want {
			t.Errorf("sourceName(%q) = %q, want %q", symbol, got, want)
		}
	}
	trace := "goroutine 7 [running]:\ngopkg.in/yaml%2ev3.(*Decoder).Decode(0x1)\n\t/m/yaml.go:12 +0x1\n"
	if frames := allFrames(trace); len(frames) != 1 || frames[0].Func != "gopkg.in/yaml.v3.(*Decoder).Decode" {
		t.Errorf("the frames of a trace are %v", frames)
	}
}
