package smtlib

import (
	"errors"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
)

func embedded() Config {
	return Config{NewSolver: func(st *term.Store) solver.Solver { return bitblast.New(st, bitblast.Config{}) }, Limit: 1e6}
}

func run(script string) (string, error) {
	var out strings.Builder
	err := Run(strings.NewReader(script), "t.smt2", &out, embedded())
	return out.String(), err
}

func TestScripts(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"sat", `(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (= (bvmul x #x03) #x0f))(check-sat)(get-value (x (bvadd x #x01)))(get-model)`,
			"sat\n((x #x05)\n ((bvadd x #x01) #x06))\n(\n  (define-fun x () (_ BitVec 8) #x05)\n)\n"},
		{"unsat", `(declare-fun x () (_ BitVec 32))(declare-fun y () (_ BitVec 32))(assert (distinct (bvmul x y) (bvmul y x)))(check-sat)`, "unsat\n"},
		{"push", `(declare-const a Bool)(push)(assert a)(assert (not a))(check-sat)(pop 1)(check-sat)`, "unsat\nsat\n"},
		{"core", `(declare-const x (_ BitVec 4))(assert (! (bvult x #x3) :named p))(assert (! (bvult #x5 x) :named q))(assert (! (= ((_ extract 0 0) x) #b1) :named r))(check-sat)(get-unsat-core)`,
			"unsat\n(p q)\n"},
		{"assuming", `(declare-const a Bool)(declare-const b Bool)(assert (or a b))(check-sat-assuming ((not a) (not b)))(get-unsat-assumptions)(check-sat-assuming ((not a)))(get-value (b))`,
			"unsat\n((not a) (not b))\nsat\n((b true))\n"},
		{"let", `(declare-const x (_ BitVec 8))(assert (let ((y (bvadd x #x01)) (x #x07)) (= x y)))(check-sat)(get-value (x))`, "sat\n((x #x06))\n"},
		{"define", `(define-fun f ((a (_ BitVec 8)) (x (_ BitVec 8))) (_ BitVec 8) (bvsub a x))(declare-const x (_ BitVec 8))(assert (= (f #x09 (f x #x01)) #x02))(check-sat)(get-value (x))`,
			"sat\n((x #x08))\n"},
		{"echo", `(echo "a ""b"" c")(exit)(nonsense)`, "\"a \"\"b\"\" c\"\n"},
		{"smod", `(assert (= (bvsmod #xf9 #x03) #x02))(assert (= (bvsrem #xf9 #x03) #xff))(check-sat)`, "sat\n"},
		{"rotate", `(assert (= ((_ rotate_left 4) #xab) #xba ((_ rotate_right 12) #xab)))(check-sat)`, "sat\n"},
		{"wide", `(declare-const x (_ BitVec 128))(assert (= (bvmul x x) (_ bv340282366920938463463374607431768211457 129)))(check-sat)`, ""},
		{"wide ok", `(declare-const x (_ BitVec 128))(assert (= (bvadd x x) (_ bv36893488147419103232 128)))(assert (bvult x (_ bv18446744073709551617 128)))(check-sat)(get-value (x))`,
			"sat\n((x #x00000000000000010000000000000000))\n"},
		{"float", `(set-logic QF_FP)(declare-const x Float32)(assert (fp.lt x (fp.add RNE x ((_ to_fp 8 24) RNE 0.5))))(assert (fp.gt x ((_ to_fp 8 24) RNE 100.0)))(check-sat)`, "sat\n"},
		{"nan", `(declare-const x Float64)(declare-const y Float64)(assert (fp.isNaN x))(assert (fp.isNaN y))(assert (distinct x y))(check-sat)`, "unsat\n"},
		{"nan value", `(declare-const x Float32)(assert (not (fp.eq x x)))(check-sat)(get-value (x))`, "sat\n((x (_ NaN 8 24)))\n"},
		{"float core", `(declare-const x Float64)(assert (fp.lt x (_ -oo 11 53)))(check-sat)`, "unsat\n"},
		{"bars", "(declare-const |a b| Bool)(assert |a b|)(check-sat)(get-model)", "sat\n(\n  (define-fun |a b| () Bool true)\n)\n"},
		{"unknown", `(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))(assert (= (bvmul x y) #x7fffffffffffff67))(assert (bvult #x0000000000000001 x))(assert (bvult #x0000000000000001 y))(assert (bvult x #x0000000100000000))(assert (bvult y #x0000000100000000))(check-sat)`, "unknown\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := run(c.script)
			if c.want == "" {
				if err == nil {
					t.Errorf("no error, but %q", got)
				}
				return
			}
			if err != nil || got != c.want {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"(set-logic QF_LIA)", "t.smt2:1:12: unknown logic QF_LIA; QF_BV, QF_FP and QF_BVFP are supported"},
		{"\n  (check-sat", "t.smt2:2:3: parenthesis without an end"},
		{")", "t.smt2:1:1: closing parenthesis without an opening one"},
		{"(assert x)", "t.smt2:1:9: unknown symbol x"},
		{"(assert #b1)", "t.smt2:1:9: assertion of sort (_ BitVec 1)"},
		{"(declare-const x (_ BitVec 0))", "t.smt2:1:18: bit-vector of width 0"},
		{"(declare-const x Int)", "t.smt2:1:18: unknown sort Int"},
		{"(assert (= #b1 #x1))", "t.smt2:1:16: argument of sort (_ BitVec 4) beside (_ BitVec 1)"},
		{"(assert (bvult #b1 true))", "t.smt2:1:20: argument of sort Bool where a bit-vector is needed"},
		{"(declare-const a Bool)(declare-const a Bool)", "t.smt2:1:38: a is declared already"},
		{"(pop)", "t.smt2:1:1: pop of more levels than were pushed"},
		{"(get-model)", "t.smt2:1:1: get-model needs a check-sat before it that answered sat"},
		{"(assert (forall ((x Bool)) x))", "t.smt2:1:9: quantifiers are not supported"},
		{"(foo)", "t.smt2:1:2: unknown command foo"},
		{"#xg", "t.smt2:1:1: malformed bit-vector literal"},
		{"\"abc", "t.smt2:1:1: string without an end"},
		{"(assert ((_ extract 8 0) #x00))", "t.smt2:1:10: no bits 8 to 0 in a bit-vector of width 8"},
		{"(define-fun f ((x Bool)) (_ BitVec 8) x)", "t.smt2:1:39: body of sort Bool, declared (_ BitVec 8)"},
		{"(define-fun f ((x Bool)) Bool (not (f x)))", "t.smt2:1:36: f is used in its own definition"},
		{"(declare-const x Float32)(assert (fp.eq x (fp.add RTZ x x)))", "t.smt2:1:51: rounding mode RTZ is not supported here"},
		{strings.Repeat("(", 10<<20), "t.smt2:1:262145: parentheses nested deeper than 262144"},
		{strings.Repeat("(assert ", 1000000), "t.smt2:1:2097153: parentheses nested deeper than 262144"},
		{"(assert " + strings.Repeat("(not ", 200000) + "x" + strings.Repeat(")", 200001), "t.smt2:1:1000009: unknown symbol x"},
	} {
		_, err := run(c.script)
		var e *Error
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%.40q: got %v, want %s", c.script, err, c.want)
		}
	}
}

