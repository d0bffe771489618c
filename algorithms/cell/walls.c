/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a guest can do without, once it is loaded. */
#define _GNU_SOURCE /* O_TMPFILE, MAP_ANONYMOUS */

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/child.h>
#include <corridor/guarantees.h>
#include <corridor/needs.h>
#include <corridor/walls.h>

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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
/* What lives on snapshots of memory (pages.h): calls that write to memory, make or give it back, or keep
 * something in the system, are not among these. */
#define LETS(call) ON(call, SECCOMP_RET_ALLOW)
/* Pages alone open and close memory: they say so in an argument that the call does not have. */
#define LETS_OWN_PROTECTION                                                                       \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 7), LOAD(args[0]),                       \
        BPF_STMT(BPF_ALU | BPF_XOR | BPF_K, COR_OWN_PROTECTION), BPF_STMT(BPF_MISC | BPF_TAX, 0), \
        LOAD(args[3]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1), GIVE(SECCOMP_RET_ALLOW),     \
        GIVE(SECCOMP_RET_KILL_PROCESS)
/* The mask is what a module finds (loader.c), and stays so. */
#define LETS_UMASK                                                               \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_umask, 0, 4), LOAD(args[0]),         \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 077, 0, 1), GIVE(SECCOMP_RET_ALLOW), \
        GIVE(SECCOMP_RET_KILL_PROCESS)
static const struct sock_filter filter_of_memory[] = {BEGINNING,
                                                      LETS(futex),
                                                      LETS(restart_syscall),
                                                      LETS_OWN_PROTECTION,
                                                      LETS(brk),
                                                      LETS(write),
                                                      LETS(wait4),
                                                      LETS(rt_sigprocmask),
                                                      LETS(rt_sigreturn),
                                                      LETS_UMASK,
                                                      LETS(timer_settime),
                                                      LETS(getpid),
                                                      LETS(gettid),
                                                      LETS(tgkill),
                                                      LETS(exit),
                                                      LETS(exit_group),
                                                      GIVE(SECCOMP_RET_KILL_PROCESS)};

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

bool cor_forbid_calls_but_of_memory(void) {
    return put_on(filter_of_memory, sizeof filter_of_memory / sizeof *filter_of_memory);
}

#else

bool cor_forbid_calls(void) {
    return false;
}

bool cor_forbid_calls_but_of_memory(void) {
    return false;
}

bool cor_forbid_calls_of_program(void) {
    return false;
}

#endif

/* ---- which guarantees hold here: a process in a cell tries what each is to prevent */

#define ANSWER_SECONDS 10.

const struct cor_guarantee cor_guarantees[COR_GUARANTEE_COUNT] = {
    [COR_GUARANTEE_PROCESSES] = {"processes", "a namespace of processes, with a /proc of its own",
                                 "sees nobody but itself, and nothing outlives it"},
    [COR_GUARANTEE_SIGNALS] = {"signals", "Landlock", "signals nobody outside"},
    [COR_GUARANTEE_TRACES] = {"traces", "Landlock", "reads and writes nobody else's memory"},
    [COR_GUARANTEE_NETWORK] = {"network", "namespaces of networks and IPC", "reaches no network"},
    [COR_GUARANTEE_RIGHTS] = {"rights", "capabilities",
                              "may what anybody may, even where root runs corridor"},
    [COR_GUARANTEE_FILES] = {"files", "Landlock", "writes, makes and removes no file"},
    [COR_GUARANTEE_MODES] = {"modes", "a namespace of mounts", "changes no mode, owner or time of a file"},
    [COR_GUARANTEE_SIGHT] = {"sight", "a root of its own, or Landlock",
                             "reads no file but its own, and programs and libraries of the system"},
    [COR_GUARANTEE_CALLS] = {"calls", "seccomp", "makes no sockets, traces nobody, starts no program"},
    [COR_GUARANTEE_MEMORY] = {"memory", "a limit of the address space",
                              "takes no more memory than it is given"},
};

/* Attempts, in the cell: did it succeed? None of them changes anything where it does. */

/* Whoever is in /proc beside us; where it cannot be listed, its first process. */
static bool sees_processes(void) {
    DIR *list = opendir("/proc");
    const struct dirent *entry;
    bool found = false;
    while (list && (entry = readdir(list)))
        found = found || (isdigit((unsigned char)entry->d_name[0]) && atol(entry->d_name) != (long)getpid());
    if (list)
        closedir(list);
    return found || getppid() != 1 || access("/proc/1/cmdline", R_OK) == 0;
}

