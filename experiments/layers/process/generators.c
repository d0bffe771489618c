/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generator_draws.h"
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define EVENTS_A_CASE 100.0
#define WEIGHT_DELIVER 60.0
#define WEIGHT_DISK 20.0
#define WEIGHT_TIME_OUT 8.0
#define WEIGHT_EACH ((WEIGHT_DELIVER + WEIGHT_DISK + WEIGHT_TIME_OUT) / EVENTS_A_CASE) /* once in a case */
#define WEIGHT_END 4.0 /* of a process that is down or paused, of a link that is cut */

uint32_t process_layer__draw_process(struct cor_rng *rng, const struct cor_process_set *set) {
    return cor_set_member(set, cor_rng_below(rng, cor_set_size(set)));
}

struct cor_process_set process_layer__draw_subset(struct cor_rng *rng, uint32_t count, uint32_t size) {
    struct cor_process_set subset = {{0}};
    uint32_t order[COR_PROCESSES_MAX];
    for (uint32_t p = 0; p < count; p++)
        order[p] = p;
    cor_rng_shuffle(rng, order, count);
    for (uint32_t i = 0; i < size; i++)
        cor_set_add(&subset, order[i]);
    return subset;
}

void process_layer__look(const struct cor_cluster *cluster, struct process_layer__choices *choices) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
    const uint32_t count = cor_cluster_process_count(cluster);
    choices->up = cor_set_without(overview->up, overview->paused);
    choices->paused = overview->paused;
    choices->absent = overview->absent;
    choices->down =
        cor_set_without(cor_set_without(cor_set_first(count), overview->up), overview->absent);
    choices->waiting = cor_set_both(choices->up, overview->with_alarm);
    choices->writing = cor_set_both(choices->up, overview->writing);
    choices->cut = overview->severed;
    choices->is_parted = overview->is_parted;
    choices->cut_count = overview->severed_count;
    choices->flying_count = 0;
    for (uint32_t p = 0; p < count; p++) {
        choices->flying[p] = (struct cor_process_set){{0}};
        if (!cor_set_has(&choices->up, p))
            continue;
        choices->flying[p] = cor_set_without(overview->senders[p], overview->cut[p]);
        choices->flying_count += cor_set_size(&choices->flying[p]);
    }
}

/* One of the links, by lot. */
static void draw_link(struct cor_rng *rng, const struct cor_process_set *links, uint32_t count,
                      uint32_t *from, uint32_t *to) {
    uint32_t left = cor_rng_below(rng, count), size;
    for (*to = 0; left >= (size = cor_set_size(&links[*to])); ++*to)
        left -= size;
    *from = cor_set_member(&links[*to], left);
}

static struct cor_process_event event_now(const struct cor_cluster *cluster, enum cor_process_event_kind kind,
                                          uint32_t process, uint32_t peer) {
    return (struct cor_process_event){.tick = cor_cluster_now(cluster),
                                      .kind = (uint8_t)kind,
                                      .process = (uint8_t)process,
                                      .peer = (uint8_t)peer};
}

bool process_layer__draw_input(const struct cor_cluster *cluster, const struct cor_schedule_options *options,
                               uint32_t process, struct cor_rng *rng, struct cor_process_event *event) {
    const struct cor_process *program = cor_cluster_program(cluster);
    uint32_t weights[COR_PROCESS_ATTRIBUTES_MAX];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < program->input_count; i++)
        sum += weights[i] = options->input_weights ? options->input_weights[i] : program->inputs[i].weight;
    if (sum == 0 || sum > UINT32_MAX || !program->input)
        return false;
    uint32_t left = cor_rng_below(rng, (uint32_t)sum), which = 0;
    while (left >= weights[which])
        left -= weights[which++];
    *event = event_now(cluster, COR_PROCESS_EVENT_INPUT, process, 0);
    event->what = (uint8_t)which;
    event->ordinal = (uint32_t)cor_rng_word(rng);
    return true;
}

