/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a guest can do without, once it is loaded. */
#include <corridor/guarantees.h>

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#ifdef __x86_64__

#define AT(field) ((uint32_t)offsetof(struct seccomp_data, field))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(field))
#define GIVE(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define FAIL_WITH(error) (SECCOMP_RET_ERRNO | (error))
#define ON(call, value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), GIVE(value)
#define FAILS(call) ON(call, FAIL_WITH(EPERM))
#define ENDS(call) ON(call, SECCOMP_RET_KILL_PROCESS)

static const struct sock_filter filter[] = {
    LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0), GIVE(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr), BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1), GIVE(FAIL_WITH(ENOSYS)), FAILS(socket),
    FAILS(socketpair), FAILS(connect), FAILS(bind), FAILS(memfd_create), FAILS(shmget), FAILS(msgget),
    FAILS(semget), FAILS(mq_open), FAILS(inotify_init1), FAILS(fanotify_init), FAILS(setpriority),
    FAILS(sched_setscheduler), FAILS(sched_setattr), FAILS(sched_setaffinity),
    /* What nobody needs who partitions agents. */
    ENDS(ptrace), ENDS(process_vm_readv), ENDS(process_vm_writev), ENDS(execve), ENDS(execveat), ENDS(mount),
    ENDS(umount2), ENDS(pivot_root), ENDS(chroot), ENDS(setns), ENDS(unshare), ENDS(bpf),
    ENDS(io_uring_setup), ENDS(io_uring_enter), ENDS(io_uring_register), ENDS(clock_settime),
    ENDS(settimeofday), ENDS(adjtimex), ENDS(clock_adjtime), ENDS(reboot), ENDS(kexec_load),
    ENDS(kexec_file_load), ENDS(init_module), ENDS(finit_module), ENDS(delete_module), ENDS(swapon),
    ENDS(swapoff), ENDS(sethostname), ENDS(setdomainname), ENDS(acct), ENDS(quotactl), ENDS(add_key),
    ENDS(request_key), ENDS(keyctl), ENDS(perf_event_open), ENDS(userfaultfd), ENDS(open_by_handle_at),
    ENDS(iopl), ENDS(ioperm), GIVE(SECCOMP_RET_ALLOW)};

bool cor_forbid_calls(void) {
    struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)(uintptr_t)filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

bool cor_forbid_calls(void) {
    return false;
}

#endif

bool cor_limit_memory(uint64_t bytes) {
#ifdef __SANITIZE_ADDRESS__
    (void)bytes;
    return false; /* sanitizers need an address space without an end */
#else
    return setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)bytes, (rlim_t)bytes}) == 0;
#endif
}
