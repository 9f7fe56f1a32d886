#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the report page in a real browser: each view draws, by mouse, keyboard and link
#
# Screenshots stay in tests/page/screenshots of the build directory, to be looked at.
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
exec "$node" "$folder/browser.mjs" --template "$template" --modules "$modules" --browser "$browser" \
	--screenshots tests/page/screenshots
