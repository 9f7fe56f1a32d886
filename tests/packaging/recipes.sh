#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the recipes for Spack and EasyBuild are correct Python, name only options that configure has, and each option that
# the Spack recipe depends on; the workflow of the public CI is correct YAML and calls scripts that exist
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || {
	echo 'skipped: no python3'
	exit 77
}
help=$([ -x configure ] && ./configure --help)
MEASURE_HELP=$help python3 - <<'TEXT' || exit 1
import ast, os, re, sys, glob
help = os.environ["MEASURE_HELP"]

def check_flags(path, text):
    for flag in re.findall(r"--(?:with|without|enable|disable)-[a-z0-9-]+", text):
        name = re.sub(r"^--(with|without|enable|disable)-", "", flag)
        assert not help or re.search(r"--(with|without|enable|disable)-" + name + r"\b", help), f"{path}: configure has no {flag}"
    for variable in re.findall(r"\b([A-Z]{3,})=", text):
        assert not help or re.search(r"^  " + variable + r"\b", help, re.M), f"{path}: configure has no {variable}"

path = "share/packaging/spack/package.py"
text = open(path).read()
tree = ast.parse(text, path)
check_flags(path, text)
(recipe,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
calls = [node.value for node in recipe.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
variants = {call.args[0].value for call in calls if call.func.id == "variant"}
for call in calls:
    for word in call.keywords:
        if word.arg == "when":
            assert word.value.value.lstrip("+~") in variants, f"{path}: no variant {word.value.value}"

for path in glob.glob("share/packaging/easybuild/*.eb"):
    text = open(path).read()
    names = {"SOURCELOWER_TAR_XZ": "%(namelower)s-%(version)s.tar.xz", "SHLIB_EXT": "so"}
    exec(compile(text, path, "exec"), names)
    for field in ("easyblock", "name", "version", "homepage", "description", "toolchain", "moduleclass"):
        assert names.get(field), f"{path}: no {field}"
    expected = "{name}-{version}-{toolchain[name]}-{toolchain[version]}.eb".format(**names)
    assert os.path.basename(path) == expected, f"{path}: EasyBuild looks for {expected}"
    check_flags(path, names["configopts"])

path = ".github/workflows/ci.yml"
text = open(path).read()
for script in re.findall(r"(?:\.ci|share|tests)/[a-z./-]+", text):
    assert os.access(script, os.X_OK), f"{path}: no {script}"
assert ".ci/run" in text
try:
    import yaml
except ImportError:
    print("not tested: that the workflow is YAML, for want of python3-yaml")
    sys.exit()
steps = [step for job in yaml.safe_load(text)["jobs"].values() for step in job["steps"]]
assert all(("run" in step) != ("uses" in step) for step in steps), path
TEXT
