/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The note of a job; see run_agreement.h. */
#include "config.h"

#include "run_agreement.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/run_layout.h"
#include "base/procfs.h"

#define AGREEMENT "\nagreement = "

static bool run_agreement_is_same(const char *path, const char *other)
{
	struct stat a, b;

	return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

void measure_run_agreement_find(const char *directory, char agreement[PATH_MAX])
{
	char path[PATH_MAX + 32], text[2 * PATH_MAX];
	const char *line;

	*agreement = '\0';
	snprintf(path, sizeof(path), "%.*s/" MEASURE_PARTS_NAME "/" MEASURE_JOB_NAME, PATH_MAX,
		directory);
	if (measure_text_read(path, text, sizeof(text)) < 0)
		return;
	line = strstr(text, AGREEMENT);
	if (!line)
		return;
	line += strlen(AGREEMENT);
	snprintf(agreement, PATH_MAX, "%.*s", (int)strcspn(line, "\n"), line);
	snprintf(path, sizeof(path), "%s/" MEASURE_NOTE_NAME, agreement);
	if (measure_text_read(path, text, sizeof(text)) < 0)
		*text = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (!run_agreement_is_same(text, directory))
		*agreement = '\0';
}

void measure_run_agreement_remove(const char *agreement)
{
	char path[PATH_MAX + 16];

	if (!*agreement)
		return;
	snprintf(path, sizeof(path), "%s/" MEASURE_NOTE_NAME, agreement);
	unlink(path);
	rmdir(agreement);
}