static bool signals_parent(void) {
    return kill(getppid(), 0) == 0;
}

static bool reads_parent(void) {
    char byte;
    static const char same = 0; /* it is forked from it */
    struct iovec here = {&byte, 1}, there = {(char *)(uintptr_t)&same, 1};
    return process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1;
}

static bool reaches_network(void) {
    struct sockaddr host = {.sa_family = AF_INET};
    memcpy(host.sa_data, (const unsigned char[]){0, 9, 127, 0, 0, 1}, 6);
    const int made = socket(AF_INET, SOCK_DGRAM, 0);
    const bool is_done = made >= 0 && connect(made, &host, sizeof host) == 0;
    if (made >= 0)
        close(made);
    return is_done;
}

static bool changes_root(void) {
    return chroot("/") == 0;
}

static bool makes_file(void) {
    static const char *const folders[] = {"/", "/usr", "/tmp", "/var/tmp", "."};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const int file = open(folders[i], O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
        if (file >= 0)
            return close(file), true;
    }
    return false;
}

static bool changes_mode(void) {
    static const char *const paths[] = {"/", "/usr", "."};
    struct stat there;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (stat(paths[i], &there) == 0 && chmod(paths[i], there.st_mode & 07777) == 0)
            return true;
    return false;
}

static bool reads_strange_files(void) {
    static const char *const paths[] = {"/etc/passwd",
                                        "/etc/shadow",
                                        "/etc/hostname",
                                        "/etc/machine-id",
                                        "/proc/1/cmdline",
                                        "/proc/1/environ",
                                        "/proc/cpuinfo",
                                        "/proc/sys/kernel/hostname",
                                        "/sys/kernel",
                                        "/root",
                                        "/home",
                                        "/tmp",
                                        "/var",
                                        "/run"};
    const char *home = getenv("HOME");
    for (size_t i = 0; i <= sizeof paths / sizeof *paths; i++) {
        const char *path = i < sizeof paths / sizeof *paths ? paths[i] : home ? home : "/root";
        const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (file >= 0)
            return close(file), true;
    }
    return false;
}

static bool makes_sockets(void) {
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM;
}

#define MEMORY ((size_t)1 << 30)

static bool takes_more_memory(void) {
    return mmap(NULL, 2 * MEMORY, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
           MAP_FAILED;
}

/* Of those that walls are to keep. */
static const int wall_of[COR_GUARANTEE_COUNT] = {
    [COR_GUARANTEE_SIGNALS] = COR_WALL_SIGNALS, [COR_GUARANTEE_TRACES] = COR_WALL_TRACES,
    [COR_GUARANTEE_NETWORK] = COR_WALL_NETWORK, [COR_GUARANTEE_RIGHTS] = COR_WALL_RIGHTS,
    [COR_GUARANTEE_FILES] = COR_WALL_FILES,     [COR_GUARANTEE_MODES] = COR_WALL_MODES,
    [COR_GUARANTEE_SIGHT] = COR_WALL_SIGHT};

unsigned cor_guarantees_missing(int walls, int standing) {
    unsigned missing = cor_cell_is_apart() ? 0 : 1u << COR_GUARANTEE_PROCESSES;
    for (unsigned i = 0; i < COR_GUARANTEE_COUNT; i++)
        if (wall_of[i] & walls & ~standing)
            missing |= 1u << i;
    return walls & COR_WALL_SIGHT && !(standing & COR_WALL_ROOT) ? missing | COR_GUARANTEES_ROOT : missing;
}

const char *cor_guarantees_text(unsigned set, char text[COR_GUARANTEES_SIZE]) {
    size_t length = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < COR_GUARANTEE_COUNT && length < COR_GUARANTEES_SIZE; i++)
        if (set >> i & 1)
            length += (size_t)snprintf(text + length, COR_GUARANTEES_SIZE - length, "%s%s",
                                       length > 0 ? ", " : "", cor_guarantees[i].name);
    if (set & COR_GUARANTEES_ROOT && !(set >> COR_GUARANTEE_SIGHT & 1) && length < COR_GUARANTEES_SIZE)
        snprintf(text + length, COR_GUARANTEES_SIZE - length, "%s" COR_SIGHT_BY_LANDLOCK,
                 length > 0 ? "; " : "");
    return text;
}

