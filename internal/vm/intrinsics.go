package vm

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// call is a call of an intrinsic function.
type call struct {
	fn     *Func
	args   []Value
	result *Type // tuple
}

// intrinsic is a function that the machine executes itself, because it has no Go body or the machine
// cannot follow it. It returns the cells of the results.
type intrinsic func(m *Machine, st *State, c *call) ([]Value, signal)

// noop does nothing.
func noop(_ *Machine, _ *State, c *call) ([]Value, signal) {
	return make([]Value, c.result.Size), sigNext
}

// refuse makes an intrinsic that ends the path with the name of the function.
func refuse(what string) intrinsic {
	return func(*Machine, *State, *call) ([]Value, signal) { panic(unsupported(what)) }
}

// constantResult makes an intrinsic that returns a number.
func constantResult(n uint64) intrinsic {
	return func(_ *Machine, _ *State, c *call) ([]Value, signal) {
		out := make([]Value, c.result.Size)
		out[0] = Value{Bits: n}
		return out, sigNext
	}
}

// lookupIntrinsic finds the intrinsic of a function by its full name.
func lookupIntrinsic(name string, fn *ssa.Function) intrinsic {
	if fn.Synthetic == "package initializer" {
		// The initialisers of other packages run when they are needed; see ensureInit.
		return noop
	}
	if in, ok := intrinsics(name); ok {
		return in
	}
	if strings.HasPrefix(name, "reflect.TypeAssert[") {
		return typeAssert
	}
	if rest, ok := strings.CutPrefix(name, "sync/atomic."); ok {
		return atomicOp(rest)
	}
	if rest, ok := strings.CutPrefix(name, "internal/runtime/atomic."); ok {
		return atomicOp(rest)
	}
	if rest, ok := strings.CutPrefix(name, "math."); ok {
		if f := mathFunc(rest); f != nil {
			return f
		}
	}
	return nil
}

// intrinsics is the table of functions by full name.
func intrinsics(name string) (intrinsic, bool) {
	switch name {
	case "os.Exit", "syscall.Exit", "os.runtime_beforeExit":
		return doExit, true
	case "runtime.Gosched", "runtime.KeepAlive", "runtime.LockOSThread", "runtime.UnlockOSThread",
		"internal/race.Enable", "internal/race.Disable",
		"(*internal/godebug.Setting).IncNonDefault", "internal/godebug.registerMetric", "internal/godebug.setUpdate", "internal/godebug.setNewIncNonDefault",
		"sync.runtime_registerPoolCleanup", "sync.runtime_notifyListCheck",
		"crypto/internal/fips140.getIndicator", "crypto/internal/fips140.setIndicator",
		"internal/sync.runtime_doSpin", "internal/synctest.Associate", "internal/synctest.Disassociate":
		if name == "runtime.Gosched" {
			return doYield, true
		}
		return noop, true
	case "(*internal/godebug.Setting).Value":
		return godebugValue, true
	case "crypto/internal/constanttime.boolToUint8":
		return boolToUint8, true
	case "internal/synctest.IsInBubble", "internal/sync.runtime_canSpin", "sync.runtime_canSpin":
		return constantResult(0), true
	case "runtime.GC":
		return doGC, true
	case "runtime.SetFinalizer":
		return setFinalizer, true
	case "runtime.AddCleanup":
		return refuse("the garbage collector"), true
	case "runtime.ReadMemStats":
		return readMemStats, true
	case "runtime/debug.SetPanicOnFault", "runtime/debug.SetMaxStack", "runtime/debug.FreeOSMemory":
		return approximate(0), true
	case "runtime.GOMAXPROCS", "runtime.NumCPU":
		return approximate(1), true
	case "syscall.Getpagesize", "os.runtime_pagesize":
		return approximate(4096), true
	case "runtime/debug.setGCPercent":
		return approximate(100), true
	case "runtime.Version":
		return toolVersion, true
	case "runtime.NumGoroutine":
		return numGoroutine, true
	case "runtime.Goexit":
		return doGoexit, true
	case "internal/sync.runtime_SemacquireMutex", "sync.runtime_Semacquire", "sync.runtime_SemacquireRWMutexR", "sync.runtime_SemacquireRWMutex",
		"sync.runtime_SemacquireWaitGroup", "internal/sync.runtime_Semacquire":
		return semAcquire, true
	case "internal/sync.runtime_Semrelease", "sync.runtime_Semrelease":
		return semRelease, true
	case "sync.throw", "sync.fatal", "internal/sync.throw", "internal/sync.fatal":
		return doFatal, true
	case "internal/sync.runtime_nanotime", "time.Now", "time.runtimeNano", "time.now", "time.runtimeNow", "time.runtimeIsBubbled":
		return readClock(name), true
	case "time.Sleep":
		return doSleep, true
	case "os.Getenv", "os.LookupEnv", "syscall.Getenv", "os.Environ", "syscall.Environ", "syscall.runtime_envs", "os.runtime_args":
		return environment(name), true
	case "math/rand.runtime_rand", "math/rand/v2.runtime_rand", "runtime.rand", "internal/rand.fatal", "os.runtime_rand", "hash/maphash.runtime_rand":
		return random, true
	case "assay·concat":
		return nil, false
	case "os.NewFile":
		return newFile, true
	case "(*os.File).Write":
		return writeFile, true
	case "maps.clone":
		return mapsClone, true
	case "runtime.mapiterinit":
		return refuse("map internals"), true
	}
	if in, ok := reflectIntrinsics(name); ok {
		return in, true
	}
	if in, ok := modelIntrinsics(name); ok {
		return in, true
	}
	return nil, false
}

