/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Our own language: a rule a line, `exclude` or `include` and conditions; measure-filter(5). */
#include "config.h"

#include <ctype.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <string.h>

#include "filter/rules.h"

static const struct key {
	const char *word;
	enum measure_filter_key_type type;
	const char *allowed;
} keys[] = {
#define KEY(ID, word, TYPE, allowed) {word, MEASURE_KEY_TYPE_##TYPE, allowed},
#include "filter/keys.def"
#undef KEY
};

static const struct word {
	enum measure_filter_key key;
	const char *word;
	uint8_t number;
} words[] = {
#define PARADIGM(word, NAME) {MEASURE_KEY_PARADIGM, word, OTF2_PARADIGM_##NAME},
#define ROLE(word, NAME)     {MEASURE_KEY_ROLE, word, OTF2_REGION_ROLE_##NAME},
#include "filter/words.def"
#undef PARADIGM
#undef ROLE
};
#define NR_WORDS (sizeof(words) / sizeof(*words))

/* Names before = or ~ that are none of ours are taken for mistakes, not for patterns. */
static bool looks_like_condition(const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!islower((unsigned char)word[i]) && word[i] != '_')
			return false;
	return length > 0 && strncmp(word, "operator", length) != 0;
}

static measure_status_t fail_key(struct measure_filter_reader *reader, size_t length)
{
	char all[256] = "";

	for (int i = 0; i < MEASURE_KEYS; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? ", " : "",
			keys[i].word);
	return measure_filter_fail(reader,
		"'%.*s' is not a condition: %s; put a name pattern that contains = "
		"into \"quotes\"",
		(int)length, reader->word, all);
}

static measure_status_t fail_value(
	struct measure_filter_reader *reader, enum measure_filter_key key, const char *value)
{
	return measure_filter_fail(
		reader, "'%s' is not a value of %s: %s", value, keys[key].word, keys[key].allowed);
}

/* The bits that a word stands for; 0: it is unknown. */
static uint64_t bits_of(enum measure_filter_key key, const char *word, size_t length)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < NR_WORDS; i++)
		if (words[i].key == key && strlen(words[i].word) == length &&
			memcmp(words[i].word, word, length) == 0)
			bits |= UINT64_C(1) << words[i].number;
	return bits;
}

static measure_status_t fail_word(struct measure_filter_reader *reader, enum measure_filter_key key,
	const char *word, size_t length)
{
	char all[320] = "";
	const char *last = "";

	for (size_t i = 0; i < NR_WORDS; i++) {
		if (words[i].key != key || strcmp(words[i].word, last) == 0)
			continue;
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", *last ? ", " : "",
			words[i].word);
		last = words[i].word;
	}
	return measure_filter_fail(
		reader, "'%.*s' is not a %s: %s", (int)length, word, keys[key].word, all);
}

static measure_status_t set_words(struct measure_filter_reader *reader,
	struct measure_filter_rule *rule, enum measure_filter_key key, const char *value)
{
	for (;;) {
		size_t length = strcspn(value, ",");
		uint64_t bits = bits_of(key, value, length);
		if (!bits)
			return fail_word(reader, key, value, length);
		rule->words[key] |= bits;
		if (!value[length])
			return MEASURE_OK;
		value += length + 1;
	}
}

static measure_status_t set_text(struct measure_filter_reader *reader,
	struct measure_filter_rule *rule, enum measure_filter_key key, const char *value,
	bool is_regex)
{
	struct measure_patterns *patterns = &rule->texts[key];
	const char *why;
	measure_status_t status = is_regex ? measure_patterns_add_regex(patterns, value, &why)
					   : measure_patterns_add_glob(patterns, value, &why);

	rule->keys |= 1u << key;
	if (status == MEASURE_ERROR_FORMAT)
		return measure_filter_fail(reader, "'%s' %s", value, why);
	return status;
}

static measure_status_t set_number(struct measure_filter_reader *reader,
	struct measure_filter_rule *rule, enum measure_filter_key key, const char *value)
{
	const char *end = value;
	bool is_good = false;

