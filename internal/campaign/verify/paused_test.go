package verify

import "testing"

func TestWithPauses(t *testing.T) {
	const src = `package p

import (
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	r := New(10 * time.Millisecond)
	t.Run("sub", func(t *testing.T) {
		r.Incr(3)
		if got := r.Rate(); got != 3 {
			t.Error(got)
		}
	})
}

func TestTable(t *testing.T) {
	for _, tt := range []time.Duration{time.Microsecond} {
		t.Run("", func(t *testing.T) {
			Wait(tt)
		})
	}
}

func TestLong(t *testing.T) { New(time.Minute).Incr(3) }

func helper() { New(time.Millisecond) }
`
	const want = `package p

import (
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	time.Sleep(40000000); r := New(10 * time.Millisecond)
	t.Run("sub", func(t *testing.T) {
		time.Sleep(40000000); r.Incr(3)
		time.Sleep(40000000); if got := r.Rate(); got != 3 {
			t.Error(got)
		}
	})
}

func TestTable(t *testing.T) {
	for _, tt := range []time.Duration{time.Microsecond} {
		t.Run("", func(t *testing.T) {
			time.Sleep(40000000); Wait(tt)
		})
	}
}

func TestLong(t *testing.T) { New(time.Minute).Incr(3) }

func helper() { New(time.Millisecond) }
`
	names := []string{"TestShort", "TestTable", "TestLong", "helper2"}
	got, err := withPauses([]byte(src), names)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got, err := withPauses([]byte(src), []string{"TestLong"}); got != nil || err != nil {
		t.Errorf("a test of long times: %s, %v; want none", got, err)
	}
	if _, err := withPauses([]byte("package"), names); err == nil {
		t.Error("broken source: no error")
	}
}
