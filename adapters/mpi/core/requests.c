/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The request map: a table with open addressing whose slots head chains of nodes, newest
 * first (several requests may share a handle). Nodes lie in one array and are named by
 * index; table and array grow and shrink together, so each operation costs O(1) amortised.
 *
 * Their memory is mapped, not allocated: it goes back to the system when the map shrinks, and the
 * program's allocator does not learn from its size. */
#include "config.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "requests.h"

#define NR_MIN  1024u /* nodes; untouched ones take no memory */
#define NO_NODE 0u    /* the first one is never used, so that empty slots are zero */

/* One cache line. */
struct request_node {
	uint64_t handle;
	uint64_t number; /* of its adding; see the horizon */
	struct measure_request request;
	uint32_t older; /* next in chain, or next free node */
};
_Static_assert(sizeof(struct request_node) <= 64, "one look at a request is one cache miss");

/* The hash tells most nodes apart without a look at them. */
struct request_slot {
	uint32_t newest;
	uint32_t hash; /* of the handle; its low bits are the slot's home */
};

/* nr_slots is a power of two and twice the number of nodes, so a slot is always empty. */
struct request_map {
	uint32_t nr_slots;
	uint32_t nr_used;
	uint32_t nr_fresh; /* nodes up to here have been used */
	uint32_t free;     /* head of those of them that are free */
	struct request_slot *slots;
	struct request_node *nodes;
};

bool measure_mpi_is_multiple;

static struct request_map map;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic uint64_t nr_ids;
static _Atomic uint64_t nr_added;
static _Atomic uint32_t nr_live; /* map.nr_used, readable without the lock */

static void map_lock(void)
{
	measure_mpi_lock(&lock);
}

static void map_unlock(void)
{
	measure_mpi_unlock(&lock);
}

/* A plain increment where one thread at a time calls MPI: a locked one costs 5 ns more. */
static uint64_t counter_add(_Atomic uint64_t *counter, uint64_t by)
{
	uint64_t value;

	if (measure_mpi_is_multiple)
		return atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
	value = atomic_load_explicit(counter, memory_order_relaxed);
	atomic_store_explicit(counter, value + by, memory_order_relaxed);
	return value;
}

uint64_t measure_request_new_id(void)
{
	return counter_add(&nr_ids, 1);
}

uint64_t measure_request_new_pair(void)
{
	return counter_add(&nr_ids, 2);
}

uint64_t measure_request_horizon(void)
{
	return atomic_load_explicit(&nr_added, memory_order_relaxed);
}

bool measure_request_is_any(void)
{
	return atomic_load_explicit(&nr_live, memory_order_relaxed) != 0;
}

/* Handles are addresses or small numbers; the product spreads both over the upper bits. */
static uint32_t handle_hash(uint64_t handle)
{
	return (uint32_t)((handle * 0x9e3779b97f4a7c15u) >> 32);
}

/* The slot that heads the handle's chain, or the empty one where it would. */
static struct request_slot *map_find_slot(const struct request_map *m, uint64_t handle)
{
	const uint32_t mask = m->nr_slots - 1;
	const uint32_t hash = handle_hash(handle);
	struct request_slot *slot = &m->slots[hash & mask];

	for (uint32_t i = hash + 1; slot->newest != NO_NODE; i++) {
		if (slot->hash == hash && m->nodes[slot->newest].handle == handle)
			break;
		slot = &m->slots[i & mask];
	}
	return slot;
}

static struct request_slot *map_find_empty_slot(const struct request_map *m, uint32_t hash)
{
	while (m->slots[hash & (m->nr_slots - 1)].newest != NO_NODE)
		hash++;
	return &m->slots[hash & (m->nr_slots - 1)];
}

static size_t map_nodes_size(uint32_t nr_slots)
{
	return nr_slots / 2 * sizeof(struct request_node);
}

