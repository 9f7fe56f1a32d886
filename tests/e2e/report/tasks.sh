#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: panels of tasks in measure-report's page and pictures show what is in the archive: tasks, predecessors, what is ready and submitted in each slice, as computed from what the archive was made of; --panels takes names, those of StarVZ, and files
. "$(dirname "$0")/lib.sh"
inks=$t_source/lib/picture/inks.def

# drawn OPTION...: a picture; no cairo: none
drawn()
{
	"$report" --sync none "$@" >words 2>&1 || t_fail "$*: status $?: $(cat words)"
}

"$report" --png x.png --chart timeline nothing 2>words
grep -q 'no pictures' words && t_skip 'measure-report draws no pictures: no cairo'
for seed in 1 2 3; do
	rm -rf few
	"$python" "$t_here/task_archive.py" $seed $((30 * seed)) few few.json 2>words ||
		t_skip "Python cannot write archives: $(tail -n 1 words)"
	drawn -o few.html few
	drawn --svg few.svg --panels st,ready --width 9000 few
	"$python" "$t_here/task_truth.py" few.html few.svg "$inks" few.json >said 2>&1 ||
		t_fail "$seed: $(head -n 12 said)"
	echo "$seed: $(tail -n 1 said)"
done

# A page of any number of threads is the same; the least room still has tasks.
for threads in 1 3; do
	drawn -t $threads -o same.$threads.html few
done
cmp same.1.html same.3.html || t_fail 'another page with 3 threads'

# chosen EXPECTED PANELS: what the page shows first
chosen()
{
	drawn -o chosen.html --panels "$2" few
	t_equal "--panels $2" "$1" "$(page_says chosen.html "','.join(run.header['tasks']['chosen'])")"
}
chosen st,ready,abe st,ready,abe
chosen utilisation,iteration,lack-of-ready 'utilheatmap kiteration,lackready,kiteration'
printf '# panels\nst ready\n\n  abe # the bound\n' >panels.txt
chosen st,ready,abe panels.txt
cat >starvz.yaml <<-'END'
	default:
	  base:
	    labels: "1CPU_per_NODE"
	  limits:
	    start: NA
	  kiteration:
	    active: TRUE
	    legend: TRUE
	  st:
	    active: TRUE
	    abe:
	      active: TRUE
	    labels: "ALL"
	  starpu:
	    active: FALSE
	  ready:
	    legend:
	      active: TRUE
	    active: yes
END
chosen iteration,st,ready starvz.yaml
t_equal 'nobody has chosen' None "$(page_says few.html "run.header['tasks']['chosen']")"
t_equal '--panels list' "$("$report" --panels list | wc -l)" "$("$report" --panels list | cut -d ' ' -f 1 | sort -u | wc -l)"

# The same composition in each format, of a part of the run, in another size.
drawn --svg a.svg --pdf a.pdf --png a.png --panels st,iteration,submitted,utilisation,st-static,abe,progress few
drawn --svg b.svg --chart tasks --from 40% --until 60% --width 500 --height 300 --dark few
cmp -s a.svg b.svg && t_fail 'the same picture'
grep -q 'width="500' b.svg && grep -q 'height="300' b.svg || t_fail "--width --height: $(head -c 200 b.svg)"

# refused MESSAGE OPTION...
refused()
{
	message=$1
	shift
	"$report" "$@" >out 2>words
	t_equal "$*: status" 2 $?
	grep -q -- "$message" words || t_fail "$*: $(cat words)"
}
refused "'none' is no panel" --panels st,none -o x.html few
: >empty.txt
refused 'names no panel' --panels empty.txt -o x.html few
refused 'name at least one' --panels , -o x.html few
echo 'st lots' >lots.txt
refused "lots.txt: 'lots' is no panel" --panels lots.txt -o x.html few

# A run without tasks has none.
"$t_build/tests/sync/generate" --program mixed --ranks 2 --threads 1 --nodes 1 --iterations 5 mixed || t_fail 'generate'
drawn -o mixed.html mixed
t_equal 'no tasks' None "$(page_says mixed.html "run.header['tasks']")"
refused 'nothing that --chart=tasks can show' --svg x.svg --panels st mixed
t_end
