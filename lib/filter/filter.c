/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rules and what they say; see filter.h. */
#include "config.h"

#include "filter/filter.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "filter/rules.h"

#define BIT(ID) (1u << MEASURE_KEY_##ID)

/* Conditions on the call; all others are on the region, or the process. */
#define CALL_KEYS      (BIT(THREAD) | BIT(DEPTH) | BIT(TIME) | BIT(SHORTER) | BIT(EVERY) | BIT(WITHIN))
#define ALL_CALL_RULES ((UINT32_C(1) << MEASURE_FILTER_CALL_RULES) - 1) /* in a outcome */

/* ------------------------------------------------------------------------ rules --- */

struct measure_filter_rule *measure_filter_rule_new(
	struct measure_filter_list *list, bool is_include)
{
	struct measure_filter_rule rule = {.is_include = is_include, .call_rule = -1, .within = -1};

	if (measure_array_push(&list->rules, rule) != MEASURE_OK)
		return NULL;
	return &list->rules.items[list->rules.nr - 1];
}

static void free_rule(struct measure_filter_rule *rule)
{
	for (int key = 0; key < MEASURE_KEYS; key++) {
		measure_patterns_free(&rule->texts[key]);
		free(rule->ranges[key].list.items);
	}
}

/* Words of both mean the same: one key, besides the paradigms of Score-P's. */
static bool can_join(
	const struct measure_filter_rule *first, const struct measure_filter_rule *second)
{
	uint32_t key = second->keys & ~BIT(PARADIGM);

	return first->keys == second->keys && first->is_include == second->is_include &&
	       first->is_exact == second->is_exact &&
	       (key == BIT(NAME) || key == BIT(MANGLED) || key == BIT(FILE)) &&
	       first->words[MEASURE_KEY_PARADIGM] == second->words[MEASURE_KEY_PARADIGM];
}

#define MOVE_ALL(to, from)                                                                         \
	__extension__({                                                                            \
		measure_status_t moved_ = measure_array_reserve((to), (to)->nr + (from)->nr);      \
		for (size_t i_ = 0; moved_ == MEASURE_OK && i_ < (from)->nr; i_++)                 \
			(to)->items[(to)->nr++] = (from)->items[i_];                               \
		if (moved_ == MEASURE_OK)                                                          \
			(from)->nr = 0;                                                            \
		moved_;                                                                            \
	})

static measure_status_t filter_join(
	struct measure_filter_rule *first, struct measure_filter_rule *second)
{
	measure_status_t status = MEASURE_OK;

	for (int key = 0; key < MEASURE_KEYS && status == MEASURE_OK; key++) {
		struct measure_patterns *to = &first->texts[key], *from = &second->texts[key];
		status = MOVE_ALL(&to->literals, &from->literals);
		if (status == MEASURE_OK)
			status = MOVE_ALL(&to->globs, &from->globs);
		if (status == MEASURE_OK)
			status = MOVE_ALL(&to->regexes, &from->regexes);
	}
	return status;
}

static measure_status_t number_rule(struct measure_filter *filter, struct measure_filter_rule *rule,
	size_t place, const char **why)
{
	if (!(rule->keys & CALL_KEYS))
		return MEASURE_OK;
	*why = "shorter= can be used with exclude only";
	if (rule->is_include && rule->keys & BIT(SHORTER))
		return MEASURE_ERROR_FORMAT;
	*why = "too many rules with thread=, depth=, time=, shorter=, every= or within=: 16 are "
	       "allowed";
	if (filter->nr_call_rules == MEASURE_FILTER_CALL_RULES)
		return MEASURE_ERROR_FORMAT;
	*why = "too many rules with within=: 8 are allowed";
	if (rule->keys & BIT(WITHIN) && filter->nr_withins == MEASURE_FILTER_WITHINS)
		return MEASURE_ERROR_FORMAT;
	filter->call_rules[filter->nr_call_rules] = place;
	rule->call_rule = filter->nr_call_rules++;
	if (rule->keys & BIT(WITHIN))
		rule->within = filter->nr_withins++;
	return MEASURE_OK;
}

