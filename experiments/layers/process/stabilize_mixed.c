/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs with messages that do not say what they keep. A process is what it was told: so it is put where it
 * was in some run by telling it the same again, at the same times of its clock, each process of another run,
 * and what is under way is what was sent in some. MIXED: all of that. MAIL: the processes of one run, at one
 * time of it, and what is under way there lost, doubled, or put in the place of something else that was sent.
 * What such a process keeps is not seen: what is said is said of what it shows. A run that does not come back
 * is a test (stabilize_test.c), whose start is
 *   "start": {"grade": "mixed", "letters": [{"from": 0, "to": 1, "kind": "m", "value": 2}],
 *     "told": [["deliver", 1, 0, "m", 0, 12], ["jump", 2, "back", 12, 12], ..], "mail": [0]}
 * told: what happened to each process, and behind which jump of its clock; the number of a delivery is that
 * of a letter, as those in mail are, which are under way. */
#include "internal.h"

#include <corridor/acts.h>
#include <corridor/array.h>
#include <corridor/cluster.h>
#include <corridor/fields.h>
#include <corridor/observed.h>
#include <corridor/process_stabilize.h>
#include <corridor/ruling.h>
#include <corridor/subject_file.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 64u        /* of which states are taken, */
#define RUN_EVENTS 200u /* each of so many events */
#define STEPS_USUAL 100u
#define STARTS_MOST 100000u
#define LETTERS_MOST 4096u
#define OPTIONS_MOST 1024u
#define TURNS 600u /* in which something is sought that repeats, */
#define SEEN 6u    /* so often */
enum { OF_RUNS = 100, OF_STARTS };
_Static_assert(COR_ACTS_PROCESSES_MAX *(COR_PROCESS_ALARMS_MAX + 1 + COR_ACTS_PROCESSES_MAX) + 2 <=
                   OPTIONS_MOST,
               "alarms, a write and links of each; a loss, an input");

/* A message that was sent in some run. */
struct letter {
    uint32_t from, to;
    struct cor_rules_message message; /* its bytes are owned */
};

/* What happened in a run; a message is a letter. Behind it the process shows what has this hash. */
struct happened {
    struct cor_process_event event;
    uint32_t letter;
    uint64_t shown;
};

struct process_layer__mixing {
    const struct cor_process_arm *arm;
    const struct cor_process *program;
    struct cor_cluster *cluster;   /* owned; NULL: the program is in a sandbox */
    struct cor_observed *observed; /* owned; likewise */
    uint32_t count, steps, within; /* back within so many events, for `steps` */
    uint32_t low, high;            /* ticks that a message takes, in any weather */
    uint64_t seed;
    struct cor_rng rng;
    struct cor_choices told; /* owned; of the start that is there: what processes were told, */
    uint32_t *under_way;     /* owned; and letters that are under way */
    size_t under_way_count, under_way_capacity;
    struct letter *letters; /* owned */
    size_t letter_count, letter_capacity;
    struct {
        struct happened *items; /* owned */
        size_t count, capacity;
    } runs[RUNS];
    uint64_t turns[TURNS]; /* hashes of what is shown */
    uint32_t period, seen; /* of what repeats outside, and how often; 0: nothing was seen */
    bool met_outside, has_runs;
    char open[600]; /* why nothing can be said; "": something can */
    char sentence[400];
};

uint32_t process_layer__mixed_within(const struct cor_stabilize_asked *asked) {
    return asked->within.steps != COR_UNBOUNDED ? asked->within.steps
           : asked->sample.steps > 0            ? asked->sample.steps
                                                : STEPS_USUAL;
}

static uint64_t shown_by(const struct process_layer__mixing *m, uint32_t p) {
    return cor_hash_bytes(COR_HASH_SEED, cor_cluster_values(m->cluster, p, NULL),
                          m->program->attribute_count * sizeof(union cor_process_value));
}

/* Has a process ended by itself? That is said, and nothing else. */
static bool has_ended(struct process_layer__mixing *m) {
    uint32_t p;
    const char *sentence;
    const enum cor_process_end end = cor_cluster_end(m->cluster, &p, &sentence);
    if (end != COR_PROCESS_END_NONE && !m->open[0])
        snprintf(m->open, sizeof m->open, "process %" PRIu32 " ends by itself: %.400s", p,
                 sentence ? sentence : cor_process_end_word(end));
    return end != COR_PROCESS_END_NONE;
}

static enum cor_status find_letter(struct process_layer__mixing *m, uint32_t from, uint32_t to, uint32_t kind,
                                   const void *bytes, uint32_t size, uint32_t *number,
                                   struct cor_error *error) {
    for (*number = 0; *number < m->letter_count; ++*number) {
        const struct letter *letter = &m->letters[*number];
        if (letter->from == from && letter->to == to && letter->message.kind == kind &&
            letter->message.size == size && (size == 0 || memcmp(letter->message.bytes, bytes, size) == 0))
            return COR_OK;
    }
    COR_TRY(COR_RESERVE(&m->letters, &m->letter_capacity, m->letter_count + 1, error));
    struct letter *letter = &m->letters[m->letter_count];
    *letter = (struct letter){from, to, {kind, size, cor_calloc((size_t)size + 1, 1)}};
    COR_TRY(cor_made(letter->message.bytes, error));
    if (size > 0)
        memcpy(letter->message.bytes, bytes, size);
    m->letter_count++;
    return COR_OK;
}

static enum cor_status put_letter(struct process_layer__mixing *m, uint32_t number, struct cor_error *error) {
    const struct letter *letter = &m->letters[number];
    return cor_cluster_put_mail(m->cluster, letter->from, letter->to, letter->message.kind,
                                letter->message.bytes, letter->message.size, error);
}

/* Puts it on its link, of a start. */
static enum cor_status send_letter(struct process_layer__mixing *m, uint32_t number,
                                   struct cor_error *error) {
    COR_TRY(COR_RESERVE(&m->under_way, &m->under_way_capacity, m->under_way_count + 1, error));
    m->under_way[m->under_way_count++] = number;
    return put_letter(m, number, error);
}

/* As it happened just now. */
static enum cor_status add_choice(const struct process_layer__mixing *m, struct cor_choices *choices,
                                  const struct cor_process_event *event, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, choices->count + 1, error));
    struct cor_choice *choice = &choices->items[choices->count++];
    *choice = process_layer__choice_of(event);
    choice->at = cor_cluster_now(m->cluster);
    return COR_OK;
}

