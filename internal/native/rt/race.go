//go:build race

package assayrt

// raceDetector says that reading what another goroutine may write is reported.
const raceDetector = true
