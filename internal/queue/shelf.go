package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The shelf has entries of caches that all who use the server share. A bucket says which digest the entry of a key has, and an
// object store has the contents, so that an entry with several keys is stored once. What is used stays; what nobody has used for
// some weeks goes.

// LargestEntry is the size in bytes of the largest entry of the shelf.
const LargestEntry = 64 << 20

// shelf stores the entries.
type shelf struct {
	keys     jetstream.KeyValue // by the key of an entry, its digest
	contents store
}

func newShelf() shelf {
	const days = 24 * time.Hour
	return shelf{contents: store{bucket: "assay_cache", kept: 30 * days, fresh: 10 * days, largest: LargestEntry}}
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
	digest, err := q.shelf.contents.put(ctx, q.serverTime(), data)
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
	if data, err = q.shelf.contents.get(ctx, digest); err != nil {
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