/* In the cell: which are there around who has these needs; without needs, and prevented what was tried. */
static void tell(void *needs) {
    /* Without a working folder, so that there is none on the way to it. */
    const int walls = needs || chdir("/") == 0 ? cor_walls_raise(COR_WALLS, needs, NULL) : 0;
    static bool (*const tries[COR_GUARANTEE_COUNT])(void) = {
        [COR_GUARANTEE_PROCESSES] = sees_processes, [COR_GUARANTEE_SIGNALS] = signals_parent,
        [COR_GUARANTEE_TRACES] = reads_parent,      [COR_GUARANTEE_NETWORK] = reaches_network,
        [COR_GUARANTEE_RIGHTS] = changes_root,      [COR_GUARANTEE_FILES] = makes_file,
        [COR_GUARANTEE_MODES] = changes_mode,       [COR_GUARANTEE_SIGHT] = reads_strange_files,
        [COR_GUARANTEE_MEMORY] = takes_more_memory, [COR_GUARANTEE_CALLS] = makes_sockets};
    unsigned held = (COR_GUARANTEES_ALL | COR_GUARANTEES_ROOT) & ~cor_guarantees_missing(COR_WALLS, walls);
    for (unsigned i = 0; i < COR_GUARANTEE_CALLS && !needs; i++)
        if (tries[i]())
            held &= ~(1u << i);
    /* What a guest takes on itself, in its order. */
    if (!needs && (!cor_limit_memory(MEMORY, true) || tries[COR_GUARANTEE_MEMORY]()))
        held &= ~(1u << COR_GUARANTEE_MEMORY);
    if (!needs && (!cor_forbid_calls() || tries[COR_GUARANTEE_CALLS]()))
        held &= ~(1u << COR_GUARANTEE_CALLS);
    ssize_t written = write(STDOUT_FILENO, &held, sizeof held);
    _exit(written == (ssize_t)sizeof held ? 0 : 1);
}

static enum cor_status ask(const struct cor_needs *needs, unsigned *held, struct cor_error *error) {
    const struct cor_cell_definition definition = {.life = tell, .argument = needs ? needs->paths : NULL};
    COR_FINISHED(cor_cell) struct cor_cell cell = {0};
    unsigned said;
    *held = 0;
    COR_TRY(cor_cell_init(&cell, error));
    enum cor_status status = cor_cell_start(&cell, &definition, error);
    if (status == COR_OK && (cor_cell_wait(&cell, 0, ANSWER_SECONDS) & COR_SIGHT_READABLE) &&
        cor_cell_read(&cell, &said, sizeof said) == (ssize_t)sizeof said)
        *held = said;
    else if (status == COR_OK)
        status = cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "a process in a cell says nothing");
    return status;
}

enum cor_status cor_guarantees_held(unsigned *held, struct cor_error *error) {
    return ask(NULL, held, error);
}

enum cor_status cor_guarantees_look(const char *path, const struct cor_needs *needs, bool are_required,
                                    char **warnings, struct cor_error *error) {
    char text[COR_GUARANTEES_SIZE];
    unsigned held, around = UINT_MAX;
    COR_TRY(cor_guarantees_held(&held, error));
    if (needs->count > 0)
        COR_TRY(ask(needs, &around, error));
    const unsigned missing = (COR_GUARANTEES_ALL | COR_GUARANTEES_ROOT) & ~(held & around);
    if (missing == 0)
        return COR_OK;
    cor_guarantees_text(missing, text);
    if (are_required)
        return cor_fail(error, COR_STATUS_INPUT, path, "see corridor doctor",
                        "the sandbox is incomplete %s, it lacks: %s",
                        held & ~around ? "around what is tested" : "on this machine", text);
    char *before = *warnings;
    *warnings = cor_format("%s%s%s%s\n", before ? before : "",
                           missing & COR_GUARANTEES_ALL ? "isolation is not full, see corridor doctor: " : "",
                           text, held & ~around ? " (around what is tested)" : "");
    free(before);
    return cor_made(*warnings, error);
}

/* ---- each is tried, not looked up, where trying leaves nothing behind */

#define MEGA (1 << 20)

