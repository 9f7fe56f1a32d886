# SPDX-License-Identifier: BSD-3-Clause
#
# Links within the manual that lead nowhere, other links that are no addresses, and identifiers that exist twice: awk -f links.awk
# manual.html prints them, and fails if there are any.

function say(text)
{
	print text
	status = 1
}

{
	rest = $0
	while (match(rest, /[ \t](id|href|src)="[^"]*"/)) {
		attribute = substr(rest, RSTART + 1, RLENGTH - 2)
		rest = substr(rest, RSTART + RLENGTH)
		value = attribute
		sub(/^[a-z]*="/, "", value)
		if (attribute ~ /^id/ && value in ids)
			say("twice: id " value)
		if (attribute ~ /^id/)
			ids[value] = 1
		else if (value ~ /^#/)
			links[substr(value, 2)] = 1
		else if (value !~ /^(https?|data|mailto):/)
			say("not in the manual: " value)
		nr++
	}
}
END {
	for (link in links)
		if (!(link in ids))
			say("leads nowhere: #" link)
	if (!nr)
		say("no links")
	exit status
}
