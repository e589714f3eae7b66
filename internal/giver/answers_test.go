package giver_test

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/giver/encoded"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
)

// Clients decode answers in a helper of theirs: into what a parameter of any type points to, into a value of a type parameter,
// and in two steps, of which the first leaves a part open. What each function decodes is known all the same.
func TestRoom_Answers(t *testing.T) {
	prog, pkg := open(t, "1.26", `package client

import (
	"encoding/json"
	"net/http"
)

type User struct {
	Name  string `+"`json:\"name\"`"+`
	Admin bool   `+"`json:\"admin\"`"+`
}

type Item struct{ ID, Count int }

type envelope struct {
	OK     bool            `+"`json:\"ok\"`"+`
	Error  string          `+"`json:\"error\"`"+`
	Result json.RawMessage `+"`json:\"result\"`"+`
}

type Client struct{ base string }

func (c *Client) do(path string, into any) error {
	res, err := http.Get(c.base + path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusTooManyRequests || res.StatusCode > 299 && res.StatusCode != 304 {
		return http.ErrAbortHandler
	}
	return json.NewDecoder(res.Body).Decode(into)
}

func (c *Client) User(name string) (*User, error) {
	u := new(User)
	return u, c.do("/users/"+name, u)
}

func get[T any](c *Client, path string) (T, error) {
	var out T
	err := c.do(path, &out)
	return out, err
}

func (c *Client) Items() ([]Item, error) { return get[[]Item](c, "/items") }

func (c *Client) Wrapped() (u User, err error) {
	var e envelope
	if err := c.do("/wrapped", &e); err != nil {
		return u, err
	}
	return u, json.Unmarshal(e.Result, &u)
}

func Version() string { return "1" }
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	answers := room.Answers()
	if answers == nil || !answers.Op.Via.OfTest || !giver.AnswersRequests(answers.Op) {
		t.Fatalf("Answers() = %+v, want a helper of tests", answers)
	}
	if want := []int{200, 429, 304, 404, 500}; !slices.Equal(answers.Codes, want) {
		t.Errorf("statuses %v, want %v", answers.Codes, want)
	}
	for function, want := range map[string]string{
		"Client.User":    `{"name":"ann","admin":true}`,
		"Client.Items":   `[{"ID":5,"Count":6}]`,
		"Client.Wrapped": `{"ok":true,"result":{"name":"ann","admin":true}}`,
	} {
		if got := answers.Bodies(function); got[0] != want {
			t.Errorf("%s is answered with %s first, want %s", function, got[0], want)
		}
	}
	for _, want := range []string{`{"name":"ann","admin":false}`, `{"admin":true}`, "{}"} {
		if got := answers.Bodies("Client.User"); !slices.Contains(got, want) {
			t.Errorf("Client.User is never answered with %s, but with %s", want, strings.Join(got, " "))
		}
	}
	if got := answers.Bodies("Version"); slices.Contains(got, `{"name":"ann","admin":true}`) {
		t.Errorf("Version, which decodes nothing, is answered with %v", got)
	}
}

// A package that sends no requests has no helper that answers some. One that looks into the header of the answer has lines
// for it.
func TestRoom_Answers_header(t *testing.T) {
	prog, pkg := open(t, "1.26", `package server

import "net/http"

func Serve(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404) }
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	if got := room.Answers(); got != nil {
		t.Errorf("a server answers requests of its own: %+v", got)
	}
	prog, pkg = open(t, "1.26", `package client

import (
	"net/http"
	"strconv"
)

func Left(c *http.Client, r *http.Request) (int, error) {
	r.Header.Set("X-Token", r.Header.Get("X-User"))
	res, err := c.Do(r)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(res.Header.Get("X-RateLimit-Left"))
}
`)
	if room, err = giver.New(prog, pkg); err != nil {
		t.Fatal(err)
	}
	if got, want := room.Answers().Header, []string{"", "X-Ratelimit-Left: 3", "X-Ratelimit-Left: abc"}; !slices.Equal(got, want) {
		t.Errorf("lines of the header %q, want %q", got, want)
	}
	if sig := room.Answers().Op.Via.Sig.String(); !strings.Contains(sig, "header string") {
		t.Errorf("the helper %s has no parameter for them", sig)
	}
}