static const struct {
    const char *name, *right;
} wanted[COR_MACHINE_COUNT] = {
    [COR_MACHINE_WRITES] = {"writable",
                            "a folder in which you may make files: chmod u+wx, or another folder"},
    [COR_MACHINE_SPACE] = {"space",
                           "1024 MiB free, and 1000 files: remove some, or take another file system"},
    [COR_MACHINE_LOCKS] =
        {"locks", "a second lock of a file is refused: mount with locks, or write elsewhere; h5py and "
                  "others read without locks by HDF5_USE_FILE_LOCKING=FALSE"},
    [COR_MACHINE_FILES] = {"open files", "at least 256: ulimit -n 1024"},
    [COR_MACHINE_SIZES] = {"file size", "at least 1024 MiB: ulimit -f unlimited"},
    [COR_MACHINE_MEMORY] = {"address space", "at least 4096 MiB: ulimit -v unlimited"},
    [COR_MACHINE_PROCESSES] = {"processes", "at least 256: ulimit -u 4096"},
    [COR_MACHINE_LOOPBACK] = {"loopback", "127.0.0.1 is up, as corridor watch needs it: ip link set lo up"},
};

static void say(struct cor_machine_check *check, bool holds, const char *format, ...) COR_PRINTF(3, 4);
static void say(struct cor_machine_check *check, bool holds, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->found, sizeof check->found, format, arguments);
    va_end(arguments);
    check->holds = holds;
}

static void look_at_space(const char *folder, struct cor_machine_check *check) {
    struct statvfs system;
    if (statvfs(folder, &system) != 0) {
        say(check, false, "cannot be told: %s", strerror(errno));
        return;
    }
    const uint64_t free_bytes = (uint64_t)system.f_bavail * system.f_frsize;
    const bool counts_files = system.f_files > 0; /* some file systems have no limit of their number */
    const bool has_files = !counts_files || system.f_favail >= 1000;
    say(check, free_bytes >= COR_MACHINE_SPACE_BYTES && has_files,
        has_files ? "%" PRIu64 " MiB free" : "%" PRIu64 " MiB free, and room for less than 1000 files",
        free_bytes / MEGA);
}

/* Locks of a range, as campaigns have them, and of a file, as HDF5 has them. */
static bool lock_range(int file) {
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &all) == 0;
}
static bool lock_file(int file) {
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

/* A limit of this process, in units of so many. */
static void look_at_limit(int resource, uint64_t least, uint64_t unit, const char *of_unit,
                          struct cor_machine_check *check) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
        say(check, false, "cannot be told: %s", strerror(errno));
    else if (limit.rlim_cur == RLIM_INFINITY)
        say(check, true, "no limit");
    else
        say(check, limit.rlim_cur >= least, "%" PRIu64 "%s", (uint64_t)limit.rlim_cur / unit, of_unit);
}

enum cor_status cor_machine_look(const char *folder, struct cor_machine_check checks[COR_MACHINE_COUNT],
                                 struct cor_error *error) {
    struct stat there;
    if (stat(folder, &there) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, folder, "name a folder that is there", "cannot look");
    if (!S_ISDIR(there.st_mode))
        return cor_fail(error, COR_STATUS_FILE, folder, "name the folder that results are to go to",
                        "is no folder");
    for (size_t i = 0; i < COR_MACHINE_COUNT; i++)
        checks[i] = (struct cor_machine_check){.name = wanted[i].name, .right = wanted[i].right};
    COR_FREED char *path = cor_format("%s/.corridor-doctor-XXXXXX", folder);
    COR_TRY(cor_made(path, error));
    const int file = mkstemp(path);
    if (file < 0) {
        say(&checks[COR_MACHINE_WRITES], false, "no file can be made: %s", strerror(errno));
        say(&checks[COR_MACHINE_LOCKS], false, "cannot be tried without a file");
    } else {
        const bool writes = write(file, "x", 1) == 1 && fsync(file) == 0;
        say(&checks[COR_MACHINE_WRITES], writes,
            writes ? "files can be made and written" : "a file can be made, but not written");
        /* Two openings of one file: the second must not get the lock that the first has. */
        struct cor_machine_check *check = &checks[COR_MACHINE_LOCKS];
        const int other = open(path, O_RDWR | O_CLOEXEC);
        if (other < 0)
            say(check, false, "cannot be tried: %s", strerror(errno));
        else if (!lock_range(file) || !lock_file(file))
            say(check, false, "a file cannot be locked: %s", strerror(errno));
        else if (lock_range(other) || lock_file(other))
            say(check, false, "a file that is locked can be locked again");
        else
            say(check, true, "a file that is locked cannot be locked again");
        if (other >= 0)
            close(other);
        close(file);
        unlink(path);
    }
    look_at_space(folder, &checks[COR_MACHINE_SPACE]);
    look_at_limit(RLIMIT_NOFILE, COR_MACHINE_FILES_LEAST, 1, "", &checks[COR_MACHINE_FILES]);
    look_at_limit(RLIMIT_FSIZE, COR_MACHINE_SPACE_BYTES, MEGA, " MiB", &checks[COR_MACHINE_SIZES]);
    look_at_limit(RLIMIT_AS, COR_MACHINE_MEMORY_BYTES, MEGA, " MiB", &checks[COR_MACHINE_MEMORY]);
    look_at_limit(RLIMIT_NPROC, COR_MACHINE_PROCESSES_LEAST, 1, "", &checks[COR_MACHINE_PROCESSES]);
    struct cor_machine_check *check = &checks[COR_MACHINE_LOOPBACK];
    const struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool holds = server >= 0 && bind(server, (const struct sockaddr *)&here, sizeof here) == 0 &&
                       listen(server, 1) == 0;
    if (holds)
        say(check, true, "a port of 127.0.0.1 can be opened");
    else
        say(check, false, "no port of 127.0.0.1 can be opened: %s", strerror(errno));
    if (server >= 0)
        close(server);
    return COR_OK;
}

