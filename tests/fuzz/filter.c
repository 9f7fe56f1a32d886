/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: no text makes the filters' parser or matcher fail. What is refused has one line
 * with its place. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "fuzz.h"

#define LONGEST 4096

static const struct measure_filter_region regions[] = {
	{"main", "main", "/src/main.c", "/bin/app", OTF2_PARADIGM_COMPILER,
		OTF2_REGION_ROLE_FUNCTION},
	{"void ns::step<2>(int, double)", "_ZN2ns4stepILi2EEEvid", "", NULL, OTF2_PARADIGM_COMPILER,
		OTF2_REGION_ROLE_FUNCTION},
	{"MPI_Bcast", NULL, NULL, NULL, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ONE2ALL},
	{"a::operator<< <(anonymous namespace)::b>(", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaa/",
		"", 255, 255},
};

static void use(const struct measure_filter *filter)
{
	for (size_t i = 0; i < sizeof(regions) / sizeof(*regions); i++) {
		measure_filter_outcome_t outcome = measure_filter_match(filter, &regions[i], 3);
		struct measure_filter_call call = {1000, 7, 1, 2, measure_filter_opens(outcome)};
		uint64_t shortest;

		measure_filter_needs(filter, outcome);
		measure_filter_decide(filter, outcome, &call, &shortest);
	}
	measure_filter_wants_files(filter);
}

static void check_error(const struct measure_filter_error *error)
{
	unsigned int line, column;

	if (strchr(error->text, '\n') || sscanf(error->text, "f:%u:%u: ", &line, &column) != 2)
		fuzz_fault("not an error with its place: '%s'", error->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct measure_filter *filter = measure_filter_new();
	struct measure_filter_error error = {""};
	char *text = fuzz_text(data, size < LONGEST ? size : LONGEST);
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
