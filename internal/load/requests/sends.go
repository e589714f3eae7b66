package requests

import "go/types"

// isResponse reports whether a call has the type of one that sends a request: it returns a response and an error, as
// http.Get does, the methods of clients, transports, and those of interfaces that stand for clients.
func isResponse(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	return ok && tuple.Len() == 2 && types.TypeString(tuple.At(0).Type(), nil) == "*net/http.Response"
}

// Any reports whether a function of the package sends requests.
func (f *Facts) Any() bool { return f.sending }

// Sends reports whether a function sends a request itself, or a function does which it calls. The function may be one of another
// package of the module. A method of an interface sends if one does that may be behind it.
func (f *Facts) Sends(fn *types.Func) bool {
	name := fn.Origin().FullName()
	if in := f.funcs[name]; in != nil {
		return in.sends
	}
	return f.oneSends(f.methods[name])
}

// followCalls notes that a function sends which calls one that does. Whether the package has such a function is known then.
func (f *finder) followCalls() {
	for grown := true; grown; {
		grown = false
		for _, in := range f.order {
			if !in.sends && (f.oneSends(in.calls) || f.oneSends(in.behind)) {
				in.sends, grown = true, true
			}
		}
	}
	start := f.funcs[""]
	f.sending = start.sends || f.oneSends(start.calls)
	for _, in := range f.order {
		f.sending = f.sending || in.source == start.source && in.sends
	}
}

// oneSends reports whether one of the functions sends a request.
func (f *Facts) oneSends(names []string) bool {
	for _, name := range names {
		if in := f.funcs[name]; in != nil && in.sends {
			return true
		}
	}
	return false
}
