/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: no text makes the filters' parser or matcher fail: mutations of the files that
 * are given, FUZZ_CASES (2000) of each, the first by FUZZ_SEED (1). What is refused has one line
 * with its place. With libFuzzer: doc/TESTING.md. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "filter/filter.h"

#define LONGEST      4096
#define SLOW_SECONDS 2

static const struct measure_filter_region regions[] = {
	{"main", "main", "/src/main.c", "/bin/app", OTF2_PARADIGM_COMPILER,
		OTF2_REGION_ROLE_FUNCTION},
	{"void ns::step<2>(int, double)", "_ZN2ns4stepILi2EEEvid", "", NULL, OTF2_PARADIGM_COMPILER,
		OTF2_REGION_ROLE_FUNCTION},
	{"MPI_Bcast", NULL, NULL, NULL, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ONE2ALL},
	{"a::operator<< <(anonymous namespace)::b>(", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaa/",
		"", 255, 255},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct measure_filter *filter)
{
	for (size_t i = 0; i < sizeof(regions) / sizeof(*regions); i++) {
		measure_judgement_t judgement = measure_filter_judge(filter, &regions[i], 3);
		struct measure_filter_call call = {1000, 7, 1, 2, measure_filter_opens(judgement)};
		uint64_t shortest;

		measure_filter_needs(filter, judgement);
		measure_filter_decide(filter, judgement, &call, &shortest);
	}
	measure_filter_wants_files(filter);
}

static void check_error(const struct measure_filter_error *error)
{
	unsigned int line, column;

	if (strchr(error->text, '\n') || sscanf(error->text, "f:%u:%u: ", &line, &column) != 2) {
		fprintf(stderr, "not an error with its place: '%s'\n", error->text);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct measure_filter *filter = measure_filter_new();
	struct measure_filter_error error = {""};
	char *text = strndup((const char *)data, size < LONGEST ? size : LONGEST);
	measure_status_t status = measure_filter_add(filter, "f", text, &error);

	if (status == MEASURE_OK)
		use(filter);
	else if (status == MEASURE_ERROR_FORMAT)
		check_error(&error);
	measure_filter_free(filter);
	filter = measure_filter_new();
	measure_filter_add_option(filter, "--exclude", false, text, &error);
	measure_filter_free(filter);
	free(text);
	return 0;
}

#ifndef MEASURE_LIBFUZZER

static uint64_t state;

static uint64_t draw(uint64_t limit)
{
	return measure_random(&state) % limit;
}

/* Changes, moves, repeats and cuts: bytes that mean something come more often than others. */
static size_t mutate(uint8_t *text, size_t size)
{
	static const char special[] = "*?[]!\\\"#=~;,-{}()<> \t\n\rinclude exclude SCOREP_ MANGLED";

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

static bool fuzz(const char *path, uint64_t seed, uint64_t nr)
{
	uint8_t original[LONGEST], text[LONGEST];
	FILE *file = fopen(path, "r");
	size_t size = file ? fread(original, 1, sizeof(original), file) : 0;

	if (!file)
		return false;
	fclose(file);
	for (uint64_t i = 0; i < nr; i++) {
		time_t begin = time(NULL);
		state = seed + i;
		memcpy(text, original, size);
		LLVMFuzzerTestOneInput(text, i ? mutate(text, size) : size);
		if (time(NULL) - begin > SLOW_SECONDS) {
			fprintf(stderr, "%s: FUZZ_SEED=%llu takes too long\n", path,
				(unsigned long long)(seed + i));
			return false;
		}
	}
	return true;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!fuzz(argv[i], number("FUZZ_SEED", 1), number("FUZZ_CASES", 2000)))
			return 1;
	return argc > 1 ? 0 : 2;
}

#endif
