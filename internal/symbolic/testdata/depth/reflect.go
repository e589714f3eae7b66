package depth

import (
	"encoding/json"
	"reflect"
	"sync/atomic"
)

func Negative(n int) int {
	switch n {
	case -7:
		return 1
	case 1 << 40:
		return 2
	}
	return 0
}

func ReflectField(p point) int {
	if reflect.ValueOf(p).Field(1).Int() == 77 {
		return 1
	}
	return 0
}

func ReflectSet(n int) int {
	p := point{1, 2}
	reflect.ValueOf(&p).Elem().FieldByName("X").SetInt(int64(n))
	if p.X == 9 {
		return 1
	}
	return 0
}

func ReflectCall(a, b int) int {
	f := reflect.ValueOf(func(x, y int) int { return x - y })
	if f.Call([]reflect.Value{reflect.ValueOf(a), reflect.ValueOf(b)})[0].Int() == 5 {
		return 1
	}
	return 0
}

func DeepEqual(xs []int, m map[string]int) int {
	if reflect.DeepEqual(xs, []int{3, 1, 4}) {
		return 1
	}
	if reflect.DeepEqual(m, map[string]int{"a": 1}) {
		return 2
	}
	return 0
}

func Marshal(n uint8) int {
	b, err := json.Marshal(point{int(n), 2})
	if err == nil && string(b) == `{"X":5,"Y":2}` {
		return 1
	}
	return 0
}

func AtomicValue(n int) int {
	var v atomic.Value
	v.Store(n)
	if v.Load().(int) == 11 {
		return 1
	}
	return 0
}
