// Package first registers itself.
package first

import "example.com/depth/registry"

func init() { registry.Register("first") }
