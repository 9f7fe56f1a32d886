/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making the run directory; see run_create.h. */
#include "config.h"

#include "run_create.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "assemble/part/part_directory.h"

#define TRIES	    100
#define MOST_NUMBER 100000
#define LOCK_MS	    1000

enum content {
	CONTENT_NONE,	/* an empty directory: may be used */
	CONTENT_OLD,	/* a run of ours that is over */
	CONTENT_LIVE,	/* a run of ours that goes on */
	CONTENT_FOREIGN /* anything else */
};

void measure_directory_make_parents(const char *path)
{
	char parent[PATH_MAX];

	snprintf(parent, sizeof(parent), "%s", path);
	for (char *c = parent + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		mkdir(parent, 0777);
		*c = '/';
	}
}

FILE *measure_directory_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

bool measure_directory_is_planted(const char *path)
{
	char parent[PATH_MAX];
	struct stat own, above;

	snprintf(parent, sizeof(parent), "%s", path);
	*strrchr(parent, '/') = '\0';
	return lstat(path, &own) == 0 && own.st_uid != geteuid() &&
	       stat(parent[0] ? parent : "/", &above) == 0 &&
	       (above.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

static enum content look_at_parts(const char *path)
{
	char parts_path[PATH_MAX + 16];
	struct measure_parts parts = {0};

	snprintf(parts_path, sizeof(parts_path), "%s/" MEASURE_PARTS_NAME, path);
	int fd = open(parts_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return CONTENT_OLD;
	measure_parts_count(fd, &parts);
	close(fd);
	if (parts.nr_alive + parts.nr_elsewhere + parts.nr_lingering > 0)
		return CONTENT_LIVE;
	/* No part at all: somebody is just about to make the first one. */
	return parts.nr_dead + parts.nr_done + parts.nr_off > 0 ? CONTENT_OLD : CONTENT_LIVE;
}

static enum content run_create_look(const char *path)
{
	enum content content = CONTENT_NONE;
	struct dirent *entry;
	DIR *list = opendir(path);

	if (!list)
		return CONTENT_FOREIGN;
	while ((entry = readdir(list))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (strcmp(entry->d_name, MEASURE_PARTS_NAME) == 0) {
			content = look_at_parts(path);
			break;
		}
		if (strcmp(entry->d_name, MEASURE_ANCHOR_NAME) == 0)
			content = CONTENT_OLD;
		else if (content == CONTENT_NONE)
			content = CONTENT_FOREIGN;
	}
	closedir(list);
	return content;
}

/* A run that ended while run_create_look() read the directory looks foreign. */
static bool has_run(const char *path)
{
	char name[PATH_MAX + 32];

	snprintf(name, sizeof(name), "%s/" MEASURE_ANCHOR_NAME, path);
	if (access(name, F_OK) == 0)
		return true;
	snprintf(name, sizeof(name), "%s/" MEASURE_PARTS_NAME, path);
	return access(name, F_OK) == 0;
}

/* First of path.1, path.2, ... that can be made; `numbered` has size bytes. */
static measure_status_t make_numbered(const char *path, char *numbered, size_t size)
{
	for (int number = 1; number < MOST_NUMBER; number++) {
		if ((size_t)snprintf(numbered, size, "%s.%d", path, number) >= size)
			return MEASURE_ERROR_USAGE;
		if (mkdir(numbered, 0777) == 0)
			return MEASURE_OK;
		if (errno != EEXIST)
			return MEASURE_ERROR_IO;
	}
	return MEASURE_ERROR_EXISTS;
}

/* Renaming replaces an empty directory, so the one just made keeps the place meanwhile. */
static measure_status_t move_aside(const char *path)
{
	char older[PATH_MAX + 16];
	measure_status_t status = make_numbered(path, older, sizeof(older));

	if (status != MEASURE_OK)
		return status;
	if (rename(path, older) == 0)
		return MEASURE_OK;
	int error = errno;
	rmdir(older);
	errno = error;
	/* Not there any more: somebody else has moved it, look again. */
	return error == ENOENT ? MEASURE_OK : MEASURE_ERROR_IO;
}

/* Whoever makes `.parts` has the directory. */
static measure_status_t run_create_take(const char *path)
{
	char parts[PATH_MAX + 32];

	snprintf(parts, sizeof(parts), "%s/" MEASURE_PARTS_NAME, path);
	if (mkdir(parts, 0777) == 0)
		return MEASURE_OK;
	return errno == EEXIST ? MEASURE_ERROR_EXISTS : MEASURE_ERROR_IO;
}

/* Between looking at an old run and moving it, nobody else may move it and make a new one in
 * its place. A guard for processes of this host that start at the same moment; where the file
 * system has no locks, or the lock is not available soon, we continue without it. */
static int lock_parent(const char *path)
{
	struct timespec pause = {0, 1000 * 1000};
	char parent[PATH_MAX];

	snprintf(parent, sizeof(parent), "%s", path);
	*strrchr(parent, '/') = '\0';
	int fd = open(parent[0] ? parent : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; fd >= 0 && i < LOCK_MS && flock(fd, LOCK_EX | LOCK_NB) != 0; i++)
		nanosleep(&pause, NULL);
	return fd;
}

/* Something is there. MEASURE_ERROR_EXISTS: it was cleared away or taken by others, look again. */
static measure_status_t claim_existing(char *path, size_t size)
{
	char numbered[PATH_MAX + 16];
	measure_status_t status;

	if (measure_directory_is_planted(path))
		return MEASURE_ERROR_OFF;
	switch (run_create_look(path)) {
	case CONTENT_NONE:
		return run_create_take(path);
	case CONTENT_OLD:
		status = move_aside(path);
		return status == MEASURE_OK ? MEASURE_ERROR_EXISTS : status;
	case CONTENT_LIVE:
		status = make_numbered(path, numbered, sizeof(numbered));
		if (status != MEASURE_OK || strlen(numbered) >= size)
			return status != MEASURE_OK ? status : MEASURE_ERROR_USAGE;
		strcpy(path, numbered);
		return run_create_take(path);
	case CONTENT_FOREIGN:
		return has_run(path) ? MEASURE_ERROR_EXISTS : MEASURE_ERROR_FORMAT;
	}
	return MEASURE_ERROR_IO;
}

/* The effective configuration: a line and its meaning for every option. */
static measure_status_t write_configuration(const struct measure_settings *settings,
	const char *directory)
{
	char path[PATH_MAX + 16], value[MEASURE_SETTINGS_TEXT];

	snprintf(path, sizeof(path), "%s/" MEASURE_CONFIGURATION_NAME, directory);
	FILE *file = measure_directory_file(path);
	if (!file)
		return MEASURE_ERROR_IO;
	fprintf(file, "# Measure %s: configuration of this run\n", PACKAGE_VERSION);
	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		measure_setting_print(settings, setting, value, sizeof(value));
		fprintf(file, "# %s\n%s = %s\n", setting->text, setting->name, value);
	}
	return fclose(file) == 0 ? MEASURE_OK : MEASURE_ERROR_IO;
}

static measure_status_t try_claim(char *path, size_t size)
{
	if (mkdir(path, 0777) == 0)
		return run_create_take(path);
	if (errno != EEXIST)
		return MEASURE_ERROR_IO;

	int lock = lock_parent(path);
	measure_status_t status = claim_existing(path, size);
	int error = errno;
	if (lock >= 0)
		close(lock);
	errno = error;
	return status;
}

void measure_rundir_abandon(const char *path)
{
	static const char *const files[] = {MEASURE_CONFIGURATION_NAME,
		MEASURE_PARTS_NAME "/" MEASURE_JOB_NAME, MEASURE_PARTS_NAME, ""};
	char name[PATH_MAX + 64];
	int error = errno;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(name, sizeof(name), "%s/%s", path, files[i]);
		remove(name);
	}
	errno = error;
}

/* With errno where it cannot be made. */
static void say_obstacle(const char *path, measure_status_t status)
{
	if (status == MEASURE_ERROR_OFF)
		measure_cli_say("%s: belongs to another user, in a directory that others can "
				"write to: choose another --output",
			path);
	else if (status == MEASURE_ERROR_FORMAT)
		measure_cli_say(
			"%s: exists but is not a Measure run directory: choose another --output",
			path);
	else
		measure_cli_say(
			"%s: cannot create: %s: choose another --output", path, strerror(errno));
}

measure_status_t measure_rundir_create(
	const struct measure_settings *settings, char *path, size_t size)
{
	measure_status_t status = MEASURE_ERROR_EXISTS;

	measure_directory_make_parents(path);
	for (int i = 0; i < TRIES && status == MEASURE_ERROR_EXISTS; i++)
		status = try_claim(path, size);
	if (status == MEASURE_OK) {
		status = write_configuration(settings, path);
		if (status != MEASURE_OK)
			measure_rundir_abandon(path);
	}

	if (status != MEASURE_OK)
		say_obstacle(path, status);
	return status;
}

measure_status_t measure_rundir_look(const char *path)
{
	measure_status_t status = MEASURE_OK;
	struct stat stat_;

	/* What others have put there is no mistake: it must not keep the program from running. */
	if (lstat(path, &stat_) != 0)
		status = errno == ENOTDIR ? MEASURE_ERROR_IO : MEASURE_OK;
	else if (!measure_directory_is_planted(path) && run_create_look(path) == CONTENT_FOREIGN &&
		 !has_run(path))
		status = MEASURE_ERROR_FORMAT;
	if (status == MEASURE_OK)
		return status;
	say_obstacle(path, status);
	return MEASURE_ERROR_USAGE;
}
