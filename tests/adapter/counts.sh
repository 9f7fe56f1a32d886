# SPDX-License-Identifier: BSD-3-Clause
# What a program says of itself against what otf2-print shows of its archive.

# compare_counts WORDS EVENTS: WORDS has lines "event NAME COUNT" and "region NAME COUNT", others are passed over.
# Prints what differs; fails where anything does.
compare_counts()
{
	while read -r kind what count; do
		case $kind in
		event) found=$(grep -c "^$(echo "$what" | tr a-z A-Z) " "$2") ;;
		region) found=$(grep -c "^ENTER .*\"$what\"" "$2") ;;
		*) continue ;;
		esac
		[ "$found" = "$count" ] || { echo "$kind $what: $found found, $count expected"; return 1; }
	done <"$1"
}

# count_lines EVENTS NUMBER TEXT: as many lines of EVENTS have this text. Says what differs; fails then.
count_lines()
{
	found=$(grep -c "$3" "$1") || :
	[ "$found" = "$2" ] || { echo "$3: $found found, $2 expected"; return 1; }
}
