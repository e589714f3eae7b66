package queue

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/goassay/assay/internal/bundle"
)

// An entry is there under each of its keys for everybody who uses the server, until it is removed, and its content is
// stored once. What has another content than its digest says is none.
func TestShelf(t *testing.T) {
	s := serve(t)
	one, other := open(t, timings(s.URL())), open(t, timings(s.URL()))
	ctx := t.Context()
	entry := func(q *Queue, i int, want string) {
		t.Helper()
		if data, ok := q.Entry(ctx, key(i)); ok != (want != "") || string(data) != want {
			t.Errorf("entry %d is %q, %v, want %q", i, data, ok, want)
		}
	}
	entry(one, 0, "")
	if err := one.KeepEntry(ctx, []byte("first"), key(0), key(1)); err != nil {
		t.Fatal(err)
	}
	entry(other, 0, "first")
	entry(other, 1, "first")
	if list := must(one.shelf.contents.objects.List(ctx)); len(list) != 1 {
		t.Errorf("there are %d contents", len(list))
	}
	if err := other.KeepEntry(ctx, []byte("second"), key(1)); err != nil {
		t.Fatal(err)
	}
	entry(one, 0, "first")
	entry(one, 1, "second")
	if _, err := one.shelf.contents.objects.PutBytes(ctx, bundle.Digest(compressed([]byte("first"))), compressed([]byte("forged"))); err != nil {
		t.Fatal(err)
	}
	entry(other, 0, "")
	for range 2 {
		if err := other.RemoveEntry(ctx, key(1)); err != nil {
			t.Error(err)
		}
	}
	entry(one, 1, "")
	if err := one.KeepEntry(ctx, []byte("second"), key(2)); err != nil {
		t.Fatal(err)
	}
	entry(other, 2, "second") // although the same content was removed
	if err := one.KeepEntry(ctx, bytes.Repeat([]byte("x"), LargestEntry+1), key(3)); err == nil {
		t.Error("an entry that is too large was stored")
	}
	for name, content := range map[string][]byte{"not compressed": []byte("plain"), "too large": compressed(bytes.Repeat([]byte("x"), LargestEntry+1)), "cut off": compressed([]byte("cut off"))[:20]} {
		digest, err := one.shelf.contents.put(ctx, time.Now(), content)
		if err == nil {
			_, err = one.shelf.keys.PutString(ctx, key(4), digest)
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := one.Entry(ctx, key(4)); ok {
			t.Errorf("%s: found are %d bytes", name, len(data))
		}
	}
}

// An entry that is used after a long time is stored anew, so that it stays.
func TestShelf_used(t *testing.T) {
	q := open(t, timings(serve(t).URL()))
	ctx := t.Context()
	if err := q.KeepEntry(ctx, []byte("entry"), key(0)); err != nil {
		t.Fatal(err)
	}
	revision := func() uint64 { return must(q.shelf.keys.Get(ctx, key(0))).Revision() }
	first := revision()
	if _, ok := q.Entry(ctx, key(0)); !ok || revision() != first {
		t.Errorf("found %v, revision %d after %d", ok, revision(), first)
	}
	q.cfg.now = func() time.Time { return time.Now().Add(q.shelf.contents.fresh + time.Hour) }
	if _, ok := q.Entry(ctx, key(0)); !ok || revision() == first {
		t.Errorf("found %v, revision %d after %d", ok, revision(), first)
	}
}

// BenchmarkShelf measures what it costs to share the result of a package, of 100 KB under four keys, and to find one.
func BenchmarkShelf(b *testing.B) {
	q := open(b, timings(serve(b).URL()))
	var text bytes.Buffer
	for i := 0; text.Len() < 100<<10; i++ {
		fmt.Fprintf(&text, "func func=\"example.com/p.F%d\" args=0 literal=%.16s\n", i%17, key(i))
	}
	data := text.Bytes()
	b.Logf("%d bytes, %d compressed", len(data), len(compressed(data)))
	b.Run("keep", func(b *testing.B) {
		for i := range b.N {
			if err := q.KeepEntry(b.Context(), append(data, key(i)...), key(4*i), key(4*i+1), key(4*i+2), key(4*i+3)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("found", func(b *testing.B) {
		for range b.N {
			if _, ok := q.Entry(b.Context(), key(0)); !ok {
				b.Fatal("the entry is not there")
			}
		}
	})
	b.Run("missed", func(b *testing.B) {
		for range b.N {
			if _, ok := q.Entry(b.Context(), key(-1)); ok {
				b.Fatal("there is an entry")
			}
		}
	})
}
