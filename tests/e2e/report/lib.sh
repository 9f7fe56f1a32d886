# SPDX-License-Identifier: BSD-3-Clause
#
# What tests of measure-report have in common: sourced. The data of pages are looked at, so that a template of a few
# lines does where the build has no page.
. "$(dirname "$0")/../lib.sh"
report=$t_build/measure-report
[ -x "$report" ] || t_skip 'measure-report is not built: no zlib'
python=/usr/bin/python3
"$python" -c 'import otf2' 2>/dev/null || t_skip "no Python module otf2 for $python"
export PYTHONDONTWRITEBYTECODE=1
cd "$work" || exit 1
mkdir template
{
	echo '<!doctype html><html><head><title>test</title></head><body>'
	echo '<!--MEASURE-DATA-->'
	echo '</body></html>'
} >template/report-page.html
export MEASURE_DATADIR=$work/template

# page_says FILE PYTHON: an expression of `page` (page.py), of its first run `run` and that one's `timeline`
page_says()
{
	"$python" - "$t_here" "$@" <<-'END'
	import sys
	sys.path.insert(0, sys.argv[1])
	from page import Page
	page = Page(sys.argv[2])
	run = page.runs[0]
	timeline = run.timeline
	sys.stdout.reconfigure(encoding='utf-8')
	print(eval(sys.argv[3]))
	END
}
