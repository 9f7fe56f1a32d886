#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the time line in a real browser: keys, messages, search, links; frames of 2,000 locations in 50 ms
#
# Screenshots stay in tests/page/screenshots of the build directory. Limits are of processor time, which other programs
# do not disturb; frames.mjs prints the elapsed time, too.
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
[ -d "$modules/playwright-core" ] || {
	echo 'no playwright-core: run share/quickstart, or npm ci --prefix share/report'
	exit 77
}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
	echo 'no chromium'
	exit 77
}
out=tests/page/screenshots
"$node" "$folder/timeline-browser.mjs" --template "$template" --modules "$modules" --browser "$browser" --out "$out" ||
	exit 1
"$node" "$folder/make-page.js" --template "$template" --processes 500 --threads 4 --hosts 8 --events 1000000 \
	--out "$out/large.html" || exit 1
exec "$node" "$folder/frames.mjs" --page "$out/large.html" --modules "$modules" --browser "$browser" --frames 100 \
	--hash '#view=timeline' --by processor --open-ms 20000
