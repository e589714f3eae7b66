// Command assay-vet is the static part of "assay check" for go vet:
//
//	go build -o assay-vet github.com/goassay/assay/cmd/assay-vet
//	go vet -vettool=$PWD/assay-vet [-assay.unverified] ./...
package main

import "github.com/goassay/assay/internal/check/vet"

func main() { vet.Main() }
