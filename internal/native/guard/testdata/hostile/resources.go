package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// resources are attacks by taking too much. Those whose name ends with "without end" do
// not return: the test ends them, or what limits them does.
func resources() map[string]attack {
	return map[string]attack{
		"a large file": func(world) error {
			f, err := os.Create("large")
			if err != nil {
				return err
			}
			block := make([]byte, 1<<20)
			for range 100 {
				if _, err := f.Write(block); err != nil {
					return err
				}
			}
			return nil
		},
		"a sparse file": func(world) error {
			if err := os.WriteFile("sparse", nil, 0o600); err != nil {
				return err
			}
			return os.Truncate("sparse", 1<<40)
		},
		"many descriptors": func(world) error {
			for range 5000 {
				if _, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0); err != nil {
					return err
				}
			}
			return nil
		},
		"much memory": func(world) error {
			var all [][]byte
			for range 64 {
				b := make([]byte, 64<<20)
				for i := 0; i < len(b); i += 4096 {
					b[i] = 1
				}
				all = append(all, b)
			}
			return fmt.Errorf("%d", len(all)*0) // not reached: the process has ended
		},
		"fork bomb": func(w world) error {
			started := 0
			var last error
			for range 500 {
				if last = exec.Command(os.Args[0], "fork bomb", w.decoys).Start(); last == nil {
					started++
				}
			}
			if started > 0 {
				return nil
			}
			return last
		},
		"ignore signals without end": func(world) error {
			for s := syscall.Signal(1); s < 32; s++ {
				ignore(s)
			}
			for {
				time.Sleep(time.Millisecond)
			}
		},
		"compute without end": func(world) error {
			for i := 0; ; i++ {
				if i == -1 {
					return errors.New("not reached")
				}
			}
		},
		"many small files without end": func(world) error {
			for i := 0; ; i++ {
				if err := os.WriteFile("f"+strconv.Itoa(i), []byte("x"), 0o600); err != nil {
					time.Sleep(time.Millisecond)
				}
			}
		},
		"large files without end": func(world) error {
			block := make([]byte, 32<<20)
			for i := 0; ; i++ {
				if err := os.WriteFile("f"+strconv.Itoa(i), block, 0o600); err != nil {
					time.Sleep(time.Millisecond)
				}
			}
		},
		"removed files without end": func(world) error {
			block := make([]byte, 32<<20)
			for i := 0; ; i++ {
				f, err := os.Create("f" + strconv.Itoa(i))
				if err != nil {
					time.Sleep(time.Millisecond)
					continue
				}
				_ = os.Remove(f.Name())
				_, _ = f.Write(block)
				defer f.Close() // it stays open
			}
		},
		"threads without end": func(world) error {
			for range 2000 {
				go func() { runtime.LockOSThread(); time.Sleep(time.Hour) }()
			}
			for {
				time.Sleep(time.Millisecond)
			}
		},
	}
}
