/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deciding on the run directory; see rundir.h. Making it is run_create.c's. */
#include "config.h"

#include "rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/procfs.h"
#include "run_create.h"
#include "cli/cli.h"
#include "launch/plan/launcher.h"
#include "run_agreement.h"
#include "launch/options/options.h"
#include "assemble/part/part_directory.h"
#include "launch/options/policy.h"

#define PATIENCE_S 10

struct expansion {
	const char *program;
	char job[256];
	char start[32];
};

static void rundir_prepare(
	struct expansion *expansion, const struct measure_settings *settings, const char *program)
{
	struct tm local;
	time_t now = time(NULL);

	expansion->program = program;
	measure_launcher_job_id(settings, expansion->job, sizeof(expansion->job));
	localtime_r(&now, &local);
	strftime(expansion->start, sizeof(expansion->start), "%Y%m%d-%H%M%S", &local);
}

/* A job key has characters that are no good in a file name. */
static void rundir_append(char *path, size_t size, const char *text, size_t length)
{
	size_t used = strlen(path);

	for (size_t i = 0; i < length && used < size - 1; i++)
		path[used++] = strchr("/ ;\t\n", text[i]) ? '_' : text[i];
	path[used] = '\0';
}

static measure_status_t expand(const char *template, const struct expansion *expansion, char *path,
	size_t size)
{
	path[0] = '\0';
	if (template[0] != '/') {
		if (!getcwd(path, size - 1))
			return MEASURE_ERROR_IO;
		strcat(path, "/");
	}
	for (const char *c = template; *c; c++) {
		const char *text = NULL;
		if (c[0] == '%' && c[1])
			text = c[1] == 'p' ? expansion->program
				: c[1] == 'j' ? expansion->job
				: c[1] == 't' ? expansion->start
				: c[1] == '%' ? "%" : NULL;
		size_t used = strlen(path);
		if (text) {
			rundir_append(path, size, text, strlen(text));
			c++;
		} else if (used < size - 1) {
			path[used] = *c;
			path[used + 1] = '\0';
		}
	}
	while (strlen(path) > 1 && path[strlen(path) - 1] == '/')
		path[strlen(path) - 1] = '\0';
	/* A path is a line in the agreement and in measure.cfg. */
	return strlen(path) < size - 64 && !strchr(path, '\n') ? MEASURE_OK : MEASURE_ERROR_USAGE;
}

static void rundir_refuse(const struct measure_settings *settings)
{
	measure_policy_mistake("not recording",
		"%s: '%s' expands to a path that is too long or contains a line break",
		measure_options_source("output"), settings->output);
}

measure_status_t measure_rundir_expand(const struct measure_settings *settings,
	const char *program, char *path, size_t size)
{
	struct expansion expansion;

	rundir_prepare(&expansion, settings, program);
	measure_status_t status = expand(settings->output, &expansion, path, size);
	if (status != MEASURE_OK)
		rundir_refuse(settings);
	return status;
}

measure_status_t measure_rundir_check(const struct measure_settings *settings, const char *program)
{
	char path[PATH_MAX];
	measure_status_t status = measure_rundir_expand(settings, program, path, sizeof(path));

	return status == MEASURE_OK ? measure_rundir_look(path) : status;
}

/* Components from the first %p or %t on may differ between the processes of a job: the
 * agreement is made above them. */
static measure_status_t agreement_parent(const struct measure_settings *settings, char *path)
{
	struct expansion expansion;
	char template[MEASURE_SETTINGS_TEXT];

	rundir_prepare(&expansion, settings, "");
	strcpy(template, settings->output);
	while (strlen(template) > 1 && template[strlen(template) - 1] == '/')
		template[strlen(template) - 1] = '\0';

	char *end = template;
	for (char *c = template; *c && !(c[0] == '%' && strchr("pt", c[1])); c++)
		if (*c == '/')
			end = c;
	if (end == template)
		strcpy(template, template[0] == '/' ? "/" : "");
	else
		*end = '\0';
	return expand(template, &expansion, path, PATH_MAX - 64);
}

/* After the job's key and what the user asked for, each with its NUL. */
static void name_agreement(const struct measure_settings *settings, char *path)
{
	uint64_t hash = MEASURE_HASH_START;
	size_t used = strlen(path);

	hash = measure_hash(hash, settings->job, strlen(settings->job) + 1);
	hash = measure_hash(hash, settings->output, strlen(settings->output) + 1);
	snprintf(path + used, PATH_MAX - used, "/.measure-%016llx", (unsigned long long)hash);
}

/* Written aside and renamed, so that nobody reads half of it. An empty directory: the one who
 * decides could not make any. */
static measure_status_t write_note(const char *directory, const char *run_directory)
{
	char path[PATH_MAX + 16], new_path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/" MEASURE_NOTE_NAME, directory);
	snprintf(new_path, sizeof(new_path), "%s/" MEASURE_NOTE_NAME ".new", directory);
	FILE *file = measure_directory_file(new_path);
	if (!file)
		return MEASURE_ERROR_IO;
	fprintf(file, "%s\n", run_directory);
	if (fclose(file) != 0 || rename(new_path, path) != 0)
		return MEASURE_ERROR_IO;
	return MEASURE_OK;
}

/* For measure-repair: how many processes there should be, and what to clear away. */
static measure_status_t write_job(const struct measure_settings *settings,
	const struct measure_rundir *rundir)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/" MEASURE_PARTS_NAME "/" MEASURE_JOB_NAME, rundir->path);
	FILE *file = measure_directory_file(path);
	if (!file)
		return MEASURE_ERROR_IO;
	fprintf(file, "launcher = %s\njob = %s\nsize = %llu\nagreement = %s\n", settings->launcher,
		settings->job, (unsigned long long)settings->size, rundir->agreement);
	return fclose(file) == 0 ? MEASURE_OK : MEASURE_ERROR_IO;
}

