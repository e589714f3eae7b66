// Package machine shows a state machine: states that only sequences of calls reach.
package machine

import "errors"

// State is a state of a Turnstile.
type State uint8

// The states.
const (
	Locked State = iota
	Unlocked
	Broken
)

// String returns the state in words.
func (s State) String() string {
	switch s {
	case Locked:
		return "locked"
	case Unlocked:
		return "unlocked"
	case Broken:
		return "broken"
	}
	return "unknown"
}

// The errors of a Turnstile.
var (
	ErrLocked = errors.New("machine: locked")
	ErrBroken = errors.New("machine: broken")
	ErrCoin   = errors.New("machine: not a coin")
)

// maxForce is how often a locked turnstile bears being pushed.
const maxForce = 2

// Turnstile lets one person through for each coin. The zero value is locked; a nil
// *Turnstile is broken.
type Turnstile struct {
	state  State
	forced int
	passed int
	coins  int
}

// New returns a locked turnstile.
func New() *Turnstile { return &Turnstile{} }

// State returns the state.
func (t *Turnstile) State() State {
	if t == nil {
		return Broken
	}
	return t.state
}

// Passed returns how many people went through.
func (t *Turnstile) Passed() int {
	if t == nil {
		return 0
	}
	return t.passed
}

// Coin takes a coin of the given value and unlocks the turnstile.
func (t *Turnstile) Coin(value int) error {
	if t.State() == Broken {
		return ErrBroken
	}
	switch value {
	case 1, 2, 5:
		t.coins += value
	default:
		return ErrCoin
	}
	t.state = Unlocked
	t.forced = 0
	return nil
}

// Push lets a person through if the turnstile is unlocked. A locked one that is
// pushed again and again breaks.
func (t *Turnstile) Push() error {
	switch t.State() {
	case Unlocked:
		t.passed++
		t.state = Locked
		return nil
	case Locked:
		t.forced++
		if t.forced > maxForce {
			t.state = Broken
			return ErrBroken
		}
		return ErrLocked
	}
	return ErrBroken
}

// Repair makes a broken turnstile a locked one, and reports whether it was broken.
func (t *Turnstile) Repair() bool {
	if t == nil || t.state != Broken {
		return false
	}
	t.state = Locked
	t.forced = 0
	return true
}
