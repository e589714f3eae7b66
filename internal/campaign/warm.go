package campaign

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/goassay/assay/internal/gotest"
)

// warming builds the packages that the build of any test of the package needs, while the engines work. These
// are packages that the harness does not import but hand-written tests do, the code that counts coverage, and
// the facts that go vet computes for all of these. The go command's cache keeps the results. Without warming,
// the first run of assay on a busy machine would wait for these builds when the tests are verified, and there
// may be no time left then.
type warming struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// warmFile is the name of the test file that is built for warming only.
const warmFile = "zz_assay_warm_test.go"

// startWarming starts to build a test of the package that does nothing.
func (g *gen) startWarming() *warming {
	w := &warming{done: make(chan struct{})}
	var ctx context.Context
	ctx, w.cancel = context.WithCancel(g.Ctx)
	go func() {
		defer close(w.done)
		start := time.Now()
		err := g.buildNothing(ctx)
		g.Debug("stages", "%s: what tests need was built in %s: %v", g.Pkg.Path, time.Since(start).Round(time.Millisecond), err)
	}()
	return w
}

// buildNothing builds the parts of a test that does nothing, in the way in which the written tests will be
// built. If the package's own tests do not build, this is reported later, when tests are verified.
func (g *gen) buildNothing(ctx context.Context) error {
	work, err := os.MkdirTemp("", "assay-warm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) // a leftover temporary directory does no harm
	name := filepath.Join(work, warmFile)
	src := "package " + g.Pkg.Name + "\n\nimport (\n\t\"reflect\"\n\t\"testing\"\n)\n\nvar _ = reflect.DeepEqual\n\nfunc TestAssayWarm(*testing.T) {}\n"
	if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
		return err
	}
	return gotest.Run{
		Dir: g.Pkg.Dir, Tags: g.cfg.Tags, CoverProfile: filepath.Join(work, "cover.out"),
		Overlay: map[string]string{filepath.Join(g.Pkg.Dir, warmFile): name},
	}.BuildParts(ctx, work)
}

// stop ends the building. Whatever is not built by now is built when it is needed.
func (w *warming) stop() {
	w.cancel()
	<-w.done
}
