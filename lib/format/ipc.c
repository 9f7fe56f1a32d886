/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between `measure` and its keeper; see ipc.h. */
#include "config.h"

#include "ipc.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

union ipc_control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

measure_status_t measure_ipc_open(int ends[2])
{
	int type = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK;

	return socketpair(AF_UNIX, type, 0, ends) == 0 ? MEASURE_OK : MEASURE_ERROR_IO;
}

static void attach_descriptor(struct msghdr *header, union ipc_control *control, int fd)
{
	header->msg_control = control->bytes;
	header->msg_controllen = sizeof(control->bytes);

	struct cmsghdr *item = CMSG_FIRSTHDR(header);
	item->cmsg_level = SOL_SOCKET;
	item->cmsg_type = SCM_RIGHTS;
	item->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(item), &fd, sizeof(fd));
}

void measure_ipc_send(
	int channel, enum measure_ipc_msg word, int32_t value, int fd, const char *text)
{
	struct measure_ipc_message message = {.word = word, .value = value, .fd = -1};
	union ipc_control control = {{0}};
	size_t length = 0;

	if (text) {
		length = strnlen(text, MEASURE_CHANNEL_TEXT - 1);
		memcpy(message.text, text, length);
	}
	struct iovec data = {&message, offsetof(struct measure_ipc_message, text) + length + 1};
	struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
	if (fd >= 0)
		attach_descriptor(&header, &control, fd);
	while (sendmsg(channel, &header, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static int detach_descriptor(struct msghdr *header)
{
	struct cmsghdr *item = CMSG_FIRSTHDR(header);
	int fd = -1;

	if (item && item->cmsg_type == SCM_RIGHTS && item->cmsg_len == CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(item), sizeof(fd));
	return fd;
}

void measure_ipc_receive(int channel, struct measure_ipc_message *message)
{
	union ipc_control control = {{0}};
	struct iovec data = {message, sizeof(*message)};
	struct msghdr header = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes)};
	ssize_t received;

	/* The other end's closing with something unread is told once, before what it had sent. */
	do {
		received = recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
	} while (received < 0 && (errno == EINTR || errno == ECONNRESET));

	if (received <= (ssize_t)offsetof(struct measure_ipc_message, text)) {
		int is_empty = received < 0 && errno == EAGAIN;
		*message = (struct measure_ipc_message){
			.word = is_empty ? MEASURE_MSG_NONE : MEASURE_MSG_GONE, .fd = -1};
		return;
	}
	message->text[received - (ssize_t)offsetof(struct measure_ipc_message, text) - 1] = '\0';
	message->fd = detach_descriptor(&header);
}
