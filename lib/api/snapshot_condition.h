/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `--snapshot-if` says: "phase=step > 1.5 * median", "iteration=solve > 2s". For `measure`,
 * which checks it, and the adapter. */
#ifndef MEASURE_API_SNAPSHOT_CONDITION_H
#define MEASURE_API_SNAPSHOT_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "seconds.h"

#define MEASURE_SNAPSHOT_NAME 256

struct measure_snapshot_condition {
	bool is_iteration; /* else a phase */
	char name[MEASURE_SNAPSHOT_NAME];
	double factor;  /* of the median; 0: a time */
	double seconds; /* the time */
};

static inline const char *measure_blanks_skip(const char *text)
{
	return text + strspn(text, " \t");
}

/* Returns what follows the kind and its =; NULL: it is none. */
static inline const char *measure_snapshot_kind_read(const char *text, bool *is_iteration)
{
	static const char *const kinds[] = {"phase", "iteration"};

	for (unsigned int i = 0; i < 2; i++) {
		const char *end = text + strlen(kinds[i]);
		if (strncmp(text, kinds[i], strlen(kinds[i])) != 0)
			continue;
		end = measure_blanks_skip(end);
		if (*end != '=')
			continue;
		*is_iteration = i == 1;
		return measure_blanks_skip(end + 1);
	}
	return NULL;
}

/* "1.5 * median", "2s". */
static inline bool measure_snapshot_limit_read(
	const char *text, struct measure_snapshot_condition *condition)
{
	const char *rest = measure_decimal_read(text, &condition->factor);

	if (!rest)
		return false;
	rest = measure_blanks_skip(rest);
	if (*rest == '*')
		return strcmp(measure_blanks_skip(rest + 1), "median") == 0 &&
		       condition->factor >= 1;
	condition->factor = 0;
	return *rest != '\0' && measure_seconds_parse(text, &condition->seconds) &&
	       condition->seconds > 0;
}

/* False: it is none; *why completes "VALUE ...". Names may contain all but a ">". */
static inline bool measure_snapshot_condition_parse(
	const char *text, struct measure_snapshot_condition *condition, const char **why)
{
	const char *name =
		measure_snapshot_kind_read(measure_blanks_skip(text), &condition->is_iteration);
	const char *sign = name ? strchr(name, '>') : NULL;
	size_t length = sign ? (size_t)(sign - name) : 0;

	while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\t'))
		length--;
	*why = "does not begin with phase=NAME > or iteration=NAME > ('phase=step > 1.5 * median')";
	if (length == 0 || length >= sizeof(condition->name))
		return false;
	memcpy(condition->name, name, length);
	condition->name[length] = '\0';
	*why = "does not end with a number of at least 1 * median, or a time (1.5 * median, 2s, "
	       "500ms)";
	return measure_snapshot_limit_read(measure_blanks_skip(sign + 1), condition);
}

#endif
