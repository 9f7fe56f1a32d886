/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Event files of all kinds of records, written by the OTF2 library, and rewritten byte by byte; see
 * decoder_files.h. */
#include "config.h"

#include "decoder_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <otf2/otf2.h>

#include "base/hash.h"
#include "format/otf2_records.h"
#include "trace/stream/record.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { CHUNK = OTF2_CHUNK_SIZE_MIN, HEADER = 18, END_MARKS = 2 };
enum { END_OF_CHUNK = 0, END_OF_FILE = 2, CHUNK_HEADER = 3, TIMESTAMP = 5, ATTRIBUTES = 6 };

static uint64_t state;

static uint64_t draw(uint64_t limit)
{
	return measure_random(&state) % limit;
}

/* Of any number of bytes, none and all ones included. */
static uint64_t draw_number(void)
{
	const uint64_t bits = draw(66);

	if (bits == 65)
		return UINT64_MAX;
	return bits ? measure_random(&state) >> (64 - bits) : 0;
}

/* ---------------------------------------------------------------------- writing --- */

static OTF2_Type types[UINT8_MAX];
static OTF2_MetricValue values[UINT8_MAX];
static uint32_t strings[400];

static void draw_arrays(void)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		types[i] = (OTF2_Type[]){OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE}[draw(3)];
		values[i].unsigned_int = draw_number();
	}
	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		strings[i] = (uint32_t)draw_number();
}

/* A field that is the length of an array is as long as it may be at times. */
static uint64_t draw_field(const char *name)
{
	if (!strcmp(name, "nr_values"))
		return draw(10) ? draw(5) : draw(UINT8_MAX);
	if (!strcmp(name, "nr_arguments"))
		return draw(10) ? draw(5) : draw(sizeof(strings) / sizeof(*strings));
	return draw_number();
}

static void draw_attributes(OTF2_AttributeList *list)
{
	OTF2_AttributeList_RemoveAllAttributes(list);
	for (uint64_t nr = draw(4) ? 0 : draw(6); nr > 0; nr--) {
		const OTF2_Type type = (OTF2_Type)(1 + draw(OTF2_TYPE_LOCATION_GROUP));
		const OTF2_AttributeValue value = {.uint64 = draw_number()};

		/* refused where there is one of that number */
		OTF2_AttributeList_AddAttribute(list, (uint32_t)draw(1000), type, value);
	}
}

#define DRAWN(type, name, ...) , DRAWN_##type(name)
#define DRAWN_U8(name)	       (uint8_t)draw_field(#name)
#define DRAWN_U32(name)	       (uint32_t)draw_field(#name)
#define DRAWN_U64(name)	       draw_number()
#define DRAWN_I64(name)	       (int64_t)draw_number()
#define DRAWN_TIME(name)       draw_number()
#define DRAWN_U32S(name)       strings
#define DRAWN_VALUES(name)     types, values

