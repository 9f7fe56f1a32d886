# SPDX-License-Identifier: BSD-3-Clause
#
# What bash does with the options; see generate.awk.

# _measure_words WORDS: those that begin with the current word
_measure_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# _measure_value OPTION: what can be its value
_measure_value()
{
	local about kind words last
	about=$(_measure_about "$1")
	kind=${about%% *} words=${about#"$kind"}
	case $kind in
	dir) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
	file) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	words) _measure_words "$words" ;;
	list)
		last=${cur##*[,+-]}
		mapfile -t COMPREPLY < <(compgen -P "${cur%"$last"}" -W "$words" -- "$last")
		compopt -o nospace 2>/dev/null
		;;
	esac
}

# The index of the program in the words before the current one; 0: it has not been named.
_measure_program()
{
	local i about
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--) [ $((i + 1)) -lt "$COMP_CWORD" ] && echo $((i + 1)) || echo 0; return ;;
		-*)
			about=$(_measure_about "${COMP_WORDS[i]}")
			if [ "${COMP_WORDS[i + 1]}" = = ]; then
				i=$((i + 2))
			elif [ "${about%% *}" != none ] && [ "${about%% *}" != optional ]; then
				i=$((i + 1))
			elif [ "${about%% *}" = optional ] && [[ ${COMP_WORDS[i + 1]} =~ ^([0-9]|off$) ]]; then
				i=$((i + 1))
			fi
			;;
		*)
			echo "$i"
			return
			;;
		esac
	done
	echo 0
}

_measure()
{
	local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program about
	COMPREPLY=()
	program=$(_measure_program)
	if [ "$program" -gt 0 ]; then
		if declare -F _command_offset >/dev/null; then
			_command_offset "$program"
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		return
	fi
	# A = is a word of its own.
	if [ "$cur" = = ]; then
		cur=
		_measure_value "$before"
		return
	elif [ "$before" = = ]; then
		_measure_value "${COMP_WORDS[COMP_CWORD - 2]}"
		return
	fi
	about=$(_measure_about "$before")
	case $before,${about%% *} in
	-*,none | -*,optional | [!-]*) ;;
	*)
		_measure_value "$before"
		return
		;;
	esac
	case $cur in
	-*) _measure_words "$_measure_options" ;;
	*) mapfile -t COMPREPLY < <(compgen -c -- "$cur"; compgen -f -- "$cur") ;;
	esac
}

# The other tools say themselves what options they have.
_measure_tool()
{
	local cur=${COMP_WORDS[COMP_CWORD]}
	COMPREPLY=()
	case $cur in
	-*) _measure_words "$("${COMP_WORDS[0]}" --help 2>/dev/null | grep -o -E -e '--[a-z][a-z-]*' | sort -u)" ;;
	*) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}

complete -o filenames -F _measure measure
# shellcheck disable=SC2086 # a list on purpose
complete -o filenames -F _measure_tool $_measure_tools