/* Tells a process something: of a delivery the letter, which nobody else has sent. */
static enum cor_status tell(struct process_layer__mixing *m, const struct cor_process_event *event,
                            uint32_t letter, bool *happened, struct cor_error *error) {
    struct cor_process_event own = *event;
    cor_cluster_lose_mail(m->cluster);
    if (letter != COR_NONE)
        COR_TRY(put_letter(m, letter, error));
    if (letter != COR_NONE)
        own.ordinal = 0;
    COR_TRY(cor_cluster_happen(m->cluster, &own, happened, error));
    if (letter != COR_NONE)
        own.ordinal = letter;
    return add_choice(m, &m->told, &own, error);
}

/* ---- what may happen next, in time: an alarm that is due, the first message of a link, a write; and one of
 * the messages is lost, where the file allows that */

/* What has to have happened before it: a message takes as long as the file says, and a process may be as slow
 * as the slowest of these. */
static uint64_t latest_of(const struct process_layer__mixing *m, const struct cor_process_event *option) {
    const uint64_t now = cor_cluster_now(m->cluster);
    uint32_t flying;
    const uint64_t least =
        option->kind == COR_PROCESS_EVENT_DELIVER
            ? cor_cluster_flight(m->cluster, option->peer, option->process, &flying)[0].sent + m->high
        : option->kind == COR_PROCESS_EVENT_TIME_OUT ? option->tick + m->high
                                                     : UINT64_MAX;
    return least > now ? least : now;
}

/* When the next has come at the latest. is_first: that which comes first. */
static uint64_t bound_of(const struct process_layer__mixing *m, const struct cor_process_event *options,
                         uint32_t count, bool is_first) {
    const uint64_t now = cor_cluster_now(m->cluster);
    uint64_t bound = UINT64_MAX;
    for (uint32_t o = 0; o < count; o++) {
        const uint64_t latest = is_first && m->low > 0 ? options[o].tick : latest_of(m, &options[o]);
        bound = latest < bound ? latest : bound;
    }
    return bound > now ? bound : now;
}

/* Leaves those that may come next. */
static uint32_t keep_in_time(const struct process_layer__mixing *m, struct cor_process_event *options,
                             uint32_t count, bool is_first) {
    const uint64_t bound = bound_of(m, options, count, is_first);
    uint32_t kept = 0;
    for (uint32_t o = 0; o < count; o++)
        if (options[o].tick <= bound)
            options[kept++] = options[o];
    return kept;
}

/* is_ordinary: inputs come, too. all: of what can be lost all, not one that is drawn. */
static uint32_t list_options(struct process_layer__mixing *m, bool is_ordinary, bool all,
                             struct cor_process_event *options) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(m->cluster);
    const uint64_t now = cor_cluster_now(m->cluster);
    struct cor_process_event losses[COR_ACTS_PROCESSES_MAX * COR_ACTS_PROCESSES_MAX];
    uint32_t count = 0, loss_count = 0, flying;
    for (uint32_t p = 0; p < m->count; p++) {
        const uint64_t *due = cor_cluster_standing(m->cluster, p)->due;
        for (uint32_t left = overview->alarms[p]; left != 0; left &= left - 1)
            options[count++] = (struct cor_process_event){.kind = COR_PROCESS_EVENT_TIME_OUT,
                                                          .process = (uint8_t)p,
                                                          .what = (uint8_t)__builtin_ctz(left),
                                                          .tick = due[__builtin_ctz(left)]};
        if (cor_set_has(&overview->writing, p))
            options[count++] = (struct cor_process_event){
                .kind = COR_PROCESS_EVENT_DISK, .process = (uint8_t)p, .tick = now};
        COR_SET_EACH(from, &overview->senders[p]) {
            const struct cor_flight *flight = cor_cluster_flight(m->cluster, from, p, &flying);
            options[count] = losses[loss_count] = (struct cor_process_event){
                .process = (uint8_t)p, .peer = (uint8_t)from, .what = flight->kind, .tick = now};
            options[count].tick = flight->sent + m->low > now ? flight->sent + m->low : now;
            options[count++].kind = COR_PROCESS_EVENT_DELIVER;
            losses[loss_count++].kind = COR_PROCESS_EVENT_LOSE;
        }
    }
    const bool may_lose = m->arm->allowed >> COR_PROCESS_EVENT_LOSE & 1;
    for (uint32_t l = 0; l < loss_count && may_lose && all; l++)
        options[count++] = losses[l];
    if (loss_count > 0 && may_lose && !all)
        options[count++] = losses[cor_rng_below(&m->rng, loss_count)];
    if (is_ordinary && m->program->input_count > 0) {
        const uint8_t input = (uint8_t)cor_rng_below(&m->rng, m->program->input_count);
        if (!m->arm->input_weights || m->arm->input_weights[input] > 0)
            options[count++] =
                (struct cor_process_event){.kind = COR_PROCESS_EVENT_INPUT,
                                           .process = (uint8_t)cor_rng_below(&m->rng, m->count),
                                           .what = input,
                                           .tick = now,
                                           .ordinal = (uint32_t)cor_rng_word(&m->rng)};
    }
    return keep_in_time(m, options, count, false);
}

static void draw_from(struct process_layer__mixing *m, uint32_t of, uint32_t number, uint32_t grade) {
    m->rng = cor_rng_named(&(struct cor_stream_name){.seed = m->seed,
                                                     .purpose = COR_PURPOSE_SEARCH,
                                                     .suite = of,
                                                     .sequence = number,
                                                     .entity = 1 + grade});
}

/* All runs are of one name: what processes draw is the same in each. */
static enum cor_status reset(struct process_layer__mixing *m, struct cor_error *error) {
    m->told.count = m->under_way_count = 0;
    return cor_cluster_reset(m->cluster, &(struct cor_stream_name){.seed = m->seed}, error);
}

