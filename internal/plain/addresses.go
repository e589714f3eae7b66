package plain

import (
	"bytes"
	"cmp"
	"go/types"
	"net"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// mostAddresses is how many addresses and masks of a case are changed alone.
const mostAddresses = 6

// place says where the addresses of hosts are.
type place bool

const (
	inNetwork place = true  // in the first network of the case
	elsewhere place = false // in no network of the case
)

// Addresses returns a way that writes other bytes into all addresses and masks of networks (net.IP, net.IPMask) that a case lists byte by
// byte: 10.1.2.0 with a mask of 24 bits in place of {0x30, 0x30, 0, 0} with one of 13. Addresses that were equal stay equal, those of
// hosts keep their order, and each has as many bytes as before. An address beside a mask is that of a network, and both have
// as many bytes as the version needs.
func Addresses(hosts place) Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		return readdressed(c.Seq, addressesOf(c.Seq).chosen(hosts))
	}
}

// address returns a way that does the same with the n-th address or mask alone.
func address(n int, hosts place) Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		found := addressesOf(c.Seq)
		if n >= len(found) {
			return nil, false
		}
		return readdressed(c.Seq, found[n:n+1].chosen(hosts))
	}
}

// readdressed returns a sequence in which some statements list other bytes, and false if that changes nothing.
func readdressed(s *testcase.Sequence, with map[int][]byte) (*testcase.Sequence, bool) {
	return rebuilt(s, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := s.At(i)
		b, ok := with[i]
		if !ok || bytes.Equal(b, listedBytes(s, st)) {
			return st, false
		}
		return bytesLiteral(st.Op.Type, string(b), out), true
	})
}

// listedAddress is an address or a mask that a statement lists byte by byte.
type listedAddress struct {
	stmt   int
	bytes  []byte
	isMask bool
	of     []byte // the address of the network that a mask or an address beside a mask belongs to, nil if there is none
}

type listedAddresses []listedAddress

// addressesOf returns the addresses and masks that a sequence lists byte by byte, in the order of their statements.
func addressesOf(s *testcase.Sequence) listedAddresses {
	var out listedAddresses
	at := make(map[int]int)
	for i := range s.Len() {
		st := s.At(i)
		isMask := load.IsNamed(st.Op.Type, "net", "IPMask")
		if st.Op.Kind != testcase.OpComposite || !isMask && !load.IsNamed(st.Op.Type, "net", "IP") {
			continue
		}
		if b := listedBytes(s, st); len(b) == net.IPv4len || len(b) == net.IPv6len {
			at[i] = len(out)
			out = append(out, listedAddress{stmt: i, bytes: b, isMask: isMask})
		}
	}
	for i := range s.Len() {
		st := s.At(i)
		if _, isStruct := underlying(st.Op.Type).(*types.Struct); st.Op.Kind != testcase.OpComposite || !isStruct {
			continue
		}
		for _, a := range st.Args {
			for _, b := range st.Args {
				x, known := at[a.Stmt]
				y, too := at[b.Stmt]
				if known && too && out[x].isMask && !out[y].isMask {
					out[x].of, out[y].of = out[y].bytes, out[y].bytes
				}
			}
		}
	}
	return out
}

// listedBytes returns the bytes that a statement lists, and nil if one is no constant.
func listedBytes(s *testcase.Sequence, st testcase.Statement) []byte {
	b, ok := listed(s, st)
	if !ok {
		return nil
	}
	return []byte(b)
}

// underlying returns the type behind the name of a type, and nil for nil.
func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// chosen returns the bytes that a person might have listed, by statement.
func (l listedAddresses) chosen(hosts place) map[int][]byte {
	const (
		subnet    = 24 // bits that a mask leaves of an address of version 4, at first
		subnet6   = 64
		firstHost = 10 // the last byte of the first host, and how far the next one is
	)
	out := make(map[int][]byte)
	masks, networks := make(map[string]int), make(map[string]int)
	var all []string
	for _, a := range l {
		if !a.isMask && a.of == nil {
			all = append(all, string(a.bytes))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return bytes.Compare(net.IP(a).To16(), net.IP(b).To16()) })
	all = slices.Compact(all)
	number := func(of map[string]int, b []byte) int {
		if _, ok := of[string(b)]; !ok {
			of[string(b)] = len(of)
		}
		return of[string(b)]
	}
	for _, a := range l {
		like := a.of
		if v4 := net.IP(like).To4(); v4 != nil {
			like = v4
		}
		switch {
		case a.isMask:
			size := cmp.Or(len(like), len(a.bytes))
			k := number(masks, a.bytes)
			ones := max(subnet-8*k, 8)
			if size == net.IPv6len {
				ones = max(subnet6-16*k, 16)
			}
			out[a.stmt] = net.CIDRMask(ones, 8*size)
		case like != nil:
			out[a.stmt] = addressIn(like, byte(number(networks, a.bytes)), 0, inNetwork)
		default:
			k, _ := slices.BinarySearchFunc(all, string(a.bytes), func(a, b string) int { return bytes.Compare(net.IP(a).To16(), net.IP(b).To16()) })
			out[a.stmt] = addressIn(a.bytes, 0, byte(firstHost*(k+1)), hosts)
		}
	}
	return out
}

// addressIn returns an address of the n-th network, or of none of these, of the version and the length of another one. The networks
// are of those that are for private use (RFC 1918) and for documentation (RFC 5737, RFC 3849).
func addressIn(like []byte, n, host byte, where place) []byte {
	if len(like) == net.IPv6len && net.IP(like).To4() == nil {
		out := net.ParseIP("2001:db8:1::")
		if where == elsewhere {
			out = net.ParseIP("2001:db8:ffff::")
		}
		out[5] += n
		out[15] = host
		return out
	}
	out := net.IPv4(10, 1, 2+n, host)
	if where == elsewhere {
		out = net.IPv4(192, 0, 2, host)
	}
	if len(like) == net.IPv4len {
		return out.To4()
	}
	return out
}
