package purity

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// WorldEffects answers which effects on the world functions of one program have, and remembers its answers.
type WorldEffects struct {
	mu      sync.Mutex
	effects map[*ssa.Function]string
	deeds   func(name string) string // the effects of functions of the standard library
}

// NewWorldEffects returns an analysis that has answered nothing yet.
func NewWorldEffects() *WorldEffects {
	return &WorldEffects{effects: make(map[*ssa.Function]string), deeds: deeds}
}

// NewEndings returns an analysis whose only effect is that a function ends the process. Such a function, as the method Fatal of
// most loggers, has no test that goes on behind its call.
func NewEndings() *WorldEffects {
	return &WorldEffects{effects: make(map[*ssa.Function]string), deeds: ends}
}

const (
	startsProcess = "it starts a process"
	opensSocket   = "it opens a network connection"
	changesFiles  = "it changes files"
	sendsSignal   = "it sends a signal"
	takesFile     = "it takes over a file that is open"
)

// deeds is the table of the effects that functions of the standard library have on the world, by
// types.Func.FullName; "" means none. It is a function because packages hold no state. Files count
// wherever they are, because written tests run in the package's directory.
func deeds(name string) string {
	switch name {
	case "(*os/exec.Cmd).Run", "(*os/exec.Cmd).Start", "(*os/exec.Cmd).Output", "(*os/exec.Cmd).CombinedOutput",
		"os.StartProcess", "syscall.Exec", "syscall.ForkExec", "syscall.StartProcess":
		return startsProcess
	case "net.Dial", "net.DialTimeout", "net.DialTCP", "net.DialUDP", "net.DialUnix", "net.DialIP",
		"net.Listen", "net.ListenPacket", "net.ListenTCP", "net.ListenUDP", "net.ListenUnix", "net.ListenIP",
		"net.ListenMulticastUDP", "net.ListenUnixgram",
		"(*net.Dialer).Dial", "(*net.Dialer).DialContext", "(*net.ListenConfig).Listen", "(*net.ListenConfig).ListenPacket",
		"net.LookupHost", "net.LookupIP", "net.LookupAddr", "net.LookupCNAME", "net.LookupMX", "net.LookupNS", "net.LookupTXT",
		"crypto/tls.Dial", "crypto/tls.DialWithDialer", "crypto/tls.Listen",
		"net/http.ListenAndServe", "net/http.ListenAndServeTLS", "net/http.Serve", "net/http.ServeTLS",
		"(*net/http.Server).ListenAndServe", "(*net/http.Server).ListenAndServeTLS",
		"net/smtp.SendMail", "net/smtp.Dial", "net/rpc.Dial", "net/rpc.DialHTTP", "syscall.Socket", "syscall.Connect", "syscall.Bind":
		return opensSocket
	case "os.Remove", "os.RemoveAll", "os.Create", "os.WriteFile", "os.Mkdir", "os.MkdirAll", "os.Truncate",
		"os.Chmod", "os.Chown", "os.Lchown", "os.Chtimes", "os.Rename", "io/ioutil.WriteFile",
		"os.Symlink", "os.Link",
		"syscall.Unlink", "syscall.Rmdir", "syscall.Mkdir", "syscall.Rename", "syscall.Truncate", "syscall.Symlink", "syscall.Link":
		return changesFiles
	case "(*os.Process).Kill", "(*os.Process).Signal", "syscall.Kill":
		return sendsSignal
	case "os.NewFile", "syscall.Close", "syscall.Dup2", "syscall.Dup3", "golang.org/x/sys/unix.Close", "golang.org/x/sys/unix.Dup2", "golang.org/x/sys/unix.Dup3":
		return takesFile // the number may be that of any file of the process, and os.File closes it when nobody uses it any more
	}
	return ""
}

// ends is the table of the functions of the standard library that end the process.
func ends(name string) string {
	switch name {
	case "os.Exit", "syscall.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "(*log.Logger).Fatal", "(*log.Logger).Fatalf", "(*log.Logger).Fatalln":
		return "it ends the process"
	}
	return ""
}

// Transported reports whether a function of the standard library sends a request by a transport that
// its caller may have set, for a client or for all (http.DefaultTransport). If the caller has set none, it opens a network
// connection.
func Transported(fn *types.Func) bool {
	switch fn.Origin().FullName() {
	case "net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm",
		"(*net/http.Client).Do", "(*net/http.Client).Get", "(*net/http.Client).Head", "(*net/http.Client).Post", "(*net/http.Client).PostForm":
		return true
	}
	return false
}

// Effect returns an effect on the world that every call of the function certainly has, as the reason
// not to call it in a test: "it starts a process (os/exec.Cmd.Run)". It returns "" if no effect is
// certain.
func (a *WorldEffects) Effect(fn *ssa.Function) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.effect(fn)
}

