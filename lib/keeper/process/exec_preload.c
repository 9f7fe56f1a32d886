/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that are started by recorded ones; see exec_preload.h. */
#include "config.h"

#include "exec_preload.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/procfs.h"
#include "cli/memory_limits.h"
#include "launch/plan/launcher.h"
#include "launch/options/policy.h"
#include "launch/plan/own_loader.h"
#include "launch/plan/preload.h"
#include "launch/plan/program.h"

#define MOST_VARIABLES 4096

extern char **environ;

/* Strings, each with its NUL, as an environment. They stay where they are. */
static void split(char *text, size_t size, char **variables)
{
	size_t nr = 0;

	for (size_t at = 0; at < size && nr < MOST_VARIABLES - 1; at += strlen(text + at) + 1)
		variables[nr++] = text + at;
	variables[nr] = NULL;
}

/* As seen from here: the process may be in another directory, and is not "self". */
static bool find_file(pid_t pid, const char *path, char found[PATH_MAX])
{
	static const char self[] = "/proc/self/";
	char from_it[PATH_MAX];
	int length;

	if (*path == '/' && strncmp(path, "/proc/", 6) != 0)
		return snprintf(found, PATH_MAX, "%s", path) < PATH_MAX;
	if (strncmp(path, self, strlen(self)) == 0)
		length = snprintf(
			from_it, sizeof(from_it), "/proc/%d/%s", (int)pid, path + strlen(self));
	else if (*path == '/')
		length = snprintf(from_it, sizeof(from_it), "%s", path);
	else
		length = snprintf(from_it, sizeof(from_it), "/proc/%d/cwd/%s", (int)pid, path);
	return length < (int)sizeof(from_it) && realpath(from_it, found);
}

static bool is_measure(const char *path)
{
	struct stat ours, theirs;

	return stat("/proc/self/exe", &ours) == 0 && stat(path, &theirs) == 0 &&
	       ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

/* Where it is no program of OpenMP there is nothing to say about its library. */
static void choose_openmp(struct measure_settings *settings, const struct measure_program *program)
{
	char name[64];

	if (!measure_elf_find(program->elf.needed, "libgomp.so", name, sizeof(name)) &&
		!measure_elf_find(program->elf.needed, "libomp.so", name, sizeof(name)))
		settings->openmp = MEASURE_OPENMP_AUTO;
}

/* Fields that a launcher decides on, of one that is not there. */
static void detect(struct measure_settings *found, pid_t pid)
{
	measure_settings_defaults(found);
	measure_launcher_detect(found, pid);
}

static bool program_is_unrecorded(
	const struct measure_program *program, struct measure_unrecorded_programs *unrecorded)
{
	if (program->obstacle && *program->obstacle)
		measure_unrecorded_count(unrecorded, program->path, program->obstacle);
	return program->obstacle;
}

static const char *exec_preload_choose(const struct measure_settings *settings,
	struct measure_unrecorded_programs *unrecorded, const char *path, pid_t pid)
{
	static struct measure_program program;
	static struct measure_preload preload;
	static struct measure_settings own, found;

	/* Whatever is wrong, the program is started. */
	measure_policy_set(false, true);
	memset(&program, 0, sizeof(program));
	if (!find_file(pid, path, program.path) || is_measure(program.path))
		return "";
	program.name = strrchr(program.path, '/') + 1;
	measure_program_inspect(&program);
	if (program_is_unrecorded(&program, unrecorded))
		return "";
	own = *settings;
	choose_openmp(&own, &program);
	detect(&found, pid);
	if (measure_launcher_is_there(&found)) {
		own.rank = found.rank;
		own.quiet = own.quiet || found.rank != 0; /* all ranks would say the same */
	}
	if (measure_preload_choose(&preload, &own, &program) != MEASURE_OK)
		return "";
	program.obstacle = measure_own_loader_obstacle(&preload);
	return program_is_unrecorded(&program, unrecorded) ? "" : preload.list;
}

void measure_exec_preload_answer(const struct measure_settings *settings,
	struct measure_unrecorded_programs *unrecorded, int connection,
	const struct measure_visitor *visitor)
{
	static char text[MEASURE_VISITOR_TEXT], *variables[MOST_VARIABLES];
	char **ours = environ;
	size_t path = strlen(visitor->text) + 1;

	if (path < visitor->size) {
		memcpy(text, visitor->text, visitor->size);
		split(text + path, visitor->size - path, variables);
		environ = variables;
	}
	measure_rendezvous_answer(
		connection, exec_preload_choose(settings, unrecorded, visitor->text, visitor->pid));
	environ = ours;
}

static void adopt_environment(pid_t pid)
{
	static char text[MEASURE_VISITOR_TEXT], *variables[MOST_VARIABLES];
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	ssize_t size = measure_text_read(path, text, sizeof(text));
	if (size <= 0)
		return;
	split(text, (size_t)size, variables);
	environ = variables;
}

/* A rank is that of the process which the launcher has started; with --exec of whoever has it in
 * its environment, as those before it are left out. */
static bool has_rank(
	const struct measure_settings *creators, const struct measure_settings *found, bool is_same)
{
	return creators->exec || strcmp(creators->job, found->job) != 0 ||
	       (is_same && measure_launcher_is_there(creators));
}

void measure_exec_preload_adopt(
	struct measure_settings *settings, pid_t pid, bool is_same, uint64_t buffer)
{
	static struct measure_settings found;

	adopt_environment(pid);
	detect(&found, pid);
	if (measure_launcher_is_there(&found) && has_rank(settings, &found, is_same)) {
		strcpy(settings->launcher, found.launcher);
		strcpy(settings->job, found.job);
		strcpy(settings->spawned_by, found.spawned_by);
		settings->rank = found.rank;
		settings->size = found.size;
		settings->local_rank = found.local_rank;
		settings->local_size = found.local_size;
		settings->buffer = buffer ? buffer : measure_buffer_default(found.local_size);
	} else if (!is_same) {
		settings->rank = MEASURE_RANK_NONE;
	}
}
