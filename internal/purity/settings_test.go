package purity

import (
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	pkg := loadSource(t, `package m

import "time"

var NoColor = true
var Now = time.Now
var hidden bool
var Name = "x"

type T struct{}

type tinter interface{ tint() string }

func Tint(s string) string { return paint(s) }
func paint(s string) string {
	if NoColor || hidden {
		return s
	}
	return "<" + s + ">"
}
func (T) Year() int         { return Now().Year() }
func (T) tint() string      { return paint("") + Now().String() }
func Through(x tinter) string { return x.tint() }
func Plain() string         { return Name }
`)
	got := Settings(pkg)
	for name, want := range map[string]string{"Tint": "NoColor", "paint": "NoColor", "T.Year": "Now", "T.tint": "NoColor Now", "Through": "NoColor Now", "Plain": ""} {
		var names []string
		for _, v := range got[name] {
			names = append(names, v.Name())
		}
		if s := strings.Join(names, " "); s != want {
			t.Errorf("settings of %s = %q, want %q", name, s, want)
		}
	}
}
