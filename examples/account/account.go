// Package account shows a defect that only an assertion reveals, as in the work on
// guiding dynamic symbolic execution toward unverified program executions: of all
// the paths through Deposit one breaks the assertion, the one on which the sum
// overflows.
package account

import "github.com/goassay/assay"

// Amounts and balances that are treated specially.
const (
	reviewAbove = 50_000 // larger deposits wait for a clerk
	investAbove = 10_000 // a larger balance could be invested
)

// Account is a bank account. A nil *Account is closed: its balance is 0 and it takes
// no deposits.
type Account struct {
	balance  int32
	reviews  int
	advisory bool
}

// NewAccount returns an account with the given balance.
func NewAccount(balance int32) *Account {
	return &Account{balance: balance}
}

// Balance returns the balance.
func (a *Account) Balance() int32 {
	if a == nil {
		return 0
	}
	return a.balance
}

// Reviews returns how many deposits wait for a clerk.
func (a *Account) Reviews() int {
	if a == nil {
		return 0
	}
	return a.reviews
}

// Advised reports whether the owner was told to invest.
func (a *Account) Advised() bool {
	return a != nil && a.advisory
}

// Deposit adds amount to the balance. Amounts that are not positive, and large ones,
// are put aside for review instead. It never makes the balance smaller.
func (a *Account) Deposit(amount int32) {
	if a == nil {
		return
	}
	old := a.balance
	if amount <= 0 || amount > reviewAbove {
		a.review()
	} else {
		a.balance += amount
		if a.balance > investAbove {
			a.suggestInvestment()
		}
	}
	assay.Assert(a.balance >= old)
}

func (a *Account) review() { a.reviews++ }

func (a *Account) suggestInvestment() { a.advisory = true }
