// Package helper has what predicates of another package of the module call.
package helper

// Chain is a chain of links.
type Chain struct {
	Next *Chain
	Rank int
}

// Ends reports whether a chain ends, with ranks that go down.
func (c *Chain) Ends() bool {
	for n := c; n != nil && n.Next != nil; n = n.Next {
		if n.Next.Rank >= n.Rank {
			return false
		}
	}
	return true
}

// Ascending reports whether numbers go up.
func Ascending[T ~int | ~uint8](list []T) bool {
	for i := range list {
		if i > 0 && list[i-1] > list[i] {
			return false
		}
	}
	return true
}
