/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs a command under a filter of system calls (seccomp), as sandboxes do.
 *
 *	filtered all COMMAND...		lets all of them pass
 *	filtered ptrace COMMAND...	refuses ptrace() with EPERM */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog all = {1, &filter[3]}, refuses_ptrace = {4, filter};

	if (count < 3)
		return 64;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
			strcmp(arguments[1], "all") == 0 ? &all : &refuses_ptrace) != 0) {
		perror("filtered: seccomp");
		return 77;
	}
	execvp(arguments[2], arguments + 2);
	perror(arguments[2]);
	return 1;
}
