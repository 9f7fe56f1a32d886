/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names, values and interpolation of costs; see event_costs.h. Numbers are read and written in the
 * C locale, which tools never leave. */
#include "config.h"

#include "event_costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_RATE 1e12
#define MOST_COST 1e9 /* a second */

/* Longer numbers are rounded. */
#define MOST_PLACES 24

static const char *const event_cost_names[] = {
#define EVENT_COST(KIND, word, what) #KIND,
#include "event_costs.def"
};

static const char *const event_cost_words[] = {
#define EVENT_COST(KIND, word, what) word,
#include "event_costs.def"
};

static const char *const working_set_words[] = {
#define WORKING_SET(NAME, word, what) word,
#include "event_costs.def"
};

const char *measure_event_cost_word(enum measure_event_cost_kind kind)
{
	return event_cost_words[kind];
}

const char *measure_working_set_word(enum measure_working_set set)
{
	return working_set_words[set];
}

void measure_event_cost_name(
	char *name, enum measure_event_cost_kind kind, enum measure_working_set set)
{
	snprintf(name, MEASURE_EVENT_COST_NAME, "%s::%s", event_cost_names[kind],
		working_set_words[set]);
}

/* ------------------------------------------------------------------- interpolation --- */

static struct measure_event_cost cost_of(const struct measure_event_cost_point *point)
{
	return (struct measure_event_cost){point->before, point->after, point->low, point->high};
}

static double between(double from, double to, double share)
{
	return from + (to - from) * share;
}

static void scale_point(struct measure_event_cost_point *point, double factor)
{
	point->before *= factor;
	point->after *= factor;
	point->low *= factor;
	point->high *= factor;
}

void measure_event_costs_scale(struct measure_event_costs *costs, double factor)
{
	for (unsigned kind = 0; kind < MEASURE_NR_EVENT_COSTS; kind++)
		for (unsigned set = 0; set < MEASURE_NR_WORKING_SETS; set++) {
			struct measure_event_cost_curve *curve = &costs->curves[kind][set];
			for (unsigned i = 0; i < curve->nr; i++)
				scale_point(&curve->points[i], factor);
		}
}

struct measure_event_cost measure_event_cost_at(
	const struct measure_event_cost_curve *curve, double rate)
{
	const struct measure_event_cost_point *points = curve->points;
	unsigned i = 0;

	while (i < curve->nr && points[i].rate <= rate)
		i++;
	if (curve->nr == 0)
		return (struct measure_event_cost){0};
	if (i == 0 || i == curve->nr)
		return cost_of(&points[i ? i - 1 : 0]);
	const struct measure_event_cost_point *low = &points[i - 1], *high = &points[i];
	const double share = log(rate / low->rate) / log(high->rate / low->rate);
	return (struct measure_event_cost){
		between(low->before, high->before, share),
		between(low->after, high->after, share),
		between(low->low, high->low, share),
		between(low->high, high->high, share),
	};
}

/* -------------------------------------------------------------------------- values --- */

/* OTF2 makes capitals of the names of properties. */
static int index_of(const char *const *words, size_t nr, const char *word, size_t length)
{
	for (size_t i = 0; i < nr; i++)
		if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0)
			return (int)i;
	return -1;
}

static struct measure_event_cost_curve *find_curve(
	struct measure_event_costs *costs, const char *name)
{
	const char *colons = strstr(name, "::");

	if (!colons)
		return NULL;
	const int kind =
		index_of(event_cost_names, MEASURE_NR_EVENT_COSTS, name, (size_t)(colons - name));
	const int set = index_of(
		working_set_words, MEASURE_NR_WORKING_SETS, colons + 2, strlen(colons + 2));
	return kind < 0 || set < 0 ? NULL : &costs->curves[kind][set];
}

/* A decimal number with `end` behind it; a blank or the end of the text ends the last one. */
static bool parse_number(const char **text, bool is_last, double most, double *number)
{
	char *end;

	if (!strchr("0123456789.", **text) || !**text)
		return false;
	*number = strtod(*text, &end);
	if (!(*number >= 0 && *number <= most) || end == *text)
		return false;
	*text = end + (*end == ':');
	return is_last ? *end == ' ' || *end == '\0' : *end == ':';
}

static bool parse_point(const char **text, struct measure_event_cost_point *point)
{
	return parse_number(text, false, MOST_RATE, &point->rate) &&
	       parse_number(text, false, MOST_COST, &point->before) &&
	       parse_number(text, false, MOST_COST, &point->after) &&
	       parse_number(text, false, MOST_COST, &point->low) &&
	       parse_number(text, true, MOST_COST, &point->high) && point->rate > 0 &&
	       point->low <= point->high;
}

static bool parse_value(const char *text, struct measure_event_cost_curve *curve)
{
	double rate = 0;

	for (curve->nr = 0; *text; curve->nr++) {
		if (curve->nr == MEASURE_EVENT_COST_POINTS ||
			!parse_point(&text, &curve->points[curve->nr]) ||
			curve->points[curve->nr].rate <= rate)
			return false;
		rate = curve->points[curve->nr].rate;
		text += *text == ' ';
	}
	return curve->nr > 0;
}

static bool parse_reference(const char *text, double *reference)
{
	double number;

	if (!parse_number(&text, true, MOST_COST, &number) || *text)
		return false;
	*reference = number;
	return true;
}

bool measure_event_costs_parse_line(
	struct measure_event_costs *costs, const char *name, const char *value)
{
	struct measure_event_cost_curve *curve = find_curve(costs, name);
	struct measure_event_cost_curve parsed = {.nr = 0};

	if (strcasecmp(name, MEASURE_EVENT_COST_REFERENCE) == 0)
		return parse_reference(value, &costs->reference);
	if (!curve || !parse_value(value, &parsed))
		return false;
	*curve = parsed;
	return true;
}

/* With as many places as it takes. */
static char *put_number(char *text, double number, char end)
{
	int length = 0;

	for (int places = 0; places <= MOST_PLACES; places++) {
		length = snprintf(text, 48, "%.*f", places, number);
		if (strtod(text, NULL) == number)
			break;
	}
	text[length] = end;
	return text + length + 1;
}

void measure_event_cost_value(char *value, const struct measure_event_cost_curve *curve)
{
	char *end = value;

	*value = '\0';
	for (unsigned i = 0; i < curve->nr; i++) {
		const struct measure_event_cost_point *point = &curve->points[i];
		end = put_number(end, point->rate, ':');
		end = put_number(end, point->before, ':');
		end = put_number(end, point->after, ':');
		end = put_number(end, point->low, ':');
		end = put_number(end, point->high, i + 1 < curve->nr ? ' ' : '\0');
	}
}
