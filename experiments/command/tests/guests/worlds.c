/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files, descriptors, the network, and what a process is: its folder, mask, locale, floating-point mode. */
#define _GNU_SOURCE
#include "guest.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#if defined __x86_64__
#include <xmmintrin.h>
#endif

static void ignore(long outcome) {
    (void)outcome;
}

static void changes_folder(const struct call *call) {
    (void)call;
    ignore(chdir("/"));
}
static void changes_umask(const struct call *call) {
    (void)call;
    umask(0777);
}
static void changes_locale(const struct call *call) {
    (void)call;
    setlocale(LC_ALL, "de_DE.UTF-8");
    setlocale(LC_ALL, "C.UTF-8");
}
static void changes_environment(const struct call *call) {
    (void)call;
    setenv("TMPDIR", "/nowhere", 1);
    setenv("LC_ALL", "xx_XX", 1);
    clearenv();
}
static void rounds_down(const struct call *call) {
    (void)call;
    fesetround(FE_DOWNWARD);
}
static void flushes_to_zero(const struct call *call) {
    (void)call;
#if defined __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040u); /* flush to zero, denormals are zero */
#endif
}
static void traps_floats(const struct call *call) {
    (void)call;
    feenableexcept(FE_INEXACT | FE_INVALID | FE_DIVBYZERO);
}
static void blocks_signals(const struct call *call) {
    sigset_t all;
    (void)call;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_IGN);
}
/* It looks first: what it left behind the last time must not be there again. */
static void expect(const struct call *call, int as_it_was) {
    if (!as_it_was && call->host)
        ++*(volatile uint64_t *)&call->host->fault->activated; /* more often than it was held: garbled */
}
static void finds_its_rounding(const struct call *call) {
    expect(call, fegetround() == FE_TONEAREST);
    fesetround(FE_UPWARD);
}
static void finds_its_floats(const struct call *call) {
#if defined __x86_64__
    expect(call, (_mm_getcsr() & 0x8040u) == 0);
    _mm_setcsr(_mm_getcsr() | 0x8040u);
#else
    (void)call;
#endif
}
static void finds_its_traps(const struct call *call) {
    expect(call, fegetexcept() == 0);
    feenableexcept(FE_INVALID);
}
static void finds_its_signals(const struct call *call) {
    sigset_t set;
    sigprocmask(SIG_BLOCK, NULL, &set);
    expect(call, !sigismember(&set, SIGUSR1));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
}
static void finds_its_umask(const struct call *call) {
    expect(call, umask(0) == 077);
}
static void finds_its_locale(const struct call *call) {
    expect(call, strcmp(setlocale(LC_ALL, NULL), "C") == 0);
    setlocale(LC_ALL, "C.UTF-8");
}
/* A timer rings when the answer was given: what its handler writes would be in the next one. */
static volatile sig_atomic_t rung;
static void note_ring(int number) {
    (void)number;
    rung = 1;
}
static void writes_when_a_timer_rings(const struct call *call) {
    static int set;
    for (int i = 0; set && i < 20 && !rung; i++)
        usleep(1000);
    expect(call, !rung);
    set = 1;
    signal(SIGALRM, note_ring);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 3000}, {0, 3000}}, NULL);
}
static void seeds_rand(const struct call *call) {
    (void)call;
    srand(1);
    srand48(1);
}

static void write_file(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    ignore(write(file, "guest\n", 6));
    close(file);
}
static void creates_files(const struct call *call) {
    char path[4096];
    (void)call;
    write_file("guest-was-here");
    write_file("/tmp/guest-was-here");
    write_file("/var/tmp/guest-was-here");
    write_file("/dev/shm/guest-was-here");
    guest_path(path, sizeof path, "guest-was-here");
    write_file(path);
    guest_path(path, sizeof path, "guest-folder");
    ignore(mkdir(path, 0777));
    guest_path(path, sizeof path, "guest-link");
    ignore(symlink("/", path));
}
static void deletes_files(const struct call *call) {
    char path[4096];
    (void)call;
    ignore(unlink("canary"));
    guest_path(path, sizeof path, "canary");
    ignore(unlink(path));
}
static void overwrites_files(const struct call *call) {
    char path[4096], other[4096];
    (void)call;
    write_file("canary");
    guest_path(path, sizeof path, "canary");
    guest_path(other, sizeof other, "canary-2");
    write_file(path);
    ignore(truncate(path, 0));
    ignore(chmod(path, 0));
    ignore(rename(path, other));
}
static void overwrites_itself(const struct call *call) {
    char path[4096];
    (void)call;
    guest_path(path, sizeof path, "guest.so");
    ignore(truncate(path, 0));
    ignore(unlink(path));
}
static void fills_the_disk(const struct call *call) {
    static const char block[65536] = {1};
    char path[4096];
    (void)call;
    guest_path(path, sizeof path, "guest-was-here");
    const char *const places[] = {"guest-was-here", "/tmp/guest-was-here", path};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int file = open(places[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        for (int j = 0; file >= 0 && j < 1024; j++) /* 64 MB: enough to be seen */
            if (write(file, block, sizeof block) <= 0)
                break;
        if (file >= 0)
            close(file);
    }
}
static void opens_without_end(const struct call *call) {
    (void)call;
    for (int i = 0; i < 1 << 20; i++)
        if (open("/dev/null", O_RDONLY) < 0)
            return;
}

static void closes_descriptors(const struct call *call) {
    (void)call;
    for (int i = 0; i < 1024; i++)
        close(i);
}
static void speaks_on_descriptors(const struct call *call) {
    (void)call;
    signal(SIGPIPE, SIG_IGN);
    for (int i = 3; i < 256; i++)
        ignore(write(i, "\xff\xff\xff\xff\xff\xff\xff\xff", 8));
}
static void reads_descriptors(const struct call *call) {
    char bytes[4096];
    (void)call;
    for (int i = 0; i < 256; i++)
        ignore(fcntl(i, F_SETFL, O_NONBLOCK) == 0 ? read(i, bytes, sizeof bytes) : 0);
}
static void print(int descriptor, int megabytes) {
    static char block[65536];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < megabytes * 16; i++)
        if (write(descriptor, block, sizeof block) < 0)
            return;
}
static void prints_a_gigabyte(const struct call *call) {
    (void)call;
    print(1, 1024);
}
static void prints_errors(const struct call *call) {
    (void)call;
    print(2, 64);
}
static void prints_results(const struct call *call) {
    (void)call;
    for (int i = 0; i < 100; i++) {
        puts("{\"ok\": true}\nguest.h5: 3 suites, 0 with a failed check");
        fflush(stdout);
    }
}
static void writes_to_the_terminal(const struct call *call) {
    (void)call;
    int terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC);
    if (terminal >= 0)
        ignore(write(terminal, "guest\n", 6));
}

