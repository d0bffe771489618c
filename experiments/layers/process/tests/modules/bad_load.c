/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that does what no guest may when it is loaded, before anybody calls it: it leaves a file, and
 * ends its process. */
#include <corridor/process.h>

#include <fcntl.h>
#include <unistd.h>

static void start(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    (void)me, (void)host, (void)stored;
}

static void receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    (void)me, (void)host, (void)from, (void)kind, (void)bytes, (void)size;
}

static void observe(const void *me, union cor_process_value *values) {
    (void)me, (void)values;
}

__attribute__((constructor)) static void load(void) {
    const int file = open("bad_load.txt", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    _exit(3);
}

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS, .name = "bad_load", .version = "1", .start = start, .receive = receive, .observe = observe,
};
