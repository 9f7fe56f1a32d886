#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: pages that measure-report writes of real archives, in a real browser: names that look like HTML, times beyond 2^53, no events, one event, no MPI, samples, two runs; nothing is executed, nothing is requested, nothing keeps people from using a view, each can be printed
#
# Screenshots and PDF files stay in tests/page/screenshots/archives of the build directory.
. "$(dirname "$0")/lib.sh"
unset MEASURE_DATADIR
template=$t_build/share/report/report-page.html
modules=${NODE_MODULES:-$t_source/share/report/node_modules}
[ -f "$template" ] || t_skip 'no report page'
node=$(command -v node || command -v nodejs) || t_skip 'no node'
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || t_skip 'no chromium'
for package in playwright-core axe-core; do
	[ -d "$modules/$package" ] || t_skip "no $package: run share/quickstart, or npm ci --prefix share/report"
done
out=$t_build/tests/page/screenshots/archives
rm -rf "$out"
mkdir -p "$out"

# made NAME ARCHIVE...: the page of that name
made()
{
	name=$1
	shift
	"$report" -o "$out/$name.html" "$@" >said 2>&1 || t_fail "$name: $(cat said)"
}

for kind in names long empty one plain; do
	"$python" "$t_here/odd_archive.py" $kind $kind || t_fail "$kind: cannot be made"
	made $kind $kind
done
made names.two names plain
# Names of the archive itself, and of the page.
mkdir '<img src=x onerror=document.title=1>'
cp -r names '<img src=x onerror=document.title=1>/traces'
"$report" --title '</script><script>window.isExecuted = true</script>' -o "$out/title.html" \
	'<img src=x onerror=document.title=1>/traces' >said 2>&1 || t_fail "title: $(cat said)"
generate=$t_build/tests/sync/generate
"$generate" --program mixed --ranks 4 --threads 2 --nodes 2 --iterations 60 generated || t_fail 'generate'
made generated generated
"$generate" --program mixed --ranks 4 --threads 2 --nodes 2 --iterations 60 --work 40000 slower || t_fail 'generate'
made two generated slower
if "${CC:-cc}" -std=gnu11 -O1 -g -pthread -o busy "$t_tests/e2e/profile/calls.c" 2>/dev/null &&
	"$measure" -q --sample 997 -o sampled ./busy busy >said 2>&1; then
	made sampled sampled
fi
"$node" "$t_tests/page/archives.mjs" --folder "$out" --modules "$modules" --browser "$browser" || t_fail 'in the browser'
[ $t_failures -eq 0 ]
