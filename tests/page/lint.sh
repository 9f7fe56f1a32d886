#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: eslint finds nothing in the report page and its tests; share/report/eslint.config.mjs has its rules
source=$(cd "$(dirname "$0")/../.." && pwd)
modules=${NODE_MODULES:-$source/share/report/node_modules}
node=$(command -v node || command -v nodejs) || {
	echo 'no node'
	exit 77
}
[ -d "$modules/eslint" ] || {
	echo 'no eslint: run share/quickstart, or npm ci --prefix share/report'
	exit 77
}
cd "$source" || exit 1
# The rules import packages: they are read from beside them.
config=$(dirname "$modules")/eslint.config.mjs
[ -f "$config" ] || {
	echo "no $config"
	exit 77
}
exec "$node" "$modules/eslint/bin/eslint.js" --config "$config" --max-warnings 0 \
	share/report/build.mjs share/report/eslint.config.mjs share/report/src tests/page
