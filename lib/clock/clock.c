/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Choosing and reading the recording clock; see clock.h. */
#include "config.h"

#include "clock/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/hash.h"
#include "base/procfs.h"
#include "clock/clock_inline.h"
#include "clock/simulated.h"
#include "format/journal_records.h"

#define NS_PER_S 1000000000

enum source { SOURCE_COUNTER, SOURCE_GETTIME };

/* Real clocks: name, source, clock id, whether a time namespace shifts it. */
struct real_clock {
	const char *name;
	enum source source;
	clockid_t id;
	bool in_time_namespace;
};

static const struct real_clock real_clocks[] = {
	{"tsc", SOURCE_COUNTER, 0, false},
	{"monotonic_raw", SOURCE_GETTIME, CLOCK_MONOTONIC_RAW, true},
	{"monotonic", SOURCE_GETTIME, CLOCK_MONOTONIC, true},
	{"realtime", SOURCE_GETTIME, CLOCK_REALTIME, false},
};
#define NR_REAL_CLOCKS (sizeof(real_clocks) / sizeof(*real_clocks))

int measure_clock_is_counter;

static const struct real_clock *real = &real_clocks[1];
static bool is_simulated;
static struct measure_simulated simulated;
static char text[160] = "monotonic_raw";
static uint32_t simulated_rank;
static struct measure_def_clock_triple first; /* taken at the start, for the frequency */