/* ---- walls */

/* What every guest can read: programs, libraries, and what the dynamic linker asks. */
static const char *const of_all[] = {"/usr",
                                     "/bin",
                                     "/sbin",
                                     "/lib",
                                     "/lib32",
                                     "/lib64",
                                     "/libx32",
                                     "/etc/ld.so.cache",
                                     "/etc/alternatives",
                                     "/dev/null",
                                     "/dev/zero",
                                     "/dev/random",
                                     "/dev/urandom"};
#define OF_ALL (sizeof of_all / sizeof *of_all)

/* As of Landlock 7; the headers of a system may be older than its kernel. */
struct ruleset {
    uint64_t files, network, scope;
};
#define SCOPE_ABSTRACT_SOCKETS UINT64_C(1)
#define SCOPE_SIGNALS UINT64_C(2)
#define FILES_1                                                                                       \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |       \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |    \
     LANDLOCK_ACCESS_FS_MAKE_SYM)
#define FILES_REFER (UINT64_C(1) << 13)    /* from version 2 */
#define FILES_TRUNCATE (UINT64_C(1) << 14) /* from version 3 */

#define FILES_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

static bool allow(int rules, int folder, const char *path, uint64_t access) {
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    struct stat there;
    rule.parent_fd = openat(folder, path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return errno == ENOENT; /* then there is nothing to be read */
    if (fstat(rule.parent_fd, &there) == 0 && !S_ISDIR(there.st_mode))
        rule.allowed_access &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR;
    const bool is_done = rule.allowed_access == 0 ||
                         syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return is_done;
}

/* What guests may read: the paths that are needed, and of what lies in these, the paths that are withheld. */
struct sight {
    const char *const *needs, *const *withheld;
};

static bool is_below(const char *path, const char *folder) {
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool has_below(const char *const *paths, const char *folder) {
    while (*paths && !is_below(*paths, folder))
        paths++;
    return *paths != NULL;
}

/* A rule holds for all that is in a folder: where that is too much, each entry has one. */
static bool allow_need(int rules, const char *path, const struct sight *sight) {
    if (!has_below(sight->withheld, path) && !has_below(sight->needs, path))
        return allow(rules, AT_FDCWD, path, FILES_READ);
    DIR *folder = opendir(path);
    bool is_done = true;
    if (!folder)
        return allow(rules, AT_FDCWD, path, FILES_READ);
    const struct dirent *entry;
    while (is_done && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        COR_FREED char *inside = cor_format("%s/%s", path, entry->d_name);
        is_done = inside && (cor_is_among(sight->withheld, inside) || cor_is_among(sight->needs, inside) ||
                             allow_need(rules, inside, sight));
    }
    closedir(folder);
    return is_done && allow(rules, AT_FDCWD, path, LANDLOCK_ACCESS_FS_READ_DIR);
}

/* The second way to keep files out of sight. What runtimes and the warden of guests (guest.c) look up of
 * themselves is theirs; those that they fork have no way to it. */
static bool allow_sight(int rules, const struct sight *sight) {
    static const char *const own[] = {"/proc/self/maps",    "/proc/self/statm",
                                      "/proc/self/stat",    "/proc/self/status",
                                      "/proc/self/cmdline", "/proc/thread-self/children"};
    bool is_done = true;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        is_done = allow(rules, AT_FDCWD, own[i], LANDLOCK_ACCESS_FS_READ_FILE) && is_done;
    for (size_t i = 0; i < OF_ALL; i++)
        is_done = allow(rules, AT_FDCWD, of_all[i], FILES_READ) && is_done;
    for (size_t i = 0; sight->needs[i]; i++) /* whoever may read nothing of a folder may go through it */
        is_done = (cor_needs_is_way(sight->needs[i]) || allow_need(rules, sight->needs[i], sight)) && is_done;
    return is_done;
}

/* What those of the set that are Landlock's allow; -1 where it is not. *standing: those that stand once a
 * process is restricted by it. */
static int make_rules(int walls, const struct sight *sight, int *standing) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    *standing = 0;
    if (version < 1)
        return -1;
    struct ruleset set = {.files = FILES_1};
    set.files |= version >= 2 ? FILES_REFER : 0;
    set.files |= version >= 3 ? FILES_TRUNCATE : 0;
    set.files |= walls & COR_WALL_SIGHT ? FILES_READ : 0;
    if (version >= 6 && walls & COR_WALL_SIGNALS)
        set.scope = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
    size_t size = version >= 6 ? sizeof set : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
    if (rules < 0)
        return -1;
    /* What there is no right to name is forbidden. */
    allow(rules, AT_FDCWD, "/dev/null", set.files & (LANDLOCK_ACCESS_FS_WRITE_FILE | FILES_TRUNCATE));
    const bool is_sight = walls & COR_WALL_SIGHT && sight->withheld && allow_sight(rules, sight);
    *standing = COR_WALL_TRACES | (version >= 3 ? COR_WALL_FILES : 0) | (set.scope ? COR_WALL_SIGNALS : 0) |
                (is_sight ? COR_WALL_SIGHT : 0);
    return rules;
}

static int lock_land(int walls, const struct sight *sight) {
    int standing, rules = make_rules(walls, sight, &standing);
    if (rules < 0)
        return 0;
    const bool is_done = cor_walls_close(rules);
    return is_done ? standing : 0;
}

int cor_walls_prepare(void) {
    int standing;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return make_rules(COR_WALL_SIGNALS | COR_WALL_TRACES, NULL, &standing);
}

bool cor_walls_close(int prepared) {
    const bool is_done = prepared >= 0 && syscall(SYS_landlock_restrict_self, prepared, 0) == 0;
    if (prepared >= 0)
        close(prepared);
    return is_done;
}

/* Modes and times of files, too, which Landlock does not look at. A copy of all mounts becomes the root: the
 * root that is there need not be a mount, and then could not be changed as one. */
static int freeze_files(void) {
    const struct mount_attr frozen = {.attr_set = MOUNT_ATTR_RDONLY};
    if (unshare(CLONE_NEWNS) != 0)
        return 0;
    COR_FREED char *folder = getcwd(NULL, 0);
    int tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    int is_done =
        tree >= 0 &&
        syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &frozen, sizeof frozen) == 0 &&
        fchdir(tree) == 0 && chroot(".") == 0 && folder && chdir(folder) == 0;
    if (tree >= 0)
        close(tree);
    return is_done ? COR_WALL_MODES : 0;
}