static enum cor_status make_runs(struct process_layer__mixing *m, struct cor_error *error) {
    struct cor_process_event options[OPTIONS_MOST];
    for (uint32_t r = 0; r < RUNS; r++) {
        draw_from(m, OF_RUNS, r, 0);
        COR_TRY(reset(m, error));
        for (uint32_t e = 0; e < RUN_EVENTS && !has_ended(m); e++) {
            const uint32_t count = list_options(m, true, false, options);
            struct happened one = {.letter = COR_NONE};
            uint32_t flying;
            bool happened;
            if (count == 0)
                break;
            one.event = options[cor_rng_below(&m->rng, count)];
            if (one.event.kind == COR_PROCESS_EVENT_DELIVER) {
                const struct cor_flight *flight =
                    cor_cluster_flight(m->cluster, one.event.peer, one.event.process, &flying);
                COR_TRY(find_letter(m, one.event.peer, one.event.process, flight->kind, flight->bytes,
                                    flight->size, &one.letter, error));
            }
            COR_TRY(cor_cluster_happen(m->cluster, &one.event, &happened, error));
            one.event.tick = cor_cluster_now(m->cluster);
            one.shown = shown_by(m, one.event.process);
            COR_TRY(COR_RESERVE(&m->runs[r].items, &m->runs[r].capacity, m->runs[r].count + 1, error));
            m->runs[r].items[m->runs[r].count++] = one;
        }
        if (m->letter_count > LETTERS_MOST)
            snprintf(m->open, sizeof m->open, "more than %u different messages are sent", LETTERS_MOST);
        if (m->open[0])
            return COR_OK;
    }
    return COR_OK;
}

/* ---- starts */

/* Is the process where it was in its run? If not, it is no function of what it was told. */
static bool is_there(struct process_layer__mixing *m, uint32_t p, const struct happened *last) {
    if (has_ended(m))
        return false;
    if (!last || shown_by(m, p) == last->shown)
        return true;
    snprintf(m->open, sizeof m->open,
             "process %" PRIu32
             " is told the same again, and shows something else: it keeps what is not its own",
             p);
    return false;
}

/* Tells a process what it was told in a run, up to an event of that. Its clock begins anew. */
static enum cor_status tell_again(struct process_layer__mixing *m, uint32_t p, uint32_t run, size_t below,
                                  struct cor_error *error) {
    const uint64_t begun = cor_cluster_now(m->cluster);
    const struct happened *last = NULL;
    bool happened;
    for (uint64_t back = begun; back > 0;) {
        const uint32_t ticks = back < UINT32_MAX ? (uint32_t)back : UINT32_MAX;
        const struct cor_process_event jump = {
            .kind = COR_PROCESS_EVENT_JUMP, .process = (uint8_t)p, .what = 1, .ordinal = ticks};
        COR_TRY(tell(m, &jump, COR_NONE, &happened, error));
        back -= ticks;
    }
    for (size_t i = 0; i < below && (!last || is_there(m, p, last)); i++) {
        const struct happened *one = &m->runs[run].items[i];
        struct cor_process_event event = one->event;
        if (event.process != p || event.kind == COR_PROCESS_EVENT_LOSE)
            continue;
        event.tick += begun;
        COR_TRY(tell(m, &event, one->letter, &happened, error));
        last = one;
    }
    (void)is_there(m, p, last);
    return COR_OK;
}

static enum cor_status begin_mixed(struct process_layer__mixing *m, struct cor_error *error) {
    COR_TRY(reset(m, error));
    for (uint32_t p = 0; p < m->count && !m->open[0]; p++) {
        const uint32_t run = cor_rng_below(&m->rng, RUNS);
        COR_TRY(tell_again(m, p, run, cor_rng_below(&m->rng, (uint32_t)m->runs[run].count + 1), error));
    }
    cor_cluster_lose_mail(m->cluster);
    for (uint32_t link = 0; link < m->count * m->count; link++) {
        uint32_t of_link = 0, chosen = COR_NONE;
        for (uint32_t l = 0; l < m->letter_count; l++)
            if (m->letters[l].from * m->count + m->letters[l].to == link &&
                cor_rng_below(&m->rng, ++of_link) == 0)
                chosen = l;
        if (chosen != COR_NONE && cor_rng_below(&m->rng, 2) == 0)
            COR_TRY(send_letter(m, chosen, error));
    }
    return COR_OK;
}

static enum cor_status begin_mail(struct process_layer__mixing *m, struct cor_error *error) {
    const uint32_t run = cor_rng_below(&m->rng, RUNS),
                   below = cor_rng_below(&m->rng, (uint32_t)m->runs[run].count + 1);
    uint32_t *under_way = NULL, count = 0, flying;
    size_t capacity = 0;
    bool happened;
    enum cor_status status = reset(m, error);
    for (uint32_t i = 0; i < below && status == COR_OK && !m->open[0]; i++) {
        const struct happened *one = &m->runs[run].items[i];
        struct cor_process_event told = one->event;
        status = cor_cluster_happen(m->cluster, &told, &happened, error);
        told.ordinal = one->letter != COR_NONE ? one->letter : told.ordinal;
        if (status == COR_OK && told.kind != COR_PROCESS_EVENT_LOSE)
            status = add_choice(m, &m->told, &told, error);
        (void)is_there(m, one->event.process, one);
    }
    for (uint32_t link = 0; link < m->count * m->count && status == COR_OK; link++) {
        const struct cor_flight *flights =
            cor_cluster_flight(m->cluster, link / m->count, link % m->count, &flying);
        for (uint32_t f = 0; f < flying && status == COR_OK; f++) {
            status = COR_RESERVE(&under_way, &capacity, (size_t)count + 1, error);
            if (status == COR_OK)
                status = find_letter(m, link / m->count, link % m->count, flights[f].kind, flights[f].bytes,
                                     flights[f].size, &under_way[count++], error);
        }
    }
    cor_cluster_lose_mail(m->cluster);
    for (uint32_t i = 0; i < count && status == COR_OK; i++) {
        enum { STAYS, LOST, DOUBLED, OTHER, DEEDS } deed = cor_rng_below(&m->rng, DEEDS);
        if (deed == OTHER)
            under_way[i] = cor_rng_below(&m->rng, (uint32_t)m->letter_count);
        for (uint32_t times = deed == LOST      ? 0
                              : deed == DOUBLED ? 2
                                                : 1;
             times > 0 && status == COR_OK; times--)
            status = send_letter(m, under_way[i], error);
    }
    free(under_way);
    return status;
}

/* ---- what comes of a start */

