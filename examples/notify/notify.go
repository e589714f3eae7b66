// Package notify shows dependencies behind interfaces: tests stub them, and script
// what their methods return.
package notify

import (
	"errors"
	"fmt"
	"time"
)

// The errors of this package.
var (
	ErrDependency = errors.New("notify: a dependency is nil")
	ErrRecipient  = errors.New("notify: no recipient")
	ErrQuiet      = errors.New("notify: quiet hours")
)

// Sender delivers messages.
type Sender interface {
	Send(to, text string) error
}

// Clock tells the time.
type Clock interface {
	Now() time.Time
}

// The quiet hours: nothing is sent from quietFrom until quietUntil.
const (
	quietFrom  = 22
	quietUntil = 7
)

// retries is how often a message is sent again after an error.
const retries = 2

// Notifier sends messages outside of quiet hours.
type Notifier struct {
	sender Sender
	clock  Clock
	sent   int
}

// New returns a notifier. It returns ErrDependency if one of its dependencies is
// nil.
func New(sender Sender, clock Clock) (*Notifier, error) {
	if sender == nil || clock == nil {
		return nil, ErrDependency
	}
	return &Notifier{sender: sender, clock: clock}, nil
}

// Sent returns how many messages were sent.
func (n *Notifier) Sent() int {
	if n == nil {
		return 0
	}
	return n.sent
}

// Notify sends a message. Errors of the sender are wrapped once it was tried often
// enough.
func (n *Notifier) Notify(to, text string) error {
	if n == nil || n.sender == nil {
		return ErrDependency
	}
	if to == "" {
		return ErrRecipient
	}
	if h := n.clock.Now().Hour(); h >= quietFrom || h < quietUntil {
		return ErrQuiet
	}
	var err error
	for range 1 + retries {
		if err = n.sender.Send(to, text); err == nil {
			n.sent++
			return nil
		}
	}
	return fmt.Errorf("notify %s: %w", to, err)
}
