/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asking the kernel for a wait status; see exit_status.h. */
#include "config.h"

#include "exit_status.h"

#include <stdint.h>
#include <sys/ioctl.h>

#include "base/procfs.h"
#include "base/posix.h"

/* As <linux/pidfd.h> has it since Linux 6.13, the exit status since 6.15. */
struct pidfd_info {
	uint64_t mask; /* what is wanted; what is there */
	uint64_t cgroup;
	uint32_t ids[10]; /* of process, thread, parent, users and groups */
	uint32_t is_more;
	int32_t exit_code;
};
_Static_assert(sizeof(struct pidfd_info) == 64, "the first version of it");
#define INFO_EXIT UINT64_C(8)
#define GET_INFO  _IOWR(0xff, 11, struct pidfd_info)

/* Before somebody has waited for it: only so long the number is still that of our process. */
static bool ask_dead(pid_t pid, int pidfd, int *status)
{
	return measure_process_status(pid, status) &&
	       syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) == 0;
}

/* After that. */
static bool ask_gone(int pidfd, int *status)
{
	struct pidfd_info info = {.mask = INFO_EXIT};

	if (ioctl(pidfd, GET_INFO, &info) != 0 || !(info.mask & INFO_EXIT))
		return false;
	*status = info.exit_code;
	return true;
}

bool measure_exit_status_ask(pid_t pid, int pidfd, int *status)
{
	return pidfd >= 0 && (ask_dead(pid, pidfd, status) || ask_gone(pidfd, status));
}
