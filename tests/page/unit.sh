#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the modules of the report page do what they say: tests/page/*.test.js, run by node
folder=$(cd "$(dirname "$0")" && pwd)
node=$(command -v node || command -v nodejs) || {
	echo 'no node'
	exit 77
}
exec "$node" --test "$folder"/*.test.js