// doExit ends the path because the process exits.
func doExit(m *Machine, st *State, c *call) ([]Value, signal) {
	m.endPath(st, StopExit, fmt.Sprintf("exit status %d", int64(c.args[0].Bits)))
	return nil, sigStop
}

// doFatal is a fatal error of the runtime.
func doFatal(m *Machine, st *State, c *call) ([]Value, signal) {
	s, _ := m.concreteString(st, c.args[0], c.args[1])
	m.endPath(st, StopFatal, s)
	return nil, sigStop
}

func doGoexit(m *Machine, st *State, _ *call) ([]Value, signal) {
	return nil, m.startPanic(st, &panicRec{goexit: true, site: -1})
}

// doYield lets other goroutines run. If the statements of a sequence themselves call runtime.Gosched, there is no frame to come back
// to: the sequence goes on, and the goroutines that its calls have started run as soon as one of its calls waits.
func doYield(_ *Machine, st *State, _ *call) ([]Value, signal) {
	if len(st.gs) == 1 || st.g().top == nil {
		return nil, sigNext
	}
	st.own().pc++
	return nil, sigSwitch
}

// doSleep lets other goroutines run. No test should depend on how long it sleeps.
func doSleep(m *Machine, st *State, c *call) ([]Value, signal) {
	st.approx = true
	if m.program && st.g().until == 0 {
		return nil, m.sleep(st, st.nanotime()+int64(c.args[0].Bits))
	} else if m.program {
		return nil, m.sleep(st, 0)
	}
	return doYield(m, st, c)
}

// semAcquire waits until *addr > 0 and subtracts one from it.
func semAcquire(m *Machine, st *State, c *call) ([]Value, signal) {
	g := st.g()
	p := c.args[0]
	var v [1]Value
	t := m.uint32Type()
	m.load(st, p, t, v[:])
	if v[0].Bits == 0 {
		g.sema = p
		return nil, st.block() // the wait gets a new number, so its registrations in channels become stale
	}
	g.blocked = false
	g.sema = Value{}
	m.store(st, p, t, []Value{{Bits: v[0].Bits - 1}})
	return nil, sigNext
}

// semRelease adds one to *addr.
func semRelease(m *Machine, st *State, c *call) ([]Value, signal) {
	var v [1]Value
	t := m.uint32Type()
	m.load(st, c.args[0], t, v[:])
	m.store(st, c.args[0], t, []Value{{Bits: v[0].Bits + 1}})
	return nil, sigNext
}

// semaReady reports whether the semaphore that a goroutine waits for is free.
func (m *Machine) semaReady(st *State, g *goroutine) bool {
	if g.sema.Bits == 0 {
		return false
	}
	var v [1]Value
	m.load(st, g.sema, m.uint32Type(), v[:])
	return v[0].Bits > 0
}