// JSON of values whose types read it by methods of their own may be numbers, and one text tells of success.
func TestDecoded_numbers(t *testing.T) {
	_, pkg := open(t, "1.26", `package m

import (
	"encoding/json"
	"time"
)

type flag bool

func (f *flag) UnmarshalJSON(b []byte) error { *f = string(b) == "1"; return nil }

type stamp struct{ time.Time }

func (s *stamp) UnmarshalJSON(b []byte) error { return nil }

type base struct{ ID int }

type state struct {
	base
	Seen   flag
	At     stamp
	Errors []string
}

func Read(b []byte) (s state, err error) { return s, json.Unmarshal(b, &s) }
`)
	got := encoded.Values(encoded.All(pkg, requests.JSON))
	for _, want := range []string{
		`{"ID":5,"Seen":1,"At":1714979289,"Errors":["abc"]}`,
		`{"ID":1,"Seen":true,"At":"2024-05-06T07:08:09Z"}`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no text %s in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

const clientModule = `
-- go.mod --
module example.com/m

go 1.24
-- wire/wire.go --
package wire

import (
	"encoding/json"
	"errors"
	"net/http"
)

type Failure struct {
	Code  int    ` + "`json:\"code\"`" + `
	State string ` + "`json:\"state\"`" + `
}

func (f *Failure) Error() string { return f.State }

type Provider struct{ HTTP *http.Client }

func (p *Provider) Do(uri string, v any) error {
	res, err := p.HTTP.Get(uri)
	if err != nil {
		return err
	}
	if res.StatusCode == 410 {
		return errors.New("gone")
	}
	return json.NewDecoder(res.Body).Decode(v)
}

type Client struct {
	*Provider
	Endpoint string
	Name     string
	retries  int
}

func (c *Client) Get(path string, v any) error { return c.Do(c.Endpoint+path, v) }
-- users/users.go --
package users

import "example.com/m/wire"

type User struct {
	wire.Failure
	Name string ` + "`json:\"name\"`" + `
}

type Result struct{ body any }

func (r Result) User() (u User, err error) { return u, (&wire.Client{}).Get("", &u) }

func Get(c *wire.Client, name string) (*User, error) {
	u := new(User)
	if err := c.Get("/users/"+name, u); err != nil {
		return nil, err
	}
	if u.Code != 0 || u.State != "ok" {
		return nil, &u.Failure
	}
	return u, nil
}
`

// A package whose requests another package of the module sends has a helper that answers them as well, with a body of success
// first: the fields have what the code compares them with. The client that it takes has an address, and what it needs to send.
func TestRoom_Answers_elsewhere(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(clientModule)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, "./users")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	answers := room.Answers()
	if answers == nil {
		t.Fatal("the package sends no requests")
	}
	if want := []int{200, 410, 404, 500}; !slices.Equal(answers.Codes, want) {
		t.Errorf("statuses %v, want %v", answers.Codes, want)
	}
	bodies := answers.Bodies("Get")
	if want := `{"state":"ok","name":"ann"}`; bodies[0] != want {
		t.Errorf("answered with %s first, want %s", bodies[0], want)
	}
	if want := `{"code":5,"state":"state","name":"ann"}`; !slices.Contains(bodies, want) {
		t.Errorf("never answered with %s, but with %s", want, strings.Join(bodies, " "))
	}
	if got, want := answers.Failures("Get"), []string{`{"code":5,"state":"state","name":"ann"}`}; !slices.Equal(got, want) {
		t.Errorf("failures %q, want %q", got, want)
	}
	values := room.Values(pkg.Types.Scope().Lookup("Get").Type().(*types.Signature).Params().At(0).Type())
	if len(values) != 1 {
		t.Fatalf("%d clients, want 1", len(values))
	}
	got := values[0].String()
	for _, want := range []string{"wire.Provider{HTTP: ", `Endpoint: "https://api.example.com/"`} {
		if !strings.Contains(got, want) || strings.Contains(got, "Name:") {
			t.Errorf("the client is %s, want %s in it, and no name", got, want)
		}
	}
}

// What a long answer has in its many fields is of no use to a reader.
func TestRoom_Answers_brief(t *testing.T) {
	fields := ""
	for _, name := range strings.Fields("Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon") {
		fields += "\t" + name + " struct { First, Second, Third, Fourth, Fifth string }\n"
	}
	prog, pkg := open(t, "1.26", `package client

import (
	"encoding/json"
	"net/http"
)

type Many struct {
`+fields+`}

func Get() (m Many, err error) {
	res, err := http.Get("https://example.com")
	if err != nil {
		return m, err
	}
	return m, json.NewDecoder(res.Body).Decode(&m)
}
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	if got := room.Answers().Bodies("Get")[0]; len(got) > 800 || !strings.Contains(got, `"Alpha":{"First":`) || strings.Contains(got, "Upsilon") {
		t.Errorf("the answer has %d bytes: %s", len(got), got)
	}
}
