/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the clock offsets of a job of any number of clocks, in simulated time:
 *
 *	offset_tree --clocks 100000
 *	offset_tree --clocks 1000 --latency 1600 --asymmetry 5
 *
 * What measures is sync/online itself, one context for each rank; clocks and network are made up.
 * A message takes the latency of its pair of ranks and a random time more; nothing else
 * that is in the network delays it. A rank runs until it waits for a message that has not been
 * sent, so that the order in which ranks run makes no difference. */
#include "config.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <ucontext.h>

#include "base/hash.h"
#include "sync/online/offset.c"

#define STACK_SIZE  (128 * 1024)
#define FREQUENCY   1e9 /* of all clocks, as far as they know */
#define CLOCK_READ  20  /* ns that it takes to read a clock */
#define FIRST_TIME  1e12

static const char usage[] =
	"Usage: offset_tree [OPTION]...\n"
	"Measure the clock offsets of a job that never ran.\n"
	"\n"
	"  --clocks N          nodes, one rank of each [1000]\n"
	"  --latency NS        of the network, one way [1600]\n"
	"  --spread PERCENT    by which it differs from pair to pair [50]\n"
	"  --asymmetry PERCENT by which it differs from one direction to the other [2]\n"
	"  --jitter NS         that a message takes longer, on average [150]\n"
	"  --disturbed PERMILLE of messages, that take 20 us longer on average [10]\n"
	"  --drift PPM         of clocks, at most [50]\n"
	"  --skew NS           between the first and the last rank that comes [10000]\n"
	"  --seed N            [1]\n"
	"  --help\n";

struct message {
	struct message *next;
	uint32_t sender;
	double arrives;
	size_t bytes;
	char data[];
};

struct node {
	double now;    /* true time, ns */
	double offset; /* its clock shows offset + rate * true time */
	double rate;
	struct message *inbox, **inbox_end;
	uint32_t awaited; /* whose message it waits for */
	bool has_begun, has_ended, is_waiting;
	struct measure_clock_sample samples[2]; /* at the end of MPI_Init, and at a point later */
	int nr_samples;
	double ended[2];
	ucontext_t *context;
	void *stack;
};

static struct {
	uint32_t nr_clocks;
	double latency, spread, asymmetry, jitter, disturbed, drift, skew;
	uint64_t seed;
} options = {1000, 1600, 50, 2, 150, 10, 50, 10000, 1};

static struct node *nodes, *current;
static ucontext_t scheduler;
static void **free_stacks;
static size_t nr_free_stacks, nr_stacks;
static uint64_t nr_messages;

static void *zeroed(size_t nr, size_t size)
{
	void *items = calloc(nr, size);

	if (!items) {
		fprintf(stderr, "offset_tree: out of memory\n");
		exit(2);
	}
	return items;
}

/* ---------------------------------------------------------------------------- chance --- */

static uint64_t state;

/* 0 to 1, without 0 */
static double draw(void)
{
	return ((double)(measure_random(&state) >> 11) + 1) * 0x1p-53;
}

static double draw_exponential(double mean)
{
	return -mean * log(draw());
}

/* -1 to 1, the same for the same numbers */
static double fixed(uint64_t a, uint64_t b)
{
	uint64_t seed = options.seed ^ (a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);

	measure_random(&seed);
	return (double)(measure_random(&seed) >> 11) * 0x1p-52 - 1;
}

static double delay_of(uint32_t sender, uint32_t receiver)
{
	const uint32_t low = sender < receiver ? sender : receiver;
	const uint32_t high = sender < receiver ? receiver : sender;
	const double base = options.latency * (1 + options.spread / 100 * fixed(low, high));
	const double skew = options.asymmetry / 100 * fixed(high, low);
	double delay = base * (sender < receiver ? 1 + skew : 1 - skew);

	delay += draw_exponential(options.jitter);
	if (draw() < options.disturbed / 1000)
		delay += draw_exponential(20000);
	return delay;
}

/* ------------------------------------------------- what offset.c wants of lib/api --- */

measure_status_t measure_adapter_register(const struct measure_adapter *adapter)
{
	return adapter ? MEASURE_OK : MEASURE_ERROR_USAGE;
}

uint64_t measure_clock_now(void)
{
	current->now += CLOCK_READ;
	return (uint64_t)(current->offset + current->rate * current->now);
}

double measure_clock_frequency(void)
{
	return FREQUENCY;
}

uint64_t measure_clock_domain(void)
{
	return (uint64_t)(current - nodes);
}

void measure_clock_sample_define(const struct measure_clock_sample *sample)
{
	current->ended[current->nr_samples] = current->now;
	current->samples[current->nr_samples++] = *sample;
}

const char *measure_option_text(const char *name)
{
	(void)name;
	return NULL;
}