struct cor_process_event process_layer__draw_crash(const struct cor_cluster *cluster,
                                                   const struct cor_schedule_options *options,
                                                   const struct cor_weather *weather, uint32_t process,
                                                   struct cor_rng *rng) {
    struct cor_process_event crash = event_now(cluster, COR_PROCESS_EVENT_CRASH, process, 0);
    const double which = cor_rng_unit(rng);
    const uint32_t cell = cor_rng_below(rng, COR_PROCESS_CELLS_MAX);
    if (which < weather->torn && process_layer__allows(options, COR_PROCESS_EVENT_CRASH_TORN) &&
        cor_cluster_standing(cluster, process)->pending_writes > 0)
        crash.kind = COR_PROCESS_EVENT_CRASH_TORN;
    else if (which >= weather->torn && which < weather->torn + weather->lost_cell &&
             process_layer__allows(options, COR_PROCESS_EVENT_CRASH_LOST)) {
        crash.kind = COR_PROCESS_EVENT_CRASH_LOST;
        crash.what = (uint8_t)cell;
    }
    return crash;
}

bool process_layer__draw_join(const struct cor_cluster *cluster, struct cor_rng *rng,
                              struct cor_process_event *event) {
    const struct cor_process_set *absent = &cor_cluster_overview(cluster)->absent;
    if (cor_set_is_empty(*absent))
        return false;
    *event = event_now(cluster, COR_PROCESS_EVENT_JOIN, process_layer__draw_process(rng, absent), 0);
    return true;
}

bool process_layer__draw_leave(const struct cor_cluster *cluster, struct cor_rng *rng,
                               struct cor_process_event *event) {
    const struct cor_process_set there = cor_set_without(cor_set_first(cor_cluster_process_count(cluster)),
                                                         cor_cluster_overview(cluster)->absent);
    if (cor_set_size(&there) < 2)
        return false;
    *event = event_now(cluster, COR_PROCESS_EVENT_LEAVE, process_layer__draw_process(rng, &there), 0);
    return true;
}

struct cor_process_event process_layer__draw_part(const struct cor_cluster *cluster, struct cor_rng *rng) {
    enum { ALONE, BRIDGE, HALVES, RING };
    const uint32_t count = cor_cluster_process_count(cluster);
    const uint32_t shape = cor_rng_below(rng, count < 4 ? count - 1 : 4); /* of three, half is one alone */
    struct cor_process_event event = event_now(cluster, COR_PROCESS_EVENT_PART, 0, 0);
    if (shape == RING) {
        event.what = COR_PARTITION_RING;
        event.ordinal = (uint32_t)cor_rng_word(rng);
        return event;
    }
    if (count > COR_PARTITION_MEMBERS) { /* there is no room for members */
        static const uint8_t what[] = {COR_PARTITION_ALONE, COR_PARTITION_BRIDGE, COR_PARTITION_HALVES};
        event.what = what[shape];
        event.ordinal = shape == ALONE ? cor_rng_below(rng, count) : (uint32_t)cor_rng_word(rng);
        return event;
    }
    struct cor_process_set one = process_layer__draw_subset(rng, count, shape == ALONE ? 1 : count / 2);
    const struct cor_process_set other = cor_set_without(cor_set_first(count), one);
    if (shape == BRIDGE)
        cor_set_add(&one, process_layer__draw_process(rng, &other));
    event.ordinal = (uint32_t)(one.words[0] << 16 | other.words[0]);
    return event;
}

uint32_t process_layer__ordinal(const struct cor_flight *flight, uint32_t index) {
    uint32_t ordinal = 0;
    for (uint32_t m = 0; m < index; m++)
        ordinal += flight[m].kind == flight[index].kind;
    return ordinal;
}

struct cor_process_event process_layer__oldest(const struct cor_cluster *cluster, uint32_t from,
                                               uint32_t to) {
    uint32_t count;
    struct cor_process_event event = event_now(cluster, COR_PROCESS_EVENT_DELIVER, to, from);
    event.what = cor_cluster_flight(cluster, from, to, &count)->kind;
    return event;
}

void process_layer__draw_message(const struct cor_cluster *cluster,
                                 const struct cor_schedule_options *options,
                                 const struct cor_weather *weather, uint32_t from, uint32_t to,
                                 struct cor_rng *rng, struct cor_process_event *event) {
    uint32_t count, index = 0;
    const struct cor_flight *flight = cor_cluster_flight(cluster, from, to, &count);
    if (!options->is_fifo)
        index = cor_rng_below(rng, count);
    *event = event_now(cluster, COR_PROCESS_EVENT_DELIVER, to, from);
    event->what = flight[index].kind;
    event->ordinal = process_layer__ordinal(flight, index);
    if (weather->lose + weather->duplicate <= 0)
        return;
    const double which = cor_rng_unit(rng);
    if (which < weather->lose && process_layer__allows(options, COR_PROCESS_EVENT_LOSE))
        event->kind = COR_PROCESS_EVENT_LOSE;
    else if (which >= weather->lose && which < weather->lose + weather->duplicate &&
             process_layer__allows(options, COR_PROCESS_EVENT_DUPLICATE))
        event->kind = COR_PROCESS_EVENT_DUPLICATE;
}

