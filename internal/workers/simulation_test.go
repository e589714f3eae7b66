package workers

import (
	"container/heap"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/bundle"
	"github.com/goassay/assay/internal/queue"
	"github.com/goassay/assay/internal/schedule"
)

// This file simulates runs that are too large to be tried: up to 10,000 packages and 512 workers. The plan is the
// one that gen uses, and time is only a number.

// passSeconds are how long passes over public packages took until they ended by themselves or after 30 s; see
// "The corpus" in docs/benchmarks.md.
var passSeconds = []float64{
	10.9, 12.3, 7.3, 8.3, 9.3, 21.1, 4.8, 19.1, 22.2, 19.5, 28.3, 6.8, 10.0, 26.0, 2.7, 10.9, 4.6, 5.4, 30.0, 8.8, 21.1, 29.6, 7.6, 30.0,
	14.7, 29.8, 10.9, 18.3, 23.3,
}

// packageBytes are the sizes in bytes of the directories of the same packages, semver to tabwriter in docs/corpus.sh, with all files
// in them and without directories below them: what a worker is sent of each. (Of the standard library's, go1.26.8 was taken.)
var packageBytes = []float64{
	14084, 52396, 17384, 23853, 46872, 76975, 28357, 126267, 19357, 112987, 61600, 9672, 11111, 5435, 7981, 9428, 16015, 21169, 34149,
	69331, 29666, 51055, 14857, 10043, 21348, 215046, 40301, 20099, 34367,
}

// tripMillis are thirty samples of the time from the submission of an empty job to its result, of 3,000 jobs on a machine with two
// cores, without a network between, on 2026-11-29 at a load of 4: go test ./internal/queue -run xxx -bench Latency -benchtime 3000x
var tripMillis = []float64{
	0.40, 0.46, 0.53, 0.76, 0.84, 0.86, 0.87, 0.88, 0.89, 0.90, 0.91, 0.92, 0.93, 0.95, 0.96, 0.98, 1.00, 1.01, 1.03, 1.05, 1.07, 1.09, 1.12,
	1.15, 1.20, 1.27, 1.53, 1.61, 1.70, 1.99,
}

// costs are the other measured times, in seconds, and the sizes of what is sent. Where there are several, each package and each job
// has one that is drawn from them; where there are none it is 0.
type costs struct {
	coordinator float64   // for a package: to load it, to write its tests, to keep them
	server      float64   // of the server, for a job
	trips       []float64 // milliseconds of a job that nothing is to be done for, with the time of the server
	bytes       []float64 // of a package
	bandwidth   float64   // bytes that the server sends to all workers together, in a second
	unpack      float64   // bytes that a worker unpacks in a second
}

// measured are the costs on two cores: a run over 60 unchanged packages took 3.2 s (scale.sh), BenchmarkEmpty
// has the server's times, and BenchmarkModule what a worker unpacks. The
// bandwidth is that of a network of 1 Gbit/s. (BenchmarkModule fetches 320 MB/s without one.)
var measured = costs{coordinator: 0.053, server: 0.0003, trips: tripMillis, bytes: packageBytes, bandwidth: 118e6, unpack: 54e6}

// latency draws how long a job is on its way in one direction, beside the time of the server.
func (c costs) latency(rng *rand.Rand) float64 {
	const ways, perSecond = 2, 1000
	return max(0, draw(rng, c.trips)/perSecond-c.server) / ways
}

// draw returns one of the samples, or 0 if there are none.
func draw(rng *rand.Rand, samples []float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	return samples[rng.IntN(len(samples))]
}

// A run that was done, to be simulated by BenchmarkRecorded: a file with the seconds that each of its jobs took, and how
// many workers there were.
var (
	recorded        = flag.String("recorded", "", "a file with the seconds that each job of a run took, one a line")
	recordedWorkers = flag.Int("recorded.workers", 1, "how many workers did the jobs of -recorded")
)

// free are no costs at all.
var free = costs{bandwidth: 1, unpack: 1}

// simulated is what a simulated run comes to.
type simulated struct {
	seconds float64 // until the last result is written
	// The shares of the time in which the coordinator and the server were busy, and the workers on average with
	// jobs.
	coordinator, server, workers float64
}

// limit names what is busy most of the time, so that nothing else can make the run faster.
func (s simulated) limit() string {
	switch most := max(s.coordinator, s.server, s.workers); most {
	case s.coordinator:
		return "coordinator"
	case s.server:
		return "server"
	}
	return "workers"
}

// serial is something that does one thing after the other.
type serial struct{ free, busy float64 }

