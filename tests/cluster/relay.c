/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `relay INTERFACE=DELAY[~JITTER]...`: a switch between the named interfaces that is slow, in one
 * direction more than in the other: what comes in by INTERFACE leaves by all others DELAY
 * microseconds later, and by chance up to JITTER more, in the order in which it came. Says "ready"
 * when it is, and ends after ten minutes.
 *
 * Frames travel with what the kernel has put off for them (checksums, segmentation). */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_PORTS   8
#define NR_FRAMES   512		/* under way from one port; more are lost, and sent again */
#define FRAME_BYTES (65536 + 128) /* with headers */
#define LIFE	    600		/* s */

struct frame {
	uint64_t due; /* ns */
	size_t bytes;
	char data[FRAME_BYTES];
};

/* Frames first..end - 1 of a ring are under way. */
struct port {
	int socket;
	uint64_t delay, jitter; /* ns */
	struct frame *frames;
	size_t first, end;
};

static struct port ports[MAX_PORTS];
static int nr_ports;

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int open_interface(const char *name)
{
	const struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(name),
	};
	const int yes = 1;
	const int opened = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (opened < 0 || address.sll_ifindex == 0 ||
		setsockopt(opened, SOL_PACKET, PACKET_VNET_HDR, &yes, sizeof(yes)) != 0 ||
		setsockopt(opened, SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes, sizeof(yes)) != 0 ||
		bind(opened, (const struct sockaddr *)&address, sizeof(address)) != 0)
		give_up(name);
	return opened;
}

static void add_port(const char *argument)
{
	struct port *port = &ports[nr_ports++];
	char name[IF_NAMESIZE];
	double delay = 0, jitter = 0;

	if (sscanf(argument, "%15[^=]=%lf~%lf", name, &delay, &jitter) < 2 || delay < 0 || jitter < 0) {
		fprintf(stderr, "relay: %s: not INTERFACE=DELAY[~JITTER]\n", argument);
		exit(2);
	}
	port->delay = (uint64_t)(delay * 1e3);
	port->jitter = (uint64_t)(jitter * 1e3);
	port->frames = calloc(NR_FRAMES, sizeof(*port->frames));
	if (!port->frames)
		give_up(name);
	port->socket = open_interface(name);
}

static void take_frames(struct port *port)
{
	while (port->end - port->first < NR_FRAMES) {
		struct frame *frame = &port->frames[port->end % NR_FRAMES];
		const ssize_t bytes = recv(port->socket, frame->data, sizeof(frame->data), 0);

		if (bytes <= 0)
			return;
		frame->bytes = (size_t)bytes;
		frame->due = now() + port->delay +
			     (uint64_t)((double)port->jitter * drand48());
		port->end++;
	}
}

/* One whose receiver has no room is lost, as on any network. */
static void pass_on(const struct port *from, const struct frame *frame)
{
	for (int i = 0; i < nr_ports; i++)
		if (&ports[i] != from)
			(void)!write(ports[i].socket, frame->data, frame->bytes);
}

/* Returns when the next frame is due; UINT64_MAX: none is under way. */
static uint64_t give_frames(struct port *port)
{
	for (; port->first < port->end; port->first++) {
		const struct frame *frame = &port->frames[port->first % NR_FRAMES];

		if (frame->due > now())
			return frame->due;
		pass_on(port, frame);
	}
	return UINT64_MAX;
}

static void wait_until(uint64_t due)
{
	struct pollfd waits[MAX_PORTS];
	struct timespec left = {0};
	const uint64_t time = now();

	for (int i = 0; i < nr_ports; i++)
		waits[i] = (struct pollfd){.fd = ports[i].socket, .events = POLLIN};
	if (due > time) {
		left.tv_sec = (time_t)((due - time) / 1000000000u);
		left.tv_nsec = (long)((due - time) % 1000000000u);
	}
	ppoll(waits, (nfds_t)nr_ports, due == UINT64_MAX ? NULL : &left, NULL);
}

int main(int argc, char **argv)
{
	if (argc < 3 || argc > 1 + MAX_PORTS)
		return 2;
	for (int i = 1; i < argc; i++)
		add_port(argv[i]);
	prctl(PR_SET_TIMERSLACK, 1);
	alarm(LIFE);
	puts("ready");
	fclose(stdout);
	for (;;) {
		uint64_t due = UINT64_MAX;

		for (int i = 0; i < nr_ports; i++) {
			uint64_t next;

			take_frames(&ports[i]);
			next = give_frames(&ports[i]);
			if (next < due)
				due = next;
		}
		wait_until(due);
	}
}
