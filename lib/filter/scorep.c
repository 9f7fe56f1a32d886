/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Filter files of Score-P: blocks for the names of files and of regions, of rules that are a word
 * and patterns, on any number of lines. They are for functions and for regions of the user. */
#include "config.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "filter/rules.h"

struct scorep_block {
	struct measure_filter_list *list;
	const char *end;
	enum measure_filter_key key;
	enum measure_filter_key rule_key; /* of the patterns that follow */
	bool is_in_rule;
	bool is_include;
	bool is_empty; /* the rule has no pattern yet */
};

static bool is_word(const struct measure_filter_reader *reader, const char *word)
{
	return !reader->is_quoted && strcmp(reader->word, word) == 0;
}

static measure_status_t fail_empty(struct measure_filter_reader *reader)
{
	return measure_filter_fail(reader,
		"the previous rule has no pattern: expected EXCLUDE or INCLUDE, then patterns");
}

static measure_status_t begin_rule(struct measure_filter_reader *reader, struct scorep_block *block)
{
	if (block->is_in_rule && block->is_empty)
		return fail_empty(reader);
	block->is_in_rule = block->is_empty = true;
	block->is_include = is_word(reader, "INCLUDE");
	block->rule_key = block->key;
	return MEASURE_OK;
}

/* One rule each; those next to each other become one. */
static measure_status_t add_pattern(
	struct measure_filter_reader *reader, struct scorep_block *block)
{
	struct measure_filter_rule *rule = measure_filter_rule_new(block->list, block->is_include);
	const char *why;
	measure_status_t status;

	if (!rule)
		return MEASURE_ERROR_MEMORY;
	rule->is_exact = true;
	rule->keys = 1u << block->rule_key | 1u << MEASURE_KEY_PARADIGM;
	rule->words[MEASURE_KEY_PARADIGM] = UINT64_C(1) << OTF2_PARADIGM_COMPILER |
					    UINT64_C(1) << OTF2_PARADIGM_USER |
					    UINT64_C(1) << OTF2_PARADIGM_KOKKOS;
	block->is_empty = false;
	status = measure_patterns_add_glob(&rule->texts[block->rule_key], reader->word, &why);
	if (status == MEASURE_OK)
		status = measure_filter_rule_end(reader->filter, block->list, &why);
	if (status == MEASURE_ERROR_FORMAT)
		return measure_filter_fail(reader, "'%s' %s", reader->word, why);
	return status;
}

static measure_status_t take_word(struct measure_filter_reader *reader, struct scorep_block *block)
{
	bool is_mangled = is_word(reader, "MANGLED");

	if (is_word(reader, "EXCLUDE") || is_word(reader, "INCLUDE"))
		return begin_rule(reader, block);
	if (!block->is_in_rule)
		return measure_filter_fail(reader,
			"'%s' appears before any rule: expected EXCLUDE, INCLUDE or %s",
			reader->word, block->end);
	if (block->key == MEASURE_KEY_NAME && (is_mangled || is_word(reader, "DEMANGLED"))) {
		block->rule_key = is_mangled ? MEASURE_KEY_MANGLED : MEASURE_KEY_NAME;
		return MEASURE_OK;
	}
	return add_pattern(reader, block);
}

static measure_status_t parse_block(
	struct measure_filter_reader *reader, struct scorep_block *block)
{
	measure_status_t status;

	while ((status = measure_filter_next_word(reader, true)) == MEASURE_OK) {
		if (is_word(reader, block->end))
			return block->is_in_rule && block->is_empty ? fail_empty(reader)
								    : MEASURE_OK;
		status = take_word(reader, block);
		if (status != MEASURE_OK && !measure_filter_goes_on(reader, status))
			return status;
	}
	if (status == MEASURE_ERROR_NOT_FOUND)
		return measure_filter_fail(reader, "the text ends before %s", block->end);
	return status;
}

measure_status_t measure_filter_parse_scorep(struct measure_filter_reader *reader)
{
	measure_status_t status = MEASURE_OK;

	while (measure_filter_is_block_next(reader)) {
		struct scorep_block block;
		status = measure_filter_next_word(reader, true);
		if (status != MEASURE_OK)
			return status;
		if (is_word(reader, "SCOREP_REGION_NAMES_BEGIN"))
			block = (struct scorep_block){.list = &reader->filter->main,
				.key = MEASURE_KEY_NAME,
				.end = "SCOREP_REGION_NAMES_END"};
		else if (is_word(reader, "SCOREP_FILE_NAMES_BEGIN"))
			block = (struct scorep_block){.list = &reader->filter->files,
				.key = MEASURE_KEY_FILE,
				.end = "SCOREP_FILE_NAMES_END"};
		else
			return measure_filter_fail(reader,
				"'%s' does not begin a block: expected SCOREP_REGION_NAMES_BEGIN "
				"or SCOREP_FILE_NAMES_BEGIN",
				reader->word);
		status = parse_block(reader, &block);
		if (status != MEASURE_OK && !measure_filter_goes_on(reader, status))
			return status;
	}
	return MEASURE_OK;
}
