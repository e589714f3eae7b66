package session

import (
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// Unknown returns the findings that the baseline does not list. It reports the listed ones as accepted, with
// the reason.
func (s *Session) Unknown(fs []*testcase.Finding) []*testcase.Finding {
	var out []*testcase.Finding
	for _, f := range fs {
		if why, ok := s.Known.Reason(s.Pkg.Path, f); ok {
			s.ReportKnown(f, why)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// ReportKnown reports that a finding is accepted, and why. Accepted misuse is not reported.
func (s *Session) ReportKnown(f *testcase.Finding, why string) {
	if f.Severity == testcase.Misuse {
		return
	}
	s.Events.Send(event.Known{Finding: event.FindingOf(s.Pkg.Path, f, s.Prog.Source), Reason: why})
}
