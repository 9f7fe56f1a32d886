/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: what comes to a rendezvous. Files of the input that are called `visit` are what
 * somebody says to the keeper; `answer0` to `answer2` what a process gets that asks for a segment,
 * with so many descriptors; `program` what one gets that asks for a program. What is taken is
 * sound, and nothing else is left behind. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "fuzz.h"
#include "format/rendezvous.h"

#define MOST (MEASURE_VISITOR_TEXT + 16)

static int part_fd = -1, listen_fd;

/* What the other side, a thread, does with the next one who comes. */
static struct {
	const uint8_t *data;
	size_t size;
	int nr; /* of descriptors */
} answer;

static int nr_descriptors(void)
{
	DIR *list = opendir("/proc/self/fd");
	int nr = 0;

	while (list && readdir(list))
		nr++;
	if (list)
		closedir(list);
	return nr;
}

static void set_up(void)
{
	if (part_fd >= 0)
		return;
	part_fd = open(fuzz_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (measure_rendezvous_listen(part_fd, &listen_fd) != MEASURE_OK)
		fuzz_fault("nobody can listen: %s", strerror(errno));
}

/* ---------------------------------------------------------------- what a keeper hears --- */

static int connect_plainly(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", part_fd,
		MEASURE_RENDEZVOUS_NAME);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0)
		fuzz_fault("no way to the keeper: %s", strerror(errno));
	return fd;
}

static void check_visitor(const struct measure_visitor *visitor)
{
	if (visitor->pid != getpid())
		fuzz_fault("process %d has come", (int)visitor->pid);
	if (visitor->size >= sizeof(visitor->text) || visitor->text[visitor->size] != '\0')
		fuzz_fault("a text of %zu bytes has no end", visitor->size);
	if (visitor->wish == MEASURE_WISH_IMAGE &&
		(visitor->size < 2 || visitor->text[visitor->size - 1] != '\0'))
		fuzz_fault("an environment of %zu bytes has no end", visitor->size);
	if (visitor->wish != MEASURE_WISH_IMAGE && visitor->wish != MEASURE_WISH_SEGMENT &&
		visitor->wish != MEASURE_WISH_CHILD)
		fuzz_fault("wish %d", (int)visitor->wish);
}

static void visit(const struct fuzz_file *file)
{
	static struct measure_visitor visitor;
	int client = connect_plainly();
	size_t size = file->size < MOST ? file->size : MOST;

	if (send(client, file->data, size, MSG_NOSIGNAL) < 0)
		size = 0;
	shutdown(client, SHUT_WR);
	int connection = measure_rendezvous_accept(listen_fd, &visitor);
	if (connection >= 0) {
		check_visitor(&visitor);
		measure_rendezvous_answer(connection, "/lib/libmeasure.so");
		close(connection);
	}
	close(client);
}

/* --------------------------------------------------------------- what a process hears --- */

static void send_answer(int connection)
{
	union {
		char bytes[CMSG_SPACE(2 * sizeof(int))];
		struct cmsghdr align;
	} control = {{0}};
	struct iovec data = {(void *)(uintptr_t)answer.data, answer.size};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
	int fds[2] = {part_fd, part_fd};
	size_t size = (size_t)answer.nr * sizeof(int);

	if (answer.nr > 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(size);
		struct cmsghdr *header = CMSG_FIRSTHDR(&message);
		*header = (struct cmsghdr){.cmsg_len = CMSG_LEN(size),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(header), fds, size);
	}
	if (sendmsg(connection, &message, MSG_NOSIGNAL) < 0)
		return;
}

/* It may be asked twice. */
static void *serve(void *is_over)
{
	while (!__atomic_load_n((bool *)is_over, __ATOMIC_ACQUIRE)) {
		struct timeval soon = {0, 1000};
		fd_set ready;
		FD_ZERO(&ready);
		FD_SET(listen_fd, &ready);
		if (select(listen_fd + 1, &ready, NULL, NULL, &soon) <= 0)
			continue;
		int connection = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
		char wish[64];
		if (connection < 0)
			continue;
		if (recv(connection, wish, sizeof(wish), 0) > 0)
			send_answer(connection);
		close(connection);
	}
	return NULL;
}

static void ask_for_segment(void)
{
	char part[64];
	int fd = -1;

	if (measure_rendezvous_connect(
		    fuzz_directory(), MEASURE_WISH_SEGMENT, &fd, part, sizeof(part)) != MEASURE_OK)
		return;
	if (strlen(part) >= sizeof(part) || strchr(part, '/') || strcmp(part, "..") == 0)
		fuzz_fault("a part of the name '%s'", part);
	if (!(fcntl(fd, F_GETFD) & FD_CLOEXEC))
		fuzz_fault("it would be inherited");
	close(fd);
}

static void ask_for_program(void)
{
	char *text;
	size_t size;
	int connection;

	if (measure_rendezvous_ask(fuzz_directory(), "/bin/true", NULL, &connection, &size) !=
		MEASURE_OK)
		return;
	if (size > MEASURE_VISITOR_TEXT)
		fuzz_fault("%zu bytes", size);
	text = malloc(size);
	if (!text)
		abort();
	if (measure_rendezvous_take(connection, text, size) == MEASURE_OK && strlen(text) >= size)
		fuzz_fault("an answer without an end");
	free(text);
}

static void ask(const struct fuzz_file *file)
{
	bool is_over = false;
	pthread_t thread;

	answer.data = file->data;
	answer.size = file->size;
	answer.nr = strncmp(file->name, "answer", 6) == 0 ? (file->name[6] - '0') & 3 : 0;
	answer.nr = answer.nr > 2 ? 2 : answer.nr;
	if (pthread_create(&thread, NULL, serve, &is_over) != 0)
		abort();
	if (strncmp(file->name, "answer", 6) == 0)
		ask_for_segment();
	else
		ask_for_program();
	__atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_file file;
	size_t position = 0;

	set_up();
	int before = nr_descriptors();
	for (int nr = 0; nr < 8 && fuzz_next(data, size, &position, &file); nr++) {
		if (strcmp(file.name, "visit") == 0)
			visit(&file);
		else
			ask(&file);
	}
	if (nr_descriptors() != before)
		fuzz_fault("%d descriptors more than before", nr_descriptors() - before);
	return 0;
}
