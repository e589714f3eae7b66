package workers

import (
	"context"
	"encoding/hex"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign"
)

// shared stores entries of caches at the server. It implements campaign.Shared.
type shared struct{ of *Coordinator }

// Shared returns where all who use the server share what their caches keep of the module's packages.
func (c *Coordinator) Shared() campaign.Shared { return shared{c} }

// Recall implements campaign.Shared.
func (s shared) Recall(ctx context.Context, key cache.Key, dir string) (data []byte, ok bool) {
	data, ok = s.of.q.Entry(ctx, hex.EncodeToString(key[:]))
	if !ok {
		return nil, false
	}
	return s.of.rooted(campaign.ModuleRoot, data, dir), true
}

// Keep implements campaign.Shared.
func (s shared) Keep(ctx context.Context, dir string, data []byte, keys ...cache.Key) error {
	var names []string
	for _, key := range keys {
		names = append(names, hex.EncodeToString(key[:]))
	}
	return s.of.q.KeepEntry(ctx, campaign.ModuleRoot.Take(data, s.of.rootAbove(dir)), names...)
}

// Remove implements campaign.Shared.
func (s shared) Remove(ctx context.Context, key cache.Key) error {
	return s.of.q.RemoveEntry(ctx, hex.EncodeToString(key[:]))
}
