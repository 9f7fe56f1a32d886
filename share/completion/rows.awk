# SPDX-License-Identifier: BSD-3-Clause
#
# Rows of tables (*.def), for all that is generated from them by awk.

# Fields between commas outside of strings, into field[]; adjacent strings are one, and \" is a quotation mark in one.
function split_row(text,    i, c, nr, is_string)
{
	nr = 1
	field[nr] = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (is_string && substr(text, i, 2) == "\\\"")
			field[nr] = field[nr] substr(text, ++i, 1)
		else if (c == "\"")
			is_string = !is_string
		else if (c == "," && !is_string)
			field[++nr] = ""
		else if (is_string || c !~ /[ \t\n]/)
			field[nr] = field[nr] c
	}
	return nr
}

function letter_of(text)
{
	return text ~ /^'.'$/ ? "-" substr(text, 2, 1) : ""
}
