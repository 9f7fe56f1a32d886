/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Table of communicators by handle: open addressing over pointers to entries. Readers take
 * no lock. Writers (creation and freeing, both slow calls in MPI) take one, and may move
 * entries while readers look: a reader may miss an entry, but never finds a wrong one, and
 * after a miss it looks again under the lock. Entries and outgrown tables are never returned
 * to the system while a reader could hold them: entries are used again, and outgrown tables
 * together are smaller than the present one. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>

#include <otf2/OTF2_GeneralDefinitions.h>

#include "communicators.h"
#include "identity.h"

#define NR_SLOTS_MIN 64u

struct table {
	uint32_t mask;
	struct table *outgrown;
	_Atomic(struct measure_communicator *) slots[];
};

struct measure_communicator *measure_communicator_world;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct table *) current;
static struct measure_communicator *unused;
static uint32_t nr_entries;

static uint64_t handle_of(MPI_Comm comm)
{
	return (uint64_t)(uintptr_t)comm;
}

static uint32_t home_slot(const struct table *table, uint64_t handle)
{
	return (uint32_t)((handle * 0x9e3779b97f4a7c15u) >> 32) & table->mask;
}

/* At least half of the slots are empty, but a reader may follow entries that move. */
static struct measure_communicator *table_find(struct table *table, uint64_t handle)
{
	uint32_t slot = home_slot(table, handle);

	for (uint32_t n = 0; n <= table->mask; n++) {
		struct measure_communicator *entry =
			atomic_load_explicit(&table->slots[slot], memory_order_acquire);

		if (!entry)
			return NULL;
		/* Pairs with the release in entry_publish(). */
		if (atomic_load_explicit(&entry->handle, memory_order_acquire) == handle)
			return entry;
		slot = (slot + 1) & table->mask;
	}
	return NULL;
}

static struct measure_communicator *find_locked(uint64_t handle)
{
	struct table *table = atomic_load_explicit(&current, memory_order_relaxed);

	return table ? table_find(table, handle) : NULL;
}

static struct measure_communicator *find_again_slow(uint64_t handle)
{
	struct measure_communicator *entry;

	pthread_mutex_lock(&lock);
	entry = find_locked(handle);
	pthread_mutex_unlock(&lock);
	return entry;
}

const struct measure_communicator *measure_communicator_lookup(MPI_Comm comm)
{
	const uint64_t handle = handle_of(comm);
	/* Pairs with the release in grow_table(). */
	struct table *table = atomic_load_explicit(&current, memory_order_acquire);
	struct measure_communicator *entry = table ? table_find(table, handle) : NULL;

	return entry ? entry : find_again_slow(handle);
}

static void table_insert(struct table *table, struct measure_communicator *entry, uint64_t handle)
{
	uint32_t slot = home_slot(table, handle);

	while (atomic_load_explicit(&table->slots[slot], memory_order_relaxed))
		slot = (slot + 1) & table->mask;
	/* Pairs with the acquire in table_find(): the entry is filled before it is seen. */
	atomic_store_explicit(&table->slots[slot], entry, memory_order_release);
}

/* Empties the entry's slot and moves the following ones up, so that no search meets a gap. */
static void table_remove(
	struct table *table, const struct measure_communicator *entry, uint64_t handle)
{
	uint32_t gap = home_slot(table, handle);

	while (atomic_load_explicit(&table->slots[gap], memory_order_relaxed) != entry)
		gap = (gap + 1) & table->mask;
	for (uint32_t next = (gap + 1) & table->mask;; next = (next + 1) & table->mask) {
		struct measure_communicator *moved =
			atomic_load_explicit(&table->slots[next], memory_order_relaxed);
		uint32_t home;

		if (!moved)
			break;
		home = home_slot(table, atomic_load_explicit(&moved->handle, memory_order_relaxed));
		if (((next - home) & table->mask) < ((next - gap) & table->mask))
			continue;
		atomic_store_explicit(&table->slots[gap], moved, memory_order_release);
		gap = next;
	}
	atomic_store_explicit(&table->slots[gap], NULL, memory_order_release);
}

/* Makes room for one more entry. */
static bool grow_table(void)
{
	struct table *old = atomic_load_explicit(&current, memory_order_relaxed);
	const uint32_t nr_old = old ? old->mask + 1 : 0;
	const uint32_t nr_slots = old ? 2 * nr_old : NR_SLOTS_MIN;
	struct table *table;

	if (2 * (nr_entries + 1) <= nr_old)
		return true;
	table = calloc(1, sizeof(*table) + nr_slots * sizeof(table->slots[0]));
	if (!table)
		return false;
	table->mask = nr_slots - 1;
	table->outgrown = old;
	for (uint32_t i = 0; i < nr_old; i++) {
		struct measure_communicator *entry =
			atomic_load_explicit(&old->slots[i], memory_order_relaxed);

		if (entry)
			table_insert(table, entry,
				atomic_load_explicit(&entry->handle, memory_order_relaxed));
	}
	/* Pairs with the acquire in measure_communicator_lookup(). */
	atomic_store_explicit(&current, table, memory_order_release);
	return true;
}

static void remove_locked(struct measure_communicator *entry)
{
	table_remove(atomic_load_explicit(&current, memory_order_relaxed), entry,
		atomic_load_explicit(&entry->handle, memory_order_relaxed));
	atomic_store_explicit(&entry->handle, handle_of(MPI_COMM_NULL), memory_order_relaxed);
	measure_children_free(&entry->children);
	entry->next = unused;
	unused = entry;
	nr_entries--;
}

