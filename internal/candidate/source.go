package candidate

import "embed"

// Source is the package's own source, for the harness.
//
//go:embed doc.go spec.go parse.go space.go slot.go record.go escape.go search.go reads.go split.go complete.go
var Source embed.FS