static enum cor_status look(struct process_layer__mixing *m, bool *is_outside, struct cor_error *error) {
    const struct cor_corridor *corridor = m->arm->corridor;
    uint32_t violated;
    const char *name;
    for (uint32_t p = 0; p < m->count; p++) {
        const union cor_process_value *values = cor_cluster_values(m->cluster, p, NULL);
        for (uint32_t a = 0; a < m->program->attribute_count; a++) {
            const struct cor_process_attribute *shown = &m->program->attributes[a];
            uint32_t c = 0;
            while (c < corridor->attribute_count &&
                   (!corridor->attributes[c].at || strcmp(corridor->attributes[c].name, shown->name) != 0))
                c++;
            if (c < corridor->attribute_count)
                cor_observed_show(m->observed, p, c, process_layer__shown(corridor, shown, values[a]));
        }
    }
    COR_TRY(cor_observed_event(m->observed, &violated, error));
    const enum cor_truth truth = process_layer__truth(m->arm, m->observed, &name);
    *is_outside = truth == COR_TRUTH_FALSE;
    if (truth == COR_TRUTH_UNKNOWN && !m->open[0])
        snprintf(m->open, sizeof m->open, "%.80s is unknown in a state", name);
    m->met_outside = m->met_outside || *is_outside;
    return COR_OK;
}

/* The option of whose turn it is: that behind the last, by process and by what happens to it. */
static uint32_t next_in_turn(const struct cor_process_event *options, uint32_t count, uint32_t *last) {
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t o = 0; o < count; o++) {
        const struct cor_process_event *event = &options[o];
        const uint32_t of = event->kind == COR_PROCESS_EVENT_TIME_OUT  ? event->what
                            : event->kind == COR_PROCESS_EVENT_DELIVER ? COR_PROCESS_ALARMS_MAX + event->peer
                                                                       : 255;
        const uint32_t from_last =
            (event->process << 8 | of) - *last - 1; /* who had the last turn comes last */
        best = from_last < least ? o : best;
        least = from_last < least ? from_last : least;
    }
    *last += least + 1;
    return best;
}

/* What comes first, and all in turn of what comes at once: does what is shown repeat, outside? */
static enum cor_status seek_period(struct process_layer__mixing *m, struct cor_error *error) {
    struct cor_process_event options[OPTIONS_MOST];
    bool outside[TURNS], happened;
    uint32_t last = UINT32_MAX;
    for (uint32_t t = 0; t < TURNS; t++) {
        uint32_t count = list_options(m, false, false, options);
        count -= count > 0 && options[count - 1].kind == COR_PROCESS_EVENT_LOSE;
        if (count == 0 || has_ended(m))
            return COR_OK;
        count = keep_in_time(m, options, count, true);
        COR_TRY(
            cor_cluster_happen(m->cluster, &options[next_in_turn(options, count, &last)], &happened, error));
        COR_TRY(look(m, &outside[t], error));
        m->turns[t] = COR_HASH_SEED;
        for (uint32_t p = 0; p < m->count; p++)
            m->turns[t] = cor_hash_word(m->turns[t], shown_by(m, p));
    }
    for (uint32_t period = 1; period <= TURNS / SEEN && m->period == 0; period++) {
        uint32_t first = TURNS - period;
        bool is_outside = false;
        while (first > 0 && m->turns[first - 1] == m->turns[first - 1 + period])
            first--;
        for (uint32_t i = first; i < TURNS; i++)
            is_outside = is_outside || outside[i];
        m->seen = (TURNS - first) / period;
        m->period = is_outside && m->seen >= SEEN ? period : 0;
    }
    return COR_OK;
}

/* Is it inside from some event on, in time, and stays so? Else it is not back; choices: what came, up to
 * the last time that it was outside. */
static enum cor_status run_on(struct process_layer__mixing *m, bool *is_back, bool *rests,
                              struct cor_choices *choices, struct cor_error *error) {
    struct cor_process_event options[OPTIONS_MOST];
    uint32_t outside_until = 0;
    bool is_outside, happened;
    *rests = false;
    choices->count = 0;
    for (uint32_t t = 0; !has_ended(m); t++) {
        COR_TRY(look(m, &is_outside, error));
        outside_until = is_outside ? t + 1 : outside_until;
        const uint32_t count = list_options(m, false, false, options);
        *rests = count == 0 && is_outside;
        if (m->open[0] || count == 0 || t == m->within + m->steps || t - outside_until == m->steps)
            break;
        const struct cor_process_event *event = &options[cor_rng_below(&m->rng, count)];
        COR_TRY(cor_cluster_happen(m->cluster, event, &happened, error));
        COR_TRY(add_choice(m, choices, event, error));
    }
    choices->count = outside_until > 0 ? outside_until - 1 : 0;
    *is_back = outside_until <= m->within && !*rests;
    return *is_back || *rests || m->period > 0 || m->open[0] ? COR_OK : seek_period(m, error);
}

static void say(const struct process_layer__mixing *m, const char *grade, const struct cor_ruling *ruling,
                uint32_t resting, const struct cor_stabilize_asked *asked, struct cor_stabilize_said *said) {
    const struct cor_stabilize_within *within = &asked->within;
    struct cor_bounds bounds;
    double middle;
    char often[120] = "";
    char head[64];
    *said = (struct cor_stabilize_said){.is_good = false};
    snprintf(head, sizeof head, "%s: undecided", grade);
    cor_ruling_interval(ruling, &middle, &bounds);
    if (m->open[0])
        cor_stabilize_put(said, COR_STABILIZE_UNDECIDED, head, ": ", "%.470s", m->open);
    else if (ruling->end == COR_RULING_FAILS) {
        snprintf(head, sizeof head, "%s: does not come back", grade);
        if (resting > 0)
            snprintf(often, sizeof often, "; from %" PRIu32 " of them nothing can happen any more, outside",
                     resting);
        else if (m->period == 1)
            snprintf(often, sizeof often, "; then what is shown does not change in %" PRIu32 " events",
                     m->seen);
        else if (m->period > 0)
            snprintf(often, sizeof often,
                     "; then what is shown repeats with period %" PRIu32 ", seen %" PRIu32 " times",
                     m->period, m->seen);
        cor_stabilize_put(said, COR_STABILIZE_SAMPLED, head, ": ",
                          "%.2f [%.2f, %.2f] of %" PRIu64 " starts drawn do within %" PRIu32
                          " events, fewer than %g (error %g)%s",
                          middle, bounds.low, bounds.high, ruling->used, m->within, asked->sample.share,
                          asked->sample.error, often);
    } else if (!m->met_outside)
        cor_stabilize_put(said, COR_STABILIZE_UNDECIDED, head, ": ",
                          "all states that were met are inside, and nothing is put to the test");
    else if (asked->again_count > 0 || within->moves != COR_UNBOUNDED || within->rounds != COR_UNBOUNDED)
        cor_stabilize_put(
            said, COR_STABILIZE_UNDECIDED, head, ": ",
            "\"again\", and \"within\" in moves or rounds, are not asked of states that are drawn");
    else if (ruling->end == COR_RULING_HOLDS) {
        said->is_good = true;
        snprintf(head, sizeof head, "%s: nothing that stays outside", grade);
        cor_stabilize_put(said, COR_STABILIZE_SAMPLED, head, " ",
                          "in %" PRIu64 " starts drawn: of at least %g of them what is shown is back within "
                          "%" PRIu32 " events (error %g)",
                          ruling->used, asked->sample.share, m->within, asked->sample.error);
    } else
        cor_stabilize_put(said, COR_STABILIZE_UNDECIDED, head, ": ",
                          "after %" PRIu64 " starts it is open whether %g of them are back", ruling->used,
                          asked->sample.share);
}

