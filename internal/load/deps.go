package load

// dependencies holds what was loaded of the dependencies' source.
type dependencies struct{}
