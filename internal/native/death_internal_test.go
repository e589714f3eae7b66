package native

import (
	"strings"
	"testing"
)

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

// The place of a contract is that of the innermost function which checks one, on the goroutine of the case.
func TestContractPlace(t *testing.T) {
	const report = "SIGQUIT: quit\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/m/main.go:3 +0x1\n\n" +
		"goroutine 7 [running]:\nm.loops(...)\n\t/m/a.go:5\nm.assay_contract_run_Twice(0x2)\n\t/m/a.go:10 +0x1\nassayrt.(*executor).exec(0x3)\n\t/m/exec.go:9 +0x1\n"
	if p := contractPlace(report); p.Filename != "/m/a.go" || p.Line != 10 {
		t.Errorf("the contract is at %v", p)
	}
	if p := contractPlace(strings.ReplaceAll(report, "assay_contract_run_", "")); p.IsValid() {
		t.Errorf("a trace without a contract has one at %v", p)
	}
}