/* ---- a run as a test */

static bool is_delivery(const struct cor_choice *choice) {
    return choice->kind == COR_PROCESS_EVENT_DELIVER;
}

/* The start that is there as a document: {"process_test": {"start": ..}}, with the letters that it needs. */
static enum cor_status put_start(const struct process_layer__mixing *m, const struct cor_subject_test *test,
                                 const char *grade, struct cor_json_document **values,
                                 struct cor_error *error) {
    uint32_t *names = cor_calloc(m->letter_count + 1, sizeof *names), named = 0; /* from 1 on */
    struct cor_json_writer *writer;
    char *text;
    COR_TRY(cor_made(names, error));
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK) {
        free(names);
        return status;
    }
    cor_json_open_object(writer, NULL);
    cor_json_open_object(writer, "process_test");
    cor_json_open_object(writer, "start");
    cor_json_put_string(writer, "grade", grade);
    cor_json_open_array(writer, "letters");
    for (size_t i = 0; i < m->told.count + m->under_way_count; i++) {
        const struct cor_choice *told = i < m->told.count ? &m->told.items[i] : NULL;
        const uint32_t number = !told               ? m->under_way[i - m->told.count]
                                : is_delivery(told) ? told->nth
                                                    : COR_NONE;
        if (number == COR_NONE || names[number] > 0)
            continue;
        names[number] = ++named;
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "from", m->letters[number].from);
        cor_json_put_integer(writer, "to", m->letters[number].to);
        process_layer__message_put(writer, m->program, &m->letters[number].message,
                                   process_layer__has_values(m->arm));
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_open_array(writer, "told");
    for (size_t t = 0; t < m->told.count && status == COR_OK; t++) {
        struct cor_choice told = m->told.items[t];
        told.nth = is_delivery(&told) ? names[told.nth] - 1 : told.nth;
        char *line = process_layer__event_line(test, &told);
        status = cor_made(line, error);
        cor_json_put_text(writer, NULL, line ? line : "[]");
        free(line);
    }
    cor_json_close(writer);
    cor_json_open_array(writer, "mail");
    for (size_t i = 0; i < m->under_way_count; i++)
        cor_json_put_integer(writer, NULL, names[m->under_way[i]] - 1);
    for (int open = 0; open < 4; open++)
        cor_json_close(writer);
    free(names);
    const enum cor_status taken = cor_json_text_take(writer, 0, &text, error);
    status = status == COR_OK ? taken : status;
    if (status == COR_OK)
        status = cor_json_parse(text, "start", values, error);
    if (taken == COR_OK)
        free(text);
    return status;
}

static enum cor_status read_letters(struct process_layer__mixing *m, const struct cor_json *list,
                                    uint32_t *numbers, struct cor_error *error) {
    static const char *const keys[] = {"from", "to", "kind", "value", "bytes", NULL};
    COR_JSON_CHILDREN(item, list) {
        struct cor_rules_message message;
        struct cor_json member;
        uint32_t ends[2];
        COR_TRY(cor_json_expect_object(&item, keys, error));
        for (size_t end = 0; end < 2; end++) {
            COR_TRY(cor_json_need(&item, keys[end], &member, error));
            COR_TRY(cor_json_count(&member, 0, m->count - 1, &ends[end], error));
        }
        enum cor_status status = process_layer__message_read(&item, m->program, &message, error);
        if (status == COR_OK && message.kind == m->program->message_count)
            status = cor_json_fail(&item, error, "one of its \"messages\"", "%s has no message of that kind",
                                   m->program->name);
        if (status == COR_OK)
            status = find_letter(m, ends[0], ends[1], message.kind, message.bytes, message.size,
                                 &numbers[item.index], error);
        free(message.bytes);
        COR_TRY(status);
    }
    return COR_OK;
}

/* What a process was told: of a delivery the letter has to be one from there to here, of that kind. */
static enum cor_status read_told(const struct process_layer__mixing *m, const struct cor_json *item,
                                 const uint32_t *numbers, size_t letters, uint64_t least,
                                 struct cor_choice *told, struct cor_error *error) {
    COR_TRY(process_layer__event_read(item, m->program, m->count, least, told, error));
    if (told->kind != COR_PROCESS_EVENT_DELIVER && told->kind != COR_PROCESS_EVENT_TIME_OUT &&
        told->kind != COR_PROCESS_EVENT_DISK && told->kind != COR_PROCESS_EVENT_INPUT &&
        told->kind != COR_PROCESS_EVENT_JUMP)
        return cor_json_fail(item, error, "deliver, time-out, disk, input, or a jump of its clock",
                             "nobody is told a %s",
                             cor_process_event_kind_word((enum cor_process_event_kind)told->kind));
    if (!is_delivery(told))
        return COR_OK;
    const struct letter *letter = told->nth < letters ? &m->letters[numbers[told->nth]] : NULL;
    if (!letter || letter->from != told->of || letter->to != told->who || letter->message.kind != told->what)
        return cor_json_fail(item, error, "the number of a letter from there to here, of that kind",
                             "%" PRIu32 " is no such letter", told->nth);
    told->nth = numbers[told->nth];
    return COR_OK;
}