measure_region_t measure_region_define(const struct measure_region_info *info)
{
	(void)info;
	return 0;
}

struct measure_location *measure_record_begin(void)
{
	return NULL;
}

void measure_record_end(struct measure_location *location)
{
	(void)location;
}

void measure_write_enter(struct measure_location *location, measure_region_t of)
{
	(void)location, (void)of;
}

void measure_write_leave(struct measure_location *location, measure_region_t of)
{
	(void)location, (void)of;
}

/* --------------------------------------------------------------------------- network --- */

static measure_status_t network_send(
	void *context, const void *data, size_t bytes, uint32_t receiver)
{
	struct node *to = &nodes[receiver];
	struct message *message = zeroed(1, sizeof(*message) + bytes);

	(void)context;
	message->sender = (uint32_t)(current - nodes);
	message->arrives = current->now + delay_of(message->sender, receiver);
	message->bytes = bytes;
	memcpy(message->data, data, bytes);
	*to->inbox_end = message;
	to->inbox_end = &message->next;
	nr_messages++;
	return MEASURE_OK;
}

static struct message *node_take(struct node *node, uint32_t sender)
{
	for (struct message **link = &node->inbox; *link; link = &(*link)->next) {
		struct message *message = *link;

		if (message->sender != sender)
			continue;
		*link = message->next;
		if (!*link)
			node->inbox_end = link;
		return message;
	}
	return NULL;
}

/* Messages of one sender overtake each other no more than MPI lets them. */
static measure_status_t network_receive(void *context, void *data, size_t bytes, uint32_t sender)
{
	struct node *self = current;
	struct message *message;

	(void)context;
	while (!(message = node_take(self, sender))) {
		self->awaited = sender;
		self->is_waiting = true;
		swapcontext(self->context, &scheduler);
	}
	if (message->arrives > self->now)
		self->now = message->arrives;
	memcpy(data, message->data, message->bytes < bytes ? message->bytes : bytes);
	free(message);
	return MEASURE_OK;
}

/* -------------------------------------------------------------------------- schedule --- */

/* As at the end of MPI_Init, and at a point at which rank 0 finds that it is time. */
static void node_run(void)
{
	struct node *self = current;
	const struct measure_transport transport = {.rank = (uint32_t)(self - nodes),
		.size = options.nr_clocks,
		.send = network_send,
		.receive = network_receive,
		.world_rank = (uint32_t)(self - nodes)};
	struct measure_points points = {0, 1, 0};

	if (measure_offset(&transport, END_SECONDS) != MEASURE_OK ||
		hold_point(&transport, &points) != MEASURE_OK)
		exit(2);
	self->has_ended = true;
	swapcontext(self->context, &scheduler);
}

static void node_begin(struct node *node)
{
	if (nr_free_stacks) {
		node->stack = free_stacks[--nr_free_stacks];
	} else {
		node->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (node->stack == MAP_FAILED)
			exit(2);
		nr_stacks++;
	}
	node->context = zeroed(1, sizeof(*node->context));
	getcontext(node->context);
	node->context->uc_stack.ss_sp = node->stack;
	node->context->uc_stack.ss_size = STACK_SIZE;
	makecontext(node->context, node_run, 0);
	node->has_begun = true;
}

static void node_end(struct node *node)
{
	free_stacks[nr_free_stacks++] = node->stack;
	free(node->context);
	node->context = NULL;
}

/* Until it waits or has ended. Each rank sees its own number in what offset.c keeps. */
static void node_continue(struct node *node)
{
	if (!node->has_begun)
		node_begin(node);
	node->is_waiting = false;
	current = node;
	domains.mine = (uint32_t)(node - nodes);
	swapcontext(&scheduler, node->context);
	if (node->has_ended)
		node_end(node);
}

/* Who waits leads to who is waited for, up to the root of the tree. */
static void run_all(void)
{
	for (uint32_t i = 0; i < options.nr_clocks; i++) {
		struct node *node = &nodes[i];

		while (!nodes[i].has_ended) {
			node_continue(node);
			node = node->is_waiting ? &nodes[node->awaited] : &nodes[i];
		}
	}
}

static void make_nodes(void)
{
	nodes = zeroed(options.nr_clocks, sizeof(*nodes));
	free_stacks = zeroed(options.nr_clocks, sizeof(*free_stacks));
	domains.nr = options.nr_clocks;
	domains.representatives = zeroed(options.nr_clocks, sizeof(uint32_t));
	for (uint32_t i = 0; i < options.nr_clocks; i++) {
		struct node *node = &nodes[i];

		domains.representatives[i] = i;
		node->inbox_end = &node->inbox;
		node->now = FIRST_TIME + options.skew * draw();
		node->offset = 1e9 * draw(); /* up to a second */
		node->rate = 1 + options.drift * 1e-6 * fixed(i, i);
	}
	current = &nodes[0];
	measure_schedule_start(&schedule, 10);
	atomic_store(&schedule.last, 0);
}

