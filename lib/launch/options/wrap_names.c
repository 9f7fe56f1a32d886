/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking for libraries of wrappers; see wrap_names.h. */
#include "config.h"

#include "wrap_names.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/suggest.h"
#include "launch/plan/libdir.h"
#include "options.h"
#include "policy.h"

#define WRAP_STEM "libmeasure-wrap-"
#define WRAP_ABI  1 /* of lib/api/wrap.h */
#define WRAP_MARK "\nmeasure-wrap "

/* An item of the list: NAME, or NAME:GROUP+GROUP. */
struct wrap_item {
	char name[PATH_MAX];
	char groups[256];
	char path[PATH_MAX]; /* "": it cannot be used */
};

static bool item_next(const char **list, struct wrap_item *item)
{
	const char *text = *list + strspn(*list, ",; ");
	size_t whole = strcspn(text, ",;"), name = strcspn(text, ":,;");

	item->path[0] = '\0';
	if (whole == 0)
		return false;
	snprintf(item->name, sizeof(item->name), "%.*s", (int)name, text);
	snprintf(item->groups, sizeof(item->groups), "%.*s",
		name < whole ? (int)(whole - name - 1) : 0, text + name + 1);
	*list = text + whole;
	return true;
}

bool measure_wraps_next(const char **list, char path[PATH_MAX])
{
	struct wrap_item item;

	if (!item_next(list, &item))
		return false;
	memcpy(path, item.name, sizeof(item.name));
	return true;
}

/* -------------------------------------------------------------------------- where it is --- */

static bool item_is_in(struct wrap_item *item, const char *directory)
{
	char path[2 * PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/" WRAP_STEM "%s.so", directory, item->name);
	return access(path, R_OK) == 0 && realpath(path, item->path);
}

static bool item_is_users(struct wrap_item *item)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char directory[PATH_MAX];

	if (data && *data)
		snprintf(directory, sizeof(directory), "%s/measure/wrap", data);
	else if (home && *home)
		snprintf(directory, sizeof(directory), "%s/.local/share/measure/wrap", home);
	else
		return false;
	return item_is_in(item, directory);
}

static bool item_is_installed(struct wrap_item *item)
{
	char path[PATH_MAX], file[PATH_MAX + 32];

	snprintf(file, sizeof(file), "wrap/" WRAP_STEM "%s.so", item->name);
	return measure_libdir_locate(path, sizeof(path), file) && realpath(path, item->path);
}

static bool item_find(struct wrap_item *item)
{
	if (strchr(item->name, '/'))
		return access(item->name, R_OK) == 0 && realpath(item->name, item->path);
	return item_is_users(item) || item_is_in(item, ".") || item_is_installed(item);
}

/* ---------------------------------------------------------------------- what it says --- */

static measure_status_t item_refuse(struct wrap_item *item, const char *why, const char *detail)
{
	item->path[0] = '\0';
	return measure_policy_mistake("recording without it", "%s: '%s': %s%s",
		measure_options_source("wrap"), item->name, why, detail);
}

static measure_status_t groups_check(struct wrap_item *item, const char *known)
{
	char group[256], guess[64], detail[640];

	for (const char *word = item->groups; *word; word += strspn(word, "+")) {
		size_t length = strcspn(word, "+");
		snprintf(group, sizeof(group), "%.*s", (int)length, word);
		word += length;
		char *list = strdup(known);
		bool is_known = false;
		for (char *rest = list, *one; list && (one = strsep(&rest, ", "));)
			is_known = is_known || (*one && strcmp(one, group) == 0);
		free(list);
		if (is_known)
			continue;
		measure_suggest_word(known, ", ", group, guess, sizeof(guess));
		snprintf(detail, sizeof(detail), "'%s'; it has %.200s%s", group,
			*known ? known : "none", guess);
		return item_refuse(item, "has no group ", detail);
	}
	return MEASURE_OK;
}

/* The mark that MEASURE_WRAP_LIBRARY() of wrap.h leaves in the file: "ABI NAME: GROUPS". */
static measure_status_t mark_check(struct wrap_item *item, const char *mark)
{
	char groups[512] = "";
	int abi = 0;

	if (!mark || sscanf(mark, "%d", &abi) != 1)
		return item_refuse(
			item, "not a library of wrappers: make it with measure-wrap", "");
	if (abi != WRAP_ABI)
		return item_refuse(item,
			"made for another version of Measure: make it again with measure-wrap", "");
	const char *colon = strstr(mark, ": ");
	if (colon)
		snprintf(groups, sizeof(groups), "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
	return groups_check(item, groups);
}

static measure_status_t item_check(struct wrap_item *item)
{
	uint8_t *data;
	size_t size;

	if (strpbrk(item->path, ": \t,;"))
		return item_refuse(item,
			"the loader cannot preload a path that contains blanks, commas or colons: "
			"move it",
			"");
	if (measure_file_load(AT_FDCWD, item->path, SIZE_MAX, &data, &size) != MEASURE_OK)
		return item_refuse(item, "cannot be read", "");
	/* behind it there is a zero byte */
	const uint8_t *mark = memmem(data, size, WRAP_MARK, strlen(WRAP_MARK));
	measure_status_t status =
		mark_check(item, mark ? (const char *)mark + strlen(WRAP_MARK) : NULL);
	free(data);
	return status;
}

measure_status_t measure_wraps_check(struct measure_settings *settings)
{
	char checked[sizeof(settings->wrap)] = "";
	const char *list = settings->wrap;
	struct wrap_item item;
	size_t used = 0;
	measure_status_t status = MEASURE_OK, one;

	while (item_next(&list, &item)) {
		one = item_find(&item)
			      ? item_check(&item)
			      : item_refuse(&item,
					"there is no such wrapper library here: build it: ",
					"measure-wrap NAME SOURCE..., see man measure-wrap");
		if (one != MEASURE_OK)
			status = one;
		if (!*item.path)
			continue;
		int length = snprintf(checked + used, sizeof(checked) - used, "%s%s%s%s",
			used ? "," : "", item.path, *item.groups ? ":" : "", item.groups);
		if (length < 0 || (size_t)length >= sizeof(checked) - used)
			return item_refuse(&item, "there is no room for more: name fewer", "");
		used += (size_t)length;
	}
	if (status == MEASURE_OK)
		strcpy(settings->wrap, checked);
	return status;
}
