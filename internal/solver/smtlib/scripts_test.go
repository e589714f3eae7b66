package smtlib

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
)

// scriptClass makes scripts as another program would write them, without the simplifications of package
// term. The parameter vars has the variables; they have the given width.
type scriptClass struct {
	name string
	gen  func(r *rand.Rand) (width int, vars []string, asserts []string)
}

func hex(w int, v uint64) string { return fmt.Sprintf("#x%0*x", w/4, v&term.Mask(w)) }

var scriptClasses = []scriptClass{
	{"mul64", func(r *rand.Rand) (int, []string, []string) {
		k := (2 + r.Uint64N(4000)) * (2 + r.Uint64N(4000))
		if r.IntN(2) == 0 {
			k = 4099 * (2 + r.Uint64N(900)) // a prime factor too large
		}
		return 64, []string{"x", "y"}, []string{"(bvult x " + hex(64, 4096) + ")", "(bvult y " + hex(64, 4096) + ")", "(= (bvmul x y) " + hex(64, k) + ")"}
	}},
	{"divide by constants", func(r *rand.Rand) (int, []string, []string) {
		d := 3 + r.Uint64N(1000)
		m := 2 + r.Uint64N(d-2)
		cs := []string{fmt.Sprintf("(= (bvurem x %s) %s)", hex(64, d), hex(64, m)), fmt.Sprintf("(bvult %s (bvudiv x %s))", hex(64, 1e6), hex(64, 7)),
			fmt.Sprintf("(bvslt (bvsdiv y %s) (bvsrem x %s))", hex(64, -d), hex(64, 10))}
		if r.IntN(2) == 0 {
			cs = append(cs, fmt.Sprintf("(= (bvurem x %s) %s)", hex(64, 2*d), hex(64, m+1)))
		}
		return 64, []string{"x", "y"}, cs
	}},
	{"divide by variables", func(r *rand.Rand) (int, []string, []string) {
		cs := []string{fmt.Sprintf("(= (bvudiv x y) %s)", hex(64, r.Uint64N(1000))), "(bvult " + hex(64, 10) + " y)"}
		if r.IntN(2) == 0 {
			cs = append(cs, "(bvult x (bvudiv x y))")
		} else {
			cs = append(cs, fmt.Sprintf("(= (bvurem x y) %s)", hex(64, r.Uint64N(100))))
		}
		return 64, []string{"x", "y"}, cs
	}},
	{"fnv", func(r *rand.Rand) (int, []string, []string) {
		w, basis, prime := 32, uint64(2166136261), uint64(16777619)
		if r.IntN(2) == 0 {
			w, basis, prime = 64, 14695981039346656037, 1099511628211
		}
		h := hex(w, basis)
		vars := []string{"x", "y", "z"}
		var cs []string
		for _, v := range vars {
			cs = append(cs, fmt.Sprintf("(bvult %s %s)", hex(w, 31), v), fmt.Sprintf("(bvult %s %s)", v, hex(w, 127)))
			h = fmt.Sprintf("(bvmul (bvxor %s %s) %s)", h, v, hex(w, prime))
		}
		return w, vars, append(cs, fmt.Sprintf("(= (bvand %s %s) %s)", h, hex(w, 0xFFF), hex(w, r.Uint64N(4096))))
	}},
	{"commute", func(r *rand.Rand) (int, []string, []string) {
		return []int{8, 16, 32, 64}[r.IntN(4)], []string{"x", "y", "z"}, []string{[]string{
			"(not (= (bvmul x y) (bvmul y x)))",
			"(not (= (bvmul (bvmul x y) z) (bvmul y (bvmul z x))))",
			"(not (= (bvmul (bvadd x z) y) (bvmul y (bvadd z x))))",
		}[r.IntN(3)]}
	}},
	{"distribute", func(r *rand.Rand) (int, []string, []string) {
		w := []int{8, 16, 32, 64}[r.IntN(4)]
		return w, []string{"x", "y", "z"}, []string{[]string{
			"(not (= (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul x z))))",
			"(not (= (bvmul (bvadd x y) (bvsub x y)) (bvsub (bvmul x x) (bvmul y y))))",
			"(not (= (bvmul (bvadd x y) (bvadd x y)) (bvadd (bvadd (bvmul x x) (bvmul y y)) (bvmul (bvmul " + hex(w, 2) + " x) y))))",
			"(not (= (bvmul x (bvsub y z)) (bvsub (bvmul x y) (bvadd (bvmul z x) x))))", // wrong by x
		}[r.IntN(4)]}
	}},
}

