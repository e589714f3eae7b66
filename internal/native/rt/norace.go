//go:build !race

package assayrt

// raceDetector says whether the race detector reports reads of memory that another goroutine may write.
const raceDetector = false
