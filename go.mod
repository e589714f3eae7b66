module github.com/goassay/assay

go 1.26.0

require (
	github.com/landlock-lsm/go-landlock v0.11.0
	golang.org/x/sys v0.49.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/google/go-cmp v0.7.0 // indirect
	kernel.org/pub/linux/libs/security/libcap/psx v1.2.77 // indirect
)
