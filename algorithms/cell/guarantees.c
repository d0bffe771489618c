/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which guarantees hold here: a process in a cell tries. */
#include <corridor/cell.h>
#include <corridor/guarantees.h>

#include <unistd.h>

#define ANSWER_SECONDS 10.

const struct cor_guarantee cor_guarantees[COR_GUARANTEE_COUNT] = {
    [COR_GUARANTEE_PROCESSES] = {"processes", "a namespace of processes",
                                 "sees nobody but itself, and nothing outlives it"},
    [COR_GUARANTEE_SIGNALS] = {"signals", "Landlock", "signals nobody outside"},
    [COR_GUARANTEE_TRACES] = {"traces", "Landlock", "reads and writes nobody else's memory"},
    [COR_GUARANTEE_NETWORK] = {"network", "namespaces of networks and IPC", "reaches no network"},
    [COR_GUARANTEE_RIGHTS] = {"rights", "capabilities",
                              "may what anybody may, even where root runs corridor"},
    [COR_GUARANTEE_FILES] = {"files", "Landlock", "writes, makes and removes no file"},
    [COR_GUARANTEE_MODES] = {"modes", "a namespace of mounts", "changes no mode, owner or time of a file"},
    [COR_GUARANTEE_CALLS] = {"calls", "seccomp", "makes no sockets, traces nobody, starts no program"},
    [COR_GUARANTEE_MEMORY] = {"memory", "a limit of the address space",
                              "takes no more memory than it is given"},
};

static unsigned bit(bool holds, enum cor_guarantee_index guarantee) {
    return (unsigned)holds << guarantee;
}

/* In the cell. */
static void tell(void *nothing) {
    (void)nothing;
    int walls = cor_walls_raise(COR_WALLS);
    unsigned held = bit(cor_cell_is_apart(), COR_GUARANTEE_PROCESSES) |
                    bit(walls & COR_WALL_SIGNALS, COR_GUARANTEE_SIGNALS) |
                    bit(walls & COR_WALL_TRACES, COR_GUARANTEE_TRACES) |
                    bit(walls & COR_WALL_NETWORK, COR_GUARANTEE_NETWORK) |
                    bit(walls & COR_WALL_RIGHTS, COR_GUARANTEE_RIGHTS) |
                    bit(walls & COR_WALL_FILES, COR_GUARANTEE_FILES) |
                    bit(walls & COR_WALL_MODES, COR_GUARANTEE_MODES) |
                    bit(cor_limit_memory((uint64_t)1 << 30), COR_GUARANTEE_MEMORY) |
                    bit(cor_forbid_calls(), COR_GUARANTEE_CALLS);
    ssize_t written = write(STDOUT_FILENO, &held, sizeof held);
    _exit(written == (ssize_t)sizeof held ? 0 : 1);
}

enum cor_status cor_guarantees_held(unsigned *held, struct cor_error *error) {
    struct cor_cell cell;
    unsigned said;
    *held = 0;
    COR_TRY(cor_cell_init(&cell, error));
    enum cor_status status = cor_cell_start(&cell, &(struct cor_cell_definition){.life = tell}, error);
    if (status == COR_OK && (cor_cell_wait(&cell, 0, ANSWER_SECONDS) & COR_SIGHT_READABLE) &&
        cor_cell_read(&cell, &said, sizeof said) == (ssize_t)sizeof said)
        *held = said;
    else if (status == COR_OK)
        status = cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "a process in a cell says nothing");
    cor_cell_fini(&cell);
    return status;
}
