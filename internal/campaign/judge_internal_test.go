package campaign

import (
	"testing"

	"github.com/goassay/assay/internal/strategy"
)

// Where the build took all the time nothing has run, and there is nothing to judge.
func TestJudgeNothing(t *testing.T) {
	v, err := new(gen).judge(nil, strategy.Finds{}, documented{})
	if err != nil || v.tests != nil || v.findings != nil {
		t.Errorf("judging nothing: %v, %v", v, err)
	}
}