/* 0 where the program may not make the system call any more. */
static int64_t gettime(clockid_t id)
{
	struct timespec now = {0};

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

uint64_t measure_clock_thread_cpu(void)
{
	return (uint64_t)gettime(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t read_real(void)
{
	if (real->source == SOURCE_COUNTER)
		return measure_counter_read();
	return (uint64_t)gettime(real->id);
}

uint64_t measure_clock_read_slow(void)
{
	uint64_t ticks = read_real();

	return is_simulated ? measure_simulated_bend(&simulated, ticks) : ticks;
}

uint64_t measure_clock_now(void)
{
	return measure_clock_read();
}

static const struct real_clock *clock_find(const char *name)
{
	for (size_t i = 0; i < NR_REAL_CLOCKS; i++) {
		if (strcmp(real_clocks[i].name, name) == 0)
			return &real_clocks[i];
	}
	return NULL;
}

/* The kernel drops the TSC from this list when it finds the processors' counters apart. */
static bool kernel_trusts_counter(void)
{
#if defined(__x86_64__)
	char list[256];

	measure_text_read("/sys/devices/system/clocksource/clocksource0/available_clocksource",
		list, sizeof(list));
	return strstr(list, "tsc") != NULL;
#else
	return true;
#endif
}

static const struct real_clock *automatic(void)
{
	if (measure_counter_is_invariant() && kernel_trusts_counter())
		return &real_clocks[0];
	return &real_clocks[1];
}

static measure_status_t choose_real(const char *name, const struct real_clock **chosen)
{
	bool is_automatic = !name || !*name || strcmp(name, "auto") == 0;
	measure_status_t status = MEASURE_OK;

	*chosen = is_automatic ? automatic() : clock_find(name);
	if (!*chosen)
		status = MEASURE_ERROR_USAGE;
	else if ((*chosen)->source == SOURCE_COUNTER && !measure_counter_is_invariant())
		status = MEASURE_ERROR_UNSUPPORTED;
	if (status != MEASURE_OK)
		*chosen = automatic();
	return status;
}

static const char *simulated_parameters(const char *specification)
{
	static const char word[] = "simulated";
	size_t length = sizeof(word) - 1;

	if (!specification || strncmp(specification, word, length) != 0)
		return NULL;
	if (specification[length] == ':')
		return specification + length + 1;
	return specification[length] == '\0' ? specification + length : NULL;
}

static measure_status_t clock_choose(const char *specification, uint32_t rank,
	struct measure_simulated *bent, const struct real_clock **chosen)
{
	const char *parameters = simulated_parameters(specification);

	if (!parameters)
		return choose_real(specification, chosen);

	measure_status_t status = measure_simulated_parse(bent, parameters, rank);
	if (status != MEASURE_OK) {
		*chosen = automatic();
		return status;
	}
	return choose_real(bent->clock, chosen);
}

static double real_frequency(void)
{
	if (real->source == SOURCE_GETTIME)
		return NS_PER_S;
	return measure_counter_nominal();
}

/* Ticks per second of the counter over at least `least` ns since `first`. */
static double fit_frequency(int64_t least)
{
	struct measure_def_clock_triple now;

	do
		measure_clock_triple(&now);
	while (now.monotonic_raw - first.monotonic_raw < least);
	return (double)(now.ticks - first.ticks) * NS_PER_S /
		(double)(now.monotonic_raw - first.monotonic_raw);
}

static void start_simulated(const struct measure_clock_choice *choice)
{
	simulated.frequency = real_frequency();
	if (simulated.frequency == 0)
		simulated.frequency = fit_frequency(NS_PER_S / 100);
	simulated.origin = choice->origin ? choice->origin : read_real();
	simulated_rank = choice->rank;
	snprintf(text, sizeof(text), "%s", choice->specification);
	is_simulated = true;
}

measure_status_t measure_clock_start(const struct measure_clock_choice *choice)
{
	static struct measure_simulated bent;
	measure_status_t status = clock_choose(choice->specification, choice->rank, &bent, &real);

	is_simulated = false;
	measure_clock_is_counter = 0;
	snprintf(text, sizeof(text), "%s", real->name);
	measure_clock_triple(&first);
	if (status == MEASURE_OK && simulated_parameters(choice->specification)) {
		simulated = bent;
		start_simulated(choice);
	}
	measure_clock_is_counter = !is_simulated && real->source == SOURCE_COUNTER;
	return status;
}

measure_status_t measure_clock_check(const char *specification, const char **why)
{
	static struct measure_simulated bent;
	const struct real_clock *chosen;

	measure_status_t status = clock_choose(specification, 1, &bent, &chosen);

	if (status == MEASURE_ERROR_UNSUPPORTED)
		*why = "this processor's counter does not run at a constant rate";
	else if (status != MEASURE_OK)
		*why = "available are auto, tsc, monotonic_raw, monotonic, realtime, simulated:...";
	return status;
}

uint64_t measure_clock_origin(void)
{
	return is_simulated ? simulated.origin : 0;
}

const char *measure_clock_text(void)
{
	return text;
}

bool measure_clock_is_exact(void)
{
	return real->source == SOURCE_GETTIME && !is_simulated;
}

double measure_clock_frequency(void)
{
	double frequency = real_frequency();

	if (is_simulated)
		return simulated.frequency;
	return frequency != 0 ? frequency : fit_frequency(NS_PER_S / 10000);
}

/* Keeps the try with the least distance between the two reads of the clock. */
void measure_clock_triple(struct measure_def_clock_triple *triple)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t before = measure_clock_read_slow();
		int64_t raw = gettime(CLOCK_MONOTONIC_RAW);
		int64_t realtime = gettime(CLOCK_REALTIME);
		uint64_t after = measure_clock_read_slow();
		uint64_t distance = after - before;

		if (distance < best) {
			best = distance;
			triple->ticks = before + distance / 2;
			triple->bound = distance / 2 + 1;
			triple->monotonic_raw = raw;
			triple->realtime = realtime;
		}
	}
}

bool measure_clock_truth(struct measure_def_clock_truth *truth)
{
	if (!is_simulated)
		return false;
	truth->specification = text;
	truth->offset = simulated.offset * simulated.frequency;
	truth->drift = simulated.drift;
	truth->origin = simulated.origin;
	return true;
}

uint64_t measure_clock_domain(void)
{
	uint64_t sum = MEASURE_HASH_START;
	struct utsname name;
	struct stat time_namespace;
	char boot[64];

	measure_text_read("/proc/sys/kernel/random/boot_id", boot, sizeof(boot));
	sum = measure_hash(sum, boot, strlen(boot));
	if (uname(&name) == 0)
		sum = measure_hash(sum, name.nodename, strlen(name.nodename));
	if (real->in_time_namespace && stat("/proc/self/ns/time", &time_namespace) == 0)
		sum = measure_hash(sum, &time_namespace.st_ino, sizeof(time_namespace.st_ino));
	sum = measure_hash(sum, text, strlen(text));
	if (is_simulated)
		sum = measure_hash(sum, &simulated_rank, sizeof(simulated_rank));
	return sum;
}