static OTF2_ErrorCode write_record(
	OTF2_EvtWriter *writer, OTF2_AttributeList *list, uint64_t time, enum measure_event_kind kind)
{
	switch (kind) {
#define EVENT(number, Name, NAME, name, shape, writer_of, files, ...)                              \
	case MEASURE_EVENT_##NAME:                                                                 \
		return OTF2_EvtWriter_##Name(                                                      \
			writer, list, time MEASURE_EACH_FIELD(DRAWN, ##__VA_ARGS__));
#include "format/otf2_records.def"
#undef EVENT
	default:
		return OTF2_ERROR_INVALID_ARGUMENT;
	}
}

static bool write_events(OTF2_EvtWriter *writer, uint64_t nr)
{
	OTF2_AttributeList *list = OTF2_AttributeList_New();
	OTF2_ErrorCode status = OTF2_SUCCESS;
	uint64_t time = draw(2) ? 0 : draw_number() >> 8;

	for (uint64_t i = 0; i < nr && status == OTF2_SUCCESS; i++) {
		time += draw(2) ? draw(100000) : 0;
		draw_attributes(list);
		status = write_record(writer, list, time,
			draw(3) ? (enum measure_event_kind)draw(MEASURE_EVENT_UNKNOWN)
				: MEASURE_EVENT_ENTER + (enum measure_event_kind)draw(2));
	}
	OTF2_AttributeList_Delete(list);
	return status == OTF2_SUCCESS;
}

/* An attribute comes once in a list, whatever it is mapped to. */
static void write_tables(OTF2_DefWriter *writer, bool is_dense)
{
	for (OTF2_MappingType type = 0; type < OTF2_MAPPING_MAX; type++) {
		OTF2_IdMap *map = OTF2_IdMap_Create(
			is_dense ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE, 100);

		for (uint64_t i = 0; i < 100; i++)
			OTF2_IdMap_AddIdPair(map, is_dense ? i : i * i,
				type == OTF2_MAPPING_ATTRIBUTE ? 5000 + i : draw_number());
		OTF2_DefWriter_WriteMappingTable(writer, type, map);
		OTF2_IdMap_Free(map);
	}
	OTF2_DefWriter_WriteClockOffset(writer, 0, 5, 0);
	OTF2_DefWriter_WriteClockOffset(writer, 1000000, -5, 0);
}

static OTF2_FlushType flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static void write_definitions(OTF2_Archive *archive, uint64_t nr)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);

	OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, UINT64_MAX / 2, 0);
	OTF2_GlobalDefWriter_WriteString(writer, 0, "");
	OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	OTF2_GlobalDefWriter_WriteLocationGroup(
		writer, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
	for (uint64_t id = 0; id < T_NR_FILES; id++)
		OTF2_GlobalDefWriter_WriteLocation(
			writer, id, 0, OTF2_LOCATION_TYPE_CPU_THREAD, nr, 0);
	OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

bool t_files_make(const char *directory, uint64_t nr)
{
	static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
	OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, CHUNK,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	bool is_good = archive;

	if (!archive)
		return false;
	state = nr;
	draw_arrays();
	OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	for (uint64_t id = 0; id < T_NR_FILES; id++) {
		OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, id);

		is_good &= write_events(writer, nr);
		OTF2_Archive_CloseEvtWriter(archive, writer);
	}
	OTF2_Archive_CloseEvtFiles(archive);
	OTF2_Archive_OpenDefFiles(archive);
	for (uint64_t id = 0; id < T_NR_FILES; id++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, id);

		if (id < 2)
			write_tables(writer, id == 0);
		OTF2_Archive_CloseDefWriter(archive, writer);
	}
	OTF2_Archive_CloseDefFiles(archive);
	write_definitions(archive, nr);
	return OTF2_Archive_Close(archive) == OTF2_SUCCESS && is_good;
}

/* ------------------------------------------------------------------------ bytes --- */

struct bytes {
	uint8_t *data;
	size_t size, room;
};

static void put(struct bytes *bytes, const void *data, size_t size)
{
	if (bytes->size + size > bytes->room) {
		bytes->room = 2 * (bytes->size + size) + CHUNK;
		bytes->data = realloc(bytes->data, bytes->room);
	}
	if (size > 0)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static void put_byte(struct bytes *bytes, uint8_t byte)
{
	put(bytes, &byte, 1);
}

static struct bytes load(const char *path)
{
	FILE *file = fopen(path, "rbe");
	uint8_t piece[4096];
	struct bytes bytes = {NULL, 0, 0};

	for (size_t nr; file && (nr = fread(piece, 1, sizeof(piece), file)) > 0;)
		put(&bytes, piece, nr);
	if (file)
		fclose(file);
	return bytes;
}

static void store(const char *path, const struct bytes *bytes)
{
	FILE *file = fopen(path, "wbe");

	if (!file || fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file) != 0)
		abort();
}

off_t t_file_size(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_size : -1;
}

/* --------------------------------------------------------------------- rewriting --- */

struct rewriter {
	const struct t_rewriting *how;
	const uint8_t *at; /* in the file as it was */
	struct bytes record, file;
	size_t chunk; /* where it begins in the new file */
	uint64_t nr;
};

/* So many bytes of a number, which was little endian. */
static void copy_number(struct rewriter *rewriter, size_t size)
{
	for (size_t i = 0; i < size; i++)
		put_byte(&rewriter->record,
			rewriter->at[rewriter->how->is_big ? size - 1 - i : i]);
	rewriter->at += size;
}

static uint64_t copy_compressed(struct rewriter *rewriter)
{
	const uint8_t length = *rewriter->at++;
	uint64_t value = 0;

	put_byte(&rewriter->record, length);
	if (length == UINT8_MAX)
		return UINT64_MAX;
	memcpy(&value, rewriter->at, length);
	copy_number(rewriter, length);
	return value;
}