// Deeply nested scripts are solved, because nothing recurses over the depth.
func TestDeep(t *testing.T) {
	n := 5000
	got, err := run("(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(assert (= #x00 " +
		strings.Repeat("(bvxor y (bvadd x ", n) + "x" + strings.Repeat("))", n) + "))(check-sat)")
	if err != nil || got != "sat\n" && got != "unknown\n" {
		t.Errorf("got %q, %v", got, err)
	}
	// Functions that double, thirty times.
	var b strings.Builder
	b.WriteString("(define-fun f0 ((x (_ BitVec 8))) (_ BitVec 8) (bvxor (bvadd x x) #x01))")
	for i := range 30 {
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll("(define-fun fN ((x (_ BitVec 8))) (_ BitVec 8) (fM (fM x)))", "N", string(rune('0'+i/10+1))+string(rune('0'+i%10))), "fM", func() string {
			if i == 0 {
				return "f0"
			}
			return "f" + string(rune('0'+(i-1)/10+1)) + string(rune('0'+(i-1)%10))
		}()))
	}
	if _, err := run(b.String()); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
}

// A query that would take hours to encode is answered with unknown at once.
func TestHuge(t *testing.T) {
	got, err := run(`(declare-const x (_ BitVec 16000))(declare-const y (_ BitVec 16000))
(assert (= (bvmul x y) (bvudiv y x)))(assert (bvult (_ bv1 16000) x))(check-sat)
(assert (= ((_ repeat 16000) ((_ extract 0 0) x)) (bvmul ((_ repeat 2) ((_ extract 7999 0) y)) x)))(check-sat)`)
	if err != nil || got != "unknown\nunknown\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// No script crashes or hangs the reader. It prints an answer, or an error with a place.
func FuzzRun(f *testing.F) {
	f.Add("(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (= (bvmul x #x03) #x0f))(check-sat)(get-model)")
	f.Add("(declare-const x Float32)(assert (! (fp.lt x ((_ to_fp 8 24) RNE (/ 1.0 3))) :named p))(check-sat)(get-unsat-core)")
	f.Add("(push 2)(define-fun f ((a Bool) (b Bool)) Bool (let ((c (and a b))) (=> c a)))(assert (f true false))(check-sat-assuming (true))(pop)")
	f.Add("(assert (= ((_ rotate_left 4) #xab) ((_ repeat 2) #b1010)))(get-value (|a b| \"x\"\"y\"))")
	f.Fuzz(func(t *testing.T, script string) {
		var out strings.Builder
		cfg := embedded()
		cfg.Limit = 2000
		err := Run(strings.NewReader(script), "f", &out, cfg)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("error without a place: %v", err)
		}
	})
}
