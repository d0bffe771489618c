/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a guest can do without, once it is loaded. */
#include <corridor/guarantees.h>

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* Calls have other numbers on each machine, and some have calls of their own. */
#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define HARMFUL_HERE(value) , ON(iopl, value), ON(ioperm, value)
#define TIMERS_HERE , FAILS(alarm)
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define HARMFUL_HERE(value)
#define TIMERS_HERE
#endif

#ifdef ARCHITECTURE

#define AT(field) ((uint32_t)offsetof(struct seccomp_data, field))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(field))
#define GIVE(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define FAIL_WITH(error) (SECCOMP_RET_ERRNO | (error))
#define ON(call, value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), GIVE(value)
#define FAILS(call) ON(call, FAIL_WITH(EPERM))

/* The highest number that is let through: what x32 has on x86-64 is above it. */
#define BEGINNING                                                                                        \
    LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), GIVE(SECCOMP_RET_KILL_PROCESS), \
        LOAD(nr), BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1), GIVE(FAIL_WITH(ENOSYS))
#define UNNEEDED                                                                                       \
    FAILS(socket), FAILS(socketpair), FAILS(connect), FAILS(bind), FAILS(memfd_create), FAILS(shmget), \
        FAILS(msgget), FAILS(semget), FAILS(mq_open), FAILS(inotify_init1), FAILS(fanotify_init),      \
        FAILS(setpriority), FAILS(sched_setscheduler), FAILS(sched_setattr), FAILS(sched_setaffinity)
/* An alarm would ring in a later reorganization, or case. A program may set one. */
#define TIMERS FAILS(setitimer), FAILS(timer_create) TIMERS_HERE
/* By this call a process can only learn whether it has threads (guest.c). */
#define ASKS_FOR_THREADS                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 4), LOAD(args), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE_THREAD, 0, 1), GIVE(SECCOMP_RET_ALLOW), LOAD(nr)
/* Limits are one's own: of another process of the same user they could end it. */
#define LIMITS_OF_OTHERS                                                  \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4), LOAD(args), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), GIVE(SECCOMP_RET_ALLOW), GIVE(FAIL_WITH(EPERM))
/* What nobody needs who partitions agents. */
#define HARMFUL(value)                                                                                      \
    ON(ptrace, value), ON(process_vm_readv, value), ON(process_vm_writev, value), ON(mount, value),         \
        ON(umount2, value), ON(pivot_root, value), ON(chroot, value), ON(setns, value), ON(unshare, value), \
        ON(bpf, value), ON(io_uring_setup, value), ON(io_uring_enter, value), ON(io_uring_register, value), \
        ON(clock_settime, value), ON(settimeofday, value), ON(adjtimex, value), ON(clock_adjtime, value),   \
        ON(reboot, value), ON(kexec_load, value), ON(kexec_file_load, value), ON(init_module, value),       \
        ON(finit_module, value), ON(delete_module, value), ON(swapon, value), ON(swapoff, value),           \
        ON(sethostname, value), ON(setdomainname, value), ON(acct, value), ON(quotactl, value),             \
        ON(add_key, value), ON(request_key, value), ON(keyctl, value), ON(perf_event_open, value),          \
        ON(userfaultfd, value), ON(open_by_handle_at, value) HARMFUL_HERE(value)

static const struct sock_filter filter[] = {BEGINNING,
                                            UNNEEDED,
                                            TIMERS,
                                            ASKS_FOR_THREADS,
                                            LIMITS_OF_OTHERS,
                                            ON(execve, SECCOMP_RET_KILL_PROCESS),
                                            ON(execveat, SECCOMP_RET_KILL_PROCESS),
                                            HARMFUL(SECCOMP_RET_KILL_PROCESS),
                                            GIVE(SECCOMP_RET_ALLOW)};
static const struct sock_filter filter_of_program[] = {BEGINNING, UNNEEDED, LIMITS_OF_OTHERS,
                                                       HARMFUL(FAIL_WITH(EPERM)), GIVE(SECCOMP_RET_ALLOW)};

static bool put_on(const struct sock_filter *statements, size_t count) {
    struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)(uintptr_t)statements};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

bool cor_forbid_calls(void) {
    return put_on(filter, sizeof filter / sizeof *filter);
}

bool cor_forbid_calls_of_program(void) {
    return put_on(filter_of_program, sizeof filter_of_program / sizeof *filter_of_program);
}

#else

bool cor_forbid_calls(void) {
    return false;
}

bool cor_forbid_calls_of_program(void) {
    return false;
}

#endif
