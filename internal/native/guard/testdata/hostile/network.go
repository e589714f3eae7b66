package main

import (
	"errors"
	"net"
	"syscall"
)

func network() map[string]attack {
	dial := func(network string, address func(world) string) attack {
		return func(w world) error {
			c, err := net.Dial(network, address(w))
			if err != nil {
				return err
			}
			_, err = c.Write([]byte("secret"))
			return errors.Join(err, c.Close())
		}
	}
	socket := func(domain, kind, proto int) attack {
		return func(world) error {
			fd, err := syscall.Socket(domain, kind, proto)
			if err == nil {
				syscall.Close(fd)
			}
			return err
		}
	}
	return map[string]attack{
		"connect by TCP":     dial("tcp", func(w world) string { return w.tcp }),
		"send by UDP":        dial("udp", func(w world) string { return w.udp }),
		"a unix socket":      dial("unix", func(w world) string { return w.decoys + "/socket" }),
		"an abstract socket": dial("unix", func(w world) string { return "@" + w.name }),
		"listen":             func(world) error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
		"look a name up":     func(world) error { _, err := net.LookupHost("example.com"); return err },
		"a pair of sockets": func(w world) error {
			fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0)
			if err != nil {
				return err
			}
			return syscall.Sendto(fds[0], []byte("secret"), 0, &syscall.SockaddrUnix{Name: "@" + w.name})
		},
		"netlink":         socket(syscall.AF_NETLINK, syscall.SOCK_RAW, 0),
		"raw packets":     socket(syscall.AF_PACKET, syscall.SOCK_RAW, 0),
		"virtual sockets": socket(40, syscall.SOCK_STREAM, 0),
		"kernel crypto":   socket(38, syscall.SOCK_SEQPACKET, 0),
	}
}
