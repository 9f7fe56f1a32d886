/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expansions of journal_records.def: one frame and one decode function per record kind. */
#include "config.h"

#include "journal.h"

#define U32(field)  measure_encode_u32(&encoder, def->field);
#define U64(field)  measure_encode_u64(&encoder, def->field);
#define I64(field)  measure_encode_i64(&encoder, def->field);
#define F64(field)  measure_encode_f64(&encoder, def->field);
#define STR(field)  measure_encode_string(&encoder, def->field);
#define U32S(field) measure_encode_u32s(&encoder, def->field.nr, def->field.items);
#define RANKS(field) measure_encode_ranks(&encoder, def->field.nr, def->field.items);
#define RECORD(name, KIND, number, fields)                                                         \
	size_t measure_def_##name##_frame(const struct measure_def_##name *def, uint8_t *data,     \
		size_t capacity)                                                                   \
	{                                                                                          \
		struct measure_encoder encoder = {data, capacity, MEASURE_JOURNAL_FRAME};          \
		fields;                                                                            \
		if (encoder.needed > capacity)                                                     \
			return encoder.needed;                                                     \
		return measure_journal_seal(data, MEASURE_RECORD_##KIND,                           \
			encoder.needed - MEASURE_JOURNAL_FRAME);                                   \
	}
#include "journal_records.def"
#include "topology_records.def"
#undef RECORD
#undef U32
#undef U64
#undef I64
#undef F64
#undef STR
#undef U32S
#undef RANKS

#define U32(field)  status = status ? status : measure_decode_u32(decoder, &def->field);
#define U64(field)  status = status ? status : measure_decode_u64(decoder, &def->field);
#define I64(field)  status = status ? status : measure_decode_i64(decoder, &def->field);
#define F64(field)  status = status ? status : measure_decode_f64(decoder, &def->field);
#define STR(field)  status = status ? status : measure_decode_string(decoder, &def->field);
#define U32S(field)                                                                                \
	status =                                                                                   \
		status ? status : measure_decode_u32s(decoder, &def->field.nr, &def->field.items); \
	def->field.nr_runs = 0;
#define RANKS(field)                                                                               \
	status = status ? status                                                                   \
			: measure_decode_ranks(decoder, &def->field.nr, &def->field.items,         \
				  &def->field.nr_runs);
#define RECORD(name, KIND, number, fields)                                                         \
	measure_status_t measure_def_##name##_decode(struct measure_decoder *decoder,              \
		struct measure_def_##name *def)                                                    \
	{                                                                                          \
		measure_status_t status = MEASURE_OK;                                              \
		fields return status;                                                              \
	}
#include "journal_records.def"
#include "topology_records.def"
#undef RECORD