// atomicOp makes the intrinsic of an atomic operation by its name. The operation is a plain one, because
// goroutines are not preempted.
func atomicOp(name string) intrinsic {
	if strings.Contains(name, ")") {
		return nil // methods have a body in Go
	}
	body := func(f func(m *Machine, st *State, c *call, t *Type, old Value) ([]Value, []Value)) intrinsic {
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			t := m.types.of(c.fn.ssa.Signature.Params().At(0).Type()).Elem
			p := m.pointer(st, c.args[0], t)
			var old [1]Value
			m.load(st, p, t, old[:])
			res, store := f(m, st, c, t, m.known(old[0]))
			if store != nil {
				m.store(st, p, t, store)
			}
			return res, sigNext
		}
	}
	arith := func(v Value, u Value, t *Type, con func(a, b uint64) uint64, sym func(m *Machine) Value) func(*Machine) Value {
		return func(m *Machine) Value {
			if v.Term|u.Term == 0 {
				return Value{Bits: con(v.Bits, u.Bits) & mask(t.Bits)}
			}
			return sym(m)
		}
	}
	switch {
	case strings.HasPrefix(name, "Load"):
		return body(func(_ *Machine, _ *State, _ *call, _ *Type, old Value) ([]Value, []Value) { return []Value{old}, nil })
	case strings.HasPrefix(name, "Store"):
		return body(func(_ *Machine, _ *State, c *call, _ *Type, _ Value) ([]Value, []Value) { return nil, c.args[1:2] })
	case strings.HasPrefix(name, "Swap"), strings.HasPrefix(name, "Xchg"):
		return body(func(_ *Machine, _ *State, c *call, _ *Type, old Value) ([]Value, []Value) {
			return []Value{old}, c.args[1:2]
		})
	case strings.HasPrefix(name, "Add"), strings.HasPrefix(name, "Xadd"):
		return body(func(m *Machine, _ *State, c *call, t *Type, old Value) ([]Value, []Value) {
			w := int(t.Bits)
			v := arith(old, c.args[1], t, func(a, b uint64) uint64 { return a + b }, func(m *Machine) Value {
				return m.value(m.ts.Add(m.termOf(old, w), m.termOf(c.args[1], w)))
			})(m)
			return []Value{v}, []Value{v}
		})
	case strings.HasPrefix(name, "And"), strings.HasPrefix(name, "Or"):
		and := strings.HasPrefix(name, "And")
		return body(func(m *Machine, _ *State, c *call, t *Type, old Value) ([]Value, []Value) {
			w := int(t.Bits)
			v := arith(old, c.args[1], t, func(a, b uint64) uint64 {
				if and {
					return a & b
				}
				return a | b
			}, func(m *Machine) Value {
				a, b := m.termOf(old, w), m.termOf(c.args[1], w)
				if and {
					return m.value(m.ts.And(a, b))
				}
				return m.value(m.ts.Or(a, b))
			})(m)
			return []Value{old}, []Value{v}
		})
	case strings.HasPrefix(name, "CompareAndSwap"), strings.HasPrefix(name, "Cas"):
		return body(func(m *Machine, st *State, c *call, t *Type, old Value) ([]Value, []Value) {
			w := int(t.Bits)
			if w == 0 {
				w = 64
			}
			if m.decide(st, m.equalCells(st, old, c.args[1], w)) {
				return []Value{{Bits: 1}}, c.args[2:3]
			}
			return []Value{{}}, nil
		})
	}
	return nil
}

