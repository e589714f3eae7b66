package workers

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goassay/assay/internal/bundle"
	"github.com/goassay/assay/internal/lock"
	"github.com/goassay/assay/internal/queue"
)

var kills = flag.Int("kills", 3, "how many workers TestLocal_killed waits to be killed")

// TestMain lets this program be a worker, too: StartLocal starts the program that it is in. So does the package
// guard, to confine what it runs.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "parent" {
		fmt.Fprintln(os.Stderr, beParent(os.Args[2]))
		os.Exit(1)
	}
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		if err := beWorker(); err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// quick is the configuration of the tests with processes: a worker is soon taken for lost.
func quick(url string) queue.Config {
	return queue.Config{URL: url, Version: "v1", AckWait: time.Second, Pause: 10 * time.Millisecond, Tries: 3}
}

// beWorker does the jobs of the tests, and dies of those that are poison. A mortal worker also dies at any other
// moment.
func beWorker() error {
	cfg := quick(os.Getenv(ServerEnv))
	var err error
	if cfg.Tries, err = strconv.Atoi(os.Args[2]); err != nil {
		return err
	}
	q, err := queue.Open(context.Background(), cfg)
	if err != nil {
		return err
	}
	if len(os.Args) > 3 && os.Args[3] == "mortal" {
		time.AfterFunc(time.Duration(rand.IntN(1000))*time.Millisecond, func() { fmt.Fprintln(os.Stderr, die()) })
	}
	if len(os.Args) > 4 && os.Args[3] == "lock" {
		if _, ok := lock.Alone(os.Args[4]); !ok {
			return errors.New("there is another worker")
		}
	}
	time.AfterFunc(5*time.Minute, func() { fmt.Fprintln(os.Stderr, die()) }) // whatever fails, no process stays
	ctx, err := UntilParentEnds(context.Background())
	if err != nil {
		return err
	}
	return q.Work(ctx, strconv.Itoa(os.Getpid()), func(_ context.Context, _ queue.Job, work []byte) ([]byte, error) {
		if strings.HasPrefix(string(work), "poison") {
			return nil, die()
		}
		time.Sleep(20 * time.Millisecond)
		return []byte("done: " + string(work)), nil
	})
}

// beParent starts a worker that locks a directory, and then dies.
func beParent(dir string) error {
	store, err := os.MkdirTemp(filepath.Dir(dir), "store")
	if err != nil {
		return err
	}
	if _, err := StartLocal(context.Background(), store, 1, []string{"3", "lock", dir}, os.Stderr); err != nil {
		return err
	}
	for {
		unlock, free := lock.Alone(dir)
		unlock()
		if !free {
			return die()
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A worker on this machine ends with the process that has started it, even if that is killed.
func TestLocal_parentKilled(t *testing.T) {
	if !lock.Supported {
		t.Skip("NOT TESTED: there are no locks here that would show whether the worker lives")
	}
	dir := filepath.Join(t.TempDir(), "locked")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(exe, "parent", dir)
	parent.Stderr = t.Output()
	if err := parent.Run(); err == nil || parent.ProcessState.Exited() {
		t.Fatalf("the parent was not killed: %v", err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		unlock, free := lock.Alone(dir)
		unlock()
		if free {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the worker lives on")
		}
	}
}

// die ends this process as kill -9 does.
func die() error {
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	return errors.Join(p.Kill(), errors.New("still alive"))
}

// local starts two worker processes, and connects to their server.
func local(t *testing.T, stderr io.Writer, args ...string) *queue.Queue {
	t.Helper()
	l, err := StartLocal(t.Context(), t.TempDir(), 2, args, stderr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return connect(t, quick(l.URL))
}

// A job that ends every worker that has it is dead with the reason, and other jobs are done by the workers that
// take the place of those.
func TestLocal_poisoned(t *testing.T) {
	q := local(t, t.Output(), "3")
	var asked sync.WaitGroup
	for i := range 10 {
		asked.Go(func() {
			work := fmt.Sprint("job ", i)
			if got, err := q.Wait(t.Context(), bundle.Digest([]byte(work)), work, []byte(work), nil); err != nil || string(got) != "done: "+work {
				t.Errorf("%s: %q, %v", work, got, err)
			}
		})
	}
	_, err := q.Wait(t.Context(), bundle.Digest(nil), "poison", []byte("poison"), nil)
	var dead *queue.DeadError
	if !errors.As(err, &dead) || !strings.HasPrefix(dead.Reason, "3 workers were lost while they did it, the last one ") {
		t.Errorf("poison: %v", err)
	}
	asked.Wait()
	list, err := q.List(t.Context(), false)
	if err != nil || len(list) != 1 || list[0].State != queue.Dead || list[0].What != "poison" {
		t.Errorf("List = %v, %v", list, err)
	}
}

// Workers that are killed at any moment lose nothing: every job comes to its result. (-kills 100 takes some
// minutes.)
func TestLocal_killed(t *testing.T) {
	var killed atomic.Int32
	q := local(t, counter(func(text string) {
		if strings.Contains(text, "a worker has ended") {
			killed.Add(1)
		}
	}), "1000", "mortal")
	for i := 0; int(killed.Load()) < *kills; i++ {
		var asked sync.WaitGroup
		for j := range 20 {
			asked.Go(func() {
				work := fmt.Sprint("job ", i, " ", j)
				if got, err := q.Wait(t.Context(), bundle.Digest([]byte(work)), work, []byte(work), nil); err != nil || string(got) != "done: "+work {
					t.Errorf("%s: %q, %v", work, got, err)
				}
			})
		}
		asked.Wait()
	}
}

// counter is called with all that is written.
type counter func(text string)

func (c counter) Write(data []byte) (int, error) {
	c(string(data))
	return len(data), nil
}
