package native

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// Cases of a package whose tests may use testing/synctest run in a bubble each, if [purity.Bubbles] says so of them. Time in
// a bubble is not that of the machine, so that a case may wait for hours, and what the clock says is the same in each run.

// bubbleSource is the file that lets the harness's half of the runner make bubbles. It is added to package assayrt only where
// the module's version of Go has testing/synctest, because an older standard library would not compile it.
const bubbleSource = `package assayrt

import "internal/synctest"

func init() { enterBubble, settle = synctest.Run, synctest.Wait }
`

// bubbles returns which cases of a package run in bubbles, or nil if none does. Tests of a suite make bubbles of their own.
func bubbles(pkg *load.Package, cfg Config) *purity.Bubbles {
	if len(cfg.Suite) > 0 {
		return nil
	}
	return purity.NewBubbles(pkg)
}

// writeBubbles adds that file.
func (b *builder) writeBubbles() error {
	return b.file("rt_bubble.go", filepath.Join(b.goroot, "src", runtimePath, "bubble.go"), []byte(bubbleSource))
}

// allBlocked begins the message of a bubble in which all goroutines wait, and nothing is left that could wake one.
const allBlocked = "deadlock: all goroutines in bubble are blocked"

// outsideBubble is what a case is refused for that uses a channel, timer or group of another bubble. A variable of the package
// has kept it, so that tests would disturb one another in the same way.
const outsideBubble = "a channel, timer or group of an earlier test is used, which a bubble of testing/synctest forbids"

// endOfTime is what a case is refused for that waits until the clock of its bubble has no further time, in the year 2262. The
// runtime gives up there.
const endOfTime = "it waits for longer than the clock of a bubble of testing/synctest can count"

// stuckBubble is what a case is refused for in which time would have to pass, and cannot.
const stuckBubble = "time does not pass in a bubble of testing/synctest while a goroutine waits for a lock or for the world outside"

// bubbled matches the head of a goroutine of a bubble in a dump. The first group is what it waits for.
var bubbled = regexp.MustCompile(`(?m)^goroutine \d+ (?:gp=.* )?\[([^\],]*).*synctest bubble`)

// durable follows the state of a goroutine that only the clock, or another goroutine of its bubble, wakes.
const durable = " (durable)"

// isStuck reports whether a dump shows a bubble in which one goroutine waits for a lock or for the world outside, and another
// one for the clock or for other goroutines of the bubble. Outside of a bubble the second one might go on.
func isStuck(text string) bool {
	locked, waiting := false, false
	for _, m := range bubbled.FindAllStringSubmatch(text, -1) {
		switch {
		case strings.HasPrefix(m[1], "synctest."): // the goroutine that waits for the bubble
		case strings.HasSuffix(m[1], durable):
			waiting = true
		case strings.HasPrefix(m[1], "sync."), m[1] == "semacquire", m[1] == "IO wait", m[1] == "syscall", strings.HasPrefix(m[1], "chan "), strings.HasPrefix(m[1], "select"):
			locked = true
		}
	}
	return locked && waiting
}

// bubbleDeath reads the runtime's report of a bubble that ended the process, and returns false for other reports.
func bubbleDeath(message, report string) (death, bool) {
	switch {
	case strings.HasPrefix(message, "all goroutines are asleep") && isStuck(report):
		return death{status: testcase.Refused, message: stuckBubble}, true
	case strings.HasPrefix(message, allBlocked):
		return death{status: testcase.Deadlock, message: "all goroutines are asleep - deadlock!", kind: "deadlock", stack: caseStack(report)}, true
	case strings.HasPrefix(message, "bad g->status in ready") && strings.Contains(report, "synctest bubble"), strings.HasPrefix(message, "time went backwards"):
		return death{status: testcase.Refused, message: endOfTime}, true
	case strings.Contains(message, "synctest"):
		return death{status: testcase.Refused, message: outsideBubble}, true
	}
	return death{}, false
}
