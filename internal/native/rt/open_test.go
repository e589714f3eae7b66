package assayrt

import (
	"strconv"
	"testing"
)

// BenchmarkOrder measures the time of a loop over a map, without and with the order of its keys.
func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{1, 8, 100, 10_000} {
		m := map[string]int{}
		for i := range n {
			m[strconv.Itoa(i)] = i
		}
		b.Run("plain/"+strconv.Itoa(n), func(b *testing.B) {
			for range b.N {
				for k, v := range m {
					_, _ = k, v
				}
			}
		})
		b.Run("ordered/"+strconv.Itoa(n), func(b *testing.B) {
			for range b.N {
				var k string
				var v int
				for o := Order(m); o.Next(&k, &v); {
				}
			}
		})
	}
}