/* The start of a test, into `told` and `under_way`. *grade: borrowed from the test. */
static enum cor_status read_start(struct process_layer__mixing *m, const struct cor_subject_test *test,
                                  const char **grade, struct cor_error *error) {
    static const char *const keys[] = {"grade", "letters", "told", "mail", NULL}, *const grades[] = {
                                                                                      "mixed", "mail", NULL};
    const struct cor_stabilize_scene *scene = test->scene;
    const struct cor_json root = cor_json_root(scene->values);
    struct cor_json own, start, of, letters, told, mail;
    uint32_t *numbers, number;
    int word;
    COR_TRY(cor_json_need(&root, "process_test", &own, error));
    COR_TRY(cor_json_need(&own, "start", &start, error));
    COR_TRY(cor_json_expect_object(&start, keys, error));
    COR_TRY(cor_json_need(&start, "grade", &of, error));
    COR_TRY(cor_json_one_of(&of, grades, "grade", &word, error));
    COR_TRY(cor_json_need(&start, "letters", &letters, error));
    COR_TRY(cor_json_expect_array(&letters, 0, LETTERS_MOST, error));
    COR_TRY(cor_json_need(&start, "told", &told, error));
    COR_TRY(cor_json_expect_array(&told, 0, COR_PROCESS_EVENTS_MAX, error));
    COR_TRY(cor_json_need(&start, "mail", &mail, error));
    COR_TRY(cor_json_expect_array(&mail, 0, COR_PROCESS_EVENTS_MAX, error));
    *grade = grades[word];
    m->told.count = m->under_way_count = 0;
    COR_TRY(COR_RESERVE(&m->told.items, &m->told.capacity, cor_json_size(&told), error));
    COR_TRY(COR_RESERVE(&m->under_way, &m->under_way_capacity, cor_json_size(&mail), error));
    COR_TRY(cor_made(numbers = cor_calloc(cor_json_size(&letters) + 1, sizeof *numbers), error));
    enum cor_status status = read_letters(m, &letters, numbers, error);
    for (size_t t = 0; t < cor_json_size(&told) && status == COR_OK; t++, m->told.count++) {
        const struct cor_json item = cor_json_at(&told, t);
        struct cor_choice *choice = &m->told.items[t];
        status =
            read_told(m, &item, numbers, cor_json_size(&letters), t > 0 ? choice[-1].at : 0, choice, error);
    }
    for (size_t i = 0; i < cor_json_size(&mail) && status == COR_OK; i++) {
        const struct cor_json item = cor_json_at(&mail, i);
        status = cor_json_count(&item, 0, (int64_t)cor_json_size(&letters) - 1, &number, error);
        if (status == COR_OK)
            m->under_way[m->under_way_count++] = numbers[number];
    }
    free(numbers);
    return status;
}

/* Puts everybody where the test begins. What cannot happen as it is told leaves it open. */
static enum cor_status begin_told(struct process_layer__mixing *m, struct cor_error *error) {
    struct cor_choices told = m->told;
    const size_t mail = m->under_way_count;
    enum cor_status status = COR_OK;
    bool happened = true;
    m->told = (struct cor_choices){0};
    COR_TRY_OUT(reset(m, error));
    for (size_t t = 0; t < told.count && happened && !has_ended(m); t++) {
        const struct cor_process_event event = process_layer__event_of(&told.items[t]);
        COR_TRY_OUT(
            tell(m, &event, is_delivery(&told.items[t]) ? told.items[t].nth : COR_NONE, &happened, error));
        if (!happened)
            snprintf(m->open, sizeof m->open,
                     "process %u cannot be told %s at tick %" PRIu64 ": was the program changed since?",
                     event.process, cor_process_event_kind_word((enum cor_process_event_kind)event.kind),
                     event.tick);
    }
    (void)has_ended(m);
    cor_cluster_lose_mail(m->cluster);
    for (size_t i = 0; i < mail; i++)
        COR_TRY_OUT(put_letter(m, m->under_way[i], error));
out:
    cor_choices_fini(&m->told);
    m->told = told;
    m->under_way_count = mail;
    return status;
}

static char *under_way_text(const struct process_layer__mixing *m) {
    char *text = cor_strdup("");
    uint32_t flying;
    for (uint32_t link = 0; link < m->count * m->count; link++) {
        const struct cor_flight *flights =
            cor_cluster_flight(m->cluster, link / m->count, link % m->count, &flying);
        for (uint32_t f = 0; f < flying; f++)
            text = cor_join_take(text, "",
                                 cor_format("%s%" PRIu32 ">%" PRIu32 " %s",
                                            text && text[0] ? ", " : "; under way: ", link / m->count,
                                            link % m->count, m->program->messages[flights[f].kind].name));
    }
    return text;
}

/* Adds what is shown now. Tints go from the least of a variable to the greatest, once all is there. */
static enum cor_status add_state(struct process_layer__mixing *m, const struct cor_process_event *before,
                                 bool is_outside, struct cor_stabilize_tale *tale, struct cor_error *error) {
    struct cor_stabilize_state state = {.is_outside = is_outside};
    if (before) {
        char *text = cor_process_tell_event(m->program, m->count, before);
        snprintf(state.moved, sizeof state.moved, "%s", text ? text : "");
        free(text);
        if (tale->state_count > 0)
            tale->states[tale->state_count - 1].movers = UINT64_C(1) << before->process;
    }
    tale->width = strlen(state.moved) > tale->width ? strlen(state.moved) : tale->width;
    COR_TRY(process_layer__reason(m->arm, m->observed, &state, error));
    for (uint32_t a = 0; a < tale->variable_count; a++)
        for (uint32_t p = 0; p < m->count; p++) {
            const union cor_process_value value = cor_cluster_values(m->cluster, p, NULL)[a];
            const struct cor_process_attribute *shown = &m->program->attributes[a];
            COR_TRY(cor_stabilize_tale_cell(
                tale, process_layer__value_text(shown, value),
                shown->type == COR_PROCESS_REAL ? value.real : (double)value.count, error));
        }
    state.rest = under_way_text(m);
    return cor_stabilize_tale_state(tale, &state, error);
}

