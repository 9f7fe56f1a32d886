/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files of all processes, what they were opened by, and the interfaces that were used. A file is
 * one where its path and its scope are: a node, or the whole machine. A handle is one where its
 * members know a key. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "adapter.h"
#include "unify.h"

#define MACHINE 0 /* id of the root node */

struct unify_io_io {
	struct measure_unified *unified;
	struct measure_intern files;
	struct measure_intern handles;
	bool is_used[MEASURE_NR_IO_PARADIGMS];
	const char *versions[MEASURE_NR_IO_PARADIGMS];
};

struct handle_key {
	uint64_t high;
	uint64_t low;
	uint64_t process; /* whose own it is, UINT64_MAX: it has a key */
	uint64_t id;
};

static const struct {
	const char *identification;
	const char *name;
	uint8_t class;
	uint32_t flags;
} paradigms[MEASURE_NR_IO_PARADIGMS] = {
#define IO_PARADIGM(NAME, identification, name, class, flags)                                      \
	{identification, name, OTF2_IO_PARADIGM_CLASS_##class, OTF2_IO_PARADIGM_FLAG_##flags},
#include "io_paradigms.def"
#undef IO_PARADIGM
};

static uint32_t text(struct unify_io_io *io, const char *given)
{
	return measure_unify_string(io->unified, given ? given : "");
}

static uint32_t global_id(const measure_id_map_t *map, uint32_t local)
{
	return local < map->nr ? map->items[local] : MEASURE_NO_ID;
}

/* The first version that was said is that of all processes. */
static void use_paradigm(struct unify_io_io *io, uint32_t id, const char *version)
{
	if (id >= MEASURE_NR_IO_PARADIGMS)
		return;
	io->is_used[id] = true;
	if (!io->versions[id] && version && *version)
		io->versions[id] = version;
}

/* Events name paradigms by our numbers, and readers want those to be without a gap: so all that
 * come before one that is used are defined as well. */
static void add_paradigms(struct unify_io_io *io)
{
	uint32_t nr = MEASURE_NR_IO_PARADIGMS;

	while (nr > 0 && !io->is_used[nr - 1])
		nr--;
	for (uint32_t id = 0; id < nr; id++) {
		struct measure_otf2_io_paradigm paradigm = {(uint8_t)id,
			text(io, paradigms[id].identification), text(io, paradigms[id].name),
			paradigms[id].class, paradigms[id].flags, text(io, io->versions[id])};
		measure_unify_push(io->unified, &io->unified->definitions.io_paradigms, paradigm);
	}
}

static uint32_t put_file(
	struct unify_io_io *io, size_t process, const struct measure_def_io_file *from)
{
	const uint32_t node = io->unified->definitions.processes.items[process].host;
	const struct measure_otf2_io_file file = {text(io, from->path),
		from->is_shared ? MACHINE : node, text(io, from->file_system)};
	const uint32_t key[] = {file.name, file.node};

	return measure_unify_put(
		io->unified, &io->files, key, &io->unified->definitions.io_files, file);
}

/* What processes of two nodes have opened together is one file, whatever its file system seems to
 * be on each. */
static void widen(struct unify_io_io *io, uint32_t handle, uint32_t file)
{
	struct measure_archive_definitions *definitions = &io->unified->definitions;
	uint32_t first = handle < definitions->io_handles.nr
				 ? definitions->io_handles.items[handle].file
				 : MEASURE_NO_ID;

	if (first != file && first < definitions->io_files.nr)
		definitions->io_files.items[first].node = MACHINE;
}

static uint32_t put_handle(
	struct unify_io_io *io, size_t process, const struct measure_def_io_handle *from)
{
	const struct measure_local_definitions *local = &io->unified->locals.items[process];
	const bool has_key = from->key_high || from->key_low;
	const struct measure_otf2_io_handle handle = {text(io, from->name),
		global_id(&local->io_files, from->file), (uint8_t)from->paradigm, from->flags,
		global_id(&local->comms, from->comm), global_id(&local->io_handles, from->parent),
		(uint8_t)from->access, from->status_flags};
	const struct handle_key key = {from->key_high, from->key_low,
		has_key ? UINT64_MAX : process, has_key ? 0 : from->id};
	bool is_new;
	const uint32_t id =
		measure_unify_intern(io->unified, &io->handles, &key, sizeof(key), &is_new);

	use_paradigm(io, from->paradigm, NULL);
	if (is_new)
		measure_unify_push(io->unified, &io->unified->definitions.io_handles, handle);
	else
		widen(io, id, handle.file);
	return id;
}

static void unify_part(struct unify_io_io *io, size_t process)
{
	const struct measure_part *part = io->unified->job->processes.items[process].part;
	struct measure_local_definitions *local = &io->unified->locals.items[process];

	for (size_t i = 0; i < part->io_paradigms.nr; i++)
		use_paradigm(io, part->io_paradigms.items[i].paradigm,
			part->io_paradigms.items[i].version);
	for (size_t i = 0; i < part->io_files.nr; i++)
		measure_unify_push(io->unified, &local->io_files,
			put_file(io, process, &part->io_files.items[i]));
	for (size_t i = 0; i < part->io_handles.nr; i++)
		measure_unify_push(io->unified, &local->io_handles,
			put_handle(io, process, &part->io_handles.items[i]));
}

void measure_unify_io(struct measure_unified *unified)
{
	struct unify_io_io io = {.unified = unified};

	for (size_t i = 0; i < unified->job->processes.nr && unified->status == MEASURE_OK; i++)
		if (unified->job->processes.items[i].part)
			unify_part(&io, i);
	add_paradigms(&io);
	if (unified->definitions.io_files.nr)
		unified->definitions.file_system = text(&io, "MEASURE::FILE_SYSTEM");
	measure_intern_free(&io.files);
	measure_intern_free(&io.handles);
}
