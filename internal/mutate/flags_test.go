package mutate_test

import "flag"

var update = flag.Bool("update", false, "rewrite the expected verdicts in testdata")
