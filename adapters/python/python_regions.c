/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of functions; see python_regions.h. */
#include "config.h"

#include "python_regions.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "pages.h"
#include "python_phases.h"

#define LONGEST_NAME 1024
#define FIRST_ROOM   4096

intptr_t measure_python_extra;
static uint32_t chosen; /* groups, as bits */

/* ------------------------------------------------------------------------- tables --- */

/* Open addressing; at most half full. */
struct region_table {
	struct region_table_item {
		uint64_t key; /* 0: free */
		measure_region_t region;
	} *items;
	uint32_t room; /* a power of 2 */
	uint32_t nr;
};

static struct region_table by_name;   /* functions that are made again and again have one region */
static struct region_table by_method; /* functions of C, by what defines them */

/* The place of the key, or a free one. */
static struct region_table_item *table_place(const struct region_table *table, uint64_t key)
{
	uint64_t place = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	while (table->items[place & (table->room - 1)].key != 0 &&
		table->items[place & (table->room - 1)].key != key)
		place++;
	return &table->items[place & (table->room - 1)];
}

static bool table_grow(struct region_table *table)
{
	struct region_table larger = {
		.nr = table->nr, .room = table->room ? 2 * table->room : FIRST_ROOM};

	larger.items = measure_pages_get(larger.room * sizeof(*larger.items));
	if (!larger.items)
		return false;
	for (uint32_t i = 0; i < table->room; i++)
		if (table->items[i].key)
			*table_place(&larger, table->items[i].key) = table->items[i];
	measure_pages_return(table->items, table->room * sizeof(*table->items));
	*table = larger;
	return true;
}

/* NULL: not there. */
static const struct region_table_item *table_find(const struct region_table *table, uint64_t key)
{
	const struct region_table_item *item = table->room ? table_place(table, key) : NULL;

	return item && item->key ? item : NULL;
}

/* Without memory it is defined again. */
static void table_add(struct region_table *table, uint64_t key, measure_region_t region)
{
	if (2 * (table->nr + 1) > table->room && !table_grow(table))
		return;
	*table_place(table, key) = (struct region_table_item){key, region};
	table->nr++;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * UINT64_C(1099511628211);
	return hash * UINT64_C(1099511628211); /* where it ends matters */
}

measure_region_t measure_python_region_of_name(const char *name, const char *file, uint32_t line)
{
	const struct measure_region_info info = {.name = name,
		.file = file,
		.begin_line = line,
		.role = OTF2_REGION_ROLE_FUNCTION,
		.paradigm = OTF2_PARADIGM_COMPILER};
	const uint64_t key = (hash_text(hash_text(UINT64_C(14695981039346656037) ^ line, name),
				     file ? file : "")) |
			     1;
	const struct region_table_item *known = table_find(&by_name, key);
	measure_region_t region;

	if (known)
		return known->region;
	region = measure_region_define(&info);
	if (region != MEASURE_UNDEFINED)
		table_add(&by_name, key, region);
	return region;
}

bool measure_python_wants(uint32_t groups)
{
	return chosen & groups;
}

bool measure_python_regions_start(uint32_t groups)
{
	chosen = groups;
	measure_pages_return(by_method.items, by_method.room * sizeof(*by_method.items));
	by_method = (struct region_table){.nr = 0}; /* those of an earlier interpreter are gone */
	measure_python_extra = measure_python.extra_index(NULL);
	return measure_python_extra >= 0;
}

/* -------------------------------------------------------------------------- names --- */

/* Appends what fits, whole characters of UTF-8 only. */
static void name_append(char name[LONGEST_NAME], const char *text)
{
	size_t used = strlen(name), length = strlen(text);

	if (length > LONGEST_NAME - 1 - used) {
		length = LONGEST_NAME - 1 - used;
		while (length > 0 && ((uint8_t)text[length] & 0xc0) == 0x80)
			length--;
	}
	memcpy(name + used, text, length);
	name[used + length] = '\0';
}

/* Begins with a module, if it is known. */
static void name_begin(char name[LONGEST_NAME], const char *module)
{
	*name = '\0';
	name_append(name, module);
	name_append(name, *module ? "." : "");
}