struct cor_process_event process_layer__draw_disk(const struct cor_schedule_options *options,
                                                  const struct cor_weather *weather, uint32_t process,
                                                  struct cor_rng *rng) {
    struct cor_process_event disk = {.kind = COR_PROCESS_EVENT_DISK, .process = (uint8_t)process};
    if (weather->disk_error > 0 && process_layer__allows(options, COR_PROCESS_EVENT_DISK_ERROR) &&
        cor_rng_unit(rng) < weather->disk_error)
        disk.kind = COR_PROCESS_EVENT_DISK_ERROR;
    return disk;
}

struct cor_process_event process_layer__first_alarm(const struct cor_cluster *cluster, uint32_t process) {
    const struct cor_process_standing *standing = cor_cluster_standing(cluster, process);
    struct cor_process_event event = event_now(cluster, COR_PROCESS_EVENT_TIME_OUT, process, 0);
    uint32_t left = cor_cluster_overview(cluster)->alarms[process];
    event.what = (uint8_t)__builtin_ctz(left);
    for (left &= left - 1; left != 0; left &= left - 1)
        if (standing->due[__builtin_ctz(left)] < standing->due[event.what])
            event.what = (uint8_t)__builtin_ctz(left);
    if (standing->due[event.what] > event.tick)
        event.tick = standing->due[event.what];
    return event;
}

bool process_layer__by_itself(const struct cor_cluster *cluster, uint32_t delay,
                              struct cor_process_event *event) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
    const uint64_t now = cor_cluster_now(cluster);
    const struct cor_process_set can_act = cor_set_without(overview->up, overview->paused);
    const struct cor_process_set writing = cor_set_both(overview->writing, can_act);
    const struct cor_process_set waiting = cor_set_both(overview->with_alarm, can_act);
    uint64_t number = UINT64_MAX, sent = UINT64_MAX;
    uint32_t flying;
    bool is_there = false;
    if (!cor_set_is_empty(writing)) {
        *event = event_now(cluster, COR_PROCESS_EVENT_DISK, cor_set_next(&writing, 0), 0);
        return true;
    }
    /* Of messages the one that was sent first also comes first. */
    COR_SET_EACH(to, &can_act) {
        const struct cor_process_set from = cor_set_without(overview->senders[to], overview->cut[to]);
        COR_SET_EACH(peer, &from) {
            const struct cor_flight *first = cor_cluster_flight(cluster, peer, to, &flying);
            if (first->number >= number)
                continue;
            number = first->number;
            sent = first->sent;
            *event = process_layer__oldest(cluster, peer, to);
            is_there = true;
        }
    }
    if (is_there && sent + delay > now)
        event->tick = sent + delay;
    COR_SET_EACH(p, &waiting) {
        const struct cor_process_event alarm = process_layer__first_alarm(cluster, p);
        if (is_there && alarm.tick >= event->tick)
            continue;
        *event = alarm;
        is_there = true;
    }
    return is_there;
}

struct cor_process_event process_layer__end_of_case(const struct cor_cluster *cluster,
                                                    const struct cor_schedule_options *options) {
    return (struct cor_process_event){.tick = (cor_cluster_now(cluster) / options->case_ticks + 1) *
                                              options->case_ticks,
                                      .kind = COR_PROCESS_EVENT_TICK};
}

/* ---- any event */

