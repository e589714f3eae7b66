package written

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const text = `package p

import (
	"math/rand"
	"time"

	"example.com/dns"
	other "example.com/renamed"
	"example.com/far"
)

var at = time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)

func TestA() {
	ask(dns.Question{Name: "example.org.", Type: dns.TypeA})
	ask(dns.Question{Name: "example.org.", Type: dns.TypeA})
	ask(dns.Question{Name: name, Type: dns.TypeA})
	ask(&dns.A{Hdr: dns.Header{TTL: 60}, At: time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)})
	ask(dns.New("a", 1))
	ask(dns.New("b", rand.Int()), dns.New("c", time.Now()), dns.New("d", at))
	ask(dns.Msg{}, other.New("a"), far.New("a"), dns.Dial("a:53"))
	ask([]dns.Question{{Name: "in a list"}})
	zone, changed := "example.net.", 1
	changed++
	ask(new(dns.Msg).SetQuestion(zone, dns.TypeA), dns.Number(changed), dns.Number(zone))
	m := new(dns.Msg)
	m.SetQuestion(zone, dns.TypeA)
	m.Other()
	q := new(dns.Msg)
	q.SetQuestion(zone, dns.TypeSOA)
	ask(dns.Request{Msg: q}, dns.Request{Msg: m}, dns.Request{Msg: dns.Zero, Zone: zone}, dns.Get(1).Close(), dns.Get(2).Name)
	for _, each := range list {
		ask(dns.Number(each))
	}
	time.Sleep(time.Second)
}
`

func TestOf(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a_test.go")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range Of([]string{filepath.Join(t.TempDir(), "absent.go"), name}, func(path string) bool { return path != "example.com/far" }) {
		got = append(got, e.Code+" "+strings.Join(e.Imports, " "))
	}
	want := []string{
		`dns.New("a", 1) example.com/dns`,
		`new(dns.Msg).SetQuestion("example.net.", dns.TypeA) example.com/dns`,
		`dns.Number("example.net.") example.com/dns`,
		`dns.Request{Msg: dns.Zero, Zone: "example.net."} example.com/dns`,
		`new(dns.Msg).SetQuestion("example.net.", dns.TypeSOA) example.com/dns`,
		`dns.Request{Msg: new(dns.Msg).SetQuestion("example.net.", dns.TypeSOA)} example.com/dns`,
		`dns.Get(1) example.com/dns`,
		`dns.Get(2) example.com/dns`,
		`dns.Header{TTL: 60} example.com/dns`,
		`dns.Question{Name: "example.org.", Type: dns.TypeA} example.com/dns`,
		`&dns.A{Hdr: dns.Header{TTL: 60}, At: time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)} example.com/dns time`,
		`dns.A{Hdr: dns.Header{TTL: 60}, At: time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)} example.com/dns time`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestOrder checks that the most frequent expressions come first, then the shortest, and few that begin alike.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i, body := range []string{`f(d.New("frequent"), d.New("once"), d.Old("x"))`, `f(d.New("frequent"), d.New("third one"))`} {
		name := filepath.Join(dir, string(rune('a'+i))+".go")
		if err := os.WriteFile(name, []byte("package p\n\nimport \"example.com/d\"\n\nfunc f() { "+body+" }\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	var got []string
	for _, e := range Of(files, func(string) bool { return true }) {
		got = append(got, e.Code)
	}
	if want := []string{`d.New("frequent")`, `d.Old("x")`, `d.New("once")`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
