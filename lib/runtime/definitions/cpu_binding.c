/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The binding of the process; see define.h. The numbers are those of the kernel, as taskset
 * takes them. */
#define _GNU_SOURCE
#include "config.h"

#include "define.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>

#include "define.h"

/* From `first` on, those up to the next one that is not in the set. */
static int end_of_range(const cpu_set_t *set, size_t size, int first)
{
	int end = first;

	while (end < MEASURE_MOST_PROCESSORS && CPU_ISSET_S(end, size, set))
		end++;
	return end;
}

/* "0-3,8"; what does not fit is left out, with a sign. */
static void write_list(const cpu_set_t *set, size_t size, char *text, size_t room)
{
	size_t used = 0;

	text[0] = '\0';
	for (int first = 0, end; first < MEASURE_MOST_PROCESSORS; first = end + 1) {
		const char *comma = used ? "," : "";

		end = end_of_range(set, size, first);
		if (end == first)
			continue;
		if (room - used < 32) {
			snprintf(text + used, room - used, ",...");
			return;
		}
		if (end == first + 1)
			used += (size_t)snprintf(text + used, room - used, "%s%d", comma, first);
		else
			used += (size_t)snprintf(
				text + used, room - used, "%s%d-%d", comma, first, end - 1);
	}
}

void measure_binding_describe(void)
{
	static cpu_set_t set[MEASURE_MOST_PROCESSORS / CPU_SETSIZE];
	char text[1024] = "";
	const struct measure_def_property def = {"MEASURE::PROCESSORS", text};
	struct measure_signals saved;
	int saved_errno = errno;

	if (sched_getaffinity(0, sizeof(set), set) == 0)
		write_list(set, sizeof(set), text, sizeof(text));
	errno = saved_errno;
	if (!text[0])
		return;
	measure_define_lock(&saved);
	MEASURE_JOURNAL(property, &def);
	measure_define_unlock(&saved);
}
