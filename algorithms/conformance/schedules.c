/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedules.h"

#include <corridor/array.h>
#include <corridor/cell.h>

#define HANG_SECONDS 0.25 /* CPU time, at the same place three times over */

struct cor_cluster *conformance__cluster_create(struct conformance__probe *probe,
                                                struct cor_process_program *program, uint32_t processes) {
    const struct cor_cluster_definition definition = {
        .program = program, .process_count = processes, .hang_seconds = HANG_SECONDS};
    struct cor_cluster *cluster;
    conformance__probe_trouble(probe, cor_cluster_create(&definition, &cluster, &probe->error));
    return cluster;
}

/* One of the bits that are set, at least one. */
static uint8_t draw_bit(struct cor_rng *rng, uint32_t bits) {
    const uint32_t which = cor_rng_below(rng, (uint32_t)__builtin_popcount(bits));
    for (uint32_t i = 0; i < which; i++)
        bits &= bits - 1;
    return (uint8_t)__builtin_ctz(bits);
}

/* A message that is under way to a process, whichever. */
static void draw_message(const struct cor_cluster *cluster, struct cor_rng *rng,
                         struct cor_process_event *event) {
    const uint32_t from = cor_cluster_overview(cluster)->senders[event->process];
    uint32_t count = 0;
    if (from == 0)
        return;
    event->peer = draw_bit(rng, from);
    const struct cor_flight *flights = cor_cluster_flight(cluster, event->peer, event->process, &count);
    const uint32_t which = cor_rng_below(rng, count);
    event->what = flights[which].kind;
    event->ordinal = 0;
    for (uint32_t i = 0; i < which; i++)
        event->ordinal += flights[i].kind == event->what;
}

/* A kind of event, by weights. What cannot be now is passed over. */
static enum cor_process_event_kind draw_kind(struct cor_rng *rng, enum conformance__weather weather) {
    static const struct {
        unsigned char weight, kind, weather;
    } kinds[] = {{50, COR_PROCESS_EVENT_DELIVER, CONFORMANCE__CALM},
                 {12, COR_PROCESS_EVENT_DISK, CONFORMANCE__CALM},
                 {10, COR_PROCESS_EVENT_TIME_OUT, CONFORMANCE__CALM},
                 {10, COR_PROCESS_EVENT_INPUT, CONFORMANCE__CALM},
                 {4, COR_PROCESS_EVENT_LOSE, CONFORMANCE__STORM},
                 {4, COR_PROCESS_EVENT_DUPLICATE, CONFORMANCE__STORM},
                 {3, COR_PROCESS_EVENT_CRASH, CONFORMANCE__STORM},
                 {9, COR_PROCESS_EVENT_RESTART, CONFORMANCE__STORM},
                 {1, COR_PROCESS_EVENT_PAUSE, CONFORMANCE__STORM},
                 {3, COR_PROCESS_EVENT_RESUME, CONFORMANCE__STORM},
                 {1, COR_PROCESS_EVENT_CUT, CONFORMANCE__STORM},
                 {3, COR_PROCESS_EVENT_HEAL, CONFORMANCE__STORM},
                 {4, COR_PROCESS_EVENT_DISK_ERROR, CONFORMANCE__EXTREME},
                 {4, COR_PROCESS_EVENT_CRASH_TORN, CONFORMANCE__EXTREME},
                 {4, COR_PROCESS_EVENT_CRASH_LOST, CONFORMANCE__EXTREME},
                 {2, COR_PROCESS_EVENT_JUMP, CONFORMANCE__EXTREME},
                 {2, COR_PROCESS_EVENT_DRIFT, CONFORMANCE__EXTREME}};
    uint32_t all = 0, i = 0;
    for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        all += kinds[k].weather <= weather ? kinds[k].weight : 0;
    for (uint32_t left = cor_rng_below(rng, all);; i++) {
        const uint32_t weight = kinds[i].weather <= weather ? kinds[i].weight : 0;
        if (left < weight)
            return (enum cor_process_event_kind)kinds[i].kind;
        left -= weight;
    }
}

