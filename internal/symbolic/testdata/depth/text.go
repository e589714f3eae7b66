package depth

import (
	"errors"
	"fmt"
	"strconv"
)

func Atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 2
	}
	if n == 42 {
		return 1
	}
	return 0
}

func AtoiNegative(s string) int {
	if n, err := strconv.Atoi(s); err == nil && n < -100 {
		return 1
	}
	return 0
}

func ParseIntRange(s string) int {
	_, err := strconv.ParseInt(s, 10, 8)
	if errors.Is(err, strconv.ErrRange) {
		return 1
	}
	if errors.Is(err, strconv.ErrSyntax) {
		return 2
	}
	return 0
}

func ParseHex(s string) int {
	if n, err := strconv.ParseUint(s, 16, 32); err == nil && n == 0xff {
		return 1
	}
	return 0
}

func ParseBool(s string) int {
	b, err := strconv.ParseBool(s)
	switch {
	case err != nil:
		return 2
	case b:
		return 1
	}
	return 0
}

func ParseFloat(s string) int {
	if len(s) != 3 {
		return 0
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 2
	}
	if f == 1.5 {
		return 1
	}
	return 0
}

func Quote(s string) int {
	if len(s) == 1 && strconv.Quote(s) == `"\n"` {
		return 1
	}
	return 0
}

func Itoa(n int) int {
	if strconv.Itoa(n) == "137" {
		return 1
	}
	return 0
}

func FormatInt(n int64) int {
	if strconv.FormatInt(n, 16) == "-ff" {
		return 1
	}
	return 0
}

type codeError struct{ code int }

func (e *codeError) Error() string { return "code" }

var errBase = errors.New("base")

func work(n int) error {
	switch {
	case n > 100:
		return fmt.Errorf("too big: %d: %w", n, errBase)
	case n < 0:
		return fmt.Errorf("wrapped: %w", &codeError{n})
	}
	return nil
}

func Errors(n int) int {
	err := work(n)
	var ce *codeError
	switch {
	case errors.Is(err, errBase):
		return 1
	case errors.As(err, &ce) && ce.code == -7:
		return 2
	}
	return 0
}

func ErrorParam(err error) int {
	if errors.Is(err, errBase) {
		return 1
	}
	if err != nil {
		return 2
	}
	return 0
}

func Sprintf(n int) int {
	if fmt.Sprintf("%d", n) == "12" {
		return 1
	}
	return 0
}

func SprintfPadded(n uint8) int {
	if fmt.Sprintf("%03d", n) == "007" {
		return 1
	}
	return 0
}

func SprintfText(s string, n int) int {
	if fmt.Sprintf("%s=%d", s, n) == "k=5" {
		return 1
	}
	return 0
}

func SprintfLen(n uint16) int {
	if len(fmt.Sprint(n)) == 4 {
		return 1
	}
	return 0
}

func SprintfBranchAfter(n int) int {
	msg := fmt.Sprintf("n is %d", n)
	if n > 1000 && msg != "" {
		return 1
	}
	return 0
}

func SprintfBool(b bool) int {
	if fmt.Sprintf("%t", b) == "true" {
		return 1
	}
	return 0
}

func SprintfQuote(c byte) int {
	if fmt.Sprintf("%q", c) == `'\t'` {
		return 1
	}
	return 0
}

func SprintfHex(n uint32) int {
	if fmt.Sprintf("%x", n) == "beef" {
		return 1
	}
	return 0
}

type point struct{ X, Y int }

func SprintfStruct(x int) int {
	if fmt.Sprintf("%v", point{x, 2}) == "{1 2}" {
		return 1
	}
	return 0
}