// use returns when work that comes at a time is done.
func (s *serial) use(at, cost float64) float64 {
	s.free = max(s.free, at) + cost
	s.busy += cost
	return s.free
}

// simulate runs a job for each package on a number of workers. Jobs take times that are drawn from those given, in the order in which
// wait draws them.
func simulate(packages, workers int, c costs, times []float64) simulated {
	rng, sizes, trips := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 3))
	module := 0. // bytes
	cfg := schedule.Config{Budget: 1 << 62, Workers: workers, Most: time.Minute, Single: true}
	for i := range packages {
		cfg.Packages = append(cfg.Packages, fmt.Sprintf("p%05d", i))
		module += draw(sizes, c.bytes)
	}
	plan := schedule.New(cfg)
	var coordinator, server serial
	var worked, last float64
	var events agenda
	// Each worker gets a job as soon as the coordinator has one for it, and the module before the first.
	for w := range workers {
		heap.Push(&events, happening{0, w, nil})
	}
	has := make([]bool, workers)
	for len(events) > 0 {
		e := heap.Pop(&events).(happening)
		if e.done != nil {
			plan.Done(*e.done, schedule.Outcome{Bound: e.done.Bound, Took: 1, Finished: true})
			last = coordinator.use(server.use(e.at, c.server/2)+c.latency(trips), c.coordinator/2)
			e.at = last
		}
		job, ok := plan.Next(0)
		if !ok {
			continue
		}
		at := server.use(coordinator.use(e.at, c.coordinator/2)+c.latency(trips), c.server/2)
		if !has[e.worker] {
			has[e.worker] = true
			at = server.use(at, module/c.bandwidth) + module/c.unpack
		}
		took := draw(rng, times)
		worked += took
		heap.Push(&events, happening{at + took, e.worker, &job})
	}
	return simulated{last, coordinator.busy / last, server.busy / last, worked / last / float64(workers)}
}

// happening is the moment at which a worker is ready for a job, after the one that it has done.
type happening struct {
	at     float64
	worker int
	done   *schedule.Job
}

// agenda has the next event first.
type agenda []happening

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].worker < a[j].worker
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(e any)   { *a = append(*a, e.(happening)) }
func (a *agenda) Pop() any {
	last := len(*a) - 1
	e := (*a)[last]
	*a = (*a)[:last]
	return e
}

// The simulation is right where it can be calculated: one worker takes the sum of all times, any number without
// other costs keeps between the bounds of list scheduling, and a serial resource limits what it has to.
func TestSimulation(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if got < want*0.999 || got > want*1.001 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("one worker", simulate(100, 1, free, []float64{7}).seconds, 700)
	near("as many workers as packages", simulate(100, 100, free, []float64{7}).seconds, 7)
	near("eight workers", simulate(100, 8, free, []float64{7}).seconds, 13*7)
	for _, workers := range []int{1, 3, 8, 50} {
		s := simulate(200, workers, free, passSeconds)
		sum := s.workers * s.seconds * float64(workers)
		if least := sum / float64(workers); s.seconds < least*0.999 || s.seconds > least+slices.Max(passSeconds) {
			t.Errorf("%d workers: %v s, want at least %v and at most the longest job more", workers, s.seconds, least)
		}
	}
	slow := simulate(1000, 500, costs{coordinator: 1, bandwidth: 1, unpack: 1}, []float64{1})
	near("a coordinator that takes a second for each", slow.coordinator, 1)
	if slow.limit() != "coordinator" {
		t.Errorf("the limit is %s", slow.limit())
	}
	if wide := simulate(1000, 500, costs{bytes: []float64{1}, bandwidth: 1, unpack: 1e9}, []float64{1}); wide.limit() != "server" {
		t.Errorf("a server that takes 1,000 s for each worker: the limit is %s", wide.limit())
	}
	near("a trip of a second beside the time of the server", simulate(10, 1, costs{server: 1, trips: []float64{2000}, bandwidth: 1, unpack: 1}, []float64{7}).seconds, 10*(1+1+7))
	if s := simulate(10_000, 1, costs{bytes: []float64{1, 3}, bandwidth: 1e9, unpack: 1}, []float64{0}).seconds; s < 19_700 || s > 20_300 {
		t.Errorf("a module of 10,000 packages of 1 or 3 bytes takes %v s for a byte a second", s)
	}
	if few := simulate(1000, 8, measured, passSeconds); few.limit() != "workers" || few.workers < 0.95 {
		t.Errorf("8 workers: %+v", few)
	}
}

