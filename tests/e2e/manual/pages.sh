#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the examples of the manual pages run, but for what pages.tsv lists
here=$(cd "$(dirname "$0")" && pwd)
DOCUMENTS=$(cd "$here/../../.." && echo doc/man/*) exec "$here/documents.sh"