static void put_number(struct rewriter *rewriter, struct bytes *bytes, uint64_t number)
{
	if (rewriter->how->is_big)
		number = __builtin_bswap64(number);
	put(bytes, &number, sizeof(number));
}

static uint64_t take_length(struct rewriter *rewriter)
{
	uint64_t length = *rewriter->at++;

	if (length == UINT8_MAX) {
		memcpy(&length, rewriter->at, sizeof(length));
		rewriter->at += sizeof(length);
	}
	return length;
}

static void begin_chunk(struct rewriter *rewriter)
{
	rewriter->chunk = rewriter->file.size;
	put_byte(&rewriter->file, CHUNK_HEADER);
	put_byte(&rewriter->file, rewriter->how->is_big ? 0x23 : 0x42);
	put_number(rewriter, &rewriter->file, rewriter->nr + 1);
	put_number(rewriter, &rewriter->file, 0);
}

/* Puts what is in `record` behind the others. */
static void end_record(struct rewriter *rewriter)
{
	if (rewriter->file.size - rewriter->chunk + rewriter->record.size >= CHUNK) {
		while (rewriter->file.size - rewriter->chunk < CHUNK)
			put_byte(&rewriter->file, END_OF_CHUNK);
		begin_chunk(rewriter);
	}
	put(&rewriter->file, rewriter->record.data, rewriter->record.size);
	rewriter->record.size = 0;
}

static void copy_attribute(struct rewriter *rewriter)
{
	OTF2_Type type;

	copy_compressed(rewriter);
	type = *rewriter->at++;
	put_byte(&rewriter->record, type);
	switch (type) {
	case OTF2_TYPE_UINT8:
	case OTF2_TYPE_INT8:
		copy_number(rewriter, 1);
		break;
	case OTF2_TYPE_UINT16:
	case OTF2_TYPE_INT16:
		copy_number(rewriter, 2);
		break;
	case OTF2_TYPE_FLOAT:
		copy_number(rewriter, 4);
		break;
	case OTF2_TYPE_DOUBLE:
		copy_number(rewriter, 8);
		break;
	default:
		copy_compressed(rewriter);
	}
}

static void copy_fields(struct rewriter *rewriter, const struct measure_record_format *format)
{
	uint64_t value = 0;

	for (uint8_t i = 0; i < format->nr_fields; i++)
		switch (format->fields[i].type) {
		case MEASURE_FIELD_U8:
			value = *rewriter->at;
			copy_number(rewriter, 1);
			break;
		case MEASURE_FIELD_TIME:
			copy_number(rewriter, 8);
			break;
		case MEASURE_FIELD_U32S:
			for (; value > 0; value--)
				copy_compressed(rewriter);
			break;
		case MEASURE_FIELD_VALUES:
			for (; value > 0; value--) {
				copy_number(rewriter, 1);
				copy_compressed(rewriter);
			}
			break;
		default:
			value = copy_compressed(rewriter);
		}
}

/* What is in `record` from `start` on, with its number and its length before it. */
static void put_head(struct rewriter *rewriter, size_t start, uint8_t number)
{
	struct bytes head = {NULL, 0, 0};
	const size_t length = rewriter->record.size - start;

	put(&head, rewriter->record.data, start);
	put_byte(&head, number);
	if (length < UINT8_MAX && !(rewriter->how->has_more && draw(100) == 0)) {
		put_byte(&head, (uint8_t)length);
	} else {
		put_byte(&head, UINT8_MAX);
		put_number(rewriter, &head, length);
	}
	put(&head, rewriter->record.data + start, length);
	free(rewriter->record.data);
	rewriter->record = head;
}

static void put_more(struct rewriter *rewriter)
{
	for (uint64_t nr = draw(20) ? draw(10) : draw(400); nr > 0; nr--)
		put_byte(&rewriter->record, (uint8_t)draw_number());
}

static void copy_sized(struct rewriter *rewriter, uint8_t number)
{
	const size_t start = rewriter->record.size;
	const uint64_t length = take_length(rewriter);
	const uint8_t *end = rewriter->at + length;

	if (number == ATTRIBUTES)
		for (uint64_t nr = copy_compressed(rewriter); nr > 0; nr--)
			copy_attribute(rewriter);
	for (int kind = 0; kind < MEASURE_EVENT_UNKNOWN; kind++)
		if (measure_record_formats[kind].number == number)
			copy_fields(rewriter, &measure_record_formats[kind]);
	if (rewriter->at != end)
		abort();
	if (rewriter->how->has_more && number != ATTRIBUTES && draw(3) == 0)
		put_more(rewriter);
	put_head(rewriter, start, number);
}

