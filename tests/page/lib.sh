# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the page in a browser have in common: sourced in the build directory, it finds node, the page and
# the browser, or skips. Screenshots go to $out.
folder=$(cd "$(dirname "$0")" && pwd)
template=share/report/report-page.html
modules=${NODE_MODULES:-$folder/../../share/report/node_modules}
node=$(command -v node || command -v nodejs) || {
	echo 'no node'
	exit 77
}
[ -f "$template" ] || {
	echo 'no report page'
	exit 77
}
for package in playwright-core axe-core; do
	[ -d "$modules/$package" ] || {
		echo "no $package: run share/quickstart, or npm ci --prefix share/report"
		exit 77
	}
done
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
	echo 'no chromium'
	exit 77
}
out=tests/page/screenshots
