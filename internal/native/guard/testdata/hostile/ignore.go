package main

import (
	"os/signal"
	"syscall"
)

func ignore(s syscall.Signal) { signal.Ignore(s) }