static void make_tints(struct cor_stabilize_tale *tale) {
    const size_t row = tale->process_count, all = row * tale->variable_count;
    for (uint32_t v = 0; v < tale->variable_count; v++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t c = 0; c < tale->cell_count; c++)
            if (c % all / row == v) {
                least = tale->cells[c].tint < least ? tale->cells[c].tint : least;
                most = tale->cells[c].tint > most ? tale->cells[c].tint : most;
            }
        for (size_t c = 0; c < tale->cell_count; c++)
            if (c % all / row == v)
                tale->cells[c].tint = most > least ? (tale->cells[c].tint - least) / (most - least) : 0;
    }
}

/* The next event of a test, if it may come in time: as early as it can, not before its tick. */
static bool find_option(struct process_layer__mixing *m, const struct cor_choice *choice,
                        struct cor_process_event *event) {
    struct cor_process_event options[OPTIONS_MOST];
    const uint32_t count = list_options(m, false, true, options);
    const uint64_t bound = bound_of(m, options, count, false);
    const struct cor_process_event asked = process_layer__event_of(choice);
    for (uint32_t o = 0; o < count; o++) {
        *event = options[o];
        event->tick = asked.tick > event->tick ? asked.tick : event->tick;
        if (event->kind == asked.kind && event->process == asked.process && event->peer == asked.peer &&
            event->what == asked.what && event->ordinal == asked.ordinal && event->tick <= bound)
            return true;
    }
    return false;
}

/* Executes a test; tale: gets each state; happened: each event; either may be NULL. */
static enum cor_status play(struct process_layer__mixing *m, const struct cor_subject_test *test,
                            struct cor_choices *happened, struct cor_stabilize_tale *tale,
                            struct cor_run *run, struct cor_error *error) {
    const bool wants_late = strcmp(test->expected, cor_stabilize_verdict_word(COR_STABILIZE_LATE)) == 0;
    struct cor_process_event options[OPTIONS_MOST], event;
    uint32_t made = 0;
    bool is_outside, is_late = false, did;
    const char *grade;
    m->open[0] = m->sentence[0] = '\0';
    *run = (struct cor_run){.failure = COR_NO_FAILURE, .sentence = m->sentence, .digest = COR_HASH_SEED};
    COR_TRY(read_start(m, test, &grade, error));
    COR_TRY(begin_told(m, error));
    if (m->open[0]) {
        snprintf(m->sentence, sizeof m->sentence, "%.390s", m->open);
        return COR_OK;
    }
    COR_TRY(look(m, &is_outside, error));
    if (tale)
        COR_TRY(add_state(m, NULL, is_outside, tale, error));
    for (size_t c = 0;; c++) {
        is_late = is_late || (is_outside && made >= m->within);
        for (uint32_t p = 0; p < m->count; p++)
            run->digest = cor_hash_word(run->digest, shown_by(m, p));
        while (c < test->choices.count && !find_option(m, &test->choices.items[c], &event))
            c++;
        if (c >= test->choices.count || has_ended(m) || m->open[0])
            break;
        COR_TRY(cor_cluster_happen(m->cluster, &event, &did, error));
        if (happened)
            COR_TRY(add_choice(m, happened, &event, error));
        made++;
        COR_TRY(look(m, &is_outside, error));
        if (tale)
            COR_TRY(add_state(m, &event, is_outside, tale, error));
    }
    const bool rests = is_outside && !has_ended(m) && list_options(m, false, true, options) == 0;
    run->choices = made;
    if (m->open[0])
        snprintf(m->sentence, sizeof m->sentence, "%.390s", m->open);
    else if (is_late && (wants_late || !rests))
        snprintf(m->sentence, sizeof m->sentence,
                 "it is outside after %" PRIu32 " events; within %" PRIu32 " was asked", made, m->within);
    else if (rests)
        snprintf(m->sentence, sizeof m->sentence, "it is outside, and nothing can happen any more");
    else
        snprintf(m->sentence, sizeof m->sentence,
                 "it is inside in time, or ends before that is known: %" PRIu32 " events happened", made);
    if (!m->open[0] && (is_late || rests))
        run->failure = cor_stabilize_verdict_word(is_late && (wants_late || !rests) ? COR_STABILIZE_LATE
                                                                                    : COR_STABILIZE_RESTS);
    const bool fails = strcmp(run->failure, COR_NO_FAILURE) != 0;
    run->class = cor_failure_class(fails ? run->failure : NULL);
    run->digest = cor_hash_word(run->digest, run->class);
    return COR_OK;
}

enum cor_status process_layer__mixed_run(struct process_layer__mixing *m, const struct cor_subject_test *test,
                                         struct cor_choices *happened, struct cor_run *run,
                                         const char **unknown, struct cor_error *error) {
    if (happened)
        happened->count = 0;
    *unknown = NULL;
    if (m->cluster)
        COR_TRY(play(m, test, happened, NULL, run, error));
    else
        *run = (struct cor_run){.failure = COR_NO_FAILURE, .sentence = m->open};
    *unknown = m->open[0] ? m->open : NULL;
    return COR_OK;
}

enum cor_status process_layer__mixed_tale(struct process_layer__mixing *m,
                                          const struct cor_subject_test *test,
                                          struct cor_stabilize_tale *tale, struct cor_error *error) {
    struct cor_run run;
    *tale = (struct cor_stabilize_tale){.process_count = m->count, .loop = COR_UNBOUNDED, .has_mail = true};
    for (uint32_t a = 0; a < m->program->attribute_count; a++)
        cor_stabilize_tale_name(tale, m->program->attributes[a].name);
    if (m->cluster)
        COR_TRY(play(m, test, NULL, tale, &run, error));
    tale->step_count = tale->state_count;
    make_tints(tale);
    return COR_OK;
}

/* Takes the last of what a process was told away: all of it, half of it, one. */
static bool tell_less(struct process_layer__mixing *m, uint32_t p, uint32_t how) {
    size_t count = 0, kept = 0;
    for (size_t t = 0; t < m->told.count; t++)
        count += m->told.items[t].who == p && m->told.items[t].kind != COR_PROCESS_EVENT_JUMP;
    size_t left = how == 0 ? 0 : how == 1 ? count / 2 : count - 1;
    if (count == 0 || (how == 1 && left == 0))
        return false;
    for (size_t t = 0; t < m->told.count; t++) {
        const struct cor_choice told = m->told.items[t];
        const bool is_its = told.who == p && told.kind != COR_PROCESS_EVENT_JUMP;
        if (is_its && left == 0)
            continue;
        left -= is_its;
        m->told.items[kept++] = told;
    }
    m->told.count = kept;
    return true;
}

