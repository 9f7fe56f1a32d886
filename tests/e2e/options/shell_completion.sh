#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: completion for bash, zsh and fish lists all options of all tools, and bash and fish complete options, values and
# programs
. "$(dirname "$0")/../lib.sh"
bash=$t_build/share/completion/measure
fish=$t_build/share/completion/measure.fish
zsh=$t_build/share/completion/_measure

"$measure" --help | grep -o -E '^ {2,6}(-., )?--[a-z-]+' | grep -o -e '--.*' >"$work/options"
[ "$(t_lines "$work/options")" -ge 35 ] || t_fail "measure --help: $(t_lines "$work/options") options"
while read -r option; do
	grep -q -e "^	$option[ )]" "$bash" || t_fail "bash: no $option"
	grep -q -e "^	'$option[=[]" "$zsh" || t_fail "zsh: no $option"
	grep -q -e "^complete -c measure .* -l ${option#--} " "$fish" || t_fail "fish: no $option"
done <"$work/options"
t_equal 'bash: options' "$(tr '\n' ' ' <"$work/options" | sed 's/ $//')" "$(sed -n "s/^_measure_options='\(.*\)'/\1/p" "$bash")"
if command -v zsh >/dev/null; then
	zsh -n "$zsh" || t_fail 'zsh: it does not parse'
else
	echo 'not tested: zsh'
fi

# offers WORD...: what bash offers for the last one, in the words that it makes of a line: = is one of its own
offers()
{
	bash --norc --noprofile -c '. "$1"; shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		function=$(complete -p "$1" | sed "s/.* -F \([^ ]*\) .*/\1/")
		"$function"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$bash" "$@" 2>&1 | sort | tr '\n' ' ' | sed 's/ $//'
}

# completes EXPECTED WORD...
completes()
{
	t_equal "${*:2}" "$1" "$(offers "${@:2}")"
}

cd "$work" || exit 1
PATH=$t_build:$PATH
mkdir run1 empty && touch solver solver.c
completes '--metric-interval --metrics' measure --metr
completes '--spool' measure --sp
completes 'always' measure --spool = al
completes 'always end full phase' measure --spool =
completes 'always' measure --spool al
completes '+posixio' measure -a +pos
completes 'mpi,+posixio' measure --adapters = mpi,+pos
completes '-coll,+p2p' measure --mpi-groups -coll,+p2
completes 'run1' measure -o ru
completes 'solver solver.c' measure --filter solv
completes 'solver solver.c' measure --sample ./app solv
completes 'solver solver.c' measure --sample 997 -o run1 ./app solv
completes 'solver solver.c' measure -- ./app solv
completes 'solver solver.c' measure --sample solv
# Options of the program are not ours.
completes '' measure ./app --sp
completes '--spool' measure --strict --buffer = 64M --sp
for tool in check compare profile repair sync top; do
	"measure-$tool" --help | grep -o -E -e '--[a-z][a-z-]*' | sort -u | while read -r option; do
		case " $(offers "measure-$tool" "$option") " in
		*" $option "*) ;;
		*) t_fail "measure-$tool: $option" ;;
		esac
	done >>failures
done
t_equal 'other tools' '' "$(cat failures)"
completes 'run1' measure-check ru
# As many as there are programs that begin so, one at least.
case " $(offers measure measure-rep) " in
*' measure-repair '*) ;;
*) t_fail "programs: $(offers measure measure-rep)" ;;
esac
# A value that is not a word for all options is not offered as one.
completes '' measure --keep ''

# The same in fish, in lines as they are typed.
# in_fish EXPECTED LINE
in_fish()
{
	t_equal "fish: $2" "$1" "$(fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$fish" "$2" 2>&1 | cut -f 1 |
		sort | tr '\n' ' ' | sed 's/ $//')"
}

if command -v fish >/dev/null; then
	in_fish '--metric-interval --metrics' 'measure --metr'
	in_fish '--spool=always' 'measure --spool=al'
	in_fish 'always' 'measure --spool al'
	in_fish '+posixio' 'measure -a +pos'
	in_fish '--adapters=mpi,+posixio' 'measure --adapters=mpi,+pos'
	in_fish 'run1/' 'measure -o ru'
	in_fish 'solver solver.c' 'measure --filter solv'
	in_fish 'solver solver.c' 'measure --sample ./app solv'
	in_fish 'solver solver.c' 'measure --sample 997 -o run1 ./app solv'
	in_fish 'solver solver.c' 'measure -- ./app solv'
	in_fish '' 'measure ./app --sp'
	in_fish '--spool' 'measure --strict --buffer=64M --sp'
	in_fish '--json' 'measure-check --js'
	in_fish 'run1/' 'measure-check ru'
else
	echo 'not tested: fish'
fi
t_end
