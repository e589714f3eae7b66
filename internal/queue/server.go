package queue

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server in this process.
type Server struct {
	s     *server.Server
	token string
}

// Start starts a server that only programs on this machine can reach, and of these only those that know
// its URL. It stores its data in dir.
func Start(dir string) (*Server, error) { return start(dir, server.RANDOM_PORT, rand.Text()) }

// start starts a server at a port and with a secret of the caller's.
func start(dir string, port int, token string) (*Server, error) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, Authorization: token, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true,
		ServerName: "assay-" + rand.Text(),
	})
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	s.Start()
	const patience = time.Minute
	if !s.ReadyForConnections(patience) {
		s.Shutdown()
		return nil, errors.New("queue: the server does not start")
	}
	return &Server{s, token}, nil
}

// URL returns the address for Open, with the secret.
func (s *Server) URL() string {
	u, err := url.Parse(s.s.ClientURL())
	if err != nil {
		panic("bug: queue: " + err.Error())
	}
	u.User = url.User(s.token)
	return u.String()
}

// Close ends the server. Its data stays in the directory.
func (s *Server) Close() {
	s.s.Shutdown()
	s.s.WaitForShutdown()
}
