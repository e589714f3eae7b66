package boundary

import (
	"go/constant"
	"slices"
	"testing"
)

func TestMixedUnits(t *testing.T) {
	tests := []struct{ constants, want []int64 }{
		{[]int64{1000, 1, 1000000}, []int64{1001000}},
		{[]int64{1024, 1048576, 1024}, []int64{1049600}},
		{[]int64{2, 4, 6}, nil},
		{[]int64{-1, 0, 100}, nil},
		{[]int64{1 << 10, 1<<63 - 1}, nil}, // the sum would overflow
		{nil, nil},
	}
	for _, tt := range tests {
		var list []constant.Value
		for _, n := range tt.constants {
			list = append(list, constant.MakeInt64(n))
		}
		if got := mixedUnits(list); !slices.Equal(got, tt.want) {
			t.Errorf("mixedUnits(%d) = %d, want %d", tt.constants, got, tt.want)
		}
	}
}
