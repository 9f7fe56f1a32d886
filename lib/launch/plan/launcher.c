/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Launchers by their environment variables: one row each; see launcher.h. */
#include "config.h"

#include "launcher.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/procfs.h"


#define NR_KEYS 3

/* The first row whose rank, size and first key are there holds: an Open MPI job inside Slurm has
 * the variables of both, and only Open MPI's are those of the job. The keys together must differ
 * between any two jobs that may write to one file system, also one after the other; where a
 * launcher gives none, the process that started us stands for the job (one node only). */
static const struct launcher {
	const char *name;
	const char *rank, *size, *local_rank, *local_size;
	const char *keys[NR_KEYS]; /* NULL first: none given */
	const char *libraries;     /* of MPI that its programs use, with blanks between them */
} launchers[] = {
	{"openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
		"OMPI_COMM_WORLD_LOCAL_SIZE", {"PMIX_NAMESPACE", "OMPI_MCA_orte_hnp_uri"},
		"libmpi.so.40"},
	{"slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID",
		"SLURM_STEP_TASKS_PER_NODE",
		{"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"}, ""},
	{"pmi", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", {"PMI_JOBID"},
		"libmpich.so.12 libmpi.so.12"},
	{"hydra", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", {NULL},
		"libmpich.so.12 libmpi.so.12"},
};

static int read_number(const char *variable, uint64_t *number)
{
	const char *text = getenv(variable);
	char *end;

	if (!text || *text < '0' || *text > '9')
		return 0;
	errno = 0;
	*number = strtoull(text, &end, 10);
	/* "4(x2)": Slurm's counts per node; the first is right where all are equal. */
	return errno == 0 && (*end == '\0' || *end == '(' || *end == ',');
}

static int launcher_is_there(const struct launcher *launcher)
{
	uint64_t number;

	if (launcher->keys[0] && !getenv(launcher->keys[0]))
		return 0;
	return read_number(launcher->rank, &number) && read_number(launcher->size, &number) &&
		number > 0;
}

/* What MPI_Comm_spawn starts belongs to the job that called it: Open MPI 4 numbers the jobs of
 * one mpirun in the lower half of a number, Open MPI 5 behind an @. */
static void add_open_mpi_key(const char *value, char *key, size_t size)
{
	char *end;
	unsigned long long number = strtoull(value, &end, 10);

	if (end != value && *end == '\0')
		snprintf(key, size, " %llu", number >> 16);
	else
		snprintf(key, size, " %.*s", (int)strcspn(value, "@"), value);
}

static void make_job(struct measure_settings *settings, const struct launcher *launcher, pid_t pid)
{
	size_t size = sizeof(settings->job);

	snprintf(settings->job, size, "%s", launcher->name);
	for (int i = 0; i < NR_KEYS && launcher->keys[i]; i++) {
		const char *value = getenv(launcher->keys[i]);
		size_t used = strlen(settings->job);
		if (value && launcher == &launchers[0])
			add_open_mpi_key(value, settings->job + used, size - used);
		else if (value)
			snprintf(settings->job + used, size - used, " %s", value);
	}
	size_t used = strlen(settings->job);
	if (!launcher->keys[0]) {
		pid_t parent = measure_process_parent(pid);
		snprintf(settings->job + used, sizeof(settings->job) - used, " %d %llu",
			(int)parent, (unsigned long long)measure_process_start(parent));
	}
	for (char *c = settings->job; *c; c++)
		if (*c == '\n')
			*c = ' ';
}

static void fill(struct measure_settings *settings, const struct launcher *launcher, pid_t pid)
{
	snprintf(settings->launcher, sizeof(settings->launcher), "%s", launcher->name);
	read_number(launcher->rank, &settings->rank);
	read_number(launcher->size, &settings->size);
	read_number(launcher->local_rank, &settings->local_rank);
	read_number(launcher->local_size, &settings->local_size);
	if (settings->local_size == 0)
		settings->local_size = 1;
	if (!launcher->keys[0])
		settings->size = settings->local_size;
	make_job(settings, launcher, pid);
}

/* Put there for us by the MPI adapter of those who spawned this process. */
#define SPAWNED_BY "MEASURE_SPAWNED_BY"

void measure_launcher_hide(void)
{
	unsetenv(SPAWNED_BY);
	unsetenv(MEASURE_SPAWNED_OUTPUT);
}

void measure_launcher_detect(struct measure_settings *settings, pid_t pid)
{
	const char *parents = getenv(SPAWNED_BY);

	snprintf(settings->spawned_by, sizeof(settings->spawned_by), "%s", parents ? parents : "");
	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		if (launcher_is_there(&launchers[i])) {
			fill(settings, &launchers[i], pid);
			return;
		}
	}
	settings->size = 1;
	snprintf(settings->job, sizeof(settings->job), "none %d %llu", (int)pid,
		(unsigned long long)measure_process_start(pid));
}

bool measure_launcher_serves(const struct measure_settings *settings, const char *library)
{
	const size_t length = strlen(library);

	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		if (strcmp(launchers[i].name, settings->launcher) != 0)
			continue;
		const char *word = launchers[i].libraries;
		for (size_t size; (size = strcspn(word, " ")) > 0;
			word += size + (word[size] == ' '))
			if (size == length && strncmp(word, library, length) == 0)
				return true;
	}
	return false;
}

uint64_t measure_launcher_size(void)
{
	uint64_t size = 1;

	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++)
		if (launcher_is_there(&launchers[i])) {
			read_number(launchers[i].size, &size);
			break;
		}
	return size;
}

void measure_launcher_job_id(const struct measure_settings *settings, char *id, size_t size)
{
	static const char *const variables[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",
		"COBALT_JOBID", "JOB_ID"};
	const char *key = strchr(settings->job, ' ');

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);
		if (value && *value) {
			snprintf(id, size, "%s", value);
			return;
		}
	}
	key = key ? key + 1 : settings->job;
	snprintf(id, size, "%.*s", (int)strcspn(key, " "), key);
}

enum measure_launcher_command measure_launcher_command(const char *name)
{
	static const struct {
		const char *name;
		enum measure_launcher_command kind;
	} commands[] = {
		{"mpirun", MEASURE_LAUNCHER_HERE},
		{"mpiexec", MEASURE_LAUNCHER_HERE},
		{"orterun", MEASURE_LAUNCHER_HERE},
		{"oshrun", MEASURE_LAUNCHER_HERE},
		{"prterun", MEASURE_LAUNCHER_HERE},
		{"srun", MEASURE_LAUNCHER_AFAR},
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		size_t length = strlen(commands[i].name);
		/* with what may follow, as in mpiexec.hydra */
		if (strncmp(name, commands[i].name, length) == 0 &&
			(name[length] == '\0' || name[length] == '.'))
			return commands[i].kind;
	}
	return MEASURE_LAUNCHER_NONE;
}
