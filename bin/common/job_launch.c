/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tool as one of several processes; see job_launch.h. */
#include "config.h"

#include "bin/common/job_launch.h"

#include <getopt.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/cli.h"
#include "launch/plan/launcher.h"
#include "launch/plan/libdir.h"
#include "cli/memory_limits.h"

#define MODULE "libmeasure-sync-mpi.so"

static void say_nothing(const char *line)
{
	(void)line;
}

/* Those that this process may run on, which launchers often choose; else an equal share of all. */
static unsigned count_threads(uint64_t nr_beside)
{
	const long nr_processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t share = nr_processors > 0 ? (uint64_t)nr_processors / nr_beside : 1;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && (uint64_t)CPU_COUNT(&set) < share)
		share = (uint64_t)CPU_COUNT(&set);
	return share > 0 ? (unsigned)share : 1;
}

void job_launch_detect(struct job_launch *launch, char **arguments)
{
	struct measure_settings settings;
	uint64_t nr_beside = 1;

	measure_settings_defaults(&settings);
	measure_launcher_detect(&settings, getpid());
	*launch = (struct job_launch){.size = 1, .arguments = arguments};
	if (measure_launcher_is_there(&settings) && measure_launcher_size() > 1) {
		launch->rank = settings.rank;
		launch->size = measure_launcher_size();
		nr_beside = settings.local_size ? settings.local_size : 1;
	}
	launch->nr_threads = count_threads(nr_beside);
	launch->memory = measure_memory_available() / 2 / nr_beside;
	if (job_launch_is_first(launch))
		return;
	measure_cli_redirect(say_nothing);
	opterr = 0;
	(void)!freopen("/dev/null", "w", stdout);
}

void job_launch_speak(void)
{
	measure_cli_redirect(NULL);
}

static bool open_module(const struct job_launch *launch, struct measure_sync_job *job)
{
	char directory[PATH_MAX], path[PATH_MAX + sizeof(MODULE)];
	const char *problem;

	if (!measure_libdir_find(directory, MODULE, "unset it",
		    "this Measure was built without MPI: use no launcher"))
		return false;
	snprintf(path, sizeof(path), "%s/%s", directory, MODULE);
	problem = measure_sync_job_open(job, path);
	if (problem) {
		measure_cli_say("%s: %s", path, problem);
		return false;
	}
	if (job->size > 1)
		return true;
	measure_cli_say("started as one of %llu processes, but %s, for which it was built, reports "
			"one: use the launcher of that library",
		(unsigned long long)launch->size, job->ops->library);
	measure_sync_job_close(job);
	return false;
}

/* Collective. Launchers also start what has nothing to do with each other. */
static bool have_same_arguments(const struct measure_sync_job *job, char **arguments)
{
	uint64_t hash = MEASURE_HASH_START, least;

	for (; *arguments; arguments++)
		hash = measure_hash(hash, *arguments, strlen(*arguments) + 1);
	least = measure_sync_job_least(job, hash);
	return measure_sync_job_sum(job, hash != least) == 0;
}

bool job_launch_join(const struct job_launch *launch, struct measure_sync_job *job)
{
	bool is_open = true;

	*job = measure_sync_job_of_one;
	if (launch->size == 1)
		return true;
	if (!job_launch_is_first(launch))
		measure_cli_redirect(say_nothing);
	is_open = open_module(launch, job);
	if (is_open && !have_same_arguments(job, launch->arguments)) {
		measure_cli_say("the processes of the job have different arguments; use the same "
				"for all, or run each without the launcher");
		measure_sync_job_close(job);
		is_open = false;
	}
	job_launch_speak();
	return is_open;
}