static void draw_event(const struct cor_cluster *cluster, struct cor_rng *rng,
                       enum conformance__weather weather, struct cor_process_event *event) {
    const uint32_t processes = cor_cluster_process_count(cluster);
    const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
    *event = (struct cor_process_event){.kind = (uint8_t)draw_kind(rng, weather)};
    event->process = (uint8_t)cor_rng_below(rng, processes);
    event->tick = cor_cluster_now(cluster);
    event->tick += cor_rng_below(rng, 10);
    switch ((enum cor_process_event_kind)event->kind) {
    case COR_PROCESS_EVENT_DELIVER:
    case COR_PROCESS_EVENT_LOSE:
    case COR_PROCESS_EVENT_DUPLICATE:
        draw_message(cluster, rng, event);
        break;
    case COR_PROCESS_EVENT_TIME_OUT:
        event->what = overview->alarms[event->process] ? draw_bit(rng, overview->alarms[event->process]) : 0;
        break;
    case COR_PROCESS_EVENT_INPUT: {
        const uint32_t inputs = cor_cluster_program(cluster)->input_count;
        event->what = inputs > 0 ? (uint8_t)cor_rng_below(rng, inputs) : 0;
        event->ordinal = cor_rng_below(rng, UINT32_MAX);
        break;
    }
    case COR_PROCESS_EVENT_CRASH:
    case COR_PROCESS_EVENT_CRASH_TORN:
        event->ordinal = cor_rng_below(rng, 3);
        break;
    case COR_PROCESS_EVENT_CRASH_LOST:
        event->what = (uint8_t)cor_rng_below(rng, COR_PROCESS_CELLS_MAX);
        break;
    case COR_PROCESS_EVENT_CUT:
    case COR_PROCESS_EVENT_HEAL:
        event->peer = (uint8_t)cor_rng_below(rng, processes);
        break;
    case COR_PROCESS_EVENT_JUMP:
        event->what = (uint8_t)cor_rng_below(rng, 2);
        event->ordinal = cor_rng_below(rng, 5000);
        break;
    case COR_PROCESS_EVENT_DRIFT:
        event->ordinal = 500 + cor_rng_below(rng, 1000);
        break;
    default:
        break;
    }
}

/* Processes that a module leaves behind could go on beside the kit: they end with this one. Whether a thread
 * is still there is a matter of time; that it was begun is found by `alone`. */
static void expect_nobody(struct conformance__probe *probe, const struct cor_process_event *event) {
    if (probe->is_program || probe->has_twin || cor_cell_left() != COR_LEFT_PROCESSES)
        return;
    conformance__probe_broken(probe, "behind %s at process %u it leaves processes behind",
                              cor_process_event_kind_word((enum cor_process_event_kind)event->kind),
                              event->process);
    conformance__probe_end(probe);
}

void conformance__course_draw(struct conformance__probe *probe, struct cor_cluster *cluster,
                              const struct cor_stream_name *name, enum conformance__weather weather,
                              struct conformance__course *course) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_TEST;
    struct cor_rng rng = cor_rng_named(&own);
    const uint32_t most = probe->is_program ? CONFORMANCE__EVENTS_OF_PROGRAM : CONFORMANCE__EVENTS;
    course->count = 0;
    conformance__probe_trouble(probe, cor_cluster_reset(cluster, name, &probe->error));
    course->digests[0] = cor_cluster_digest(cluster);
    for (uint32_t i = 0; i < 2 * most && course->count < most; i++) {
        struct cor_process_event *event = &course->events[course->count];
        bool happened;
        draw_event(cluster, &rng, weather, event);
        conformance__probe_trouble(probe, cor_cluster_happen(cluster, event, &happened, &probe->error));
        if (happened)
            course->digests[++course->count] = cor_cluster_digest(cluster);
        expect_nobody(probe, event);
        if (cor_cluster_end(cluster, NULL, NULL) != COR_PROCESS_END_NONE)
            break;
    }
    probe->is_hung |= cor_cluster_end(cluster, NULL, NULL) == COR_PROCESS_END_HANG;
}

uint32_t conformance__course_repeat(struct conformance__probe *probe, struct cor_cluster *cluster,
                                    const struct cor_stream_name *name,
                                    const struct conformance__course *course) {
    conformance__probe_trouble(probe, cor_cluster_reset(cluster, name, &probe->error));
    if (cor_cluster_digest(cluster) != course->digests[0])
        return 0;
    for (uint32_t i = 0; i < course->count; i++) {
        bool happened;
        conformance__probe_trouble(probe,
                                   cor_cluster_happen(cluster, &course->events[i], &happened, &probe->error));
        if (!happened || cor_cluster_digest(cluster) != course->digests[i + 1])
            return i + 1;
    }
    return UINT32_MAX;
}
