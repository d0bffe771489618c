/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs with messages that do not say what they keep. A process is what it was told: so it is put where it
 * was in some run by telling it the same again, at the same times of its clock, each process of another run,
 * and what is under way is what was sent in some. MIXED: all of that. MAIL: the processes of one run, at one
 * time of it, and what is under way there lost, doubled, or put in the place of something else that was sent.
 * What such a process keeps is not seen: what is said is said of what it shows. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/cluster.h>
#include <corridor/observed.h>
#include <corridor/process_stabilize.h>
#include <corridor/ruling.h>

#include <inttypes.h>
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
_Static_assert(COR_PROCESSES_MAX *(COR_PROCESS_ALARMS_MAX + 1 + COR_PROCESSES_MAX) + 2 <= OPTIONS_MOST,
               "alarms, a write and links of each; a loss, an input");

/* A message that was sent in some run. */
struct letter {
    uint32_t from, to, kind, size;
    void *bytes; /* owned */
};

/* What happened in a run; a message is a letter. Behind it the process shows what has this hash. */
struct happened {
    struct cor_process_event event;
    uint32_t letter;
    uint64_t shown;
};

struct mixing {
    const struct cor_process_arm *arm;
    const struct cor_process *program;
    const struct cor_stabilize_question *question;
    struct cor_cluster *cluster;   /* owned */
    struct cor_observed *observed; /* owned */
    uint32_t count, steps, within; /* back within so many events, for `steps` */
    uint32_t low, high;            /* ticks that a message takes, in any weather */
    uint64_t seed;
    struct cor_rng rng;
    struct letter *letters; /* owned */
    size_t letter_count, letter_capacity;
    struct {
        struct happened *items; /* owned */
        size_t count, capacity;
    } runs[RUNS];
    uint64_t turns[TURNS]; /* hashes of what is shown */
    uint32_t period, seen; /* of what repeats outside, and how often; 0: nothing was seen */
    bool met_outside;
    char open[600]; /* why nothing can be said; "": something can */
};

static uint64_t shown_by(const struct mixing *m, uint32_t p) {
    return cor_hash_bytes(COR_HASH_SEED, cor_cluster_values(m->cluster, p, NULL),
                          m->program->attribute_count * sizeof(union cor_process_value));
}

/* Has a process ended by itself? That is said, and nothing else. */
static bool has_ended(struct mixing *m) {
    uint32_t p;
    const char *sentence;
    const enum cor_process_end end = cor_cluster_end(m->cluster, &p, &sentence);
    if (end != COR_PROCESS_END_NONE && !m->open[0])
        snprintf(m->open, sizeof m->open, "process %" PRIu32 " ends by itself: %.400s", p,
                 sentence ? sentence : cor_process_end_word(end));
    return end != COR_PROCESS_END_NONE;
}

static enum cor_status find_letter(struct mixing *m, uint32_t from, uint32_t to,
                                   const struct cor_flight *flight, uint32_t *number,
                                   struct cor_error *error) {
    for (*number = 0; *number < m->letter_count; ++*number) {
        const struct letter *letter = &m->letters[*number];
        if (letter->from == from && letter->to == to && letter->kind == flight->kind &&
            letter->size == flight->size && memcmp(letter->bytes, flight->bytes, flight->size) == 0)
            return COR_OK;
    }
    COR_TRY(COR_RESERVE(&m->letters, &m->letter_capacity, m->letter_count + 1, error));
    struct letter *letter = &m->letters[m->letter_count];
    *letter = (struct letter){from, to, flight->kind, flight->size, cor_calloc((size_t)flight->size + 1, 1)};
    COR_TRY(cor_made(letter->bytes, error));
    memcpy(letter->bytes, flight->bytes, flight->size);
    m->letter_count++;
    return COR_OK;
}

static enum cor_status put_letter(struct mixing *m, uint32_t number, struct cor_error *error) {
    const struct letter *letter = &m->letters[number];
    return cor_cluster_put_mail(m->cluster, letter->from, letter->to, letter->kind, letter->bytes,
                                letter->size, error);
}

/* ---- what may happen next, in time: an alarm that is due, the first message of a link, a write; and one of
 * the messages is lost, where the file allows that */

/* What has to have happened before it: a message takes as long as the file says, and a process may be as slow
 * as the slowest of these. */