// BenchmarkSimulation prints simulated runs with the measured costs, and from which number of workers on twice as
// many make a run less than 1.5 times as fast. It also does what is simulated: 60 jobs that take a fiftieth of the
// measured times, by the plan and through a server, on workers that only wait. The quotient of the two times is
// to be near 1.
func BenchmarkSimulation(b *testing.B) {
	for _, packages := range []int{60, 300, 1000, 10_000} {
		for _, workers := range []int{8, 64, 512} {
			b.Run(fmt.Sprintf("packages=%d/workers=%d", packages, workers), func(b *testing.B) {
				var s simulated
				for range b.N {
					s = simulate(packages, workers, measured, passSeconds)
				}
				b.ReportMetric(s.seconds, "s")
				b.ReportMetric(100*s.workers, "%workers")
				b.ReportMetric(100*s.coordinator, "%coordinator")
				b.ReportMetric(100*s.server, "%server")
				b.ReportMetric(0, "ns/op")
			})
		}
		b.Run(fmt.Sprintf("packages=%d/knee", packages), func(b *testing.B) {
			knee := 1
			for range b.N {
				for knee = 1; simulate(packages, knee, measured, passSeconds).seconds > 1.5*simulate(packages, 2*knee, measured, passSeconds).seconds; {
					knee *= 2
				}
			}
			b.ReportMetric(float64(knee), "workers")
			b.ReportMetric(0, "ns/op")
		})
	}
	for _, workers := range []int{2, 8} {
		b.Run(fmt.Sprintf("real/packages=60/workers=%d", workers), func(b *testing.B) {
			const packages, faster = 60, 50
			var times []float64
			for _, s := range passSeconds {
				times = append(times, s/faster)
			}
			var real time.Duration
			for range b.N {
				real += wait(b, packages, workers, times)
			}
			c := costs{server: measured.server, trips: measured.trips, bandwidth: 1, unpack: 1}
			b.ReportMetric(real.Seconds()/float64(b.N)/simulate(packages, workers, c, times).seconds, "real/simulated")
		})
	}
}

// BenchmarkRecorded simulates a run that was done, with the times of its own jobs. docs/scale.sh compares the two.
func BenchmarkRecorded(b *testing.B) {
	if *recorded == "" {
		b.Skip("-recorded names no run")
	}
	data, err := os.ReadFile(*recorded)
	if err != nil {
		b.Fatal(err)
	}
	var times []float64
	for _, field := range strings.Fields(string(data)) {
		seconds, err := strconv.ParseFloat(field, 64)
		if err != nil {
			b.Fatalf("%s: %v", *recorded, err)
		}
		times = append(times, seconds)
	}
	var s simulated
	for range b.N {
		s = simulate(len(times), *recordedWorkers, measured, times)
	}
	b.ReportMetric(s.seconds, "s")
	b.ReportMetric(100*s.workers, "%workers")
	b.ReportMetric(0, "ns/op")
}

// wait does jobs that only take time, in the order in which simulate draws their times, and returns how long all
// take.
func wait(b *testing.B, packages, workers int, times []float64) time.Duration {
	s, err := queue.Start(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	cfg := queue.Config{URL: s.URL(), Version: "v1"}
	open := func() *queue.Queue {
		q, err := queue.Open(b.Context(), cfg)
		if err != nil {
			b.Fatal(err)
		}
		return q
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	for i := range workers {
		q := open()
		defer q.Close()
		go func() {
			_ = q.Work(ctx, strconv.Itoa(i), func(_ context.Context, _ queue.Job, work []byte) ([]byte, error) { // it ends with ctx
				seconds, err := strconv.ParseFloat(string(work), 64)
				time.Sleep(time.Duration(seconds * float64(time.Second)))
				return nil, err
			})
		}()
	}
	q := open()
	defer q.Close()
	rng := rand.New(rand.NewPCG(1, 1))
	plan := schedule.Config{Budget: time.Hour, Workers: workers, Most: time.Minute, Single: true}
	work := make(map[string]string)
	for i := range packages {
		name := fmt.Sprintf("p%05d", i)
		plan.Packages = append(plan.Packages, name)
		work[name] = fmt.Sprint(draw(rng, times))
	}
	begin := time.Now()
	schedule.Run(ctx, schedule.New(plan), func(j schedule.Job) schedule.Outcome {
		if _, err := q.Wait(ctx, bundle.Digest([]byte(j.Package)), j.Package, []byte(work[j.Package]), nil); err != nil {
			b.Error(err)
		}
		return schedule.Outcome{Bound: j.Bound, Took: 1, Finished: true}
	}, func(schedule.Job, schedule.Outcome) {})
	return time.Since(begin)
}
