/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to conformance: schedules of a distributed program, drawn event by event from what is possible. */
#ifndef CORRIDOR_ALGORITHMS_CONFORMANCE_SCHEDULES_H
#define CORRIDOR_ALGORITHMS_CONFORMANCE_SCHEDULES_H

#include "internal.h"

#define CONFORMANCE__EVENTS 300u /* of a schedule at most */

#define CONFORMANCE__EVENTS_OF_PROGRAM 100u

/* What may happen beside deliveries, alarms, writes and inputs. */
enum conformance__weather {
    CONFORMANCE__CALM,
    CONFORMANCE__STORM,  /* loss, doubles, crashes, pauses, cuts */
    CONFORMANCE__EXTREME /* these, torn writes, lost cells, disks in error, clocks that are set */
};

/* A schedule as it happened, with the digest of the cluster behind each event. */
struct conformance__course {
    struct cor_process_event events[CONFORMANCE__EVENTS];
    uint64_t digests[CONFORMANCE__EVENTS + 1]; /* [0]: behind the reset */
    uint32_t count;
};

/* A cluster of so many processes; the process ends where the kit itself is in trouble. */
struct cor_cluster *conformance__cluster_create(struct conformance__probe *probe,
                                                struct cor_process_program *program, uint32_t processes);

/* Draws and does a schedule from the beginning, until it is long enough or the processes are at an end. */
void conformance__course_draw(struct conformance__probe *probe, struct cor_cluster *cluster,
                              const struct cor_stream_name *name, enum conformance__weather weather,
                              struct conformance__course *course);

/* Does it again, from the beginning; the first event after which it goes another way (0: the reset), or
 * UINT32_MAX. */
uint32_t conformance__course_repeat(struct conformance__probe *probe, struct cor_cluster *cluster,
                                    const struct cor_stream_name *name,
                                    const struct conformance__course *course);

#endif
