/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any event that is possible, by weights of their kinds: what is under way comes far more often than alarms,
 * faults as often as the weather says, where a case counts as EVENTS_A_CASE events. Time goes on with alarms
 * alone. */
#include "generator_draws.h"

#include <corridor/array.h>

#include <stdlib.h>

#define EVENTS_A_CASE 100.0
#define WEIGHT_DELIVER 60.0
#define WEIGHT_DISK 20.0
#define WEIGHT_TIME_OUT 8.0
#define WEIGHT_END 4.0 /* of a process that is down or paused, of a link that is cut */

struct cor_schedule_generator {
    const struct cor_cluster *cluster;
    struct cor_generator_options options;
    struct cor_rng rng;
};

static void destroy(struct cor_schedule_generator *generator) {
    free(generator);
}

static enum cor_status create(const struct cor_cluster *cluster, const struct cor_generator_options *options,
                              struct cor_schedule_generator **generator, struct cor_error *error) {
    *generator = cor_calloc(1, sizeof **generator);
    COR_TRY(cor_made(*generator, error));
    (*generator)->cluster = cluster;
    (*generator)->options = *options;
    return COR_OK;
}

static enum cor_status begin(struct cor_schedule_generator *generator, const struct cor_stream_name *name,
                             struct cor_error *error) {
    (void)error;
    generator->rng = process_layer__draws(name, 0);
    return COR_OK;
}

/* What there is to choose from: processes by bits, links as [to] the bits of `from`. */
struct choices {
    uint32_t up, paused, down, waiting,
        writing; /* up and not paused; of these with an alarm, a pending write */
    uint32_t flying[COR_PROCESSES_MAX];
    const uint32_t *cut;
    uint32_t flying_count, cut_count;
};

static uint32_t size_of(uint32_t bits) {
    bits -= bits >> 1 & 0x5555u; /* 16 at most; what stands for it in the compiler's library is slower */
    bits = (bits & 0x3333u) + (bits >> 2 & 0x3333u);
    bits = (bits + (bits >> 4)) & 0x0f0fu;
    return (bits + (bits >> 8)) & 0x1fu;
}

static void look(const struct cor_cluster *cluster, struct choices *choices) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
    const uint32_t count = cor_cluster_process_count(cluster);
    choices->up = overview->up & ~overview->paused;
    choices->paused = overview->paused;
    choices->down = ((1u << count) - 1) & ~overview->up;
    choices->waiting = choices->up & overview->with_alarm;
    choices->writing = choices->up & overview->writing;
    choices->cut = overview->cut;
    choices->flying_count = choices->cut_count = 0;
    for (uint32_t p = 0; p < count; p++) {
        choices->flying[p] = choices->up >> p & 1 ? overview->senders[p] & ~overview->cut[p] : 0;
        choices->flying_count += size_of(choices->flying[p]);
        choices->cut_count += size_of(choices->cut[p]);
    }
}

/* One of the processes, by lot. */
static uint32_t draw_process(struct cor_rng *rng, uint32_t bits) {
    for (uint32_t left = cor_rng_below(rng, size_of(bits)); left > 0; left--)
        bits &= bits - 1;
    return (uint32_t)__builtin_ctz(bits);
}

/* One of the links, by lot. */
static void draw_link(struct cor_rng *rng, const uint32_t links[COR_PROCESSES_MAX], uint32_t count,
                      struct cor_process_event *event) {
    uint32_t left = cor_rng_below(rng, count), to = 0;
    for (; left >= size_of(links[to]); to++)
        left -= size_of(links[to]);
    uint32_t bits = links[to];
    for (; left > 0; left--)
        bits &= bits - 1;
    event->process = (uint8_t)to;
    event->peer = (uint8_t)__builtin_ctz(bits);
}

static void draw_message(struct cor_schedule_generator *generator, const struct cor_weather *weather,
                         const struct choices *choices, struct cor_process_event *event) {
    uint32_t count, index = 0;
    draw_link(&generator->rng, choices->flying, choices->flying_count, event);
    const struct cor_flight *flight =
        cor_cluster_flight(generator->cluster, event->peer, event->process, &count);
    if (!generator->options.is_fifo)
        index = cor_rng_below(&generator->rng, count);
    event->kind = COR_PROCESS_EVENT_DELIVER;
    event->what = flight[index].kind;
    event->ordinal = process_layer__ordinal(flight, index);
    if (weather->lose + weather->duplicate <= 0)
        return;
    const double which = cor_rng_unit(&generator->rng);
    if (which < weather->lose && process_layer__allows(&generator->options, COR_PROCESS_EVENT_LOSE))
        event->kind = COR_PROCESS_EVENT_LOSE;
    else if (which >= weather->lose && which < weather->lose + weather->duplicate &&
             process_layer__allows(&generator->options, COR_PROCESS_EVENT_DUPLICATE))
        event->kind = COR_PROCESS_EVENT_DUPLICATE;
}

/* The alarm of a process that is due first. */
static void draw_alarm(struct cor_schedule_generator *generator, const struct choices *choices,
                       struct cor_process_event *event) {
    event->process = (uint8_t)draw_process(&generator->rng, choices->waiting);
    const struct cor_process_standing *standing = cor_cluster_standing(generator->cluster, event->process);
    for (uint32_t alarm = 1; alarm < COR_PROCESS_ALARMS_MAX; alarm++)
        if (standing->due[alarm] < standing->due[event->what])
            event->what = (uint8_t)alarm;
    event->kind = COR_PROCESS_EVENT_TIME_OUT;
    if (standing->due[event->what] > event->tick)
        event->tick = standing->due[event->what];
}

