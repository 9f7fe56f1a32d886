#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: descriptions of plug-ins of EZTrace are taken as they are, with states, events, variables and sampling
# functions; what they ask for is in the archive
. "$(dirname "$0")/../lib.sh"
wrap=$t_build/measure-wrap
cc=${CC:-cc}
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
cd "$work" || exit 1
export LD_LIBRARY_PATH=$work
cat >queue.h <<-'TEXT'
	int queue_submit(int *jobs, int nr);
	double queue_run(double* seconds, int nr);
	int queue_wait(int);
	int queue_drop(int nr);
	int queue_note(const char *format, ...);
TEXT
cat >queue.c <<-'TEXT'
	#include "queue.h"
	int queue_submit(int *jobs, int nr) { return jobs[nr - 1]; }
	double queue_run(double *seconds, int nr) { double sum = 0; while (nr-- > 0) sum += seconds[nr]; return sum; }
	int queue_wait(int nr) { return nr; }
	int queue_drop(int nr) { return -nr; }
	int queue_note(const char *format, ...) { return format[0]; }
TEXT
cat >program.c <<-'TEXT'
	#include <stdio.h>
	#include <unistd.h>
	#include "queue.h"
	int main(void)
	{
		int jobs[] = {1, 2, 3};
		double seconds[] = {0.5, 0.25};
		for (int i = 0; i < 4; i++) {
			printf("%d\n", queue_submit(jobs, 3));
			printf("%g\n", queue_run(seconds, 2));
			usleep(3000);
		}
		printf("%d %d %d\n", queue_wait(2), queue_drop(1), queue_note("%d", 4));
		return 0;
	}
TEXT
$cc -fPIC -shared -o libqueue.so queue.c && $cc -o program program.c -L. -lqueue || t_skip 'no C compiler'
./program >plain

# plugin NAME: NAME.tpl is on stdin; the program is recorded with it into NAME.events
plugin()
{
	cat >"$1.tpl"
	"$wrap" -q -o . "$1.tpl" || t_fail "$1: measure-wrap"
	"$measure" --wrap "$1" -o "$1.trace" ./program >out 2>words || t_fail "$1: status $?: $(cat words)"
	cmp plain out || t_fail "$1: the program prints something else: $(cat out)"
	t_sound "$1.trace"
	otf2-print "$1.trace/traces.otf2" >"$1.events"
}

calls()
{
	grep -c "^ENTER .*Region: \"$2\"" "$1.events"
}

# metric NAME VARIABLE: the values of a variable, in one line
metric()
{
	sed -n "s/^METRIC .*\"$2\" <[0-9]*>; DOUBLE; \([-0-9.e+]*\).*/\1/p" "$1.events" | tr '\n' ' '
}

# Bare prototypes are regions; blanks and comments stand anywhere; an ID, which EZTrace no longer takes.
plugin bare <<-'TEXT'
	# comment
	   # another one   
	 BEGIN_MODULE   
	NAME bare
	DESC "functions of a queue"
	LANGUAGE C
	ID 99
	int queue_submit(   int* jobs,
	       int nr )   
	double queue_run(double* seconds, int nr)

	  int   queue_wait (int nr)  
	END_MODULE
TEXT
t_equal 'bare prototypes' '4 4 1' "$(calls bare queue_submit) $(calls bare queue_run) $(calls bare queue_wait)"

# States have a text of their own, events no length.
plugin states <<-'TEXT'
	BEGIN_MODULE
	NAME states
	DESC "states"
	BEGIN_INCLUDE
	#include <stdio.h>
	END_INCLUDE
	int queue_submit(int* jobs, int nr)
	BEGIN
	 EVENT("job submitted")
	END
	double queue_run(double* seconds, int nr)
	BEGIN
	 RECORD_STATE("running jobs")
	END
	int queue_wait(int nr)
	BEGIN
	 PUSH_STATE("waiting")
	 CALL_FUNC
	 POP_STATE()
	END
	int queue_drop(int nr)
	BEGIN
	 CALL_FUNC
	 EVENT("dropped")
	END
	END_MODULE
TEXT
t_equal 'states and events' '4 4 1 1 0' "$(calls states 'job submitted') $(calls states 'running jobs') $(
	calls states waiting) $(calls states dropped) $(calls states queue_submit)"

# Variables: of the process, set, added to and subtracted from, with expressions of the arguments.
plugin variables <<-'TEXT'
	BEGIN_MODULE
	NAME variables
	int queue_submit(int* jobs, int nr)
	BEGIN
	 ADD_VAR("jobs in the queue", nr)
	END
	double queue_run(double* seconds, int nr)
	BEGIN
	 SUB_VAR("jobs in the queue", 1)
	 CALL_FUNC
	 SET_VAR("last seconds", seconds[(nr - 1)])
	END
	END_MODULE
TEXT
t_equal 'a variable' '3 2 5 4 7 6 9 8 ' "$(metric variables 'jobs in the queue')"
t_equal 'another variable' '0.25 0.25 0.25 0.25 ' "$(metric variables 'last seconds')"

# Functions with a variable number of arguments; flags of the compiler.
plugin varargs <<-'TEXT'
	BEGIN_MODULE
	NAME varargs
	BEGIN_CFLAGS
	-DSTEP=2 `echo -DOTHER=1`
	END_CFLAGS
	int queue_note(const char *format, ...)
	BEGIN
	 RECORD_STATE("note")
	 ADD_VAR("notes", STEP + OTHER)
	END
	END_MODULE
TEXT
t_equal 'varargs' '1 3 ' "$(calls varargs note) $(metric varargs notes)"

# Sampling functions are called by calls that are recorded, not more often than they say.
plugin sampled <<-'TEXT'
	BEGIN_MODULE
	NAME sampled
	DEFINE_SAMPLING_FUNCTION(count_up, 1000)
	int count_up(struct ezt_sampling_callback_instance *instance)
	{
	  static int count;
	  (void)instance;
	  SAMPLING_RECORD(++count * 10, "samples");
	  return 0;
	}
	END_DEFINE
	DEFINE_SAMPLING_FUNCTION(seldom, 60000000)
	  SAMPLING_RECORD(7, "seldom sampled");
	END_DEFINE
	int queue_submit(int* jobs, int nr)
	END_MODULE
TEXT
t_equal 'a sampling function' '10 20 30 40 ' "$(metric sampled samples)"
t_equal 'another sampling function' '7 ' "$(metric sampled 'seldom sampled')"
t_end
