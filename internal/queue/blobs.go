package queue

import (
	"bytes"
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
	// inMessage is how many bytes of a blob the object store keeps in one message. A server takes messages of up to 1 MB.
	inMessage = 512 << 10
	blobsName = "assay_blobs"
)

// makeBlobs creates the object store, unless it exists.
func (q *Queue) makeBlobs(ctx context.Context) (err error) {
	if q.objects, err = q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: blobsName, TTL: blobsKept}); err != nil {
		return err
	}
	q.contents, err = q.js.Stream(ctx, "OBJ_"+blobsName)
	return err
}

// PutBlob stores a content and returns its digest.
func (q *Queue) PutBlob(ctx context.Context, data []byte) (string, error) {
	digest := bundle.Digest(data)
	if q.HasBlob(ctx, data) {
		return digest, nil
	}
	ctx, cancel := context.WithTimeout(ctx, blobPatience)
	defer cancel()
	how := &jetstream.ObjectMetaOptions{ChunkSize: uint32(min(max(len(data), 1), inMessage))}
	if _, err := q.objects.Put(ctx, jetstream.ObjectMeta{Name: digest, Opts: how}, bytes.NewReader(data)); err != nil {
		return "", fmt.Errorf("queue: %w", err)
	}
	return digest, nil
}

// HasBlob reports whether a content is stored, and will be for some days.
func (q *Queue) HasBlob(ctx context.Context, data []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	info, err := q.objects.GetInfo(ctx, bundle.Digest(data))
	return err == nil && q.serverTime().Sub(info.ModTime) < blobsFresh
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
	var data []byte
	if info.Chunks == 1 {
		// To ask for the one message that has the content takes a tenth of the time that the store's own way of reading takes.
		var msg *jetstream.RawStreamMsg
		if msg, err = q.contents.GetLastMsgForSubject(question, "$O."+blobsName+".C."+info.NUID); err == nil {
			return msg.Data, nil
		}
	}
	// Whoever stores a blob anew removes its former content, so it is asked for once more.
	data, err = q.objects.GetBytes(within, digest)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", errNoBlob, err) // it has promised the content, and does not send it
	}
	return data, err
}
