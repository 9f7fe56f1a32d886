/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What measure-wrap knows of a library of wrappers before it writes it: functions with their types,
 * from the debug information that a compiler makes of prototypes, and what annotations say of them.
 * The tool runs for seconds: nothing is freed, and without memory it ends. */
#ifndef MEASURE_WRAP_MODEL_H
#define MEASURE_WRAP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

/* @name(arguments), as written in a file of prototypes. */
struct wrap_annotation {
	char *name;
	char *arguments; /* what is between the parentheses; NULL: there are none */
	const char *file;
	unsigned int line;
};
typedef MEASURE_ARRAY(struct wrap_annotation) wrap_annotations_t;

/* What is to be said of some functions: those of one name, or of patterns. */
struct wrap_statement {
	char *functions; /* a name, or patterns with blanks between them */
	bool is_patterns;
	wrap_annotations_t annotations;
};
typedef MEASURE_ARRAY(struct wrap_statement) wrap_statements_t;

enum wrap_class {
	WRAP_VOID,
	WRAP_UNSIGNED,
	WRAP_SIGNED,
	WRAP_DOUBLE,
	WRAP_TEXT,
	WRAP_ENUM,
	WRAP_POINTER,
	WRAP_OTHER /* structs, and what else is not one value */
};

struct wrap_enumerator {
	char *name;
	int64_t value;
};
struct wrap_enumeration {
	uint64_t key; /* of the type */
	MEASURE_ARRAY(struct wrap_enumerator) items;
};

struct wrap_type {
	enum wrap_class class;
	enum wrap_class pointee; /* of WRAP_POINTER */
	unsigned int size;
	int enumeration; /* index; -1: none */
	char *before;    /* the C declaration of something of this type: what is before its name, */
	char *after;     /* and behind it. NULL: it has none */
};

struct wrap_parameter {
	char *name;
	struct wrap_type type;
};

struct wrap_function {
	char *name;    /* in C */
	char *symbol;  /* in the library */
	char *version; /* NULL: the only or the default one, without a name in the table */
	bool is_default_version;
	char *region;
	struct wrap_type result;
	MEASURE_ARRAY(struct wrap_parameter) parameters;
	bool is_variadic;
	bool is_stub; /* no types: a stub passes its arguments on */
	wrap_annotations_t annotations;
};

/* DEFINE_SAMPLING_FUNCTION of EZTrace. */
struct wrap_sampling {
	char *name;
	unsigned long interval; /* microseconds */
	char *code;
};

struct wrap_module {
	char *name;
	char *prelude;   /* C text that declares the functions: includes and prototypes */
	char *main_file; /* where prototypes are that are all wrapped; "": there is none */
	MEASURE_ARRAY(char *) headers; /* of which all functions are wanted */
	MEASURE_ARRAY(char *) flags;   /* for the compiler */
	char *library; /* names of which the first one that is there is meant, then its path; NULL:
			  unknown */
	char *package; /* names for pkg-config, likewise */
	wrap_statements_t statements;
	MEASURE_ARRAY(struct wrap_function) functions;
	MEASURE_ARRAY(struct wrap_enumeration) enumerations;
	MEASURE_ARRAY(struct wrap_sampling) samplings;
};

/* printf() into memory of its own. */
char *wrap_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *wrap_copy(const char *text, size_t length);

/* Says that there is no memory, and ends. */
void wrap_need(bool is_there) __attribute__((noinline));
#define wrap_push(array, ...) wrap_need(measure_array_push(array, __VA_ARGS__) == MEASURE_OK)

/* A file as text; NULL: it cannot be read, which is said. */
char *wrap_file_load(const char *path);

#endif