/* Zeros; NULL: memory is short. `flags`: MAP_POPULATE where all of it will be touched at once. */
static void *map_get_pages(size_t size, int flags)
{
	void *memory = mmap(
		NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static bool map_open(struct request_map *m, uint32_t nr_slots)
{
	*m = (struct request_map){.nr_slots = nr_slots};
	m->slots = map_get_pages(nr_slots * sizeof(*m->slots), 0);
	m->nodes = map_get_pages(map_nodes_size(nr_slots), 0);
	if (m->slots && m->nodes)
		return true;
	if (m->slots)
		munmap(m->slots, nr_slots * sizeof(*m->slots));
	if (m->nodes)
		munmap(m->nodes, map_nodes_size(nr_slots));
	return false;
}

static void map_close(struct request_map *m)
{
	munmap(m->slots, m->nr_slots * sizeof(*m->slots));
	munmap(m->nodes, map_nodes_size(m->nr_slots));
}

/* A node that is free; there is one. */
static uint32_t map_take_node(struct request_map *m)
{
	const uint32_t node = m->free;

	if (node == NO_NODE)
		return ++m->nr_fresh;
	m->free = m->nodes[node].older;
	return node;
}

/* Twice the size: nodes keep their numbers, so that those made together stay together. False
 * where memory is short: the map stays as it is. */
static bool map_grow(void)
{
	struct request_map grown = map;
	struct request_node *nodes;

	if (!map.nr_slots)
		return map_open(&map, 2 * NR_MIN);
	grown.nr_slots = 2 * map.nr_slots;
	grown.slots = map_get_pages(grown.nr_slots * sizeof(*grown.slots), MAP_POPULATE);
	if (!grown.slots)
		return false;
	nodes = mremap(map.nodes, map_nodes_size(map.nr_slots), map_nodes_size(grown.nr_slots),
		MREMAP_MAYMOVE);
	if (nodes == MAP_FAILED) {
		munmap(grown.slots, grown.nr_slots * sizeof(*grown.slots));
		return false;
	}
	grown.nodes = nodes;
	for (uint32_t i = 0; i < map.nr_slots; i++)
		if (map.slots[i].newest != NO_NODE)
			*map_find_empty_slot(&grown, map.slots[i].hash) = map.slots[i];
	munmap(map.slots, map.nr_slots * sizeof(*map.slots));
	map = grown;
	return true;
}

/* Copies the chain of a slot into another map, order kept. */
static void map_copy_chain(
	const struct request_map *from, const struct request_slot *slot, struct request_map *to)
{
	struct request_slot *copy = map_find_empty_slot(to, slot->hash);
	uint32_t *link = &copy->newest;

	copy->hash = slot->hash;
	for (uint32_t i = slot->newest; i != NO_NODE; i = from->nodes[i].older) {
		*link = map_take_node(to);
		to->nodes[*link] = from->nodes[i];
		link = &to->nodes[*link].older;
		to->nr_used++;
	}
	*link = NO_NODE;
}

/* A quarter of the size. */
static void map_shrink(void)
{
	struct request_map shrunk;

	if (!map_open(&shrunk, map.nr_slots / 4))
		return;
	for (uint32_t i = 0; i < map.nr_slots; i++)
		if (map.slots[i].newest != NO_NODE)
			map_copy_chain(&map, &map.slots[i], &shrunk);
	map_close(&map);
	map = shrunk;
}

static void map_add(uint64_t handle, const struct measure_request *request)
{
	struct request_slot *slot;
	uint32_t node;

	if (map.nr_used + 1 >= map.nr_slots / 2 && !map_grow())
		return;
	slot = map_find_slot(&map, handle);
	node = map_take_node(&map);
	map.nodes[node] = (struct request_node){
		.handle = handle,
		.number = counter_add(&nr_added, 1),
		.request = *request,
		.older = slot->newest,
	};
	*slot = (struct request_slot){node, handle_hash(handle)};
	atomic_store_explicit(&nr_live, ++map.nr_used, memory_order_relaxed);
}

void measure_request_add(MPI_Request handle, const struct measure_request *request)
{
	map_lock();
	map_add((uint64_t)(uintptr_t)handle, request);
	map_unlock();
}

/* Empties a slot and moves the following ones up, so that no search meets a gap. */
static void map_remove_slot(uint32_t gap)
{
	const uint32_t mask = map.nr_slots - 1;

	for (uint32_t next = (gap + 1) & mask; map.slots[next].newest != NO_NODE;
		next = (next + 1) & mask) {
		if (((next - map.slots[next].hash) & mask) >= ((next - gap) & mask)) {
			map.slots[gap] = map.slots[next];
			gap = next;
		}
	}
	map.slots[gap].newest = NO_NODE;
}

/* The link to the newest node of a handle below the horizon; NULL: none. */
static uint32_t *map_find_link(uint64_t handle, uint64_t horizon, struct request_slot **slot)
{
	uint32_t *link;

	if (map.nr_used == 0)
		return NULL;
	*slot = map_find_slot(&map, handle);
	link = &(*slot)->newest;
	while (*link != NO_NODE && map.nodes[*link].number >= horizon)
		link = &map.nodes[*link].older;
	return *link == NO_NODE ? NULL : link;
}

static bool map_take(uint64_t handle, uint64_t horizon, struct measure_request *request)
{
	struct request_slot *slot;
	uint32_t *link = map_find_link(handle, horizon, &slot);
	uint32_t node;

	if (!link)
		return false;
	node = *link;
	*request = map.nodes[node].request;
	*link = map.nodes[node].older;
	if (slot->newest == NO_NODE)
		map_remove_slot((uint32_t)(slot - map.slots));
	map.nodes[node].older = map.free;
	map.free = node;
	atomic_store_explicit(&nr_live, --map.nr_used, memory_order_relaxed);
	if (map.nr_slots > 2 * NR_MIN && map.nr_used < map.nr_slots / 16)
		map_shrink();
	return true;
}

bool measure_request_take(MPI_Request handle, uint64_t horizon, struct measure_request *request)
{
	bool is_found;

	map_lock();
	is_found = map_take((uint64_t)(uintptr_t)handle, horizon, request);
	map_unlock();
	return is_found;
}

/* Requests and messages share the map; no handle of a request has this bit. */
static uint64_t handle_of_message(MPI_Message message)
{
	return (uint64_t)(uintptr_t)message ^ 1ull << 63;
}

void measure_message_add(MPI_Message message, const struct measure_request *receive)
{
	map_lock();
	map_add(handle_of_message(message), receive);
	map_unlock();
}

bool measure_message_take(MPI_Message message, struct measure_request *receive)
{
	bool is_found;

	map_lock();
	is_found = map_take(handle_of_message(message), UINT64_MAX, receive);
	map_unlock();
	return is_found;
}

/* The newest request of a handle below the horizon; NULL: none. */
static struct measure_request *map_find_request(MPI_Request handle, uint64_t horizon)
{
	struct request_slot *slot;
	const uint32_t *link = map_find_link((uint64_t)(uintptr_t)handle, horizon, &slot);

	return link ? &map.nodes[*link].request : NULL;
}

bool measure_request_look_up(MPI_Request handle, struct measure_request *request)
{
	const struct measure_request *found;
	bool is_found;

	map_lock();
	found = map_find_request(handle, UINT64_MAX);
	is_found = found && found->is_persistent;
	if (is_found)
		*request = *found;
	map_unlock();
	return is_found;
}

bool measure_request_peek(MPI_Request handle, struct measure_request *request)
{
	const struct measure_request *found;
	bool is_found;

	map_lock();
	found = map_find_request(handle, UINT64_MAX);
	is_found = found && (found->is_active || !found->is_persistent);
	if (is_found)
		*request = *found;
	map_unlock();
	return is_found;
}

void measure_request_activate(MPI_Request handle, bool is_recorded)
{
	struct measure_request *request;

	map_lock();
	request = map_find_request(handle, UINT64_MAX);
	if (request && request->is_persistent) {
		request->is_active = true;
		request->is_cancelled = false;
		request->is_silent = !is_recorded;
	}
	map_unlock();
}

bool measure_request_finish(MPI_Request handle, uint64_t horizon, struct measure_request *request)
{
	struct measure_request *found;
	bool is_found;

	map_lock();
	found = map_find_request(handle, horizon);
	is_found = found && found->is_persistent && found->is_active;
	if (is_found) {
		*request = *found;
		found->is_active = false;
	}
	map_unlock();
	return is_found;
}

static bool request_is_open(const struct measure_request *request)
{
	return !request->is_silent && (request->is_active || !request->is_persistent) &&
	       request->kind != MEASURE_REQUEST_IDUP;
}

bool measure_request_is_open(MPI_Request handle)
{
	const struct measure_request *found;
	bool result;

	map_lock();
	found = map_find_request(handle, UINT64_MAX);
	result = found && request_is_open(found);
	map_unlock();
	return result;
}

bool measure_request_settle(MPI_Request handle, struct measure_request *request)
{
	struct measure_request *found;
	bool is_found;

	map_lock();
	found = map_find_request(handle, UINT64_MAX);
	is_found = found && request_is_open(found);
	if (is_found) {
		*request = *found;
		found->is_silent = true;
	}
	map_unlock();
	return is_found;
}

void measure_request_mark_cancelled(MPI_Request handle)
{
	struct measure_request *request;

	map_lock();
	request = map_find_request(handle, UINT64_MAX);
	if (request)
		request->is_cancelled = true;
	map_unlock();
}
