package queue

import (
	"context"
	"time"

	"github.com/goassay/assay/internal/bundle"
)

// newBlobs returns the store of the contents that jobs and results refer to.
func newBlobs() store {
	const days = 24 * time.Hour
	return store{bucket: "assay_blobs", kept: blobsKept, fresh: 2 * days, largest: bundle.MaxTotal}
}

// blobsKept is how long blobs are kept.
const blobsKept = 8 * 24 * time.Hour

// PutBlob stores a content and returns its digest.
func (q *Queue) PutBlob(ctx context.Context, data []byte) (string, error) {
	return q.blobs.put(ctx, q.serverTime(), data)
}

// HasBlob reports whether a content is stored, and will be for some days.
func (q *Queue) HasBlob(ctx context.Context, data []byte) bool {
	return q.blobs.has(ctx, q.serverTime(), bundle.Digest(data))
}

// Blob returns the content with that digest.
func (q *Queue) Blob(ctx context.Context, digest string) ([]byte, error) {
	return q.blobs.get(ctx, digest)
}
