/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adapter for libraries of wrappers: which there are, what they define when recording starts,
 * and which of their groups are on. */
#define _GNU_SOURCE
#include "config.h"

#include "wrap_start.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <string.h>

/* Libraries register while they are loaded, before the program begins. */
static struct measure_wrap_library *libraries;
static bool is_started;

/* ----------------------------------------------------------------------- groups --- */

/* The place of a word in a list with separators, from 1; 0: it is not there. */
static unsigned int word_find(
	const char *list, size_t size, const char *separators, const char *word, size_t length)
{
	unsigned int place = 0;

	for (size_t at = 0; at < size; at++) {
		size_t end = at;
		while (end < size && !strchr(separators, list[end]))
			end++;
		place += end > at;
		if (end - at == length && strncmp(list + at, word, length) == 0 && length > 0)
			return place;
		at = end;
	}
	return 0;
}

/* What --wrap says of a library: "...libmeasure-wrap-NAME.so:GROUP+GROUP". *size 0: all groups. */
static const char *groups_chosen(const struct measure_wrap_library *library, size_t *size)
{
	const char *item = measure_option_text("wrap");
	const size_t length = strlen(library->name);
	static const char stem[] = "libmeasure-wrap-";

	*size = 0;
	while (item && *item) {
		const size_t whole = strcspn(item, ",;"), path = strcspn(item, ":,;");
		const char *name = memrchr(item, '/', path);
		name = name ? name + 1 : item;
		if (strncmp(name, stem, sizeof(stem) - 1) == 0 &&
			strncmp(name + sizeof(stem) - 1, library->name, length) == 0 &&
			strncmp(name + sizeof(stem) - 1 + length, ".so", 3) == 0 && path < whole) {
			*size = whole - path - 1;
			return item + path + 1;
		}
		item += whole + (item[whole] != '\0');
	}
	return "";
}

static bool group_is_on(const struct measure_wrap_library *library, unsigned int group,
	const char *chosen, size_t size)
{
	unsigned int place = 0;

	if (size == 0)
		return true;
	for (const char *word = library->groups; *word; place++) {
		size_t length = strcspn(word, ", ");
		if (place + 1 == group)
			return word_find(chosen, size, "+", word, length) > 0;
		word += length;
		word += strspn(word, ", ");
	}
	return false;
}

/* ------------------------------------------------------------------ definitions --- */

static uint8_t attribute_type(const struct measure_wrap_attribute *attribute)
{
	switch (attribute->type) {
	case MEASURE_WRAP_UNSIGNED:
		return OTF2_TYPE_UINT64;
	case MEASURE_WRAP_SIGNED:
		return OTF2_TYPE_INT64;
	case MEASURE_WRAP_DOUBLE:
		return OTF2_TYPE_DOUBLE;
	default:
		return OTF2_TYPE_STRING;
	}
}

static void attributes_define(struct measure_wrap_attribute *attributes, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		attributes[i].id = measure_attribute_define(attributes[i].name,
			"value of a wrapped call", attribute_type(&attributes[i]));
}

static measure_region_t wrap_region_define(const char *name, const char *symbol, uint8_t role)
{
	const struct measure_region_info info = {.name = name,
		.canonical_name = symbol,
		.role = role,
		.paradigm = OTF2_PARADIGM_USER};

	return measure_region_define(&info);
}

/* Release pairs with the acquire in MEASURE_WRAP_IS_ON(): another thread may be in the wrapper. */
static void function_define(struct measure_wrap_function *function)
{
	attributes_define(function->before, function->nr_before);
	attributes_define(function->after, function->nr_after);
	function->region_id = function->region ? wrap_region_define(function->region,
							 function->symbol, function->role)
					       : MEASURE_UNDEFINED;
	__atomic_store_n(&function->is_on, 1, __ATOMIC_RELEASE);
}

static void variable_define(struct measure_wrap_variable *variable)
{
	const struct measure_metric_info info = {.name = variable->name,
		.description = "variable of a library of wrappers",
		.unit = "#",
		.type = OTF2_METRIC_TYPE_USER,
		.mode = OTF2_METRIC_ABSOLUTE_POINT,
		.value_type = OTF2_TYPE_DOUBLE,
		.base = OTF2_BASE_DECIMAL};
	struct measure_metric_class metric_class;

	if (measure_metric_class_define(&info, 1, OTF2_METRIC_ASYNCHRONOUS, &metric_class))
		variable->id = metric_class.id + 1;
}

static void library_define(struct measure_wrap_library *library)
{
	size_t size;
	const char *chosen = groups_chosen(library, &size);

	for (uint32_t i = 0; i < library->nr_states; i++)
		library->states[i].region_id = wrap_region_define(
			library->states[i].name, NULL, OTF2_REGION_ROLE_ARTIFICIAL);
	for (uint32_t i = 0; i < library->nr_variables; i++)
		variable_define(&library->variables[i]);
	for (uint32_t i = 0; i < library->nr_samplings; i++)
		library->samplings[i].ticks = (uint64_t)(library->samplings[i].interval *
							 (measure_clock_frequency() / 1e6));
	for (uint32_t i = 0; i < library->nr_functions; i++)
		if (group_is_on(library, library->functions[i].group, chosen, size))
			function_define(&library->functions[i]);
}

void measure_wrap_register(struct measure_wrap_library *library)
{
	if (library->abi != MEASURE_WRAP_ABI)
		return; /* `measure` has said so */
	library->others = libraries;
	libraries = library;
	if (is_started)
		library_define(library);
}

static void wrap_started(void)
{
	is_started = true;
	for (struct measure_wrap_library *library = libraries; library; library = library->others)
		library_define(library);
}

/* Definitions remain; nothing is locked here. That there is this function makes the core record. */
static void wrap_child_started(void)
{
}

static const struct measure_adapter wrap_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "wrap",
	.started = wrap_started,
	.child_started = wrap_child_started,
};

__attribute__((constructor)) static void wrap_register_adapter(void)
{
	measure_adapter_register(&wrap_adapter);
}