/* Appends the text of an attribute. False: it has none. */
static bool name_append_attribute(
	char name[LONGEST_NAME], struct python_object *object, const char *attribute)
{
	struct python_object *value = measure_python.attribute(object, attribute);
	const char *found =
		value && value != measure_python.none ? measure_python.text(value) : NULL;

	if (found)
		name_append(name, found);
	measure_python.error_clear();
	measure_python.release(value);
	return found != NULL;
}

/* ------------------------------------------------------------- functions in Python --- */

/* The module of a function is what its global variables say. */
static void code_module(struct python_object *frame, char module[LONGEST_NAME])
{
	struct python_object *globals =
		frame ? measure_python.attribute(frame, "f_globals") : measure_python.globals();
	struct python_object *name = globals ? measure_python.dict_item(globals, "__name__") : NULL;
	const char *text = name ? measure_python.text(name) : NULL;

	*module = '\0';
	name_append(module, text ? text : "");
	measure_python.error_clear();
	if (frame)
		measure_python.release(globals);
}

static measure_region_t code_define(struct python_object *code, struct python_object *frame)
{
	char module[LONGEST_NAME], name[LONGEST_NAME], file[LONGEST_NAME] = "";
	struct python_object *line = measure_python.attribute(code, "co_firstlineno");
	long first = line ? measure_python.number(line) : 0;

	measure_python.error_clear();
	measure_python.release(line);
	code_module(frame, module);
	name_begin(name, module);
	if (!name_append_attribute(name, code, "co_qualname"))
		name_append_attribute(name, code, "co_name");
	name_append_attribute(file, code, "co_filename");
	const measure_region_t region = measure_python_region_of_name(
		name, *file ? file : NULL, first > 0 ? (uint32_t)first : 0);
	measure_python_phase_look_at(name, region);
	return region;
}

measure_region_t measure_python_region_define(
	struct python_object *code, struct python_object *frame)
{
	const int saved_errno = errno;
	measure_region_t region = MEASURE_UNDEFINED;

	if (measure_python_wants(1u << MEASURE_PYTHON_functions))
		region = code_define(code, frame);
	if (region != MEASURE_UNDEFINED || !measure_python_wants(1u << MEASURE_PYTHON_functions))
		measure_python.extra_set(
			code, measure_python_extra, (void *)((uintptr_t)region + 1));
	measure_python.error_clear();
	errno = saved_errno;
	return region;
}

/* ------------------------------------------------------------------ functions of C --- */

#define BUILTINS "builtins."

/* The name of a method of a class. */
static void method_name(
	struct python_object *class, const struct python_method *method, char name[LONGEST_NAME])
{
	*name = '\0';
	if (name_append_attribute(name, class, "__module__"))
		name_append(name, ".");
	name_append_attribute(name, class, "__qualname__");
	name_append(name, ".");
	name_append(name, method->name);
}

/* Does this class itself define the method? */
static bool class_has(struct python_object *class, const struct python_method *method)
{
	struct python_object *names = measure_python.attribute(class, "__dict__");
	struct python_object *found = names ? measure_python.item(names, method->name) : NULL;
	const bool has = found && found->type == measure_python.type_method &&
			 measure_python_method(found) == method;

	measure_python.error_clear();
	measure_python.release(found);
	measure_python.release(names);
	return has;
}

/* Of the classes of an object, the one that defines the method: a list that is extended by a class
 * of the program still appends as a list. */
static void bound_name(
	struct python_object *self, const struct python_method *method, char name[LONGEST_NAME])
{
	struct python_object *class = self->type == measure_python.type_type
					      ? self
					      : (struct python_object *)(uintptr_t)self->type;
	struct python_object *classes = measure_python.attribute(class, "__mro__"), *next;
	bool is_found = false;

	method_name(class, method, name);
	for (intptr_t i = 0; classes && !is_found && (next = measure_python.element(classes, i));
		i++) {
		is_found = class_has(next, method);
		if (is_found)
			method_name(next, method, name);
		measure_python.release(next);
	}
	measure_python.error_clear();
	measure_python.release(classes);
}

static void builtin_name(
	struct python_object *callable, const struct python_method *method, char name[LONGEST_NAME])
{
	struct python_object *self, *class;