/* A link that is whole, by lot; false: it was none. */
static bool draw_cut(struct cor_schedule_generator *generator, const struct choices *choices,
                     struct cor_process_event *event) {
    const uint32_t count = cor_cluster_process_count(generator->cluster);
    event->process = (uint8_t)cor_rng_below(&generator->rng, count);
    event->peer = (uint8_t)cor_rng_below(&generator->rng, count);
    event->kind = COR_PROCESS_EVENT_CUT;
    return event->process != event->peer && !(choices->cut[event->process] >> event->peer & 1);
}

static enum cor_status next(struct cor_schedule_generator *generator, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    struct cor_rng *rng = &generator->rng;
    const struct cor_cluster *cluster = generator->cluster;
    const struct cor_generator_options *options = &generator->options;
    const struct cor_process *program = cor_cluster_program(cluster);
    const uint64_t now = cor_cluster_now(cluster);
    struct choices choices;
    (void)error;
    for (int tries = 0; tries < 100; tries++) {
        look(cluster, &choices);
        const double each = (WEIGHT_DELIVER + WEIGHT_DISK + WEIGHT_TIME_OUT) / EVENTS_A_CASE;
        const uint32_t up = size_of(choices.up), links = up * (cor_cluster_process_count(cluster) - 1);
        /* In the order of the cases below. */
        double weights[] = {
            choices.flying_count > 0 ? WEIGHT_DELIVER : 0,
            choices.writing ? WEIGHT_DISK : 0,
            choices.waiting ? WEIGHT_TIME_OUT : 0,
            choices.down ? WEIGHT_END : 0,
            choices.paused ? WEIGHT_END : 0,
            choices.cut_count > 0 ? WEIGHT_END : 0,
            up > 0 && program->input && program->input_count > 0 ? weather->input * each : 0,
            process_layer__allows(options, COR_PROCESS_EVENT_CRASH) ? weather->crash * up * each : 0,
            process_layer__allows(options, COR_PROCESS_EVENT_PAUSE) ? weather->pause * up * each : 0,
            process_layer__allows(options, COR_PROCESS_EVENT_CUT) ? weather->cut * links * each : 0,
            process_layer__allows(options, COR_PROCESS_EVENT_JUMP) ? weather->jump * up * each : 0,
            process_layer__allows(options, COR_PROCESS_EVENT_DRIFT) ? weather->drift * up * each : 0,
        };
        enum { KINDS = sizeof weights / sizeof *weights };
        double sum = 0;
        for (int k = 0; k < KINDS; k++)
            sum += weights[k];
        *event = (struct cor_process_event){.tick = now};
        if (sum <= 0)
            break;
        double left = cor_rng_unit(rng) * sum;
        int k = 0;
        while (k + 1 < KINDS && (left >= weights[k] || weights[k] <= 0))
            left -= weights[k++];
        if (weights[k] <= 0)
            continue; /* rounding */
        switch (k) {
        case 0:
            draw_message(generator, weather, &choices, event);
            return COR_OK;
        case 1:
            event->process = (uint8_t)draw_process(rng, choices.writing);
            event->kind = COR_PROCESS_EVENT_DISK;
            if (weather->disk_error > 0 && process_layer__allows(options, COR_PROCESS_EVENT_DISK_ERROR) &&
                cor_rng_unit(rng) < weather->disk_error)
                event->kind = COR_PROCESS_EVENT_DISK_ERROR;
            return COR_OK;
        case 2:
            draw_alarm(generator, &choices, event);
            return COR_OK;
        case 3:
            event->process = (uint8_t)draw_process(rng, choices.down);
            event->kind = COR_PROCESS_EVENT_RESTART;
            return COR_OK;
        case 4:
            event->process = (uint8_t)draw_process(rng, choices.paused);
            event->kind = COR_PROCESS_EVENT_RESUME;
            return COR_OK;
        case 5:
            draw_link(rng, choices.cut, choices.cut_count, event);
            event->kind = COR_PROCESS_EVENT_HEAL;
            return COR_OK;
        case 6:
            event->process = (uint8_t)draw_process(rng, choices.up);
            event->ordinal = (uint32_t)cor_rng_word(rng);
            event->kind = COR_PROCESS_EVENT_INPUT;
            if (process_layer__draw_input(program, rng, &event->what))
                return COR_OK;
            break;
        case 7: {
            const uint32_t process = draw_process(rng, choices.up);
            *event = process_layer__draw_crash(cluster, options, weather, process, rng);
            return COR_OK;
        }
        case 8:
            event->process = (uint8_t)draw_process(rng, choices.up);
            event->kind = COR_PROCESS_EVENT_PAUSE;
            return COR_OK;
        case 9:
            if (draw_cut(generator, &choices, event))
                return COR_OK;
            break;
        case 10:
            event->process = (uint8_t)draw_process(rng, choices.up);
            event->ordinal = process_layer__between(rng, weather->jump_by);
            event->what = (uint8_t)(cor_rng_word(rng) >> 63);
            event->kind = COR_PROCESS_EVENT_JUMP;
            return COR_OK;
        default:
            event->process = (uint8_t)draw_process(rng, choices.up);
            event->ordinal = process_layer__between(rng, weather->drift_by);
            event->kind = COR_PROCESS_EVENT_DRIFT;
            return COR_OK;
        }
    }
    /* Nothing can happen: the case ends. */
    *event = (struct cor_process_event){.tick = (now / options->case_ticks + 1) * options->case_ticks,
                                        .kind = COR_PROCESS_EVENT_TICK};
    return COR_OK;
}

const struct cor_schedule_generator_kind cor_schedule_generator_random = {
    .name = "random",
    .meaning = "any possible event, by weights of their kinds",
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .next = next,
};