/* There will be no run directory. The last one to know clears the agreement away. */
static void rundir_leave(
	const struct measure_settings *settings, const struct measure_rundir *rundir)
{
	char path[PATH_MAX + 16];
	struct stat stat_;

	snprintf(path, sizeof(path), "%s/left", rundir->agreement);
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	bool is_last = write(fd, "x", 1) == 1 && fstat(fd, &stat_) == 0 &&
		(uint64_t)stat_.st_size == settings->size;
	close(fd);
	if (is_last) {
		unlink(path);
		measure_rundir_forget(rundir);
	}
}

static measure_status_t complain(const char *path)
{
	measure_cli_say("%s: cannot write: %s: choose another --output", path, strerror(errno));
	return MEASURE_ERROR_IO;
}

static measure_status_t rundir_decide(
	const struct measure_settings *settings, const char *program, struct measure_rundir *rundir)
{
	measure_status_t status =
		measure_rundir_expand(settings, program, rundir->path, sizeof(rundir->path));

	if (status == MEASURE_OK)
		status = measure_rundir_create(settings, rundir->path, sizeof(rundir->path));
	if (status == MEASURE_OK && write_job(settings, rundir) != MEASURE_OK) {
		measure_rundir_abandon(rundir->path);
		status = complain(rundir->path);
	}
	if (rundir->agreement[0] == '\0')
		return status;
	if (write_note(rundir->agreement, status == MEASURE_OK ? rundir->path : "") != MEASURE_OK)
		return complain(rundir->agreement);
	if (status != MEASURE_OK)
		rundir_leave(settings, rundir);
	return status;
}

/* First looks come quickly, later ones are for slow file systems. */
static measure_status_t wait_for_note(const struct measure_settings *settings,
	struct measure_rundir *rundir)
{
	struct timespec pause = {0, 500 * 1000}, start, now;
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/" MEASURE_NOTE_NAME, rundir->agreement);
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		if (measure_text_read(path, rundir->path, sizeof(rundir->path)) >= 0) {
			rundir->path[strcspn(rundir->path, "\n")] = '\0';
			if (rundir->path[0])
				return MEASURE_OK;
			rundir_leave(settings, rundir); /* whoever decides has said why already */
			return MEASURE_ERROR_OFF;
		}
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 50 * 1000 * 1000)
			pause.tv_nsec += pause.tv_nsec / 2;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - start.tv_sec < PATIENCE_S);
	measure_cli_say("%s: the process that chooses the run directory has not answered for %d s: "
			"remove this file, or choose another --output",
		rundir->agreement, PATIENCE_S);
	return MEASURE_ERROR_NOT_FOUND;
}

static measure_status_t agree(const struct measure_settings *settings, const char *program,
	struct measure_rundir *rundir)
{
	if (agreement_parent(settings, rundir->agreement) != MEASURE_OK) {
		/* All processes of the job come here, as below. */
		if (settings->rank == 0)
			rundir_refuse(settings);
		return MEASURE_ERROR_USAGE;
	}
	name_agreement(settings, rundir->agreement);
	measure_directory_make_parents(rundir->agreement);
	if (mkdir(rundir->agreement, 0777) == 0)
		return rundir_decide(settings, program, rundir);
	if (errno == EEXIST && !measure_directory_is_planted(rundir->agreement))
		return wait_for_note(settings, rundir);
	if (errno == EEXIST)
		errno = EPERM; /* another user has it */
	/* All processes of the job come here, one of them is enough to say it. */
	if (settings->rank == 0)
		measure_cli_say("%.*s: cannot create a directory: %s: choose another --output",
			(int)(strrchr(rundir->agreement, '/') - rundir->agreement),
			rundir->agreement, strerror(errno));
	return MEASURE_ERROR_IO;
}

static measure_status_t open_directories(struct measure_rundir *rundir)
{
	rundir->fd = open(rundir->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rundir->parts_fd = rundir->fd < 0 ? -1
		: openat(rundir->fd, MEASURE_PARTS_NAME, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (rundir->parts_fd >= 0)
		return MEASURE_OK;
	measure_cli_say("%s/%s: cannot open: %s: choose another --output", rundir->path,
		MEASURE_PARTS_NAME, strerror(errno));
	if (rundir->fd >= 0)
		close(rundir->fd);
	return MEASURE_ERROR_IO;
}

measure_status_t measure_rundir_open(const struct measure_settings *settings, const char *program,
	struct measure_rundir *rundir)
{
	measure_status_t status;

	memset(rundir, 0, sizeof(*rundir));
	if (settings->rank != MEASURE_RANK_NONE)
		status = agree(settings, program, rundir);
	else
		status = rundir_decide(settings, program, rundir);
	return status == MEASURE_OK ? open_directories(rundir) : status;
}

void measure_rundir_forget(const struct measure_rundir *rundir)
{
	measure_run_agreement_remove(rundir->agreement);
}

void measure_rundir_remove(const struct measure_rundir *rundir)
{
	char path[64];
	ssize_t length;
	static char now[PATH_MAX];

	measure_parts_remove(rundir->parts_fd);
	unlinkat(rundir->fd, MEASURE_PARTS_NAME, AT_REMOVEDIR);
	unlinkat(rundir->fd, MEASURE_CONFIGURATION_NAME, 0);
	/* Where it is now: somebody may have moved it. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", rundir->fd);
	length = readlink(path, now, sizeof(now) - 1);
	if (length > 0) {
		now[length] = '\0';
		rmdir(now);
	}
	measure_rundir_forget(rundir);
}