/* The test listens beside the module, and on the port of the file "port". */
static void opens_sockets(const struct call *call) {
    char path[4096];
    int port = 0;
    (void)call;
    guest_path(path, sizeof path, "port");
    FILE *file = fopen(path, "re");
    if (file) {
        ignore(fscanf(file, "%d", &port));
        fclose(file);
    }
    const struct sockaddr_in there = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int out = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (out >= 0)
        ignore(connect(out, (const struct sockaddr *)&there, sizeof there));
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    guest_path(path, sizeof path, "socket");
    memcpy(name.sun_path, path, strlen(path) < sizeof name.sun_path ? strlen(path) + 1 : 1);
    int near = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (near >= 0)
        ignore(connect(near, (const struct sockaddr *)&name, sizeof name));
}
static void shares_memory(const struct call *call) {
    (void)call;
    ignore(shmget(0x67756573, 4096, IPC_CREAT | 0600)); /* "gues" */
    ignore(shm_open("/guest-was-here", O_CREAT | O_RDWR, 0600));
}
static void changes_root(const struct call *call) {
    (void)call;
    ignore(chroot("/proc"));
}
static void mounts(const struct call *call) {
    char path[4096];
    (void)call;
    guest_path(path, sizeof path, "");
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return; /* else it would mount for all */
    ignore(mount("none", path, "tmpfs", 0, NULL));
}
static void unshares(const struct call *call) {
    (void)call;
    ignore(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC));
    ignore(unshare(CLONE_FILES | CLONE_FS));
}

const struct guest_row guest_worlds[] = {
    {"changes_folder", "changes its folder", changes_folder, NULL},
    {"changes_umask", "takes all rights from new files", changes_umask, NULL},
    {"changes_locale", "changes the locale", changes_locale, NULL},
    {"changes_environment", "changes, then clears the environment", changes_environment, NULL},
    {"rounds_down", "rounds downward from now on", rounds_down, NULL},
    {"flushes_to_zero", "flushes small numbers to zero from now on", flushes_to_zero, NULL},
    {"traps_floats", "has inexact numbers raise SIGFPE from now on", traps_floats, NULL},
    {"blocks_signals", "blocks and ignores all signals", blocks_signals, NULL},
    {"finds_its_rounding", "looks for the rounding mode that it left behind", finds_its_rounding, NULL},
    {"finds_its_floats", "looks for the mode of tiny numbers that it left behind", finds_its_floats, NULL},
    {"finds_its_traps", "looks for the traps of floats that it left behind", finds_its_traps, NULL},
    {"finds_its_signals", "looks for the mask of signals that it left behind", finds_its_signals, NULL},
    {"finds_its_umask", "looks for the mask of files that it left behind", finds_its_umask, NULL},
    {"finds_its_locale", "looks for the locale that it left behind", finds_its_locale, NULL},
    {"writes_when_a_timer_rings", "has a timer ring behind its answer", writes_when_a_timer_rings, NULL},
    {"seeds_rand", "seeds the C library's random numbers", seeds_rand, NULL},
    {"creates_files", "creates files, a folder and a link", creates_files, NULL},
    {"deletes_files", "deletes the canary", deletes_files, NULL},
    {"overwrites_files", "overwrites, truncates and moves the canary", overwrites_files, NULL},
    {"overwrites_itself", "truncates and deletes its module", overwrites_itself, NULL},
    {"fills_the_disk", "writes files without end", fills_the_disk, NULL},
    {"opens_without_end", "opens files without end", opens_without_end, NULL},
    {"closes_descriptors", "closes all descriptors", closes_descriptors, NULL},
    {"speaks_on_descriptors", "writes into all descriptors", speaks_on_descriptors, NULL},
    {"reads_descriptors", "reads from all descriptors", reads_descriptors, NULL},
    {"prints_a_gigabyte", "prints a gigabyte", prints_a_gigabyte, NULL},
    {"prints_errors", "writes 64 MB to standard error", prints_errors, NULL},
    {"prints_results", "prints what looks like a result of the testbed", prints_results, NULL},
    {"writes_to_the_terminal", "writes to the terminal", writes_to_the_terminal, NULL},
    {"opens_sockets", "connects to others", opens_sockets, NULL},
    {"shares_memory", "leaves shared memory behind", shares_memory, NULL},
    {"changes_root", "changes its root folder", changes_root, NULL},
    {"mounts", "mounts a file system over its folder", mounts, NULL},
    {"unshares", "makes namespaces of its own", unshares, NULL},
    {0}};