/* ---------------------------------------------------------------------------- errors --- */

/* What the sample says of the clock against that of rank 0, which is right by definition. */
static double error_of(const struct node *node, int i)
{
	const struct measure_clock_sample *sample = &node->samples[i];
	const double time = ((double)sample->ticks - node->offset) / node->rate;
	const double reference = nodes[0].offset + nodes[0].rate * time;

	return (double)sample->offset - (reference - (double)sample->ticks);
}

static void report_samples(const char *name, int which)
{
	double sum = 0, largest = 0, bound = 0, begin = 0, end = 0;
	uint32_t nr_outside = 0;

	for (uint32_t i = 0; i < options.nr_clocks; i++) {
		const double error = fabs(error_of(&nodes[i], which));

		sum += error * error;
		largest = error > largest ? error : largest;
		if ((double)nodes[i].samples[which].bound > bound)
			bound = (double)nodes[i].samples[which].bound;
		/* 2: ticks are whole numbers. */
		nr_outside += error > (double)nodes[i].samples[which].bound + 2;
		end = nodes[i].ended[which] > end ? nodes[i].ended[which] : end;
		if (which > 0 && nodes[i].ended[which - 1] > begin)
			begin = nodes[i].ended[which - 1];
	}
	if (which == 0)
		begin = FIRST_TIME + options.skew;
	printf("%s_ms %.3f\n%s_rms_ns %.0f\n%s_largest_ns %.0f\n%s_bound_ns %.0f\n%s_outside %u\n",
		name, (end - begin) * 1e-6, name, sqrt(sum / options.nr_clocks), name, largest, name,
		bound, name, nr_outside);
}

/* ---------------------------------------------------------------------------- domains --- */

/* As all ranks would send it, two of each node. */
static measure_status_t domains_gather(
	void *context, const void *data, size_t bytes, void *all, uint32_t root)
{
	(void)context, (void)data, (void)bytes, (void)root;
	for (uint32_t i = 0; i < options.nr_clocks; i++)
		((uint64_t *)all)[i] = (i / 2 + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return MEASURE_OK;
}

static measure_status_t domains_broadcast(void *context, void *data, size_t bytes, uint32_t root)
{
	(void)context, (void)data, (void)bytes, (void)root;
	return MEASURE_OK;
}

/* Processor time of one rank, without the exchange. */
static void report_domains(void)
{
	const struct measure_transport transport = {.size = options.nr_clocks,
		.gather = domains_gather,
		.broadcast = domains_broadcast};
	const clock_t start = clock();
	struct measure_domains found;

	if (measure_domains_find(&transport, UINT64_C(0x9e3779b97f4a7c15), &found) != MEASURE_OK)
		exit(2);
	printf("domains_ms %.3f\n", (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC);
	measure_domains_free(&found);
}

/* ---------------------------------------------------------------------------- options --- */

static void set_option(int option, const char *text)
{
	const double value = option == 'h' ? 0 : strtod(text, NULL);

	switch (option) {
	case 'n': options.nr_clocks = (uint32_t)value; break;
	case 'l': options.latency = value; break;
	case 'p': options.spread = value; break;
	case 'a': options.asymmetry = value; break;
	case 'j': options.jitter = value; break;
	case 'o': options.disturbed = value; break;
	case 'd': options.drift = value; break;
	case 'k': options.skew = value; break;
	case 's': options.seed = (uint64_t)value; break;
	case 'h': fputs(usage, stdout); exit(0);
	default: exit(2);
	}
}

int main(int argc, char **argv)
{
	static const struct option names[] = {{"clocks", 1, NULL, 'n'}, {"latency", 1, NULL, 'l'},
		{"spread", 1, NULL, 'p'}, {"asymmetry", 1, NULL, 'a'}, {"jitter", 1, NULL, 'j'},
		{"disturbed", 1, NULL, 'o'}, {"drift", 1, NULL, 'd'}, {"skew", 1, NULL, 'k'},
		{"seed", 1, NULL, 's'}, {"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
	struct rusage used;
	int option;

	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1)
		set_option(option, optarg);
	if (options.nr_clocks < 2 || optind != argc) {
		fputs(usage, stderr);
		return 2;
	}
	state = options.seed;
	make_nodes();
	run_all();
	report_samples("begin", 0);
	report_samples("point", 1);
	report_domains();
	getrusage(RUSAGE_SELF, &used);
	printf("messages %llu\nmessages_of_clock %.0f\nstacks %zu\nsimulation_kib %ld\n",
		(unsigned long long)nr_messages, (double)nr_messages / options.nr_clocks, nr_stacks,
		used.ru_maxrss);
	return 0;
}