void process_layer__weigh(const struct cor_weather *weather, const struct cor_schedule_options *options,
                          struct process_layer__weights *weights) {
    const double each = WEIGHT_EACH;
#define FAULT(KIND, rate) process_layer__allows(options, COR_PROCESS_EVENT_##KIND) ? (rate)*each : 0
    *weights = (struct process_layer__weights){.of = {
                                                   [PROCESS_LAYER__DELIVER] = WEIGHT_DELIVER,
                                                   [PROCESS_LAYER__DISK] = WEIGHT_DISK,
                                                   [PROCESS_LAYER__TIME_OUT] = WEIGHT_TIME_OUT,
                                                   [PROCESS_LAYER__RESTART] = WEIGHT_END,
                                                   [PROCESS_LAYER__RESUME] = WEIGHT_END,
                                                   [PROCESS_LAYER__HEAL] = WEIGHT_END,
                                                   [PROCESS_LAYER__UNITE] = WEIGHT_END,
                                                   [PROCESS_LAYER__INPUT] = weather->input * each,
                                                   [PROCESS_LAYER__CRASH] = FAULT(CRASH, weather->crash),
                                                   [PROCESS_LAYER__PAUSE] = FAULT(PAUSE, weather->pause),
                                                   [PROCESS_LAYER__CUT] = FAULT(CUT, weather->cut),
                                                   [PROCESS_LAYER__JUMP] = FAULT(JUMP, weather->jump),
                                                   [PROCESS_LAYER__DRIFT] = FAULT(DRIFT, weather->drift),
                                                   [PROCESS_LAYER__PART] = FAULT(PART, weather->part),
                                                   [PROCESS_LAYER__JOIN] = FAULT(JOIN, weather->join),
                                                   [PROCESS_LAYER__LEAVE] = FAULT(LEAVE, weather->leave),
                                               }};
#undef FAULT
}

static enum process_layer__draw draw_kind(const double *places, const struct process_layer__weights *weights,
                                          struct cor_rng *rng) {
    double sum = 0;
    int last = PROCESS_LAYER__DRAW_COUNT;
    for (int k = 0; k < PROCESS_LAYER__DRAW_COUNT; k++)
        sum += places[k] * weights->of[k];
    if (sum <= 0)
        return PROCESS_LAYER__DRAW_COUNT;
    double left = cor_rng_unit(rng) * sum;
    for (int k = 0; k < PROCESS_LAYER__DRAW_COUNT; k++) {
        const double weight = places[k] * weights->of[k];
        if (weight <= 0)
            continue;
        last = k;
        if (left < weight)
            break;
        left -= weight;
    }
    return (enum process_layer__draw)last;
}

/* A link that is whole, by lot; false: it was none. */
static bool draw_cut(const struct cor_cluster *cluster, const struct process_layer__choices *choices,
                     struct cor_rng *rng, struct cor_process_event *event) {
    const uint32_t count = cor_cluster_process_count(cluster);
    const uint32_t to = cor_rng_below(rng, count);
    const uint32_t from = cor_rng_below(rng, count);
    *event = event_now(cluster, COR_PROCESS_EVENT_CUT, to, from);
    return to != from && !cor_set_has(&choices->cut[to], from);
}