static struct measure_communicator *take_unused(void)
{
	struct measure_communicator *entry = unused;

	if (entry)
		unused = entry->next;
	else
		entry = calloc(1, sizeof(*entry));
	return entry;
}

/* Copies all but the handle, which is stored last: a reader that still holds this entry from
 * an earlier use must not find the new communicator half filled. */
static struct measure_communicator *entry_publish(
	const struct measure_communicator *filled, uint64_t handle)
{
	struct measure_communicator *stale = find_locked(handle);
	struct measure_communicator *entry;

	if (stale) /* freed by a call that we did not see */
		remove_locked(stale);
	if (!grow_table())
		return NULL;
	entry = take_unused();
	if (!entry)
		return NULL;
	entry->id = filled->id;
	entry->rank = filled->rank;
	entry->size = filled->size;
	entry->key = filled->key;
	entry->children = (struct measure_children){0};
	atomic_store_explicit(&entry->handle, handle, memory_order_release);
	table_insert(atomic_load_explicit(&current, memory_order_relaxed), entry, handle);
	nr_entries++;
	return entry;
}

/* Defines a communicator of the size and with this process's rank of `comm`. */
static bool define(
	const struct measure_comm_info *info, MPI_Comm comm, struct measure_communicator *filled)
{
	int rank = 0;
	int size = 0;

	PMPI_Comm_rank(comm, &rank);
	PMPI_Comm_size(comm, &size);
	filled->key = info->key;
	filled->rank = (uint32_t)rank;
	filled->size = (uint32_t)size;
	filled->id = measure_comm_define(info);
	return filled->id != MEASURE_UNDEFINED;
}

static struct measure_communicator *publish(
	const struct measure_communicator *filled, MPI_Comm comm)
{
	struct measure_communicator *entry;

	pthread_mutex_lock(&lock);
	entry = entry_publish(filled, handle_of(comm));
	pthread_mutex_unlock(&lock);
	return entry;
}

static struct measure_communicator *define_and_publish(
	const struct measure_comm_info *info, MPI_Comm comm)
{
	struct measure_communicator filled;

	return define(info, comm, &filled) ? publish(&filled, comm) : NULL;
}

measure_status_t measure_communicator_open_world(struct measure_comm_key world)
{
	struct measure_comm_info info = {
		.kind = MEASURE_COMM_WORLD,
		.name = "MPI_COMM_WORLD",
		.key = world,
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_MPI,
	};
	struct measure_communicator *entry = define_and_publish(&info, MPI_COMM_WORLD);

	if (!entry)
		return MEASURE_ERROR_MEMORY;
	info.kind = MEASURE_COMM_SELF;
	info.name = "MPI_COMM_SELF";
	info.key = measure_identity_of_self(world, entry->rank);
	define_and_publish(&info, MPI_COMM_SELF);
	measure_communicator_world = entry;
	return measure_identity_open_world();
}

/* The key, and the count of the parent's children that it includes. */
static bool name_child(MPI_Comm parent, int tag, const struct measure_members *members,
	struct measure_comm_info *info)
{
	const uint64_t kinship = measure_identity_kinship(members, tag);
	struct measure_communicator *entry;
	uint64_t nr_before = 0;
	bool is_counted = false;

	pthread_mutex_lock(&lock);
	entry = find_locked(handle_of(parent));
	if (entry) {
		is_counted = measure_children_count(&entry->children, kinship, &nr_before);
		info->parent = entry->id;
		info->key = measure_identity_of_child(entry->key, kinship, nr_before);
	}
	pthread_mutex_unlock(&lock);
	return is_counted;
}

/* Defines a child of `parent` that has the members of `comm`. */
static bool define_child(
	MPI_Comm parent, int tag, MPI_Comm comm, struct measure_communicator *filled)
{
	struct measure_comm_info info = {
		.kind = MEASURE_COMM_GROUP,
		.paradigm = OTF2_PARADIGM_MPI,
	};
	struct measure_members members;
	bool is_defined;

	if (!measure_communicator_find(parent))
		return false;
	if (measure_members_get(comm, &members) != MEASURE_OK)
		return false;
	info.nr_members = members.nr;
	info.members = members.ranks;
	is_defined = name_child(parent, tag, &members, &info) && define(&info, comm, filled);
	measure_members_free(&members);
	return is_defined;
}

const struct measure_communicator *measure_communicator_add(MPI_Comm parent, int tag, MPI_Comm comm)
{
	struct measure_communicator filled;

	return define_child(parent, tag, comm, &filled) ? publish(&filled, comm) : NULL;
}

struct measure_communicator *measure_communicator_prepare_duplicate(MPI_Comm parent)
{
	struct measure_communicator *prepared = malloc(sizeof(*prepared));

	if (prepared && define_child(parent, MEASURE_COMM_NO_TAG, parent, prepared))
		return prepared;
	free(prepared);
	return NULL;
}

void measure_communicator_publish(struct measure_communicator *prepared, MPI_Comm comm)
{
	publish(prepared, comm);
	free(prepared);
}

void measure_communicator_discard(struct measure_communicator *prepared)
{
	free(prepared);
}

bool measure_communicator_remove(MPI_Comm comm, measure_comm_t *id)
{
	struct measure_communicator *entry = NULL;

	pthread_mutex_lock(&lock);
	if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF && comm != MPI_COMM_NULL)
		entry = find_locked(handle_of(comm));
	if (entry) {
		*id = entry->id;
		remove_locked(entry);
	}
	pthread_mutex_unlock(&lock);
	return entry != NULL;
}