static uint64_t latest_of(const struct mixing *m, const struct cor_process_event *option) {
    const uint64_t now = cor_cluster_now(m->cluster);
    uint32_t flying;
    const uint64_t least =
        option->kind == COR_PROCESS_EVENT_DELIVER
            ? cor_cluster_flight(m->cluster, option->peer, option->process, &flying)[0].sent + m->high
        : option->kind == COR_PROCESS_EVENT_TIME_OUT ? option->tick + m->high
                                                     : UINT64_MAX;
    return least > now ? least : now;
}

/* Leaves those that may come next. is_first: that come first. */
static uint32_t keep_in_time(const struct mixing *m, struct cor_process_event *options, uint32_t count,
                             bool is_first) {
    const uint64_t now = cor_cluster_now(m->cluster);
    uint64_t bound = UINT64_MAX;
    uint32_t kept = 0;
    for (uint32_t o = 0; o < count; o++) {
        const uint64_t latest = is_first && m->low > 0 ? options[o].tick : latest_of(m, &options[o]);
        bound = latest < bound ? latest : bound;
    }
    bound = bound > now ? bound : now;
    for (uint32_t o = 0; o < count; o++)
        if (options[o].tick <= bound)
            options[kept++] = options[o];
    return kept;
}

static uint32_t list_options(struct mixing *m, bool is_ordinary, struct cor_process_event *options) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(m->cluster);
    const uint64_t now = cor_cluster_now(m->cluster);
    struct cor_process_event losses[COR_PROCESSES_MAX * COR_PROCESSES_MAX];
    uint32_t count = 0, loss_count = 0, flying;
    for (uint32_t p = 0; p < m->count; p++) {
        const uint64_t *due = cor_cluster_standing(m->cluster, p)->due;
        for (uint32_t left = overview->alarms[p]; left != 0; left &= left - 1)
            options[count++] = (struct cor_process_event){.kind = COR_PROCESS_EVENT_TIME_OUT,
                                                          .process = (uint8_t)p,
                                                          .what = (uint8_t)__builtin_ctz(left),
                                                          .tick = due[__builtin_ctz(left)]};
        if (overview->writing >> p & 1)
            options[count++] = (struct cor_process_event){
                .kind = COR_PROCESS_EVENT_DISK, .process = (uint8_t)p, .tick = now};
        for (uint32_t left = overview->senders[p]; left != 0; left &= left - 1) {
            const uint32_t from = (uint32_t)__builtin_ctz(left);
            const struct cor_flight *flight = cor_cluster_flight(m->cluster, from, p, &flying);
            options[count] = losses[loss_count] = (struct cor_process_event){
                .process = (uint8_t)p, .peer = (uint8_t)from, .what = flight->kind, .tick = now};
            options[count].tick = flight->sent + m->low > now ? flight->sent + m->low : now;
            options[count++].kind = COR_PROCESS_EVENT_DELIVER;
            losses[loss_count++].kind = COR_PROCESS_EVENT_LOSE;
        }
    }
    if (loss_count > 0 && m->arm->allowed >> COR_PROCESS_EVENT_LOSE & 1)
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

static void draw_from(struct mixing *m, uint32_t of, uint32_t number, uint32_t grade) {
    m->rng = cor_rng_named(&(struct cor_stream_name){.seed = m->seed,
                                                     .purpose = COR_PURPOSE_SEARCH,
                                                     .suite = of,
                                                     .sequence = number,
                                                     .entity = 1 + grade});
}

/* All runs are of one name: what processes draw is the same in each. */
static enum cor_status reset(struct mixing *m, struct cor_error *error) {
    return cor_cluster_reset(m->cluster, &(struct cor_stream_name){.seed = m->seed}, error);
}

