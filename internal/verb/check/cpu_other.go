//go:build !unix

package check

import "time"

// cpuTime is the time of day where processor time is not to be had.
func cpuTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