// BenchmarkScripts gives both solvers the same text. The time of assay is that of reading, solving and
// printing the model in this process; the time of z3 is that of one process with push and pop, until its
// answer. Z3 checks every model of assay's.
func BenchmarkScripts(b *testing.B) {
	path, err := exec.LookPath("z3")
	if err != nil {
		b.Skip("NOT RUN: z3 is not on PATH, the comparison with another solver is missing")
	}
	for i, c := range scriptClasses {
		b.Run(c.name, func(b *testing.B) {
			z := newPeer(b, path)
			for b.Loop() {
				var ours, theirs time.Duration
				unknown, unknownThere := 0, 0
				for k := range perClass {
					w, vars, asserts := c.gen(rand.New(rand.NewPCG(uint64(i), uint64(k))))
					var text strings.Builder
					for _, v := range vars {
						fmt.Fprintf(&text, "(declare-const %s (_ BitVec %d))\n", v, w)
					}
					for _, a := range asserts {
						fmt.Fprintf(&text, "(assert %s)\n", a)
					}
					text.WriteString("(check-sat)\n")
					began := time.Now()
					verdict, model := embeddedScript(b, text.String(), vars)
					ours += time.Since(began)
					began = time.Now()
					there := z.ask("(push 1)\n" + text.String())
					theirs += time.Since(began)
					if verdict == "unknown" {
						unknown++
					}
					if there != "sat" && there != "unsat" {
						unknownThere++
					}
					if verdict == "sat" {
						there = z.ask(model + "(check-sat)\n")
					}
					if verdict != there && verdict != "unknown" && there != "unknown" {
						b.Errorf("%s here, %s by z3: %s%s", verdict, there, text.String(), model)
					}
					z.tell("(pop 1)\n")
				}
				b.ReportMetric(ours.Seconds(), "assay-s")
				b.ReportMetric(theirs.Seconds(), "z3-s")
				b.ReportMetric(theirs.Seconds()/ours.Seconds(), "ratio")
				b.ReportMetric(float64(unknown), "assay-unknown")
				b.ReportMetric(float64(unknownThere), "z3-unknown")
			}
		})
	}
}

// embeddedScript runs a script as the command does, and returns the verdict, and the model as assertions.
func embeddedScript(b *testing.B, text string, vars []string) (verdict, model string) {
	cfg := Config{NewSolver: func(st *term.Store) solver.Solver { return bitblast.New(st, bitblast.Config{}) }}
	var out strings.Builder
	err := Run(strings.NewReader(text+"(get-value ("+strings.Join(vars, " ")+"))"), "script", &out, cfg)
	verdict, _, _ = strings.Cut(out.String(), "\n")
	if verdict != "sat" { // the script is not satisfiable, so there are no values
		return verdict, ""
	}
	if err != nil {
		b.Fatal(err)
	}
	_, values, _ := strings.Cut(out.String(), "\n")
	for f := range strings.FieldsFuncSeq(values, func(r rune) bool { return strings.ContainsRune("()\n", r) }) {
		if name, v, ok := strings.Cut(strings.TrimSpace(f), " "); ok {
			model += fmt.Sprintf("(assert (= %s %s))\n", name, v)
		}
	}
	return verdict, model
}

// peer is a process of z3 that reads text.
type peer struct {
	in  io.Writer
	out *bufio.Reader
	b   *testing.B
}

func newPeer(b *testing.B, path string) *peer {
	cmd := exec.Command(path, "-in")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	p := &peer{in, bufio.NewReader(out), b}
	p.tell("(set-option :timeout 5000)\n")
	return p
}

func (p *peer) tell(text string) {
	if _, err := io.WriteString(p.in, text); err != nil {
		p.b.Fatal(err)
	}
}

func (p *peer) ask(text string) string {
	p.tell(text)
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.b.Fatal(err)
	}
	return strings.TrimSpace(line)
}