func (a *WorldEffects) effect(fn *ssa.Function) string {
	if r, ok := a.effects[fn]; ok {
		return r
	}
	a.effects[fn] = "" // recursion proves nothing
	if len(fn.Blocks) == 0 {
		return ""
	}
	// Is there a way from the entry to a return past all effects?
	first := ""
	seen := make([]bool, len(fn.Blocks))
	var escapes func(b *ssa.BasicBlock) bool
	escapes = func(b *ssa.BasicBlock) bool {
		if seen[b.Index] {
			return false
		}
		seen[b.Index] = true
		for _, in := range b.Instrs {
			if r := a.effectOf(in); r != "" {
				if first == "" {
					first = r
				}
				return false
			}
			if _, ok := in.(*ssa.Return); ok {
				return true
			}
		}
		for _, s := range b.Succs {
			if escapes(s) {
				return true
			}
		}
		return false
	}
	if escapes(fn.Blocks[0]) {
		return ""
	}
	a.effects[fn] = first
	return first
}

// effectOf is the certain effect of one instruction, or "".
func (a *WorldEffects) effectOf(in ssa.Instruction) string {
	var call *ssa.CallCommon
	switch in := in.(type) {
	case *ssa.Call:
		call = &in.Call
	case *ssa.Defer:
		call = &in.Call // it runs before any return
	default:
		return ""
	}
	callee := call.StaticCallee()
	if callee == nil {
		return ""
	}
	if obj, ok := callee.Object().(*types.Func); ok {
		name := obj.Origin().FullName()
		if (name == "path/filepath.Walk" || name == "path/filepath.WalkDir") && len(call.Args) == 2 {
			// The function is called at least with the root, be it there or not.
			return a.effectOfValue(call.Args[1])
		}
		if what := a.deeds(name); what != "" {
			return fmt.Sprintf("%s (%s)", what, strings.NewReplacer("(*", "", ")", "").Replace(obj.FullName()))
		}
	}
	return a.effect(callee)
}

// effectOfValue is the certain effect of calling a function that stands there as a value, or "".
func (a *WorldEffects) effectOfValue(v ssa.Value) string {
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeClosure:
			v = x.Fn
		case *ssa.Function:
			return a.effect(x)
		default:
			return ""
		}
	}
}

// Refused reports whether a function of the standard library does something that assay always refuses
// to the code that it runs: starting processes, opening sockets, sending signals, or changing modes,
// owners or times of files. assay therefore never sees how code goes on where such a call succeeds.
func Refused(fn *types.Func) bool {
	switch name := fn.Origin().FullName(); name {
	case "os.Chmod", "os.Chown", "os.Lchown", "os.Chtimes", "(*os.File).Chmod", "(*os.File).Chown",
		"syscall.Chmod", "syscall.Fchmod", "syscall.Chown", "syscall.Utimes":
		return true
	default:
		what := deeds(name)
		return what != "" && what != changesFiles && what != takesFile
	}
}

// Senders returns the functions of a package, by Target.Name, in whose own code a request may be sent, or in that of
// functions of the package which they call by name: something returns a *http.Response and an error, or a function of another
// package of the module is called that sends requests. That is what http.Get does, clients, transports, and whatever interfaces
// stand for these.
func Senders(pkg *load.Package) map[string]bool {
	return functionsWith(pkg, func(in ssa.Instruction) bool {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return false
		}
		results := call.Common().Signature().Results()
		if results.Len() == 2 && types.TypeString(results.At(0).Type(), nil) == "*net/http.Response" {
			return true
		}
		callee := call.Common().Method
		if fn := call.Common().StaticCallee(); fn != nil {
			callee, _ = fn.Object().(*types.Func)
		}
		return callee != nil && callee.Pkg() != pkg.Types && pkg.Requests().Sends(callee)
	})
}

// functionsWith returns the functions of a package, by Target.Name, that have an instruction of a kind in their own code, in that of
// function literals in them, or in that of functions of the package which they call by name.
func functionsWith(pkg *load.Package, is func(ssa.Instruction) bool) map[string]bool {
	var has func(fn *ssa.Function) bool
	has = func(fn *ssa.Function) bool {
		for _, b := range fn.Blocks {
			if slices.ContainsFunc(b.Instrs, is) {
				return true
			}
		}
		return slices.ContainsFunc(fn.AnonFuncs, has)
	}
	own := make(map[string]bool)
	for _, t := range pkg.Targets {
		if t.Func != nil && has(t.Func) {
			own[t.Name] = true
		}
	}
	if len(own) == 0 {
		return nil
	}
	out := make(map[string]bool)
	for _, t := range pkg.Targets {
		if t.Func == nil {
			continue
		}
		for name := range Calls(pkg, t.Func) {
			out[t.Name] = out[t.Name] || own[name]
		}
	}
	return out
}

// MultipliesFloats reports whether a function, without the function literals in it, has a product of floats. A product that
// is added to something may be rounded once on some platforms, and twice on others.
func MultipliesFloats(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			op, ok := in.(*ssa.BinOp)
			if !ok || op.Op != token.MUL {
				continue
			}
			if t, ok := op.Type().Underlying().(*types.Basic); ok && t.Info()&(types.IsFloat|types.IsComplex) != 0 {
				return true
			}
		}
	}
	return false
}
