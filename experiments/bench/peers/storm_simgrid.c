/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The storm of pings by SimGrid: storm_simgrid PLATFORM ANSWER. An actor on each host, a mailbox of its own
 * for each; what is sent is sent and forgotten. The network model is the cheapest there is, and says the same
 * as ours: each message takes as long, and none waits for another. To ANSWER goes the processor time of the
 * simulation itself, the program's start and the platform not counted, how many messages came, and the
 * version. */
#include "storm.h"

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <simgrid/version.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

struct message {
    uint32_t from, kind;
};
static struct message messages[STORM_PROCESSES][2];
static sg_mailbox_t mailboxes[STORM_PROCESSES];
static char names[STORM_PROCESSES][12];
static uint64_t came;

static void send(uint32_t from, uint32_t to, uint32_t kind) {
    const sg_comm_t comm = sg_mailbox_put_init(mailboxes[to], &messages[from][kind], sizeof(uint32_t));
    sg_comm_detach(comm, NULL);
}

static void act(int argc, char **argv) {
    const uint32_t self = (uint32_t)strtoul(argv[argc - 1], NULL, 10);
    uint32_t sent = 0, answered = 0, asked = 0;
    sg_mailbox_set_receiver(names[self]);
    while (sent < STORM_AT_A_TIME) {
        send(self, storm_receiver(self, sent), STORM_PING);
        sent++;
    }
    while (answered < STORM_PINGS || asked < STORM_PINGS) {
        const struct message *message = sg_mailbox_get(mailboxes[self]);
        came++;
        if (message->kind == STORM_PING) {
            asked++;
            send(self, message->from, STORM_ANSWER);
            continue;
        }
        answered++;
        if (sent < STORM_PINGS) {
            send(self, storm_receiver(self, sent), STORM_PING);
            sent++;
        }
    }
}

static double seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv) {
    simgrid_init(&argc, argv);
    if (argc != 3)
        return 2;
    simgrid_load_platform(argv[1]);
    for (uint32_t p = 0; p < STORM_PROCESSES; p++) {
        snprintf(names[p], sizeof names[p], "%" PRIu32, p);
        mailboxes[p] = sg_mailbox_by_name(names[p]);
        for (uint32_t kind = 0; kind < 2; kind++)
            messages[p][kind] = (struct message){p, kind};
        char *const arguments[] = {names[p]};
        sg_actor_create(names[p], sg_host_by_name(names[p]), act, 1, arguments);
    }
    const double before = seconds();
    simgrid_run();
    const double after = seconds();
    int major, minor, patch;
    sg_version_get(&major, &minor, &patch);
    FILE *answer = fopen(argv[2], "w");
    if (!answer || fprintf(answer, "%.9f %" PRIu64 " %d %d\n", after - before, came, major, minor) < 0)
        return 1;
    return fclose(answer) == 0 ? 0 : 1;
}
