package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/goassay/assay/internal/bundle"
)

const (
	// blobsKept is how long blobs are kept. A blob that is older than blobsFresh when it is used is stored anew, so
	// that no blob is gone while something refers to it.
	blobsKept  = 8 * 24 * time.Hour
	blobsFresh = 2 * 24 * time.Hour
	// A blob that takes longer than blobPatience is tried again.
	blobPatience = time.Minute
	// inMessage is how many bytes a blob may have to be stored as one message. A server takes messages of up to
	// 1 MB. The object store divides what is larger, and takes some ten times as long for each blob.
	inMessage = 512 << 10
	// there begins the keys that say that a message is stored, so that nobody has to fetch it to know.
	there = "there."
)

// PutBlob stores a content and returns its digest.
func (q *Queue) PutBlob(ctx context.Context, data []byte) (string, error) {
	digest := bundle.Digest(data)
	if q.HasBlob(ctx, data) {
		return digest, nil
	}
	ctx, cancel := context.WithTimeout(ctx, blobPatience)
	defer cancel()
	var err error
	if len(data) > inMessage {
		_, err = q.objects.PutBytes(ctx, digest, data)
	} else if _, err = q.messages.Put(ctx, digest, data); err == nil {
		_, err = q.messages.Put(ctx, there+digest, nil)
	}
	if err != nil {
		return "", fmt.Errorf("queue: %w", err)
	}
	return digest, nil
}

// HasBlob reports whether a content is stored, and will be for some days.
func (q *Queue) HasBlob(ctx context.Context, data []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	digest := bundle.Digest(data)
	var stored time.Time
	if len(data) > inMessage {
		info, err := q.objects.GetInfo(ctx, digest)
		if err != nil {
			return false
		}
		stored = info.ModTime
	} else {
		entry, err := q.messages.Get(ctx, there+digest)
		if err != nil {
			return false
		}
		stored = entry.Created()
	}
	return q.serverTime().Sub(stored) < blobsFresh
}

// errNoBlob says that the server has no such blob, or not the content that the digest names.
var errNoBlob = errors.New("the server does not have it")

// Blob returns the content with that digest.
func (q *Queue) Blob(ctx context.Context, digest string) ([]byte, error) {
	data, err := q.blob(ctx, digest)
	if err == nil && bundle.Digest(data) != digest {
		err = fmt.Errorf("%w: its content is not what the digest says", errNoBlob)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: blob %.12s: %w", digest, err)
	}
	return data, nil
}

// blob returns what is stored under that digest.
func (q *Queue) blob(ctx context.Context, digest string) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, blobPatience)
	defer cancel()
	// The server answers a question at once. If there is no answer, it was restarted meanwhile.
	question, answered := context.WithTimeout(within, askPatience)
	defer answered()
	entry, err := q.messages.Get(question, digest)
	if err == nil {
		return entry.Value(), nil
	}
	if !errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, err
	}
	info, err := q.objects.GetInfo(question, digest)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, errNoBlob
	}
	if err != nil {
		return nil, err
	}
	if info.Size > bundle.MaxTotal {
		return nil, fmt.Errorf("it has %d bytes", info.Size)
	}
	data, err := q.objects.GetBytes(within, digest)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", errNoBlob, err) // it has promised the content, and does not send it
	}
	return data, err
}
