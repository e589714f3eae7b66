package native_test

import (
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

const clockwork = `package p

import (
	"sync"
	"time"
)

func Nap(hours int) time.Duration {
	begin := time.Now()
	time.Sleep(time.Duration(hours) * time.Hour)
	return time.Since(begin)
}

func Now() int64 { return time.Now().Unix() }

type Counter struct {
	n    int
	stop chan bool
}

func Start() *Counter {
	c := &Counter{stop: make(chan bool)}
	go func() {
		c.n++
		<-c.stop
	}()
	return c
}

func (c *Counter) N() int { return c.n }

func (c *Counter) Stop() { close(c.stop) }

func Never() {
	time.Sleep(time.Hour)
	<-make(chan int)
}

func Locked() {
	var mu sync.Mutex
	mu.Lock()
	go func() { time.Sleep(time.Hour); mu.Unlock() }()
	mu.Lock()
}

var kept = make(map[string]chan int)

func Keep() int {
	if kept["a"] == nil {
		kept["a"] = make(chan int, 9)
	}
	go func() {}()
	kept["a"] <- 1
	return len(kept["a"])
}

func Plain() int { return 1 }
`

// In a module whose version of Go has testing/synctest, cases that need the clock or start goroutines run in bubbles: a wait of
// hours takes no time, and the clock says the same in each run.
func TestBubbles(t *testing.T) {
	arch := source(clockwork)
	arch.Files[0].Data = []byte("module example.com/m\n\ngo 1.25\n")
	h, pkg := build(t, arch, native.Config{CaseTimeout: time.Second})
	begin := time.Now()
	out := run(t, h, pkg, native.Options{Twice: true}, "Nap(1000)", "Now()", "c := Start(); c.N()", "c := Start(); c.Stop()", "Never()", "Locked()", "Plain()", "Keep()")
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("the cases took %v", took)
	}
	last := func(i int) testcase.Value { return out[i].Results[len(out[i].Results)-1][0] }
	if v := last(0); time.Duration(v.Bits) != 1000*time.Hour || out[0].Unstable {
		t.Errorf("Nap(1000) = %v, unstable %t; want 1000 hours", v, out[0].Unstable)
	}
	if v, want := last(1), time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Unix(); int64(v.Bits) != want || out[1].Unstable {
		t.Errorf("Now() = %v, unstable %t; want %d", v, out[1].Unstable, want)
	}
	// How far the goroutine is when N is called is open.
	if v := last(2); v.Kind != testcase.Opaque || !out[2].Leaves {
		t.Errorf("N() = %v, leaves %t; want a value that differs, and a goroutine that is left", v, out[2].Leaves)
	}
	if out[3].Status != testcase.Returned || out[3].Leaves {
		t.Errorf("Stop: %v, leaves %t; want no goroutine left", out[3].Status, out[3].Leaves)
	}
	if out[4].Status != testcase.Deadlock || out[4].Panic == nil || len(out[4].Panic.Stack) == 0 || !strings.HasSuffix(out[4].Panic.Stack[0].Func, "p.Never") {
		t.Errorf("Never: %v %+v, want a deadlock in Never", out[4].Status, out[4].Panic)
	}
	if out[5].Status != testcase.Refused {
		t.Errorf("Locked: %v %q, want a refusal: time cannot pass", out[5].Status, out[5].Message)
	}
	if out[6].Status != testcase.Returned {
		t.Errorf("Plain: %v", out[6].Status)
	}
	if out[7].Status != testcase.Returned {
		t.Errorf("Keep: %v", out[7].Status)
	}
}

// A call that waits for one tick of the clock after the other takes the processor's time in a bubble. It is one that sleeps all
// the same, as it would be outside of a bubble.
func TestTicks(t *testing.T) {
	arch := source(`package p

import "time"

func Run(stop chan bool) int {
	t := time.NewTicker(time.Minute)
	for n := 0; ; n++ {
		select {
		case <-stop:
			return n
		case <-t.C:
		}
	}
}
`)
	arch.Files[0].Data = []byte("module example.com/m\n\ngo 1.25\n")
	h, pkg := build(t, arch, native.Config{CaseTimeout: time.Second})
	if out := run(t, h, pkg, native.Options{}, "Run(nil)"); out[0].Status != testcase.Hung || out[0].Message != testcase.Slept {
		t.Errorf("Run: %v %q, want a case that slept", out[0].Status, out[0].Message)
	}
}
