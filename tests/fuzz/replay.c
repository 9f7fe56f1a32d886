/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drives a fuzz target where libFuzzer does not: runs each file that is given (those of a
 * folder), then FUZZ_CASES (200) mutations of each, the first one by FUZZ_SEED (1). Ends with 0 if
 * nothing stopped it; an input takes at most FUZZ_SECONDS. */
#include "config.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "fuzz.h"

#define LONGEST      (1 << 16)
#define FUZZ_SECONDS 60

static uint64_t state, nr_inputs, seed_now;
static const char *path_now = "";

/* Only what may be called in a signal handler. */
static void say_where(int signal)
{
	char line[512];
	int length = snprintf(line, sizeof(line), "%s: FUZZ_SEED=%llu: signal %d\n", path_now,
		(unsigned long long)seed_now, signal);

	if (write(STDERR_FILENO, line, (size_t)length) < 0)
		_exit(1);
	_exit(1);
}

static uint64_t draw(uint64_t limit)
{
	return measure_random(&state) % limit;
}

/* Changes, moves, repeats and cuts: bytes that mean something come more often than others. */
static size_t mutate(uint8_t *text, size_t size)
{
	static const char special[] = "*?[]!\\\"#=~;,-{}()<> \t\n\r\xff\x7f\x80\x01\x02\x03\x05";

	for (uint64_t nr = 1 + draw(6); nr > 0 && size > 1; nr--) {
		size_t at = draw(size), from = draw(size);
		size_t most = size - (at > from ? at : from);
		switch (draw(4)) {
		case 0:
			text[at] = (uint8_t)special[draw(sizeof(special))];
			break;
		case 1:
			text[at] = (uint8_t)draw(256);
			break;
		case 2:
			memmove(text + at, text + from, draw(most) + 1);
			break;
		default:
			size = draw(8) ? size : at + 1;
			break;
		}
	}
	return size;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : otherwise;
}

/* A copy of the exact size: a sanitizer sees what is read behind it. */
static void run(const uint8_t *text, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, text, size);
	alarm(FUZZ_SECONDS);
	LLVMFuzzerTestOneInput(copy, size);
	alarm(0);
	nr_inputs++;
	free(copy);
}

static bool run_file(const char *path)
{
	static uint8_t original[LONGEST], text[LONGEST];
	uint64_t seed = number("FUZZ_SEED", 1), nr = number("FUZZ_CASES", 200);
	FILE *file = fopen(path, "re");
	size_t size = file ? fread(original, 1, sizeof(original), file) : 0;

	if (!file) {
		perror(path);
		return false;
	}
	fclose(file);
	path_now = path;
	seed_now = 0;
	run(original, size);
	for (seed_now = seed; seed_now < seed + nr; seed_now++) {
		state = seed_now;
		memcpy(text, original, size);
		run(text, mutate(text, size));
	}
	return true;
}

static bool run_folder(const char *path)
{
	struct dirent **entries;
	bool is_good = true;
	int nr = scandir(path, &entries, NULL, alphasort);

	for (int i = 0; i < nr; i++) {
		char name[4096];
		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			is_good = run_file(name) && is_good;
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	return nr < 0 ? run_file(path) : is_good;
}

int main(int argc, char **argv)
{
	static const int signals[] = {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
	bool is_good = argc > 1;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], say_where);
	for (int i = 1; i < argc; i++)
		is_good = run_folder(argv[i]) && is_good;
	printf("%llu inputs\n", (unsigned long long)nr_inputs);
	return is_good && nr_inputs ? 0 : 1;
}