enum cor_status process_layer__mixed_less(struct process_layer__mixing *m,
                                          const struct cor_subject_test *test, uint32_t number,
                                          struct cor_json_document **values, bool *is_there,
                                          struct cor_error *error) {
    const char *grade;
    *values = NULL;
    COR_TRY(read_start(m, test, &grade, error));
    const bool is_mixed = strcmp(grade, "mixed") == 0;
    const size_t mail = m->under_way_count;
    *is_there = number < mail + (is_mixed ? 3 * m->count : 0);
    if (!*is_there)
        return COR_OK;
    if (number < mail) {
        memmove(m->under_way + number, m->under_way + number + 1, (mail - 1 - number) * sizeof *m->under_way);
        m->under_way_count--;
    } else if (!tell_less(m, (number - (uint32_t)mail) / 3, (number - (uint32_t)mail) % 3))
        return COR_OK;
    return put_start(m, test, grade, values, error);
}

/* The run that was just made as a test. */
static enum cor_status keep(struct process_layer__mixing *m, bool is_mixed, bool rests,
                            struct cor_choices *choices, struct cor_subject_test *test,
                            struct cor_error *error) {
    struct cor_stabilize_scene *scene = cor_calloc(1, sizeof *scene);
    COR_TRY(cor_made(test->scene = scene, error));
    *scene = (struct cor_stabilize_scene){.process_count = m->count,
                                          .loop = COR_UNBOUNDED,
                                          .mail = 1,
                                          .is_mixed = true,
                                          .within = m->within,
                                          .daemon = COR_DAEMON_CENTRAL};
    test->expected = cor_stabilize_verdict_word(rests ? COR_STABILIZE_RESTS : COR_STABILIZE_LATE);
    test->choices = *choices;
    *choices = (struct cor_choices){0};
    return put_start(m, test, is_mixed ? "mixed" : "mail", &scene->values, error);
}

/* ---- the question */

enum cor_status process_layer__mixed_ask(struct process_layer__mixing *m, bool is_mixed,
                                         const struct cor_stabilize_asked *asked,
                                         const struct cor_stabilize_question *question,
                                         struct cor_stabilize_said *said, struct cor_subject_test *test,
                                         struct cor_error *error) {
    struct cor_choices choices = {0};
    struct cor_ruling_rule rule = cor_ruling_rule(true, true, true, asked->sample.share);
    struct cor_ruling ruling;
    enum cor_status status = COR_OK;
    uint32_t resting = 0;
    rule.alpha = rule.beta = asked->sample.error;
    cor_ruling_init(&ruling, &rule);
    m->met_outside = false;
    m->period = 0;
    if (m->cluster && !m->has_runs)
        COR_TRY_OUT(make_runs(m, error));
    m->has_runs = m->has_runs || !m->open[0];
    if (m->has_runs)
        m->open[0] = '\0';
    for (uint32_t n = 0; n < STARTS_MOST && !ruling.is_over && !m->open[0]; n++) {
        bool is_back, rests;
        if (n % 16 == 0 && question->go_on && !question->go_on(question->self, "states that are mixed"))
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted"));
        draw_from(m, OF_STARTS, n, is_mixed);
        COR_TRY_OUT(is_mixed ? begin_mixed(m, error) : begin_mail(m, error));
        COR_TRY_OUT(run_on(m, &is_back, &rests, &choices, error));
        resting += rests;
        if (!is_back && !test->scene && !m->open[0])
            COR_TRY_OUT(keep(m, is_mixed, rests, &choices, test, error));
        COR_TRY_OUT(cor_ruling_take(&ruling, is_back, error));
    }
    say(m, is_mixed ? "mixed" : "mail", &ruling, resting, asked, said);
out:
    cor_choices_fini(&choices);
    cor_ruling_fini(&ruling);
    return status;
}

enum cor_status process_layer__mixing_open(const struct cor_process_experiment *experiment, uint32_t arm,
                                           const struct cor_stabilize_asked *asked, uint32_t process_count,
                                           struct process_layer__mixing **mixing, struct cor_error *error) {
    const struct cor_process_arm *own = &experiment->arms[arm];
    struct cor_cluster_definition definition = cor_process_setting_of(experiment, arm).cluster;
    struct process_layer__mixing *m = *mixing = cor_calloc(1, sizeof *m);
    uint32_t low, high;
    COR_TRY(cor_made(m, error));
    COR_TRY(cor_acts_check_count(own->name, process_count, error));
    COR_TRY(process_layer__check_states(own, asked, error));
    COR_TRY(process_layer__check_shown(own->corridor, cor_process_description(own->program), error));
    definition.process_count = process_count;
    definition.is_fifo = true;       /* the first of a link comes first */
    definition.starts_later = false; /* from any state: nobody has yet to start */
    process_layer__delays(&own->environment, &low, &high);
    *m = (struct process_layer__mixing){
        .arm = own,
        .program = cor_process_description(own->program),
        .count = process_count,
        .seed = experiment->head.seed,
        .low = low,
        .high = high,
        .steps = asked->sample.steps > 0                                           ? asked->sample.steps
                 : asked->within.steps != COR_UNBOUNDED && asked->within.steps > 0 ? asked->within.steps
                                                                                   : STEPS_USUAL,
        .within = process_layer__mixed_within(asked)};
    if (own->is_apart) {
        snprintf(
            m->open, sizeof m->open,
            "a program in a sandbox is not put into states so far: --isolate never asks it in this process");
        return COR_OK;
    }
    COR_TRY(cor_cluster_create(&definition, &m->cluster, error));
    COR_TRY(cor_observed_create(own->corridor, process_count, own->parameters, &m->observed, error));
    if (own->watched)
        cor_observed_watch(m->observed, own->watched);
    return cor_observed_restart(m->observed, error);
}

void process_layer__mixing_close(struct process_layer__mixing *m) {
    if (!m)
        return;
    cor_cluster_destroy(m->cluster);
    cor_observed_destroy(m->observed);
    for (size_t l = 0; l < m->letter_count; l++)
        free(m->letters[l].message.bytes);
    for (uint32_t r = 0; r < RUNS; r++)
        free(m->runs[r].items);
    free(m->letters);
    free(m->under_way);
    cor_choices_fini(&m->told);
    free(m);
}
