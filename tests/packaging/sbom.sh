#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the bill of materials is SPDX 2.3, is the same each time, lists each library that is linked, and a library that no
# table describes is an error
set -u
here=$(cd "$(dirname "$0")" && pwd)
sbom=$here/../../share/packaging/sbom
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=share/packaging/measure.spdx.json

fail()
{
	echo "$*"
	exit 1
}

[ -f "$file" ] || fail "$file: not made"
command -v python3 >/dev/null || {
	echo 'skipped: no python3 to read JSON'
	exit 77
}
python3 - "$file" <<'TEXT' || exit 1
import json, re, sys
document = json.load(open(sys.argv[1]))
wanted = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT"}
for field, value in wanted.items():
    assert document[field] == value, field
assert re.fullmatch(r"https://[^#]+", document["documentNamespace"])
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
assert all(re.match("(Tool|Person|Organization): ", creator) for creator in document["creationInfo"]["creators"])
ids = {"SPDXRef-DOCUMENT"}
for package in document["packages"]:
    assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]) and package["SPDXID"] not in ids, package
    ids.add(package["SPDXID"])
    assert package["name"] and package["downloadLocation"] and package["filesAnalyzed"] is False, package
    assert re.fullmatch(r"[A-Za-z0-9.+-]+( (OR|AND) [A-Za-z0-9.+-]+)*", package["licenseDeclared"]), package
for relation in document["relationships"]:
    assert relation["spdxElementId"] in ids and relation["relatedSpdxElement"] in ids, relation
    assert relation["relationshipType"] in ("DESCRIBES", "CONTAINS", "DYNAMIC_LINK"), relation
assert len(document["relationships"]) == len(document["packages"])
assert {"measure", "OTF2", "elfutils", "uPlot"} <= {package["name"] for package in document["packages"]}
TEXT

"$sbom" 7.8.9 1700000000 ./measure >"$work/first" && "$sbom" 7.8.9 1700000000 ./measure >"$work/second" || fail 'sbom failed'
cmp "$work/first" "$work/second" || fail 'not the same twice'
grep -q '"created": "2023-11-14T22:13:20Z"' "$work/first" || fail 'not of the time that was asked for'
! grep -q '"cairo"' "$work/first" || fail 'measure is not linked to cairo'
if printf 'int main(void) { return 0; }\n' | ${CC:-cc} -x c - -o "$work/odd" -Wl,--no-as-needed -lresolv 2>/dev/null; then
	! "$sbom" 7.8.9 1700000000 "$work/odd" >"$work/third" 2>"$work/words" || fail 'a library that is in no table was accepted'
	grep -q 'libresolv.so.2: not in components.def' "$work/words" || fail "words: $(cat "$work/words")"
fi
