/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which guarantees hold here: a process in a cell tries what each is to prevent. */
#define _GNU_SOURCE /* O_TMPFILE, MAP_ANONYMOUS */
#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/child.h>
#include <corridor/guarantees.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

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
    struct cor_cell cell;
    unsigned said;
    *held = 0;
    COR_TRY(cor_cell_init(&cell, error));
    enum cor_status status = cor_cell_start(&cell, &definition, error);
    if (status == COR_OK && (cor_cell_wait(&cell, 0, ANSWER_SECONDS) & COR_SIGHT_READABLE) &&
        cor_cell_read(&cell, &said, sizeof said) == (ssize_t)sizeof said)
        *held = said;
    else if (status == COR_OK)
        status = cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "a process in a cell says nothing");
    cor_cell_fini(&cell);
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