// mathFunc makes the intrinsic of a function of package math. The host computes it if the arguments are
// known. Otherwise it is a term if there is one for it, or the function is interpreted.
func mathFunc(name string) intrinsic {
	one := func(host func(float64) float64, sym func(m *Machine, v Value) (Value, bool)) intrinsic {
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			x := m.known(c.args[0])
			if x.Term == 0 {
				return []Value{{Bits: math.Float64bits(host(math.Float64frombits(x.Bits)))}}, sigNext
			}
			if sym != nil {
				if v, ok := sym(m, x); ok {
					return []Value{v}, sigNext
				}
			}
			return []Value{m.openCall(st, name, func(x, _ float64) float64 { return host(x) }, x, Value{})}, sigNext
		}
	}
	two := func(host func(x, y float64) float64) intrinsic {
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			x, y := m.known(c.args[0]), m.known(c.args[1])
			if x.Term|y.Term != 0 {
				return []Value{m.openCall(st, name, host, x, y)}, sigNext
			}
			return []Value{{Bits: math.Float64bits(host(math.Float64frombits(x.Bits), math.Float64frombits(y.Bits)))}}, sigNext
		}
	}
	bits := func(_ *Machine, _ *State, c *call) ([]Value, signal) { return c.args[:1], sigNext }
	switch name {
	case "Float64bits", "Float64frombits", "Float32bits", "Float32frombits":
		return bits
	case "Sqrt", "sqrt":
		return one(math.Sqrt, func(m *Machine, v Value) (Value, bool) { return m.value(m.ts.FSqrt(v.Term)), true })
	case "Abs":
		return one(math.Abs, func(m *Machine, v Value) (Value, bool) { return m.value(m.ts.FAbs(v.Term)), true })
	case "Floor":
		return one(math.Floor, func(m *Machine, v Value) (Value, bool) { return m.value(m.ts.FFloor(v.Term)), true })
	case "Ceil":
		return one(math.Ceil, func(m *Machine, v Value) (Value, bool) { return m.value(m.ts.FCeil(v.Term)), true })
	case "Trunc":
		return one(math.Trunc, func(m *Machine, v Value) (Value, bool) { return m.value(m.ts.FTrunc(v.Term)), true })
	case "RoundToEven":
		return one(math.RoundToEven, func(m *Machine, v Value) (Value, bool) { return m.value(m.ts.FRoundEven(v.Term)), true })
	case "Sin":
		return one(math.Sin, nil)
	case "Cos":
		return one(math.Cos, nil)
	case "Tan":
		return one(math.Tan, nil)
	case "Asin":
		return one(math.Asin, nil)
	case "Acos":
		return one(math.Acos, nil)
	case "Atan":
		return one(math.Atan, nil)
	case "Sinh":
		return one(math.Sinh, nil)
	case "Cosh":
		return one(math.Cosh, nil)
	case "Tanh":
		return one(math.Tanh, nil)
	case "Exp":
		return one(math.Exp, nil)
	case "Exp2":
		return one(math.Exp2, nil)
	case "Expm1":
		return one(math.Expm1, nil)
	case "Log":
		return one(math.Log, nil)
	case "Log2":
		return one(math.Log2, nil)
	case "Log10":
		return one(math.Log10, nil)
	case "Log1p":
		return one(math.Log1p, nil)
	case "Cbrt":
		return one(math.Cbrt, nil)
	case "Gamma":
		return one(math.Gamma, nil)
	case "Erf":
		return one(math.Erf, nil)
	case "Pow":
		return two(math.Pow)
	case "Mod":
		return two(math.Mod)
	case "Atan2":
		return two(math.Atan2)
	case "Hypot":
		return two(math.Hypot)
	case "Remainder":
		return two(math.Remainder)
	case "FMA":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			var f [3]float64
			for i := range f {
				f[i] = math.Float64frombits(m.pick(st, c.args[i], 64).Bits)
			}
			return []Value{{Bits: math.Float64bits(math.FMA(f[0], f[1], f[2]))}}, sigNext
		}
	}
	return nil
}

// pick makes a cell concrete by assuming its value in the path's model, as dynamic symbolic execution does
// with functions beyond the solver. The path continues for that value alone.
func (m *Machine) pick(st *State, v Value, w int) Value {
	m.known(v)
	if v.Term == 0 {
		return v
	}
	model, verdict := m.sctx.Model(st.pc)
	if !verdictSat(verdict) {
		panic(pathEnd{StopSolver, "no model to choose a value from"})
	}
	n := m.ts.Eval(v.Term, model)
	m.sctx.Assume(st.pc, m.ts.Eq(v.Term, m.ts.Const(w, n)))
	st.picked = true
	return Value{Bits: n}
}
