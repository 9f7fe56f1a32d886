# SPDX-License-Identifier: BSD-3-Clause
#
# What zsh does with the options; see generate.awk.

# Names with commas between them, each with a sign if need be.
_measure_list()
{
	compset -P '*[,+-]'
	compadd -S '' -a argv
}

case $service in
measure)
	_arguments -s -S : $_measure_arguments '(-):program: _command_names -e' '*::argument: _normal'
	;;
*)
	# The other tools say themselves what options they have.
	_arguments -s : ${(u)${(M)${(f)"$(_call_program options $words[1] --help | grep -o -E -e '--[a-z][a-z-]*')"}:#--*}} '*:directory:_files'
	;;
esac
