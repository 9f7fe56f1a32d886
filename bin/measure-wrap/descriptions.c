/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding descriptions of libraries; see descriptions.h. */
#include "config.h"

#include "descriptions.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotations.h"
#include "cli/suggest.h"

#define SUFFIX ".wrap"

/* In the build tree beside the tool, or installed, also when moved. */
static const char *description_directory(void)
{
	static const char *const places[] = {"/../share/wrap", "/../share/measure/wrap"};
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[length > 0 ? length : 0] = '\0';
	if (length > 0)
		*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path = wrap_format("%s%s", self, places[i]);
		if (access(path, R_OK | X_OK) == 0)
			return path;
	}
	return MEASURE_PKGDATADIR "/wrap";
}

char *wrap_description_find(const char *name)
{
	char *path = wrap_format("%s/%s" SUFFIX, description_directory(), name);

	return access(path, R_OK) == 0 ? path : NULL;
}

static bool words_have(const char *words, const char *wanted)
{
	for (char *word; words && (word = wrap_word_next(&words));)
		if (strcmp(word, wanted) == 0)
			return true;
	return false;
}

/* By its @library or @package. */
static bool description_is_of(const char *name, const char *library)
{
	struct wrap_module module = {.main_file = (char *)"", .prelude = (char *)""};
	char *path = wrap_description_find(name), *text = path ? wrap_file_load(path) : NULL;

	return text && wrap_annotations_read(&module, path, text) &&
	       (words_have(module.library, library) || words_have(module.package, library));
}

const char *wrap_description_suggest(const char *wrong)
{
	struct measure_suggest nearest;
	DIR *directory = opendir(description_directory());
	const char *meant = NULL;

	measure_suggest_begin(&nearest, wrong);
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		const char *end = strstr(entry->d_name, SUFFIX);
		if (!end || end[strlen(SUFFIX)] != '\0')
			continue;
		char *name = wrap_copy(entry->d_name, (size_t)(end - entry->d_name));
		measure_suggest_offer(&nearest, name);
		if (description_is_of(name, wrong))
			meant = name;
	}
	if (directory)
		closedir(directory);
	if (!meant)
		meant = measure_suggest_guess(&nearest);
	return meant ? wrap_format(": did you mean %s? Otherwise", meant) : ":";
}