static enum cor_status make_runs(struct mixing *m, struct cor_error *error) {
    struct cor_process_event options[OPTIONS_MOST];
    for (uint32_t r = 0; r < RUNS; r++) {
        draw_from(m, OF_RUNS, r, 0);
        COR_TRY(reset(m, error));
        for (uint32_t e = 0; e < RUN_EVENTS && !has_ended(m); e++) {
            const uint32_t count = list_options(m, true, options);
            struct happened one = {.letter = COR_NONE};
            uint32_t flying;
            bool happened;
            if (count == 0)
                break;
            one.event = options[cor_rng_below(&m->rng, count)];
            if (one.event.kind == COR_PROCESS_EVENT_DELIVER)
                COR_TRY(
                    find_letter(m, one.event.peer, one.event.process,
                                cor_cluster_flight(m->cluster, one.event.peer, one.event.process, &flying),
                                &one.letter, error));
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
static bool is_there(struct mixing *m, uint32_t p, const struct happened *last) {
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
static enum cor_status tell_again(struct mixing *m, uint32_t p, uint32_t run, size_t below,
                                  struct cor_error *error) {
    const uint64_t begun = cor_cluster_now(m->cluster);
    const struct happened *last = NULL;
    bool happened;
    for (uint64_t back = begun; back > 0;) {
        const uint32_t ticks = back < UINT32_MAX ? (uint32_t)back : UINT32_MAX;
        const struct cor_process_event jump = {
            .kind = COR_PROCESS_EVENT_JUMP, .process = (uint8_t)p, .what = 1, .ordinal = ticks};
        COR_TRY(cor_cluster_happen(m->cluster, &jump, &happened, error));
        back -= ticks;
    }
    for (size_t i = 0; i < below && (!last || is_there(m, p, last)); i++) {
        const struct happened *one = &m->runs[run].items[i];
        struct cor_process_event event = one->event;
        if (event.process != p || event.kind == COR_PROCESS_EVENT_LOSE)
            continue;
        event.tick += begun;
        cor_cluster_lose_mail(m->cluster);
        if (one->letter != COR_NONE)
            COR_TRY(put_letter(m, one->letter, error));
        COR_TRY(cor_cluster_happen(m->cluster, &event, &happened, error));
        last = one;
    }
    (void)is_there(m, p, last);
    return COR_OK;
}

static enum cor_status begin_mixed(struct mixing *m, struct cor_error *error) {
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
            COR_TRY(put_letter(m, chosen, error));
    }
    return COR_OK;
}

static enum cor_status begin_mail(struct mixing *m, struct cor_error *error) {
    const uint32_t run = cor_rng_below(&m->rng, RUNS),
                   below = cor_rng_below(&m->rng, (uint32_t)m->runs[run].count + 1);
    uint32_t *under_way = NULL, count = 0, flying;
    size_t capacity = 0;
    bool happened;
    enum cor_status status = reset(m, error);
    for (uint32_t i = 0; i < below && status == COR_OK && !m->open[0]; i++) {
        const struct happened *one = &m->runs[run].items[i];
        status = cor_cluster_happen(m->cluster, &one->event, &happened, error);
        (void)is_there(m, one->event.process, one);
    }
    for (uint32_t link = 0; link < m->count * m->count && status == COR_OK; link++) {
        const struct cor_flight *flights =
            cor_cluster_flight(m->cluster, link / m->count, link % m->count, &flying);
        for (uint32_t f = 0; f < flying && status == COR_OK; f++) {
            status = COR_RESERVE(&under_way, &capacity, (size_t)count + 1, error);
            if (status == COR_OK)
                status =
                    find_letter(m, link / m->count, link % m->count, &flights[f], &under_way[count++], error);
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
            status = put_letter(m, under_way[i], error);
    }
    free(under_way);
    return status;
}

/* ---- what comes of a start */

static enum cor_status look(struct mixing *m, bool *is_outside, struct cor_error *error) {
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
static enum cor_status seek_period(struct mixing *m, struct cor_error *error) {
    struct cor_process_event options[OPTIONS_MOST];
    bool outside[TURNS], happened;
    uint32_t last = UINT32_MAX;
    for (uint32_t t = 0; t < TURNS; t++) {
        uint32_t count = list_options(m, false, options);
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

/* Is it inside from some event on, in time, and stays so? Else it is not back. */
static enum cor_status run_on(struct mixing *m, bool *is_back, bool *rests, struct cor_error *error) {
    struct cor_process_event options[OPTIONS_MOST];
    uint32_t outside_until = 0;
    bool is_outside, happened;
    *rests = false;
    for (uint32_t t = 0; !has_ended(m); t++) {
        COR_TRY(look(m, &is_outside, error));
        outside_until = is_outside ? t + 1 : outside_until;
        const uint32_t count = list_options(m, false, options);
        *rests = count == 0 && is_outside;
        if (m->open[0] || count == 0 || t == m->within + m->steps || t - outside_until == m->steps)
            break;
        COR_TRY(cor_cluster_happen(m->cluster, &options[cor_rng_below(&m->rng, count)], &happened, error));
    }
    *is_back = outside_until <= m->within && !*rests;
    return *is_back || *rests || m->period > 0 || m->open[0] ? COR_OK : seek_period(m, error);
}

static void say(const struct mixing *m, const char *grade, const struct cor_ruling *ruling, uint32_t resting,
                const struct cor_stabilize_asked *asked, struct cor_stabilize_said *said) {
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

static enum cor_status ask(struct mixing *m, bool is_mixed, const struct cor_stabilize_asked *asked,
                           struct cor_stabilize_said *said, struct cor_error *error) {
    struct cor_ruling_rule rule = cor_ruling_rule(true, true, true, asked->sample.share);
    struct cor_ruling ruling;
    enum cor_status status = COR_OK;
    uint32_t resting = 0;
    rule.alpha = rule.beta = asked->sample.error;
    cor_ruling_init(&ruling, &rule);
    m->met_outside = false;
    m->period = 0;
    for (uint32_t n = 0; n < STARTS_MOST && !ruling.is_over && !m->open[0]; n++) {
        bool is_back, rests;
        if (n % 16 == 0 && m->question->go_on &&
            !m->question->go_on(m->question->self, "states that are mixed"))
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted"));
        draw_from(m, OF_STARTS, n, is_mixed);
        COR_TRY_OUT(is_mixed ? begin_mixed(m, error) : begin_mail(m, error));
        COR_TRY_OUT(run_on(m, &is_back, &rests, error));
        resting += rests;
        COR_TRY_OUT(cor_ruling_take(&ruling, is_back, error));
    }
    say(m, is_mixed ? "mixed" : "mail", &ruling, resting, asked, said);
out:
    cor_ruling_fini(&ruling);
    return status;
}

enum cor_status process_layer__mixed_ask(const struct cor_process_experiment *experiment, uint32_t arm,
                                         const struct cor_stabilize_asked *asked, uint32_t process_count,
                                         const struct cor_stabilize_question *question,
                                         struct cor_stabilize_said *said, struct cor_error *error) {
    const struct cor_process_arm *own = &experiment->arms[arm];
    struct cor_cluster_definition definition = cor_process_setting_of(experiment, arm).cluster;
    struct mixing *m = cor_calloc(1, sizeof *m);
    uint32_t low, high;
    enum cor_status status = cor_made(m, error);
    COR_TRY_OUT(status);
    if (process_count > COR_PROCESSES_MAX)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, own->name, NULL,
                             "has %" PRIu32 " processes, and of such that send messages %u may be",
                             process_count, COR_PROCESSES_MAX));
    COR_TRY_OUT(process_layer__check_states(own, asked, error));
    COR_TRY_OUT(process_layer__check_shown(own->corridor, cor_process_description(own->program), error));
    definition.process_count = process_count;
    definition.is_fifo = true; /* the first of a link comes first */
    process_layer__delays(&own->environment, &low, &high);
    *m = (struct mixing){.arm = own,
                         .program = cor_process_description(own->program),
                         .question = question,
                         .count = process_count,
                         .seed = experiment->head.seed,
                         .low = low,
                         .high = high,
                         .steps = asked->sample.steps > 0 ? asked->sample.steps
                                  : asked->within.steps != COR_UNBOUNDED && asked->within.steps > 0
                                      ? asked->within.steps
                                      : STEPS_USUAL};
    m->within = asked->within.steps != COR_UNBOUNDED ? asked->within.steps : m->steps;
    if (own->is_apart)
        snprintf(
            m->open, sizeof m->open,
            "a program in a sandbox is not put into states so far: --isolate never asks it in this process");
    else {
        COR_TRY_OUT(cor_cluster_create(&definition, &m->cluster, error));
        COR_TRY_OUT(cor_observed_create(own->corridor, process_count, own->parameters, &m->observed, error));
        if (own->watched)
            cor_observed_watch(m->observed, own->watched);
        COR_TRY_OUT(cor_observed_restart(m->observed, error));
        COR_TRY_OUT(make_runs(m, error));
    }
    const bool can_begin = !m->open[0];
    for (uint32_t grade = 0; grade < 2; grade++) {
        if (can_begin)
            m->open[0] = '\0';
        COR_TRY_OUT(ask(m, grade == 0, asked, &said[grade], error));
    }
out:
    if (m) {
        cor_cluster_destroy(m->cluster);
        cor_observed_destroy(m->observed);
        for (size_t l = 0; l < m->letter_count; l++)
            free(m->letters[l].bytes);
        for (uint32_t r = 0; r < RUNS; r++)
            free(m->runs[r].items);
        free(m->letters);
    }
    free(m);
    return status;
}
