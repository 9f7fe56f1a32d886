#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: panels of tasks in a real browser: keys, chains, choice of panels, links; frames of 10^6 tasks
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
"$node" "$folder/tasks-browser.mjs" --template "$template" --modules "$modules" --browser "$browser" --out "$out" ||
	exit 1
"$node" "$folder/make-page.js" --template "$template" --processes 4 --threads 8 --events 4000 --tasks 1000000 \
	--out "$out/tasks-large.html" || exit 1
exec "$node" "$folder/frames.mjs" --page "$out/tasks-large.html" --modules "$modules" --browser "$browser" --frames 40 \
	--hash '#view=tasks' --wait '.tk-board[data-drawn]' --picture '.tk-picture' --by processor --most-ms 100 --open-ms 20000