	if (callable->type == measure_python.type_method) {
		class = measure_python.attribute(callable, "__objclass__");
		if (class)
			method_name(class, method, name);
		measure_python.release(class);
		return;
	}
	self = measure_python.builtin_self(callable);
	measure_python.error_clear();
	if (self && self->type != measure_python.type_module) {
		bound_name(self, method, name);
		return;
	}
	if (name_append_attribute(name, callable, "__module__"))
		name_append(name, ".");
	name_append(name, method->name);
}

static __attribute__((noinline)) measure_region_t builtin_define(
	struct python_object *callable, const struct python_method *method)
{
	const int saved_errno = errno;
	char name[LONGEST_NAME] = "";
	measure_region_t region = MEASURE_UNDEFINED;
	bool is_wanted;

	builtin_name(callable, method, name);
	is_wanted = measure_python_wants(
		1u << (strncmp(name, BUILTINS, strlen(BUILTINS)) == 0 ? MEASURE_PYTHON_builtins
								      : MEASURE_PYTHON_c));
	if (is_wanted)
		region = measure_python_region_of_name(name, NULL, 0);
	if (region != MEASURE_UNDEFINED || !is_wanted)
		table_add(&by_method, (uintptr_t)method, region);
	measure_python.error_clear();
	errno = saved_errno;
	return region;
}

measure_region_t measure_python_builtin_region(const struct python_object *callable)
{
	const struct python_method *method = measure_python_method(callable);
	const struct region_table_item *known;

	if (!method)
		return MEASURE_UNDEFINED;
	known = table_find(&by_method, (uintptr_t)method);
	return __builtin_expect(known != NULL, 1)
		       ? known->region
		       : builtin_define((struct python_object *)(uintptr_t)callable, method);
}

/* -------------------------------------------------------------------- whole stacks --- */

static measure_region_t frame_region(struct python_object *frame)
{
	struct python_object *code = measure_python.frame_code(frame);
	void *found = NULL;
	measure_region_t region;

	measure_python.extra_get(code, measure_python_extra, &found);
	region = found ? (measure_region_t)((uintptr_t)found - 1)
		       : measure_python_region_define(code, frame);
	measure_python.release(code);
	return region;
}

/* From the innermost frame outwards; NULL at the end. */
static struct python_object *frame_first(void)
{
	struct python_object *frame = measure_python.frame();

	if (frame)
		measure_python.keep(frame);
	return frame;
}

static struct python_object *frame_next(struct python_object *frame)
{
	struct python_object *next = measure_python.frame_back(frame);

	measure_python.release(frame);
	return next;
}

void measure_python_stack_read(struct measure_python_stack *stack, bool is_innermost_left_out)
{
	struct python_object *frame = frame_first();

	if (frame && is_innermost_left_out)
		frame = frame_next(frame);
	stack->innermost = frame;
	for (; frame; frame = frame_next(frame)) {
		if (stack->nr == stack->room && !measure_pages_grow(&stack->regions, &stack->room,
							1024, sizeof(measure_region_t))) {
			measure_python.release(frame);
			break;
		}
		((measure_region_t *)stack->regions)[stack->nr++] = frame_region(frame);
	}
}

bool measure_python_stack_is_deeper(const struct measure_python_stack *stack)
{
	struct python_object *frame = frame_first();
	uint32_t depth = 0;

	for (; frame && frame != stack->innermost; frame = frame_next(frame))
		depth++;
	measure_python.release(frame);
	return frame && depth > 0;
}

void measure_python_stack_free(struct measure_python_stack *stack)
{
	measure_pages_return(stack->regions, stack->room * sizeof(measure_region_t));
}

/* From the outermost function inwards. */
static measure_region_t stack_region(const struct measure_python_stack *stack, uint32_t depth)
{
	return ((const measure_region_t *)stack->regions)[stack->nr - 1 - depth];
}

void measure_python_stack_change(
	const struct measure_python_stack *from, const struct measure_python_stack *to)
{
	uint32_t same = 0;

	while (same < from->nr && same < to->nr &&
		stack_region(from, same) == stack_region(to, same))
		same++;
	for (uint32_t depth = from->nr; depth-- > same;)
		if (measure_python_is_on(stack_region(from, depth)))
			measure_region_leave(stack_region(from, depth));
	for (uint32_t depth = same; depth < to->nr; depth++)
		if (measure_python_is_on(stack_region(to, depth)))
			measure_region_enter(stack_region(to, depth));
}
