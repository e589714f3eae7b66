package ci

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// JUnit collects the content of a file in JUnit's format.
type JUnit struct {
	suites []*junitSuite
}

// junitSuite is a package in the file.
type junitSuite struct {
	XMLName  xml.Name     `xml:"testsuite"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Cases    []*junitCase `xml:"testcase"`
}

// junitCase is a test, a finding, a function without a test, or a function that was checked.
type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	File    string     `xml:"file,attr,omitempty"`
	Time    string     `xml:"time,attr"`
	Failure *junitText `xml:"failure,omitempty"`
	Error   *junitText `xml:"error,omitempty"`
	Skipped *junitText `xml:"skipped,omitempty"`
	Out     string     `xml:"system-out,omitempty"`
}

// junitText says why a case failed or was skipped.
type junitText struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Event collects an event.
func (j *JUnit) Event(e event.Event) {
	switch e := e.(type) {
	case event.Test:
		if !e.Provisional {
			j.add(e.Package, &junitCase{Name: e.Name, File: e.File})
		}
	case event.Finding:
		if e.Severity != testcase.Note {
			c := &junitCase{Name: e.Test, File: e.File, Failure: &junitText{Message: e.Func + " " + e.Message, Type: e.Kind, Text: findingText(e)}}
			if c.Name == "" {
				c.Name = fmt.Sprintf("%s: %s at %s", e.Func, e.Kind, e.Pos)
			}
			j.add(e.Package, c)
		}
	case event.Changed:
		j.add(e.Package, &junitCase{Name: e.Test, File: e.File, Failure: &junitText{Message: changeText(e), Type: "changed"}})
	case event.Skip:
		name := e.Func
		if name == "" {
			name = "package"
		}
		j.add(e.Package, &junitCase{Name: name, Skipped: &junitText{Message: e.Reason}})
	case event.Assertion:
		j.assertion(e)
	case event.Diagnostic:
		if !e.Warning {
			message := e.Message
			if e.Pos.Filename != "" {
				message = e.Pos.String() + ": " + message
			}
			j.add("assay", &junitCase{Name: "run", Error: &junitText{Message: message}})
		}
	case event.Summary:
		if e.Package != "" {
			j.of(e.Package).Time = fmt.Sprintf("%.3f", e.ElapsedS)
		}
	}
}

// assertion notes the verdict on an assertion at its function, if the function has a case and the verdict is
// about this function.
func (j *JUnit) assertion(e event.Assertion) {
	s := j.of(e.Package)
	var c *junitCase
	for _, x := range s.Cases {
		if x.Name == "check "+e.Func {
			c = x
		}
	}
	if c == nil {
		c = &junitCase{Name: "check " + e.Func}
		j.add(e.Package, c)
	}
	if e.Verdict == event.Proved {
		return
	}
	line := fmt.Sprintf("%s: %s: %s", e.Pos, e.Verdict, e.Text)
	if e.Bound != "" {
		line += " (" + e.Bound + ")"
	}
	c.Out += line + "\n"
}

// findingText is the text of a finding: its test, and why it is a defect.
func findingText(e event.Finding) string {
	lines := []string{e.Pos}
	lines = append(lines, e.Calls...)
	if e.Evidence != "" {
		lines = append(lines, e.Evidence)
	}
	return strings.Join(lines, "\n")
}

// of returns the suite of a package. It makes one if there is none.
func (j *JUnit) of(pkg string) *junitSuite {
	for _, s := range j.suites {
		if s.Name == pkg {
			return s
		}
	}
	s := &junitSuite{Name: pkg, Time: "0.000"}
	j.suites = append(j.suites, s)
	return s
}

func (j *JUnit) add(pkg string, c *junitCase) {
	s := j.of(pkg)
	c.Class, c.Time = pkg, "0.000"
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// Write writes the file.
func (j *JUnit) Write(w io.Writer) error {
	all := struct {
		XMLName  xml.Name      `xml:"testsuites"`
		Name     string        `xml:"name,attr"`
		Tests    int           `xml:"tests,attr"`
		Failures int           `xml:"failures,attr"`
		Errors   int           `xml:"errors,attr"`
		Suites   []*junitSuite `xml:"testsuite"`
	}{Name: "assay", Suites: j.suites}
	for _, s := range j.suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
