package purity

import "testing"

func TestWaits(t *testing.T) {
	pkg := loadSource(t, `package m

import "sync"

type Q struct {
	mu   sync.Mutex
	cond *sync.Cond
	c    chan int
	wg   sync.WaitGroup
}

func (q *Q) Lock() { q.mu.Lock(); q.mu.Lock() }
func (q *Q) Cond() { q.cond.L.Lock(); q.cond.Wait() }
func (q *Q) Recv() int { return <-q.c }
func (q *Q) Send() { q.c <- 1 }
func (q *Q) Group() { q.wg.Wait() }
func (q *Q) Far() int { return q.near() }
func (q *Q) near() int { return q.Recv() }
func (q *Q) Try() {
	select {
	case q.c <- 1:
	default:
	}
}
func (q *Q) Select() {
	select {
	case q.c <- 1:
	case <-q.c:
	}
}
`)
	for name, want := range map[string]bool{"Lock": false, "Cond": true, "Recv": true, "Send": true, "Group": true, "Far": true, "Try": false, "Select": true} {
		if got := Waits(pkg.Target("Q." + name).Func); got != want {
			t.Errorf("Waits(%s) = %v, want %v", name, got, want)
		}
	}
}
