/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files under another name until they are complete; see output_file.h. */
#include "config.h"

#include "output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static char *name_while_making(const char *path)
{
	const size_t size = strlen(path) + 32;
	char *name = measure_zeroed(size, 1);

	snprintf(name, size, "%s.%ld.part", path, (long)getpid());
	return name;
}

/* A device or a pipe is written to; it is nothing to put a file in the place of. */
static bool is_special(const char *path)
{
	struct stat facts;

	return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
}

measure_status_t measure_output_file_open(struct measure_output_file *output, const char *path)
{
	*output = (struct measure_output_file){.file = stdout};
	if (strcmp(path, "-") == 0)
		return MEASURE_OK;
	output->path = measure_copy_text(path);
	if (is_special(path)) {
		output->file = fopen(path, "we");
	} else {
		output->making = name_while_making(path);
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
