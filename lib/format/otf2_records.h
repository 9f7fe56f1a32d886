/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What expansions of otf2_records.def share: the numbers of records, and how a macro is applied to
 * each field of one. Included by adapter.h, so it includes nothing of Measure.
 *
 *	#define COUNT(type, name, refers_to, slot) +1
 *	#define EVENT(number, Name, NAME, name, shape, by, in, ...) \
 *		[number] = 0 MEASURE_EACH_FIELD(COUNT, ##__VA_ARGS__),
 *	static const uint8_t nr_fields[] = {
 *	#include "format/otf2_records.def"
 *	};
 *	#undef EVENT */
#ifndef MEASURE_FORMAT_OTF2_RECORDS_H
#define MEASURE_FORMAT_OTF2_RECORDS_H

#include <stdint.h>

/* First bytes of records: MEASURE_OTF2_MPI_SEND = 14, ... */
enum measure_otf2_record {
	MEASURE_OTF2_TIMESTAMP = 5,  /* of the records that follow */
	MEASURE_OTF2_ATTRIBUTES = 6, /* of the record that follows */
#define EVENT(number, Name, NAME, ...) MEASURE_OTF2_##NAME = number,
#include "otf2_records.def"
#undef EVENT
};

/* How many bytes stand before the first field. */
enum measure_otf2_shape { MEASURE_OTF2_BARE = 1, MEASURE_OTF2_SIZED = 2 };

/* Applies a macro to each of up to ten fields, or whatever else stands in parentheses. */
#define MEASURE_EACH_FIELD(apply, ...)                                                             \
	MEASURE_EACH_OF(_, ##__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(apply, ##__VA_ARGS__)
#define MEASURE_EACH_OF(_, a, b, c, d, e, f, g, h, i, j, nr, ...) MEASURE_EACH_##nr
#define MEASURE_EACH_0(apply, ...)
#define MEASURE_EACH_1(apply, field)       apply field
#define MEASURE_EACH_2(apply, field, ...)  apply field MEASURE_EACH_1(apply, __VA_ARGS__)
#define MEASURE_EACH_3(apply, field, ...)  apply field MEASURE_EACH_2(apply, __VA_ARGS__)
#define MEASURE_EACH_4(apply, field, ...)  apply field MEASURE_EACH_3(apply, __VA_ARGS__)
#define MEASURE_EACH_5(apply, field, ...)  apply field MEASURE_EACH_4(apply, __VA_ARGS__)
#define MEASURE_EACH_6(apply, field, ...)  apply field MEASURE_EACH_5(apply, __VA_ARGS__)
#define MEASURE_EACH_7(apply, field, ...)  apply field MEASURE_EACH_6(apply, __VA_ARGS__)
#define MEASURE_EACH_8(apply, field, ...)  apply field MEASURE_EACH_7(apply, __VA_ARGS__)
#define MEASURE_EACH_9(apply, field, ...)  apply field MEASURE_EACH_8(apply, __VA_ARGS__)
#define MEASURE_EACH_10(apply, field, ...) apply field MEASURE_EACH_9(apply, __VA_ARGS__)

union OTF2_MetricValue_union; /* eight bytes, as is the other */
union OTF2_AttributeValue_union;

/* Fields as parameters and as arguments, behind others, and as members of a struct. VALUES are two:
 * their types, and they. */
#define MEASURE_PARAMETER(type, name, ...) , MEASURE_PARAMETER_##type(name)
#define MEASURE_MEMBER(type, name, ...)    MEASURE_PARAMETER_##type(name);
#define MEASURE_PARAMETER_U8(name)         uint8_t name
#define MEASURE_PARAMETER_U32(name)        uint32_t name
#define MEASURE_PARAMETER_U64(name)        uint64_t name
#define MEASURE_PARAMETER_I64(name)        int64_t name
#define MEASURE_PARAMETER_TIME(name)       uint64_t name
#define MEASURE_PARAMETER_U32S(name)       const uint32_t *name
#define MEASURE_PARAMETER_VALUES(name)                                                             \
	const uint8_t *name##_types, const union OTF2_MetricValue_union *name
#define MEASURE_ARGUMENT(type, name, ...) , MEASURE_ARGUMENT_##type(name)
#define MEASURE_ARGUMENT_U8(name)         name
#define MEASURE_ARGUMENT_U32(name)        name
#define MEASURE_ARGUMENT_U64(name)        name
#define MEASURE_ARGUMENT_I64(name)        name
#define MEASURE_ARGUMENT_TIME(name)       name
#define MEASURE_ARGUMENT_U32S(name)       name
#define MEASURE_ARGUMENT_VALUES(name)     name##_types, name

/* What else stands in otf2_definitions.def. */
#define MEASURE_PARAMETER_TEXT(name)      const char *name
#define MEASURE_PARAMETER_U8S(name)       const uint8_t *name
#define MEASURE_PARAMETER_EVENTS(name)    uint64_t name
#define MEASURE_PARAMETER_MEMBERS(name)   const uint64_t *name
#define MEASURE_PARAMETER_SCOPE(name)     uint64_t name
#define MEASURE_PARAMETER_VALUE(name)     union OTF2_AttributeValue_union name
#define MEASURE_PARAMETER_VALUES_OF(name) const union OTF2_AttributeValue_union *name
#define MEASURE_NAME(type, name, ...)     , name

#endif