static bool has_length(uint8_t number)
{
	for (int kind = 0; kind < MEASURE_EVENT_UNKNOWN; kind++)
		if (measure_record_formats[kind].number == number)
			return measure_record_formats[kind].has_length;
	return true;
}

static void copy_record(struct rewriter *rewriter, uint8_t number)
{
	if (rewriter->how->has_more && draw(5) == 0) {
		const size_t start = rewriter->record.size;

		put_more(rewriter);
		put_head(rewriter, start, (uint8_t)(100 + draw(156)));
		rewriter->nr++;
		end_record(rewriter);
	}
	if (has_length(number)) {
		copy_sized(rewriter, number);
	} else {
		put_byte(&rewriter->record, number);
		copy_compressed(rewriter);
	}
	rewriter->nr++;
	end_record(rewriter);
}

void t_file_rewrite(const char *path, const struct t_rewriting *rewriting)
{
	struct bytes file = load(path);
	struct rewriter rewriter = {.how = rewriting, .at = file.data + HEADER};
	uint8_t number;

	state = file.size;
	begin_chunk(&rewriter);
	while ((number = *rewriter.at++) != END_OF_FILE) {
		if (number == END_OF_CHUNK) {
			const size_t chunk = (size_t)(rewriter.at - 1 - file.data) / CHUNK + 1;

			rewriter.at = file.data + chunk * CHUNK + HEADER;
		} else if (number == TIMESTAMP) {
			put_byte(&rewriter.record, number);
			copy_number(&rewriter, 8);
		} else if (number == ATTRIBUTES) {
			copy_sized(&rewriter, number);
		} else {
			copy_record(&rewriter, number);
		}
	}
	put_byte(&rewriter.file, END_OF_FILE);
	put_byte(&rewriter.file, 1);
	store(path, &rewriter.file);
	free(rewriter.file.data);
	free(rewriter.record.data);
	free(file.data);
}

/* ------------------------------------------------------------------------ damage --- */

static struct bytes kept;
static char kept_path[200];

/* Bytes that mean something come more often than others, and places near the beginning, the end, and
 * the ends of chunks. */
static void damage_bytes(struct bytes *bytes)
{
	static const uint8_t special[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x23, 0x42, 0x7f, 0x80, 0xfe, 0xff};

	for (uint64_t nr = 1 + draw(6); nr > 0 && bytes->size > 1; nr--) {
		size_t at = draw(bytes->size), from = draw(bytes->size), most;

		if (draw(3) == 0)
			at = draw(2) ? draw(64) % bytes->size : bytes->size - 1 - draw(64) % bytes->size;
		else if (bytes->size > CHUNK && draw(3) == 0)
			at = CHUNK - 100 + draw(200);
		most = bytes->size - (at > from ? at : from);
		switch (draw(8)) {
		case 0:
		case 1:
			bytes->data[at] = special[draw(sizeof(special))];
			break;
		case 2:
			bytes->data[at] = (uint8_t)(10 + draw(90)); /* a record */
			break;
		case 3:
			bytes->data[at] ^= (uint8_t)(1 << draw(8));
			break;
		case 4:
			bytes->data[at] = (uint8_t)draw(256);
			break;
		case 5:
			memmove(bytes->data + at, bytes->data + from, draw(most < 300 ? most : 300) + 1);
			break;
		case 6:
			memset(bytes->data + at, special[draw(sizeof(special))],
				draw(most < 30 ? most : 30) + 1);
			break;
		default:
			bytes->size = draw(4) ? bytes->size : at + 1;
		}
	}
}

void t_files_damage(const char *directory, uint64_t seed)
{
	struct bytes bytes;

	state = seed;
	snprintf(kept_path, sizeof(kept_path), "%s/traces/%d.%s", directory, (int)draw(T_NR_FILES),
		draw(20) ? "evt" : "def");
	kept = load(kept_path);
	bytes = load(kept_path);
	if (bytes.size > 0)
		damage_bytes(&bytes);
	store(kept_path, &bytes);
	free(bytes.data);
}

void t_files_restore(const char *directory)
{
	(void)directory;
	store(kept_path, &kept);
	free(kept.data);
}