measure_status_t measure_filter_rule_end(
	struct measure_filter *filter, struct measure_filter_list *list, const char **why)
{
	struct measure_filter_rule *rule = &list->rules.items[list->rules.nr - 1];
	struct measure_filter_rule *before = list->rules.nr > 1 ? rule - 1 : NULL;

	if (!before || !can_join(before, rule))
		return number_rule(filter, rule, list->rules.nr - 1, why);
	measure_status_t status = filter_join(before, rule);
	if (status != MEASURE_OK)
		return status;
	free_rule(rule);
	list->rules.nr--;
	return MEASURE_OK;
}

/* ---------------------------------------------------------------------- filters --- */

struct measure_filter *measure_filter_new(void)
{
	return calloc(1, sizeof(struct measure_filter));
}

static void free_list(struct measure_filter_list *list)
{
	for (size_t i = 0; i < list->rules.nr; i++)
		free_rule(&list->rules.items[i]);
	free(list->rules.items);
}

void measure_filter_free(struct measure_filter *filter)
{
	if (!filter)
		return;
	free_list(&filter->files);
	free_list(&filter->main);
	free(filter);
}

static void seal(struct measure_filter_list *list)
{
	for (size_t i = 0; i < list->rules.nr; i++)
		for (int key = 0; key < MEASURE_KEYS; key++)
			measure_patterns_seal(&list->rules.items[i].texts[key]);
}

measure_status_t measure_filter_add(struct measure_filter *filter, const char *source,
	const char *text, struct measure_filter_error *error)
{
	struct measure_filter_reader reader = {.filter = filter,
		.source = source,
		.place = text,
		.line = 1,
		.line_begin = text,
		.error = error};
	measure_status_t status = MEASURE_OK;

	error->nr = 0;
	while (*reader.place && status == MEASURE_OK)
		status = measure_filter_is_block_next(&reader) ? measure_filter_parse_scorep(&reader)
							       : measure_filter_parse_native(&reader);
	free(reader.word);
	seal(&filter->files);
	seal(&filter->main);
	return status == MEASURE_OK && error->nr ? MEASURE_ERROR_FORMAT : status;
}

measure_status_t measure_filter_add_option(struct measure_filter *filter, const char *source,
	bool is_include, const char *text, struct measure_filter_error *error)
{
	measure_status_t status = MEASURE_OK;

	error->nr = 0;
	while (*text && status == MEASURE_OK) {
		size_t length = strcspn(text, ";");
		char *line = NULL;
		if (asprintf(&line, "%s %.*s", is_include ? "include" : "exclude", (int)length,
			    text) < 0)
			return MEASURE_ERROR_MEMORY;
		struct measure_filter_reader reader = {.filter = filter,
			.source = source,
			.place = line,
			.line_begin = line,
			.error = error};
		status = measure_filter_parse_native(&reader);
		free(reader.word);
		free(line);
		text += length + (text[length] == ';');
	}
	seal(&filter->main);
	return status == MEASURE_OK && error->nr ? MEASURE_ERROR_FORMAT : status;
}

bool measure_filter_is_empty(const struct measure_filter *filter)
{
	return filter->files.rules.nr + filter->main.rules.nr == 0;
}

bool measure_filter_wants_files(const struct measure_filter *filter)
{
	for (size_t i = 0; i < filter->main.rules.nr; i++)
		if (filter->main.rules.items[i].keys & BIT(FILE))
			return true;
	return filter->files.rules.nr > 0;
}

bool measure_filter_wants_ranks(const struct measure_filter *filter)
{
	for (size_t i = 0; i < filter->main.rules.nr; i++)
		if (filter->main.rules.items[i].keys & BIT(RANK))
			return true;
	return false;
}

/* -------------------------------------------------------------------- outcome --- */

