// Package sharing has functions in which memory changes by another name than it was read by,
// where that is easily overlooked: what is said to be verified here, an execution may break.
package sharing

import "sync"

// Celsius has the memory of an int.
type Celsius int

// Point and Vector have the same memory.
type (
	Point  struct{ x, y int }
	Vector Point
)

// Tagged differs from Point in a tag.
type Tagged struct {
	x int `unit:"m"`
	y int
}

// Converted passes one pointer as two of different types.
func Converted(p *int, xs []int) int { return written(p, (*Celsius)(p), xs) }

func written(p *int, q *Celsius, xs []int) int {
	if p == nil || q == nil || *p < 0 || *p >= len(xs) {
		return 0
	}
	*q = 99
	return xs[*p]
}

// CalleeConverts has another function write to an int.
func CalleeConverts(n int, xs []int) int {
	p := &n
	if *p < 0 || *p >= len(xs) {
		return 0
	}
	warm((*Celsius)(p))
	return xs[*p]
}

func warm(c *Celsius) { *c = 99 }

// CalleeMoves has another function write to a field.
func CalleeMoves(x int, xs []int) int {
	p := &Point{x: x}
	if p.x < 0 || p.x >= len(xs) {
		return 0
	}
	move((*Vector)(p))
	return xs[p.x]
}

func move(v *Vector) { v.x += 99 }

// CalleeTags is CalleeMoves by way of a type with a tag.
func CalleeTags(x int, xs []int) int {
	p := &Point{x: x}
	if p.x < 0 || p.x >= len(xs) {
		return 0
	}
	tag((*Tagged)(p))
	return xs[p.x]
}

func tag(t *Tagged) { t.x += 99 }

// Elements writes some element of an array of its own.
func Elements(i int, xs []int) int {
	var a [4]int
	if i < 0 || i >= len(a) || len(xs) == 0 {
		return 0
	}
	a[0] = 0
	a[i] = 99
	return xs[a[0]]
}

// ElementFields writes a field of some element.
func ElementFields(i int, xs []int) int {
	var a [4]Point
	if i < 0 || i >= len(a) || len(xs) == 0 {
		return 0
	}
	a[0].x = 0
	a[i].x = 99
	return xs[a[0].x]
}

// Waits lets another goroutine write before it reads again.
func Waits(x int, xs []int) int {
	p := &Point{x: x}
	done := make(chan bool)
	go func() {
		p.x = 99
		done <- true
	}()
	if p.x < 0 || p.x >= len(xs) {
		return 0
	}
	<-done
	return xs[p.x]
}

// WaitsForGroup does so by way of package sync.
func WaitsForGroup(x int, xs []int) int {
	p := &Point{x: x}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		p.x = 99
		wg.Done()
	}()
	if p.x < 0 || p.x >= len(xs) {
		return 0
	}
	wg.Wait()
	return xs[p.x]
}

// CalleeWaits does so in another function.
func CalleeWaits(x int, xs []int) int {
	p := &Point{x: x}
	done := make(chan bool)
	go func() {
		p.x = 99
		done <- true
	}()
	if p.x < 0 || p.x >= len(xs) {
		return 0
	}
	await(done)
	return xs[p.x]
}

func await(done chan bool) { <-done }
