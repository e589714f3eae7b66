package queue

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// trusted names the environment variable with the URL that TestOpen_certificate connects to in a process of its own.
const trusted = "ASSAY_TEST_TRUSTED"

// A server whose certificate a CA of its owner's has signed is refused with a line that says where the CA has to be named, and
// where it is named there the server is not refused. The certificate has to have the server's name.
func TestOpen_certificate(t *testing.T) {
	if url := os.Getenv(trusted); url != "" {
		open(t, timings(url))
		return
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		TLS: true, TLSTimeout: 10, TLSConfig: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{signed}, PrivateKey: key}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	url := "tls://" + s.Addr().String()
	if _, err := Open(t.Context(), timings(url)); err == nil || !strings.Contains(err.Error(), ": name the file with the CA of its certificate in SSL_CERT_FILE (") || strings.Contains(err.Error(), "\n") {
		t.Errorf("an unknown CA: %v", err)
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("NOT TESTED: the system has its own list of CAs")
	}
	for at, want := range map[string]string{url: "", strings.Replace(url, "127.0.0.1", "localhost", 1): "a name that is in the server's certificate"} {
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOpen_certificate$")
		again.Env = append(os.Environ(), trusted+"="+at, "SSL_CERT_FILE="+ca)
		out, err := again.CombinedOutput()
		if (err == nil) != (want == "") || !strings.Contains(string(out), want) {
			t.Errorf("%s, with the CA named: %v\n%s", at, err, out)
		}
	}
}