static bool draw_of_kind(const struct cor_cluster *cluster, const struct cor_schedule_options *options,
                         const struct cor_weather *weather, enum process_layer__draw kind,
                         const struct process_layer__choices *choices, struct cor_rng *rng,
                         struct cor_process_event *event) {
    uint32_t from, to;
    switch (kind) {
    case PROCESS_LAYER__DELIVER:
        draw_link(rng, choices->flying, choices->flying_count, &from, &to);
        process_layer__draw_message(cluster, options, weather, from, to, rng, event);
        return true;
    case PROCESS_LAYER__DISK:
        to = process_layer__draw_process(rng, &choices->writing);
        *event = process_layer__draw_disk(options, weather, to, rng);
        event->tick = cor_cluster_now(cluster);
        return true;
    case PROCESS_LAYER__TIME_OUT:
        to = process_layer__draw_process(rng, &choices->waiting);
        *event = process_layer__first_alarm(cluster, to);
        return true;
    case PROCESS_LAYER__RESTART:
        to = process_layer__draw_process(rng, &choices->down);
        *event = event_now(cluster, COR_PROCESS_EVENT_RESTART, to, 0);
        return true;
    case PROCESS_LAYER__RESUME:
        to = process_layer__draw_process(rng, &choices->paused);
        *event = event_now(cluster, COR_PROCESS_EVENT_RESUME, to, 0);
        return true;
    case PROCESS_LAYER__HEAL:
        draw_link(rng, choices->cut, choices->cut_count, &from, &to);
        *event = event_now(cluster, COR_PROCESS_EVENT_HEAL, to, from);
        return true;
    case PROCESS_LAYER__UNITE:
        *event = event_now(cluster, COR_PROCESS_EVENT_UNITE, 0, 0);
        return true;
    case PROCESS_LAYER__PART:
        *event = process_layer__draw_part(cluster, rng);
        return true;
    case PROCESS_LAYER__JOIN:
        return process_layer__draw_join(cluster, rng, event);
    case PROCESS_LAYER__LEAVE:
        return process_layer__draw_leave(cluster, rng, event);
    case PROCESS_LAYER__INPUT:
        to = process_layer__draw_process(rng, &choices->up);
        return process_layer__draw_input(cluster, options, to, rng, event);
    case PROCESS_LAYER__CRASH:
        to = process_layer__draw_process(rng, &choices->up);
        *event = process_layer__draw_crash(cluster, options, weather, to, rng);
        return true;
    case PROCESS_LAYER__PAUSE:
        to = process_layer__draw_process(rng, &choices->up);
        *event = event_now(cluster, COR_PROCESS_EVENT_PAUSE, to, 0);
        return true;
    case PROCESS_LAYER__CUT:
        return draw_cut(cluster, choices, rng, event);
    case PROCESS_LAYER__JUMP:
        to = process_layer__draw_process(rng, &choices->up);
        *event = event_now(cluster, COR_PROCESS_EVENT_JUMP, to, 0);
        event->ordinal = process_layer__between(rng, weather->jump_by);
        event->what = (uint8_t)(cor_rng_word(rng) >> 63);
        return true;
    case PROCESS_LAYER__DRIFT:
        to = process_layer__draw_process(rng, &choices->up);
        *event = event_now(cluster, COR_PROCESS_EVENT_DRIFT, to, 0);
        event->ordinal = process_layer__between(rng, weather->drift_by);
        return true;
    case PROCESS_LAYER__DRAW_COUNT:
        break;
    }
    return false;
}

/* Where nothing but faults can happen, no alarm takes time on, and they would come for ever at one instant:
 * the case ends then, so that they come as often in it as the weather says. */
static bool time_goes_on(const double *places, const struct process_layer__weights *weights,
                         struct cor_rng *rng) {
    double working = places[PROCESS_LAYER__DELIVER] + places[PROCESS_LAYER__DISK], faults = 0;
    for (int k = 0; k < PROCESS_LAYER__DRAW_COUNT; k++) {
        const bool is_work = k == PROCESS_LAYER__TIME_OUT || k == PROCESS_LAYER__INPUT ||
                             k == PROCESS_LAYER__RESTART || k == PROCESS_LAYER__RESUME ||
                             k == PROCESS_LAYER__HEAL || k == PROCESS_LAYER__UNITE;
        *(is_work ? &working : &faults) += places[k] * weights->of[k] * (k > PROCESS_LAYER__DISK);
    }
    return working <= 0 && faults > 0 && cor_rng_unit(rng) * (faults + WEIGHT_EACH) < WEIGHT_EACH;
}

void process_layer__draw_event(const struct cor_cluster *cluster, const struct cor_schedule_options *options,
                               const struct cor_weather *weather,
                               const struct process_layer__weights *weights, struct cor_rng *rng,
                               struct cor_process_event *event) {
    struct process_layer__choices choices;
    double places[PROCESS_LAYER__DRAW_COUNT];
    process_layer__look(cluster, &choices);
    /* In how many places each is possible, as far as that matters. */
    const uint32_t up = cor_set_size(&choices.up);
    const uint32_t links = up * (cor_cluster_process_count(cluster) - 1);
    const struct cor_process *program = cor_cluster_program(cluster);
    places[PROCESS_LAYER__DELIVER] = choices.flying_count > 0;
    places[PROCESS_LAYER__DISK] = !cor_set_is_empty(choices.writing);
    places[PROCESS_LAYER__TIME_OUT] = !cor_set_is_empty(choices.waiting);
    places[PROCESS_LAYER__RESTART] = !cor_set_is_empty(choices.down);
    places[PROCESS_LAYER__RESUME] = !cor_set_is_empty(choices.paused);
    places[PROCESS_LAYER__HEAL] = choices.cut_count > 0;
    places[PROCESS_LAYER__INPUT] = up > 0 && program->input && program->input_count > 0;
    places[PROCESS_LAYER__CRASH] = places[PROCESS_LAYER__PAUSE] = places[PROCESS_LAYER__JUMP] =
        places[PROCESS_LAYER__DRIFT] = up;
    places[PROCESS_LAYER__CUT] = links;
    const uint32_t there = cor_cluster_process_count(cluster) - cor_set_size(&choices.absent);
    places[PROCESS_LAYER__JOIN] = !cor_set_is_empty(choices.absent);
    places[PROCESS_LAYER__LEAVE] = there > 1 ? there : 0;
    places[PROCESS_LAYER__UNITE] = choices.is_parted;
    places[PROCESS_LAYER__PART] = !choices.is_parted && cor_cluster_process_count(cluster) > 1;
    if (time_goes_on(places, weights, rng)) {
        *event = process_layer__end_of_case(cluster, options);
        return;
    }
    for (int tries = 0; tries < 100; tries++) {
        const enum process_layer__draw kind = draw_kind(places, weights, rng);
        if (kind == PROCESS_LAYER__DRAW_COUNT)
            break;
        if (draw_of_kind(cluster, options, weather, kind, &choices, rng, event))
            return;
    }
    *event = process_layer__end_of_case(cluster, options);
}

