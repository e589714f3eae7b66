package report

import (
	"fmt"
	"io"
	"path"

	"github.com/goassay/assay/internal/event"
	"github.com/schollz/progressbar/v3"
)

// progress is the line of progress on the terminal. A nil progress shows nothing.
type progress struct {
	out io.Writer
	bar *progressbar.ProgressBar
	pkg string
}

func newProgress(out io.Writer) *progress { return &progress{out: out} }

func (p *progress) update(e event.Progress) {
	if p == nil {
		return
	}
	if p.bar == nil || p.pkg != e.Package {
		p.clear()
		p.pkg = e.Package
		p.bar = progressbar.NewOptions(100,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetWidth(20),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionShowElapsedTimeOnFinish(),
			progressbar.OptionClearOnFinish(),
		)
	}
	text := fmt.Sprintf("%s: %s", path.Base(e.Package), e.Stage)
	if e.Tests > 0 {
		text += fmt.Sprintf(", %d tests", e.Tests)
	}
	if e.Findings > 0 {
		text += fmt.Sprintf(", %d findings", e.Findings)
	}
	p.bar.Describe(text)
	if e.Total > 0 {
		// The bar is full only when the package is done, and then clear removes it.
		_ = p.bar.Set(min(99, 100*e.Done/e.Total)) // there is no place to report errors of the terminal
	}
}

func (p *progress) clear() {
	if p == nil || p.bar == nil {
		return
	}
	_ = p.bar.Clear() // as above
	p.bar = nil
}
