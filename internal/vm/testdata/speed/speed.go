// Package speed is what the machine's speed is measured on.
package speed

// ArrayLoop sums products over an array, again and again: no calls, no allocation.
func ArrayLoop() uint64 {
	var a [256]uint64
	for i := range a {
		a[i] = uint64(i)
	}
	var sum uint64
	for range 4000 {
		for i := 0; i < len(a); i++ {
			sum += a[i]*3 ^ sum>>1
		}
	}
	return sum
}

type tree struct {
	left, right *tree
	key         int
}

func (t *tree) insert(key int) *tree {
	if t == nil {
		return &tree{key: key}
	}
	if key < t.key {
		t.left = t.left.insert(key)
	} else {
		t.right = t.right.insert(key)
	}
	return t
}

// Trees builds search trees: calls, pointers, allocation.
func Trees() int {
	n := 0
	for round := range 200 {
		var t *tree
		x := uint32(round)
		for range 100 {
			x = x*1664525 + 1013904223
			t = t.insert(int(x >> 8))
		}
		for t != nil {
			n, t = n+1, t.left
		}
	}
	return n
}

// Strings allocates text and slices.
func Strings() int {
	n := 0
	for i := range 2000 {
		var parts []string
		for k := range 8 {
			parts = append(parts, string(rune('a'+(i+k)%26)))
		}
		s := ""
		for _, p := range parts {
			s += p
		}
		n += len(s)
	}
	return n
}

type object struct{ next *object }

// Forks has objects many objects when it decides fourteen bits of x, writing one object
// after each decision.
func Forks(x uint16, objects int) int {
	var list *object
	for range objects {
		list = &object{list}
	}
	sum := new(int)
	for i := range 14 {
		if x>>i&1 == 1 {
			*sum += i
		}
	}
	if list == nil {
		return -1
	}
	return *sum
}
