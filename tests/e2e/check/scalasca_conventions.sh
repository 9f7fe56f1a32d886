#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: archives have what Scalasca goes by: files of the regions of libraries, the program with its arguments; with the options of doc/viewers.md nothing that stops it
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# read_by_rules ARCHIVE
read_by_rules()
{
	{
		otf2-print -G "$1/traces.otf2"
		otf2-print "$1/traces.otf2"
	} | awk -f "$t_here/scalasca_conventions.awk"
}

cat >threads.c <<-'END'
	#include <pthread.h>
	#include <threads.h>
	static void *run(void *mutex)
	{
		pthread_mutex_lock(mutex);
		pthread_mutex_unlock(mutex);
		return NULL;
	}
	static int run_too(void *mutex)
	{
		return run(mutex) != NULL;
	}
	int main(void)
	{
		pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
		pthread_t thread;
		thrd_t other;
		pthread_create(&thread, NULL, run, &mutex);
		pthread_join(thread, NULL);
		thrd_create(&other, run_too, &mutex);
		thrd_join(other, NULL);
		return 0;
	}
END
${CC:-gcc} -g -finstrument-functions -o threads threads.c -lpthread || t_skip 'no compiler'
"$measure" -q -o threads.run --pthread-groups=all ./threads 'one two' '' three >out 2>&1 || t_fail "threads: $(cat out)"
t_equal 'threads' 'regions: mpi 0, openmp 0, pthread 6; programs 1' "$(read_by_rules threads.run)"
otf2-print threads.run/traces.otf2 | grep '^PROGRAM_BEGIN' | grep -q '3 Arguments: "one two" <[0-9]*>, "" <[0-9]*>, "three"' ||
	t_fail "arguments: $(otf2-print threads.run/traces.otf2 | grep '^PROGRAM_BEGIN')"
t_sound "$work/threads.run"

# More arguments than are named
# shellcheck disable=SC2046
"$measure" -q -o many.run ./threads $(seq 100) >out 2>&1 || t_fail "many arguments: $(cat out)"
t_equal 'many arguments' 1 "$(read_by_rules many.run | grep -c '^regions: .* programs 1$')"
t_equal 'many arguments' '31,...' "$(otf2-print many.run/traces.otf2 | grep '^PROGRAM_BEGIN' | grep -o '"[^"]*"' | tail -n 2 | tr -d '"' | paste -s -d ,)"

# A child that is followed has them, too.
cat >forks.c <<-'END'
	#include <sys/wait.h>
	#include <unistd.h>
	int main(void)
	{
		if (fork() == 0)
			return 0;
		wait(NULL);
		return 0;
	}
END
${CC:-gcc} -g -finstrument-functions -o forks forks.c
"$measure" -q -o forks.run --children=follow ./forks a b >out 2>&1 || t_fail "forks: $(cat out)"
t_equal 'forks' 'regions: mpi 0, openmp 0, pthread 0; programs 2' "$(read_by_rules forks.run)"

# A filter does not take the name of a paradigm for a source file.
"$t_build/measure-sync" -q --exclude 'file=PTHREAD' --exclude 'file=*PTHREAD*' threads.run -o same.run || t_fail 'measure-sync'
t_equal 'filtered by file' "$(t_events threads.run)" "$(t_events same.run)"

command -v mpicc >/dev/null && [ -e "$t_build/.libs/libmeasure-mpi.so" ] || t_end
t_need_mpirun
cat >hybrid.c <<-'END'
	#include <mpi.h>
	#include <omp.h>
	int main(int nr_arguments, char **arguments)
	{
		int level, sum = 0, all = 0;
		omp_lock_t lock;
		MPI_Comm comm;
		MPI_Init_thread(&nr_arguments, &arguments, MPI_THREAD_FUNNELED, &level);
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		omp_init_lock(&lock);
	#pragma omp parallel num_threads(2)
		{
			omp_set_lock(&lock);
			sum++;
			omp_unset_lock(&lock);
		}
		MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, comm);
		MPI_Comm_free(&comm);
		MPI_Finalize();
		return all != 4;
	}
END
mpicc -g -fopenmp -finstrument-functions -o hybrid hybrid.c || t_skip 'mpicc does not work'
mpirun -n 2 "$measure" -q -o hybrid.run --mpi-groups=-comm ./hybrid "it's" >out 2>&1 || t_fail "hybrid: $(cat out)"
read_by_rules hybrid.run >got
grep -q '^regions: mpi [1-9][0-9]*, openmp [1-9][0-9]*, pthread 0; programs 2$' got || t_fail "hybrid: $(cat got)"
t_equal 'hybrid' '' "$(grep -v '^regions' got)"
t_sound "$work/hybrid.run"
t_end
