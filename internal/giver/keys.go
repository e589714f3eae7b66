package giver

// The seed of all keys: 32 bytes that nobody takes for a secret.
const keySeed = `[]byte("an example, and not secret at all")[:32]`

// ed25519Family returns keys for signatures.
func ed25519Family() *family {
	return &family{
		name: "crypto/ed25519", path: "crypto/ed25519", imports: []string{"crypto/ed25519"},
		helpers: []helper{{
			doc: "returns a key that is the same in each run.",
			code: `func signingKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(` + keySeed + `)
}`,
		}, {
			doc: "returns the public part of a key that is the same in each run.",
			code: `func verifyingKey() ed25519.PublicKey {
	return ed25519.NewKeyFromSeed(` + keySeed + `).Public().(ed25519.PublicKey)
}`,
		}},
		givers: []giver{
			{typ: "crypto/ed25519.PrivateKey", doc: "a key that is the same in each run", code: `signingKey()`},
			{typ: "crypto/ed25519.PublicKey", doc: "the public part of that key", code: `verifyingKey()`},
		},
	}
}

// ecdsaFamily returns keys of elliptic curves.
func ecdsaFamily() *family {
	return &family{
		name: "crypto/ecdsa", path: "crypto/ecdsa", imports: []string{"crypto/ecdh", "crypto/ecdsa", "crypto/x509", "testing"},
		helpers: []helper{{
			doc: "returns a key of the curve P-256 that is the same in each run.",
			code: `func ecdsaKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdh.P256().NewPrivateKey(` + keySeed + `)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.(*ecdsa.PrivateKey)
}`,
		}},
		givers: []giver{
			{typ: "*crypto/ecdsa.PrivateKey", doc: "a key that is the same in each run", since: "go1.20", code: `ecdsaKey(nil)`},
			{typ: "*crypto/ecdsa.PublicKey", doc: "the public part of that key", since: "go1.20", code: `&ecdsaKey(nil).PublicKey`},
		},
	}
}

// rsaFamily returns keys of RSA, as short as the library takes them.
func rsaFamily() *family {
	return &family{
		name: "crypto/rsa", path: "crypto/rsa", imports: []string{"crypto/rsa", "math/big", "testing"},
		helpers: []helper{{
			doc: "returns a short key that is the same in each run.",
			code: `func rsaKey(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	p, _ := new(big.Int).SetString("13myr5be519mcrj0b8zm5ztrt57ejvekdgdlqr023ehl2oh1zq5yxc1qmo7zdk1gdsnq8w2j3r245ohav0wudh5s88phdnl3nylt", 36)
	q, _ := new(big.Int).SetString("yq58a40qsh2amc21o4sizl4ih2x2wvacbzbeotquv2e2x9to5k1003b8fa1k3uglm2ohc8377tkmdvs9m8prtr15rpsrsdcu5nh", 36)
	one, e := big.NewInt(1), big.NewInt(65537)
	phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
	key := &rsa.PrivateKey{
		PublicKey: rsa.PublicKey{N: new(big.Int).Mul(p, q), E: 65537},
		D:         new(big.Int).ModInverse(e, phi),
		Primes:    []*big.Int{p, q},
	}
	key.Precompute()
	if err := key.Validate(); err != nil {
		t.Fatal(err)
	}
	return key
}`,
		}},
		givers: []giver{
			{typ: "*crypto/rsa.PrivateKey", doc: "a key that is the same in each run", code: `rsaKey(nil)`},
			{typ: "*crypto/rsa.PublicKey", doc: "the public part of that key", code: `&rsaKey(nil).PublicKey`},
		},
	}
}

// x509Family returns a certificate.
func x509Family() *family {
	return &family{
		name: "crypto/x509", path: "crypto/x509", imports: []string{"crypto/ed25519", "crypto/rand", "crypto/x509", "crypto/x509/pkix", "math/big", "testing", "time"},
		helpers: []helper{{
			doc: "returns a certificate of example.com that has signed itself.",
			code: `func certificate(t testing.TB) *x509.Certificate {
	t.Helper()
	key := ed25519.NewKeyFromSeed(` + keySeed + `)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(7),
		Subject:      pkix.Name{CommonName: "example.com", Organization: []string{"Example"}},
		DNSNames:     []string{"example.com"},
		NotBefore:    time.Date(2024, time.February, 3, 4, 5, 6, 0, time.UTC),
		NotAfter:     time.Date(2034, time.February, 3, 4, 5, 6, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	c, err = x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return c
}`,
		}},
		givers: []giver{{typ: "*crypto/x509.Certificate", doc: "a certificate of example.com that has signed itself", since: "go1.13", code: `certificate(nil)`}},
	}
}
