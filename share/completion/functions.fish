# SPDX-License-Identifier: BSD-3-Clause
#
# What fish does with the options; see generate.awk.

# Prints the index of the program in the words before the current one, or fails: it has not been named.
function __measure_program
	set -l words (commandline -opc)
	set -l i 2
	while test $i -le (count $words)
		set -l next (math $i + 1)
		if test "$words[$i]" = --
			set i $next
			break
		else if not string match -q -- '-*' $words[$i]
			break
		else if contains -- $words[$i] $__measure_valued
			set i $next
		else if test "$words[$i]" = --sample; and string match -q -r '^[0-9]+$' -- "$words[$next]"
			set i $next
		end
		set i (math $i + 1)
	end
	test $i -le (count $words); and echo $i
end

# The words of the program's own completion.
function __measure_program_words
	set -l words (commandline -opc)
	set -l program (__measure_program)
	complete -C (string join ' ' -- (string escape -- $words[$program..-1]) (commandline -ct))
end

# __measure_list WORD...: names with commas between them, each with a sign if need be.
function __measure_list
	set -l before (string replace -r '^--[a-z-]*=' '' -- (commandline -ct) | string replace -r '[^,+-]*$' '')
	printf "$before%s\n" $argv
end

# The other tools say themselves what options they have.
function __measure_tool_options
	set -l tool (commandline -opc)[1]
	$tool --help 2>/dev/null | string match -r -a -- '--[a-z][a-z-]*' | sort -u
end

complete -c measure -n 'not __measure_program' -a '(__fish_complete_command)'
complete -c measure -n __measure_program -a '(__measure_program_words)'
for tool in $__measure_tools
	complete -c $tool -n "string match -q -- '-*' (commandline -ct)" -a '(__measure_tool_options)'
end
