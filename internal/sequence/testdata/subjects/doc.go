// Package subjects holds the containers that the exploration of method sequences is
// measured with, after those of Symstra (Xie, Marinov, Schulte, Notkin, TACAS 2005).
package subjects
