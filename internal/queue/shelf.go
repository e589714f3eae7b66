package queue

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The shelf has entries of caches that all who use the server share. A bucket says which digest the entry of a key has, and an
// object store has the contents, so that an entry with several keys is stored once. Contents are compressed, to a fifth for tests and
// cases, because each pass over a package stores one. What is used stays; what nobody has used for some days goes.

// LargestEntry is the size in bytes of the largest entry of the shelf, before it is compressed.
const LargestEntry = 64 << 20

// shelf stores the entries.
type shelf struct {
	keys     jetstream.KeyValue // by the key of an entry, its digest
	contents store
}

func newShelf() shelf {
	const days = 24 * time.Hour
	return shelf{contents: store{bucket: "assay_cache", kept: 15 * days, fresh: 5 * days, largest: LargestEntry}}
}

// keysBucket is the name of the bucket with the digests of the entries.
const keysBucket = "assay_cache_keys"

// make creates the shelf, unless it exists.
func (s *shelf) make(ctx context.Context, js jetstream.JetStream) (err error) {
	if s.keys, err = js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: keysBucket, TTL: s.contents.kept}); err != nil {
		return err
	}
	return s.contents.make(ctx, js)
}

// KeepEntry stores an entry under some keys, in the place of those that are there.
func (q *Queue) KeepEntry(ctx context.Context, data []byte, keys ...string) error {
	if len(data) > LargestEntry {
		return fmt.Errorf("queue: an entry of %d bytes", len(data))
	}
	digest, err := q.shelf.contents.put(ctx, q.serverTime(), compressed(data))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	for _, key := range keys {
		if _, err := q.shelf.keys.PutString(ctx, key, digest); err != nil {
			return fmt.Errorf("queue: %w", err)
		}
	}
	return nil
}

// Entry returns the entry of a key, if there is one with the content that its digest names.
func (q *Queue) Entry(ctx context.Context, key string) (data []byte, ok bool) {
	question, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	entry, err := q.shelf.keys.Get(question, key)
	if err != nil {
		return nil, false
	}
	digest := string(entry.Value())
	if data, err = q.shelf.contents.get(ctx, digest); err == nil {
		data, err = decompressed(data)
	}
	if err != nil {
		return nil, false
	}
	if q.serverTime().Sub(entry.Created()) > q.shelf.contents.fresh {
		_ = q.KeepEntry(ctx, data, key) // if it fails, the entry goes earlier than it could
	}
	return data, true
}

// RemoveEntry removes the entry of a key, and all others that are the same. It is no error if there is none.
func (q *Queue) RemoveEntry(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	entry, err := q.shelf.keys.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil
	}
	if err == nil {
		err = q.shelf.contents.objects.Delete(ctx, string(entry.Value()))
	}
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		err = nil
	}
	if err = errors.Join(err, q.shelf.keys.Purge(ctx, key)); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// compressed returns an entry as it is stored.
func compressed(data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("bug: queue: " + err.Error()) // it is written into memory
	}
	return b.Bytes()
}

// decompressed returns an entry that was stored. What becomes larger than an entry may be is none.
func decompressed(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, LargestEntry+1))
	if err == nil && len(out) > LargestEntry {
		err = errors.New("an entry that is too large")
	}
	return out, err
}