/* A root of its own: an empty file system in memory, in which there is what is needed, and nothing else. */

/* The folders of a path in it, and a place for what is mounted there. */
static bool make_place(int root, const char *path, bool is_folder) {
    char part[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path - 1), path + 1);
        if (mkdirat(root, part, 0755) != 0 && errno != EEXIST)
            return false;
    }
    if (is_folder)
        return mkdirat(root, path + 1, 0755) == 0 || errno == EEXIST;
    int file = faccessat(root, path + 1, F_OK, AT_SYMLINK_NOFOLLOW) != 0
                   ? openat(root, path + 1, O_CREAT | O_WRONLY | O_CLOEXEC, 0644)
                   : root;
    if (file >= 0 && file != root)
        close(file);
    return file >= 0;
}

static bool put(int root, int from_folder, const char *from, const char *path, bool is_folder) {
    int tree = open_tree(from_folder, from, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    const bool is_done = tree >= 0 && make_place(root, path, is_folder) &&
                         move_mount(tree, "", root, path + 1, MOVE_MOUNT_F_EMPTY_PATH) == 0;
    if (tree >= 0)
        close(tree);
    return is_done;
}

/* The same place as outside; a link where there is one. What is not there is not missed. */
static bool put_own(int root, const char *path, bool may_be_link) {
    char target[PATH_MAX];
    struct stat there;
    if (may_be_link && lstat(path, &there) == 0 && S_ISLNK(there.st_mode)) {
        const ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        return length > 0 && symlinkat(target, root, path + 1) == 0;
    }
    return stat(path, &there) != 0 || put(root, AT_FDCWD, path, path, S_ISDIR(there.st_mode));
}

/* An empty folder, or a link, where there is nothing yet. */
static bool put_way(int root, const char *way) {
    char path[PATH_MAX], target[PATH_MAX];
    struct stat there;
    snprintf(path, sizeof path, "%.*s", (int)(strlen(way) - strlen(COR_NEEDS_WAY)), way);
    char *slash = strrchr(path, '/');
    if (lstat(path, &there) != 0 || !S_ISLNK(there.st_mode) || !realpath(path, target))
        return make_place(root, path, true);
    *slash = '\0';
    const bool has_folder = slash == path || make_place(root, path, true);
    *slash = '/';
    return has_folder && (symlinkat(target, root, path + 1) == 0 || errno == EEXIST);
}

#define VEIL ".veil" /* a folder that holds an empty folder and an empty file */

/* Puts nothing in the place of what is withheld in the folder. */
static bool veil(int root, const char *folder, const char *const *withheld) {
    struct stat there;
    bool is_done = true;
    for (; is_done && *withheld; withheld++)
        if (is_below(*withheld, folder) && lstat(*withheld, &there) == 0)
            is_done = put(root, root, S_ISDIR(there.st_mode) ? VEIL "/folder" : VEIL "/file", *withheld,
                          S_ISDIR(there.st_mode));
    return is_done;
}

static bool put_needs(int root, const struct sight *sight) {
    bool is_done = mkdirat(root, VEIL, 0700) == 0 && mkdirat(root, VEIL "/folder", 0) == 0 &&
                   mknodat(root, VEIL "/file", S_IFREG, 0) == 0;
    for (size_t i = 0; is_done && sight->needs[i]; i++)
        if (cor_needs_is_way(sight->needs[i]))
            is_done = put_way(root, sight->needs[i]);
        else if (put_own(root, sight->needs[i],
                         false)) /* not where a link of a folder leads, which then is there itself */
            is_done = veil(root, sight->needs[i], sight->withheld);
    return is_done;
}

/* Of its namespace of processes, with nothing but those of them that it may trace, as Landlock has it: itself
 * and its children. It cannot be had where others hide a part of theirs from us. */
static bool put_processes(int root) {
    int made = -1, kind = fsopen("proc", FSOPEN_CLOEXEC);
    if (kind >= 0 && fsconfig(kind, FSCONFIG_SET_STRING, "subset", "pid", 0) == 0 &&
        fsconfig(kind, FSCONFIG_SET_STRING, "hidepid", "ptraceable", 0) == 0 &&
        fsconfig(kind, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        made = fsmount(kind, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    const bool is_done = made >= 0 && make_place(root, "/proc", true) && make_place(root, "/dev", true) &&
                         move_mount(made, "", root, "proc", MOVE_MOUNT_F_EMPTY_PATH) == 0 &&
                         symlinkat("/proc/self/fd", root, "dev/fd") == 0 &&
                         symlinkat("/proc/self/fd/0", root, "dev/stdin") == 0 &&
                         symlinkat("/proc/self/fd/1", root, "dev/stdout") == 0 &&
                         symlinkat("/proc/self/fd/2", root, "dev/stderr") == 0;
    if (made >= 0)
        close(made);
    if (kind >= 0)
        close(kind);
    return is_done;
}

/* Files can only be put into a file system that is mounted somewhere in the namespace: on a mount that no
 * other namespace shares, which the root that is there need not be. */
static int mount_empty(void) {
    static const char *const places[] = {"/", "/proc", "/sys", "/dev", "/run"};
    const struct mount_attr own = {.propagation = MS_PRIVATE};
    int root = -1, kind = fsopen("tmpfs", FSOPEN_CLOEXEC);
    if (kind >= 0 && fsconfig(kind, FSCONFIG_SET_STRING, "mode", "0755", 0) == 0 &&
        fsconfig(kind, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        root = fsmount(kind, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    if (kind >= 0)
        close(kind);
    for (size_t i = 0; root >= 0 && i < sizeof places / sizeof *places; i++)
        if (mount_setattr(AT_FDCWD, places[i], 0, (struct mount_attr *)(uintptr_t)&own, sizeof own) == 0 &&
            move_mount(root, "", AT_FDCWD, places[i], MOVE_MOUNT_F_EMPTY_PATH) == 0)
            return root;
    if (root >= 0)
        close(root);
    return -1;
}

/* Of what was built a copy becomes the root that is mounted nowhere: no way leads out of it, nor, as of
 * anything that is no root of a mount namespace, into a new namespace of users. */
static bool enter(int root, const char *folder) {
    const struct mount_attr frozen = {.attr_set = MOUNT_ATTR_RDONLY};
    int tree = -1;
    if ((strcmp(folder, "/") == 0 || make_place(root, folder, true)) && /* it may be empty */
        mount_setattr(root, "", AT_EMPTY_PATH | AT_RECURSIVE, (struct mount_attr *)(uintptr_t)&frozen,
                      sizeof frozen) == 0)
        tree = open_tree(root, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    const bool is_done = tree >= 0 && fchdir(tree) == 0 && chroot(".") == 0 && chdir(folder) == 0;
    if (tree >= 0)
        close(tree);
    return is_done;
}

/* Files out of sight, and the rest of them frozen. Where it fails, all is as it was. */
static int leave_root(const struct sight *sight) {
    if (!sight->withheld || unshare(CLONE_NEWNS) != 0)
        return 0;
    COR_FREED char *folder = getcwd(NULL, 0);
    int root = mount_empty();
    bool is_done = root >= 0;
    for (size_t i = 0; is_done && i < OF_ALL; i++)
        is_done = put_own(root, of_all[i], true);
    is_done = is_done && put_processes(root) && put_needs(root, sight) &&
              enter(root, folder && folder[0] == '/' ? folder : "/");
    if (!is_done && root >= 0 && fchdir(root) == 0) { /* it may cover what is needed now */
        umount2(".", MNT_DETACH);
        if (!folder || chdir(folder) != 0)
            (void)!chdir("/");
    }
    if (root >= 0)
        close(root);
    return is_done ? COR_WALL_SIGHT | COR_WALL_ROOT | COR_WALL_MODES : 0;
}

/* Files of the module may be anybody's, and no wall is to hide them from root. */
static int drop_rights(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    const uint32_t kept = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
    if (syscall(SYS_capget, &head, data) != 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        data[i].effective &= i == 0 ? kept : 0;
        data[i].permitted &= i == 0 ? kept : 0;
        data[i].inheritable = 0;
    }
    return syscall(SYS_capset, &head, data) == 0 ? COR_WALL_RIGHTS : 0;
}

#ifdef __SANITIZE_ADDRESS__
/* Who exits within walls has no leaks looked for: that takes calls which are forbidden there, and waits for
 * ever. */
static int is_walled;
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return is_walled;
}
#endif

int cor_walls_raise(int walls, const char *const *needs, const char *const *withheld) {
#ifdef __SANITIZE_ADDRESS__
    is_walled = 1;
#endif
    static const char *const nothing[] = {NULL};
    char **found = walls & COR_WALL_SIGHT && !withheld ? cor_needs_withheld(needs) : NULL;
    const struct sight sight = {needs ? needs : nothing, withheld ? withheld : (const char *const *)found};
    int standing = 0;
    if (walls & COR_WALL_NETWORK && unshare(CLONE_NEWNET | CLONE_NEWIPC) == 0)
        standing |= COR_WALL_NETWORK;
    if (walls & COR_WALL_SIGHT)
        standing |= leave_root(&sight) & (walls | COR_WALL_ROOT);
    if (walls & COR_WALL_MODES & ~standing)
        standing |= freeze_files();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        cor_needs_free(found);
        return standing;
    }
    if (walls & COR_WALL_RIGHTS)
        standing |= drop_rights();
    if (walls & (COR_WALL_FILES | COR_WALL_SIGNALS | COR_WALL_TRACES | COR_WALL_SIGHT))
        standing |= lock_land(walls & ~(standing & COR_WALL_SIGHT), &sight);
    if (walls & COR_WALL_FILES) /* for files that are in memory alone, too */
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    cor_needs_free(found);
    return standing;
}
