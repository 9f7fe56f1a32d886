/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files under another name until they are complete; see output_file.h. */
#include "config.h"

#include "output_file.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/printable.h"
#include "trace/common/containers.h"
#include "trace/common/trace_error.h"

/* Fewer, longer writes. */
#define BUFFER_SIZE (1 << 18)

static measure_status_t output_refuse(const char *path, int error)
{
	measure_error_set("%s: cannot write: %s", MEASURE_PRINTABLE(path), strerror(error));
	return MEASURE_ERROR_IO;
}

static pid_t output_maker; /* 0: this process */

#define ENDING_SIZE 32

static void write_ending(char ending[ENDING_SIZE])
{
	const pid_t maker = output_maker > 0 ? output_maker : getpid();

	snprintf(ending, ENDING_SIZE, ".%ld.part", (long)maker);
}

char *measure_output_file_name(const char *path)
{
	size_t length = strlen(path);
	char *name = measure_zeroed(length + ENDING_SIZE + 1, 1);

	while (length > 1 && path[length - 1] == '/')
		length--;
	memcpy(name, path, length);
	write_ending(name + length);
	return name;
}

void measure_output_files_begin(void)
{
	output_maker = getpid();
}

/* "OUT.PID.part" or "OUT.2.PID.part". */
static bool is_left_over(const char *name, const char *output, const char *ending)
{
	const size_t length = strlen(output), nr = strlen(name), nr_ending = strlen(ending);

	return nr >= length + nr_ending && strncmp(name, output, length) == 0 &&
	       name[length] == '.' && strcmp(name + nr - nr_ending, ending) == 0;
}

void measure_output_files_sweep(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *output = slash ? slash + 1 : path;
	char *folder = measure_copy_text(slash ? path : "."), ending[ENDING_SIZE];
	const struct dirent *entry;
	DIR *directory;

	if (slash)
		folder[slash == path ? 1 : slash - path] = '\0';
	write_ending(ending);
	directory = opendir(folder);
	while (directory && (entry = readdir(directory)))
		if (is_left_over(entry->d_name, output, ending))
			measure_file_remove_tree(dirfd(directory), entry->d_name);
	if (directory)
		closedir(directory);
	measure_free(folder);
}

bool measure_output_is_special(const char *path)
{
	struct stat facts;

	return lstat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
}

measure_status_t measure_output_file_open(struct measure_output_file *output, const char *path)
{
	*output = (struct measure_output_file){.file = stdout};
	if (strcmp(path, "-") == 0)
		return MEASURE_OK;
	output->path = measure_copy_text(path);
	if (measure_output_is_special(path)) {
		output->file = fopen(path, "we");
	} else {
		output->making = measure_output_file_name(path);
		output->file = fopen(output->making, "wxe");
	}
	if (output->file) {
		setvbuf(output->file, NULL, _IOFBF, BUFFER_SIZE);
		return MEASURE_OK;
	}
	output_refuse(path, errno);
	measure_free(output->path);
	measure_free(output->making);
	*output = (struct measure_output_file){.file = NULL};
	return MEASURE_ERROR_IO;
}

/* 0, or an errno. */
static int flush_all(FILE *file)
{
	errno = 0;
	if (fflush(file) == 0 && !ferror(file))
		return 0;
	return errno ? errno : EIO;
}

measure_status_t measure_output_file_close(struct measure_output_file *output, bool is_good)
{
	measure_status_t status = is_good ? MEASURE_OK : MEASURE_ERROR_IO;
	int error;

	if (!output->file)
		return MEASURE_ERROR_IO;
	error = flush_all(output->file);
	if (!output->path) {
		/* who reads a pipe may have enough */
		if (error && error != EPIPE)
			status = output_refuse("standard output", error);
		return status;
	}
	if (fclose(output->file) != 0 && !error)
		error = errno;
	if (!error && is_good && output->making && rename(output->making, output->path) != 0)
		error = errno;
	if ((error || !is_good) && output->making)
		unlink(output->making);
	if (error)
		status = output_refuse(output->path, error);
	measure_free(output->path);
	measure_free(output->making);
	*output = (struct measure_output_file){.file = NULL};
	return status;
}