/* A region and the parts of its name. */
struct view {
	const struct measure_filter_region *region;
	const struct measure_filter_name *name;
	uint32_t rank;
};

static bool matches_name(
	const struct measure_patterns *patterns, const struct view *view, bool is_exact)
{
	const char *name = view->name->whole;

	return *name && (is_exact ? measure_patterns_match(patterns, name)
				  : measure_patterns_match_name(patterns, view->name));
}

/* The whole path or, in our language, its last part. */
static bool matches_path(const struct measure_patterns *patterns, const char *path, bool is_exact)
{
	return path && *path &&
	       (measure_patterns_match(patterns, path) ||
		       (!is_exact && measure_patterns_match(patterns, measure_base_name(path))));
}

static bool has_word(uint64_t words, uint8_t number)
{
	return number < 64 && words >> number & 1;
}

/* Do all conditions hold that are not on the call? */
static bool matches_region(const struct measure_filter_rule *rule, const struct view *view)
{
	const struct measure_filter_region *region = view->region;
	const struct measure_patterns *texts = rule->texts;
	bool is_exact = rule->is_exact;

	return !((rule->keys & BIT(PARADIGM) &&
			 !has_word(rule->words[MEASURE_KEY_PARADIGM], region->paradigm)) ||
		 (rule->keys & BIT(ROLE) &&
			 !has_word(rule->words[MEASURE_KEY_ROLE], region->role)) ||
		 (rule->keys & BIT(RANK) &&
			 !measure_ranges_hold(&rule->ranges[MEASURE_KEY_RANK], view->rank)) ||
		 (rule->keys & BIT(NAME) &&
			 !matches_name(&texts[MEASURE_KEY_NAME], view, is_exact)) ||
		 (rule->keys & BIT(MANGLED) &&
			 !(region->mangled && measure_patterns_match(&texts[MEASURE_KEY_MANGLED],
						      region->mangled))) ||
		 (rule->keys & BIT(FILE) &&
			 !matches_path(&texts[MEASURE_KEY_FILE], region->file, is_exact)) ||
		 (rule->keys & BIT(MODULE) &&
			 !matches_path(&texts[MEASURE_KEY_MODULE], region->module, is_exact)));
}

static measure_filter_outcome_t match_list(
	const struct measure_filter_list *list, const struct view *view)
{
	measure_filter_outcome_t outcome = 0;

	for (size_t i = list->rules.nr; i-- > 0;) {
		const struct measure_filter_rule *rule = &list->rules.items[i];
		if (!matches_region(rule, view))
			continue;
		if (rule->call_rule < 0)
			return outcome | (rule->is_include ? 0 : MEASURE_FILTER_OFF);
		outcome |= UINT32_C(1) << rule->call_rule;
	}
	return outcome;
}

/* The conditions within= that hold in the region. */
static uint32_t opened(const struct measure_filter *filter, const struct view *view)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < filter->main.rules.nr; i++) {
		const struct measure_filter_rule *rule = &filter->main.rules.items[i];
		if (rule->within >= 0 &&
			matches_name(&rule->texts[MEASURE_KEY_WITHIN], view, rule->is_exact))
			bits |= UINT32_C(1) << (MEASURE_FILTER_OPENS + rule->within);
	}
	return bits;
}

/* Rules that depend on the call and say what holds anyway are none. */
static measure_filter_outcome_t without_idle_rules(
	const struct measure_filter *filter, measure_filter_outcome_t outcome)
{
	bool is_off = outcome & MEASURE_FILTER_OFF;

	for (size_t i = 0; i < filter->main.rules.nr; i++) {
		const struct measure_filter_rule *rule = &filter->main.rules.items[i];
		if (rule->call_rule < 0 || !(outcome >> rule->call_rule & 1))
			continue;
		if (rule->is_include == is_off)
			break; /* it matters, and so may all behind it */
		outcome &= ~(UINT32_C(1) << rule->call_rule);
	}
	return outcome;
}

