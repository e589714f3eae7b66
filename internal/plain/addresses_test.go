package plain

import (
	"go/types"
	"net"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Equal addresses stay equal, hosts keep their order, and the mask of a network has as many bytes as its address.
func TestAddresses(t *testing.T) {
	std := types.NewPackage("net", "net")
	named := func(name string) types.Type {
		return types.NewNamed(types.NewTypeName(0, std, name, nil), types.NewSlice(types.Typ[types.Byte]), nil)
	}
	ip, mask := named("IP"), named("IPMask")
	network := types.NewNamed(types.NewTypeName(0, std, "IPNet", nil), types.NewStruct([]*types.Var{types.NewField(0, std, "IP", ip, false), types.NewField(0, std, "Mask", mask, false)}, nil), nil)
	var b testcase.Builder
	list := func(t types.Type, text string) testcase.Ref { return BytesOf(&b, t, text) }
	nets := []testcase.Ref{list(ip, "0000"), list(mask, "@@@@aaaa@@@@aaaa")}
	hosts := []testcase.Ref{list(ip, "zzzz"), list(ip, "aaaa"), list(ip, "zzzz"), list(ip, "0123456789abcdef")}
	subnet := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: network, N: 2}, nets...)
	b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.NewInterfaceType(nil, nil)), N: len(hosts) + 1}, append(hosts, subnet)...)
	seq := b.Sequence()
	for _, tt := range []struct {
		hosts place
		want  []string
	}{
		{inNetwork, []string{"10.1.2.0", "ffffff00", "10.1.2.20", "10.1.2.10", "10.1.2.20", "2001:db8:1::1e"}},
		{elsewhere, []string{"10.1.2.0", "ffffff00", "192.0.2.20", "192.0.2.10", "192.0.2.20", "2001:db8:ffff::1e"}},
	} {
		seq, ok := Addresses(tt.hosts)(nil, &testcase.Case{Seq: seq})
		if !ok {
			t.Fatal("nothing changes")
		}
		var got []string
		for _, a := range addressesOf(seq) {
			if a.isMask {
				got = append(got, net.IPMask(a.bytes).String())
			} else {
				got = append(got, net.IP(a.bytes).String())
			}
		}
		for i, want := range tt.want {
			if i >= len(got) || got[i] != want {
				t.Errorf("%v, want %v", got, tt.want)
				break
			}
		}
	}
}
