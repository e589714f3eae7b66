#!/usr/bin/env bash
# How assay does on packages: docs/unseen.sh DIR PACKAGE [DIR PACKAGE ...], where DIR is a copy of a
# module that may be written to. Each package has TIMEOUT (30s); the suite then runs REPEAT (200) times
# in random orders. A line for each: what the summary says, and whether the suite failed. The events of
# each run and what its suite printed are kept in the directory LOGS (a temporary one).
set -uo pipefail
ASSAY=${ASSAY:-assay}
LOGS=${LOGS:-$(mktemp -d)}
while [ $# -ge 2 ]; do
	dir=$1 pkg=$2
	shift 2
	(
		cd "$dir" || exit
		rm -f "$pkg"/*_assay_test.go "$pkg"/*_assay_bug_test.go
		said=$("$ASSAY" gen -timeout "${TIMEOUT:-30s}" -cache off -json "./$pkg" 2>&1)
		log=$LOGS/$(tr / _ <<<"$(basename "$dir")_$pkg")
		printf '%s\n' "$said" >"$log.json"
		summary=$(grep '"action":"summary"' <<<"$said" | head -1 |
			grep -o '"\(tests\|findings\|paths\|rejected\|unreliable\|mismatches\|coverage\|elapsed_s\)":[0-9.]*' | tr -d '"' | tr '\n' ' ')
		bugs=$(grep -c "a bug of assay's:" <<<"$said")
		names=$(cat "$pkg"/*_assay_test.go 2>/dev/null | grep -o '^func Test[A-Za-z0-9_]*' | sed 's/^func //' | paste -sd'|')
		suite="no file"
		if [ -n "$names" ]; then
			suite=passed
			go test -vet=off -shuffle=on -count="${REPEAT:-200}" -run "^($names)\$" "./$pkg" >"$log.txt" 2>&1 || suite=FAILED
		fi
		echo "$dir $pkg $summary bugs:$bugs suite:$suite"
	)
done