/* ---- generators */

const struct cor_schedule_generator_kind *const process_layer__generators[COR_PROCESS_GENERATOR_COUNT] = {
#define COR_SCHEDULE_GENERATOR(word) &cor_schedule_generator_##word,
    COR_SCHEDULE_GENERATORS(COR_SCHEDULE_GENERATOR)
#undef COR_SCHEDULE_GENERATOR
};

const struct cor_schedule_generator_kind *cor_schedule_generator_of(const char *name) {
    for (int g = 0; g < COR_PROCESS_GENERATOR_COUNT; g++)
        if (strcmp(process_layer__generators[g]->name, name) == 0)
            return process_layer__generators[g];
    return NULL;
}

enum cor_status cor_schedule_generator_create(const struct cor_schedule_generator_kind *kind,
                                              const struct cor_cluster *cluster,
                                              const struct cor_schedule_options *options,
                                              struct cor_schedule_generator **generator,
                                              struct cor_error *error) {
    *generator = cor_calloc(1, kind->size);
    COR_TRY(cor_made(*generator, error));
    *(struct cor_generator_base *)*generator = (struct cor_generator_base){cluster, *options};
    const enum cor_status status = kind->init ? kind->init(*generator, error) : COR_OK;
    if (status != COR_OK) {
        cor_schedule_generator_destroy(kind, *generator);
        *generator = NULL;
    }
    return status;
}

void cor_schedule_generator_destroy(const struct cor_schedule_generator_kind *kind,
                                    struct cor_schedule_generator *generator) {
    if (generator && kind->fini)
        kind->fini(generator);
    free(generator);
}

/* ---- abstract state */

/* How many processes have less of it. */
static uint64_t rank(const uint64_t values[COR_PROCESSES_MAX], uint32_t count, uint32_t process) {
    uint64_t less = 0;
    for (uint32_t p = 0; p < count; p++)
        less += values[p] < values[process];
    return less;
}

uint64_t process_layer__abstract_state(const struct cor_cluster *cluster) {
    const struct cor_process *program = cor_cluster_program(cluster);
    const uint32_t count = cor_cluster_process_count(cluster);
    const struct cor_process_set *up = &cor_cluster_overview(cluster)->up;
    const union cor_process_value *shown[COR_PROCESSES_MAX];
    uint64_t hash[COR_PROCESSES_MAX], values[COR_PROCESSES_MAX], state = 0;
    for (uint32_t p = 0; p < count; p++) {
        hash[p] = COR_HASH_SEED ^ cor_set_has(up, p);
        shown[p] = cor_cluster_values(cluster, p, NULL);
    }
    for (uint32_t a = 0; a < program->attribute_count; a++) {
        const bool is_ranked = program->attributes[a].type == COR_PROCESS_COUNT;
        for (uint32_t p = 0; p < count; p++)
            values[p] = shown[p][a].count;
        for (uint32_t p = 0; p < count; p++)
            hash[p] =
                cor_hash_word(hash[p], is_ranked ? 2 * rank(values, count, p) + (values[p] == 0) : values[p]);
    }
    for (uint32_t p = 0; p < count; p++)
        state += hash[p]; /* whichever process it is */
    return state;
}
