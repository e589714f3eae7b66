package subjects

// Account is the example of the work on guidance: the overflow of the sum breaks the
// assertion, and nothing else does.
type Account struct {
	Balance int32
	Reviews int
	Advised bool
	log     [4]int32
}

// NewAccount returns an account with a balance.
func NewAccount(balance int32) *Account { return &Account{Balance: balance} }

// Deposit adds an amount, or has it reviewed.
func (a *Account) Deposit(amount int32) {
	if a == nil {
		return
	}
	old := a.Balance
	if amount <= 0 || amount > 50_000 {
		a.reviewDeposit(amount)
	} else {
		a.Balance += amount
		if a.Balance > 10_000 {
			a.suggestInvestment()
		}
	}
	holds(a.Balance >= old)
}

// DepositChecked is Deposit with a second assertion that no analysis here verifies.
func (a *Account) DepositChecked(amount int32) {
	if a == nil {
		return
	}
	old := a.Balance
	if amount <= 0 || amount > 50_000 {
		a.reviewDeposit(amount)
	} else {
		a.Balance += amount
		if a.Balance > 10_000 {
			a.suggestInvestment()
		}
	}
	holds(a.Balance >= old)
	holds(a.Balance%7 != 3 || amount != 12_345)
}

func (a *Account) reviewDeposit(amount int32) {
	for i := range a.log {
		if amount>>uint(i*8)&0xff > 7 {
			a.Reviews++
		}
	}
}

func (a *Account) suggestInvestment() { a.Advised = a.Balance%2 == 0 }

// Withdraw takes an amount out if it is there.
func (a *Account) Withdraw(amount int32) bool {
	if amount < 0 || amount > a.Balance {
		return false
	}
	old := a.Balance
	a.Balance -= amount
	holds(a.Balance <= old)
	return true
}

// Transfer moves an amount from one account to another.
func (a *Account) Transfer(to *Account, amount int32) bool {
	if to == nil || amount <= 0 || a.Balance < amount {
		return false
	}
	before := a.Balance
	a.Balance -= amount
	to.Balance += amount
	holds(a.Balance < before)
	return true
}

// Interest adds a share of the balance.
func (a *Account) Interest(percent int32) int32 {
	if percent < 0 || percent > 100 {
		return 0
	}
	gain := a.Balance * percent / 100
	a.Balance += gain
	if a.Balance > 1_000_000 {
		a.suggestInvestment()
	}
	holds(gain <= 0 || a.Balance >= gain)
	return gain
}
