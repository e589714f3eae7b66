// Package contract knows what user code means by assay's annotations: the functions of
// the module's root package (assay.Assume and the rest), and functions that a module
// declares itself with a directive above them, for modules that must not import assay
// (seed 000, UTBot's assume and assumeOrExecuteConcretely).
//
// Directives over expressions (requires, ensures, invariant) are not read yet.
//
// Start at Of.
package contract