	switch (keys[key].type) {
	case MEASURE_KEY_TYPE_NUMBERS:
		is_good = measure_ranges_parse(&rule->ranges[key], value) == MEASURE_OK;
		end = "";
		break;
	case MEASURE_KEY_TYPE_TIMES:
		is_good = measure_ranges_parse_times(&rule->ranges[key], value) == MEASURE_OK;
		end = "";
		break;
	case MEASURE_KEY_TYPE_TIME:
		is_good = measure_time_parse(value, &rule->shorter, &end);
		break;
	case MEASURE_KEY_TYPE_COUNT:
		is_good = measure_number_parse(value, &rule->every, &end) && rule->every > 0;
		break;
	default:
		break;
	}
	return is_good && !*end ? MEASURE_OK : fail_value(reader, key, value);
}

static measure_status_t set_condition(struct measure_filter_reader *reader,
	struct measure_filter_rule *rule, enum measure_filter_key key, const char *value,
	bool is_regex)
{
	if (keys[key].type == MEASURE_KEY_TYPE_TEXT)
		return set_text(reader, rule, key, value, is_regex);
	if (is_regex)
		return measure_filter_fail(reader, "%s~ does not take a regular expression: %s=%s",
			keys[key].word, keys[key].word, keys[key].allowed);
	if (rule->keys & 1u << key)
		return measure_filter_fail(
			reader, "%s= appears twice in this rule", keys[key].word);
	rule->keys |= 1u << key;
	if (keys[key].type == MEASURE_KEY_TYPE_WORDS)
		return set_words(reader, rule, key, value);
	return set_number(reader, rule, key, value);
}

/* "key=value", "key~value", or a pattern of names. */
static measure_status_t take_condition(
	struct measure_filter_reader *reader, struct measure_filter_rule *rule)
{
	size_t length = strcspn(reader->word, "=~");

	for (int key = 0; reader->word[length] && key < MEASURE_KEYS; key++)
		if (strlen(keys[key].word) == length &&
			memcmp(keys[key].word, reader->word, length) == 0)
			return set_condition(reader, rule, (enum measure_filter_key)key,
				reader->word + length + 1, reader->word[length] == '~');
	if (reader->word[length] && !reader->is_quoted &&
		looks_like_condition(reader->word, length))
		return fail_key(reader, length);
	return set_text(reader, rule, MEASURE_KEY_NAME, reader->word, false);
}

static measure_status_t take_rule(struct measure_filter_reader *reader)
{
	struct measure_filter_list *list = &reader->filter->main;
	unsigned int line = reader->word_line, column = reader->word_column;
	bool is_include = strcmp(reader->word, "include") == 0;
	struct measure_filter_rule *rule;
	const char *why;
	measure_status_t status;

	if (!is_include && strcmp(reader->word, "exclude") != 0)
		return measure_filter_fail(reader,
			"'%s' does not begin a rule: expected exclude or include", reader->word);
	rule = measure_filter_rule_new(list, is_include);
	if (!rule)
		return MEASURE_ERROR_MEMORY;
	while ((status = measure_filter_next_word(reader, false)) == MEASURE_OK) {
		status = take_condition(reader, rule);
		if (status != MEASURE_OK)
			return status;
	}
	if (status != MEASURE_ERROR_NOT_FOUND)
		return status;
	status = measure_filter_rule_end(reader->filter, list, &why);
	if (status == MEASURE_ERROR_FORMAT) {
		reader->word_line = line;
		reader->word_column = column;
		return measure_filter_fail(reader, "%s", why);
	}
	return status;
}

static void skip_rule(struct measure_filter_reader *reader)
{
	do
		reader->place += strcspn(reader->place, "\n");
	while (reader->place[-1] == '\\' && measure_filter_next_line(reader));
}

measure_status_t measure_filter_parse_native(struct measure_filter_reader *reader)
{
	do {
		if (measure_filter_is_block_next(reader))
			break;
		measure_status_t status = measure_filter_next_word(reader, false);
		if (status == MEASURE_OK)
			status = take_rule(reader);
		if (measure_filter_goes_on(reader, status))
			skip_rule(reader);
		else if (status != MEASURE_OK && status != MEASURE_ERROR_NOT_FOUND)
			return status;
	} while (measure_filter_next_line(reader));
	return MEASURE_OK;
}