/* The barriers of a team have no records but their Enters and Leaves, and are counted: what of one
 * thread is left out must be left out of all. */
static bool is_team_barrier(const struct measure_filter_region *region)
{
	return region->paradigm == OTF2_PARADIGM_OPENMP &&
	       (region->role == OTF2_REGION_ROLE_BARRIER ||
		       region->role == OTF2_REGION_ROLE_IMPLICIT_BARRIER);
}

measure_filter_outcome_t measure_filter_match(const struct measure_filter *filter,
	const struct measure_filter_region *region, uint32_t rank)
{
	struct measure_filter_name name;
	struct view view = {region, &name, rank};
	measure_filter_outcome_t outcome;

	measure_filter_name_make(&name, region->name ? region->name : "");
	outcome = match_list(&filter->files, &view);
	if (!(outcome & MEASURE_FILTER_OFF))
		outcome = without_idle_rules(filter, match_list(&filter->main, &view));
	if (is_team_barrier(region))
		outcome &= ~ALL_CALL_RULES;
	outcome |= opened(filter, &view);
	measure_filter_name_free(&name);
	return outcome;
}

measure_filter_outcome_t measure_filter_match_function(const struct measure_filter *filter,
	const struct measure_filter_region *function, uint32_t rank)
{
	struct measure_filter_region region = *function;

	region.paradigm = OTF2_PARADIGM_COMPILER;
	region.role = OTF2_REGION_ROLE_FUNCTION;
	return measure_filter_match(filter, &region, rank);
}

/* ---------------------------------------------------------------------- decision --- */

static const struct measure_filter_rule *call_rule(const struct measure_filter *filter, int bit)
{
	return &filter->main.rules.items[filter->call_rules[bit]];
}

uint32_t measure_filter_needs(const struct measure_filter *filter, measure_filter_outcome_t outcome)
{
	uint32_t needs = 0;

	for (uint32_t bits = outcome & ALL_CALL_RULES; bits; bits &= bits - 1) {
		const struct measure_filter_rule *rule = call_rule(filter, __builtin_ctz(bits));
		needs |= rule->keys & BIT(TIME) ? MEASURE_FILTER_NEEDS_TIME : 0;
		needs |= rule->keys & BIT(EVERY) ? MEASURE_FILTER_NEEDS_COUNT : 0;
	}
	return needs;
}

/* All but shorter=, which only the end of the call tells. */
static bool matches_call(
	const struct measure_filter_rule *rule, const struct measure_filter_call *call)
{
	return !((rule->keys & BIT(THREAD) &&
			 !measure_ranges_hold(&rule->ranges[MEASURE_KEY_THREAD], call->thread)) ||
		 (rule->keys & BIT(DEPTH) &&
			 !measure_ranges_hold(&rule->ranges[MEASURE_KEY_DEPTH], call->depth)) ||
		 (rule->keys & BIT(TIME) &&
			 !measure_ranges_hold(&rule->ranges[MEASURE_KEY_TIME], call->time)) ||
		 (rule->keys & BIT(EVERY) && call->number % rule->every != 0) ||
		 (rule->keys & BIT(WITHIN) && !(call->within >> rule->within & 1)));
}

bool measure_filter_decide(const struct measure_filter *filter, measure_filter_outcome_t outcome,
	const struct measure_filter_call *call, uint64_t *shortest)
{
	*shortest = 0;
	for (uint32_t bits = outcome & ALL_CALL_RULES, bit; bits; bits ^= UINT32_C(1) << bit) {
		bit = 31 - (uint32_t)__builtin_clz(bits);
		const struct measure_filter_rule *rule = call_rule(filter, (int)bit);
		if (!matches_call(rule, call))
			continue;
		if (!(rule->keys & BIT(SHORTER)))
			return rule->is_include;
		if (rule->shorter > *shortest)
			*shortest = rule->shorter;
	}
	return !(outcome & MEASURE_FILTER_OFF);
}
