/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The signal for snapshots; see snapshot_signal.h. */
#include "config.h"

#include "snapshot_signal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/suggest.h"

static const struct {
	const char *name;
	int number;
} signals[] = {{"none", 0}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"HUP", SIGHUP},
	{"ALRM", SIGALRM}, {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}, {"IO", SIGIO}, {"URG", SIGURG},
	{"WINCH", SIGWINCH}, {"PWR", SIGPWR}};

#define NR_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static bool parse_number(const char *text, int *number)
{
	char *end;
	const long value = strtol(text, &end, 10);

	if (*text < '1' || *text > '9' || *end != '\0')
		return false;
	for (size_t i = 0; i < NR_SIGNALS; i++)
		if (signals[i].number == value) {
			*number = (int)value;
			return true;
		}
	*number = (int)value;
	return value >= SIGRTMIN && value <= SIGRTMAX;
}

bool measure_snapshot_signal_parse(const char *text, int *number)
{
	const char *name = strncasecmp(text, "SIG", 3) == 0 ? text + 3 : text;

	for (size_t i = 0; i < NR_SIGNALS; i++) {
		if (strcasecmp(name, signals[i].name) != 0)
			continue;
		*number = signals[i].number;
		return true;
	}
	return parse_number(text, number);
}

void measure_snapshot_signal_fault(const char *text, char *fault, size_t size)
{
	char known[128] = "", guess[64];

	for (size_t i = 0; i < NR_SIGNALS; i++)
		snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s",
			i ? ", " : "", signals[i].name);
	measure_suggest_word(known, ", ", text, guess, sizeof(guess));
	snprintf(fault, size,
		"is not one of %s, nor the number of one of these or of a real-time "
		"signal%s",
		known, guess);
}
