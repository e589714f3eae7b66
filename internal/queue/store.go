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

// inMessage is how many bytes of a content an object store keeps in one message. A server takes messages of up to 1 MB.
const inMessage = 512 << 10

// A content whose transfer takes longer than storePatience is tried again.
const storePatience = time.Minute

// store is an object store of contents that are named by their digests.
type store struct {
	bucket string
	// kept is how long contents are kept. One that is older than fresh when it is used is stored anew, so that none is gone
	// while something refers to it.
	kept, fresh time.Duration
	largest     uint64 // the size in bytes of the largest content

	objects  jetstream.ObjectStore
	contents jetstream.Stream // the messages of the objects
}

// make creates the store, unless it exists.
func (s *store) make(ctx context.Context, js jetstream.JetStream) (err error) {
	if s.objects, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: s.bucket, TTL: s.kept}); err != nil {
		return err
	}
	s.contents, err = js.Stream(ctx, "OBJ_"+s.bucket)
	return err
}

// put stores a content, unless it will be there for some time, and returns its digest. The parameter now is the server's time.
func (s *store) put(ctx context.Context, now time.Time, data []byte) (string, error) {
	digest := bundle.Digest(data)
	if s.has(ctx, now, digest) {
		return digest, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storePatience)
	defer cancel()
	how := &jetstream.ObjectMetaOptions{ChunkSize: uint32(min(max(len(data), 1), inMessage))}
	if _, err := s.objects.Put(ctx, jetstream.ObjectMeta{Name: digest, Opts: how}, bytes.NewReader(data)); err != nil {
		return "", fmt.Errorf("queue: %w", err)
	}
	return digest, nil
}

// has reports whether a content is stored, and will be for some time.
func (s *store) has(ctx context.Context, now time.Time, digest string) bool {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	info, err := s.objects.GetInfo(ctx, digest)
	return err == nil && now.Sub(info.ModTime) < s.fresh
}

// errNoBlob says that the server has no such content, or not the one that the digest names.
var errNoBlob = errors.New("the server does not have it")

// get returns the content with that digest.
func (s *store) get(ctx context.Context, digest string) ([]byte, error) {
	data, err := s.read(ctx, digest)
	if err == nil && bundle.Digest(data) != digest {
		err = fmt.Errorf("%w: its content is not what the digest says", errNoBlob)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: blob %.12s: %w", digest, err)
	}
	return data, nil
}

// read returns what is stored under that digest.
func (s *store) read(ctx context.Context, digest string) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, storePatience)
	defer cancel()
	// The server answers a question at once. If there is no answer, it was restarted meanwhile.
	question, answered := context.WithTimeout(within, askPatience)
	defer answered()
	info, err := s.objects.GetInfo(question, digest)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, errNoBlob
	}
	if err != nil {
		return nil, err
	}
	if info.Size > s.largest {
		return nil, fmt.Errorf("it has %d bytes", info.Size)
	}
	if info.Chunks == 1 {
		// To ask for the one message that has the content takes a tenth of the time that the store's own way of reading takes.
		if msg, err := s.contents.GetLastMsgForSubject(question, "$O."+s.bucket+".C."+info.NUID); err == nil {
			return msg.Data, nil
		}
	}
	// Whoever stores a content anew removes the former one, so it is asked for once more.
	data, err := s.objects.GetBytes(within, digest)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", errNoBlob, err) // it has promised the content, and does not send it
	}
	return data, err
}
