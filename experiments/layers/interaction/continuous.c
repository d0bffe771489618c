/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Continuous execution (003 announces it as future work): environment, agents and monitor have clocks of
 * their own, and a reorganization takes time, in ticks. What happens is ordered by (tick, phase, agent):
 *
 *   0 the environment goes on, when a case begins      3 the solution is there: R-Solution
 *   1 agents perceive                                  4 adoption is complete: R-Distribution
 *   2 the monitor looks (R-Detect), and the algorithm  5 the oracle looks at the structure as it is, when a
 *     is asked                                           case ends
 *
 * With equal clocks and without durations all of a case happens at its first tick, in the order of run.c, and
 * draws from streams of the same names, so the rows are the same bit for bit.
 *
 * There are few events in all but the agents' own, so the queue is a heap of these, and the next tick of each
 * of the others. Moves are no events: between two of them nobody sees the structure but the monitor and the
 * oracle, so it is made, as far as it is then, when one of them looks. */
#include "loop.h"

#include <corridor/array.h>

#include <math.h>

#define NEVER UINT64_MAX
#define LATEST (UINT64_MAX / 4) /* no duration goes beyond it */

/* When an agent perceives next. */
struct beat {
    uint64_t tick;
    uint32_t agent;
};

/* What a reorganization waits for. */
enum stage { NONE, START, SOLUTION, ADOPTION };

enum event { PERCEIVE, LOOK, GO_ON };

struct interaction__time {
    const struct cor_clocks *clocks; /* the arm's */
    uint64_t *period;                /* owned; [agent]; NULL: one for all */
    struct beat *beats;              /* owned; a heap of all agents; NULL likewise */
    uint32_t agent_count;
    uint32_t *due, *ordinal; /* owned; scratch: who perceives now, and how often before in this case */
    uint64_t now;            /* ticks from the beginning of the sequence, as all of these */
    uint64_t start;          /* of the case */
    uint64_t together;       /* when all agents perceive next, where they have one period */
    uint64_t look;           /* when the monitor looks next */
    /* Of this case: */
    uint32_t perceptions, looks;
    int importance;        /* of the look that its row tells of; -1: there was none */
    struct cor_case shown; /* that look */
    bool has_alarm;        /* of any look */
    bool has_ended;        /* a reorganization has, through the boxes: */
    uint8_t gray, black;
    /* Of the reorganization under way: */
    enum stage stage;
    uint64_t step;               /* when it goes on */
    struct cor_case asked;       /* the case that it belongs to: in which the algorithm was asked */
    size_t row, case_row;        /* the rows that tell of it */
    double weighed;              /* the objective before */
    struct cor_tick_row ticks;   /* so far */
    struct cor_state *before;    /* owned; the structure before adoption; else of no meaning */
    size_t made;                 /* moves that are made in the present structure */
    bool is_known;               /* the oracle's measure of what is now, */
    double known;                /* which is this */
    bool is_followed;            /* a text has the attributes of now, */
    bool is_asked;               /* and was asked of what is now */
    bool is_mixed;               /* rows of a case may stand behind those of a later one */
    struct cor_record_mark mark; /* of the record when the sequence began */
};

static bool is_before(const struct beat *a, const struct beat *b) {
    return a->tick < b->tick || (a->tick == b->tick && a->agent < b->agent);
}

enum cor_status interaction__time_create(struct cor_runner *runner, struct cor_error *error) {
    struct interaction__time *t = runner->time = cor_calloc(1, sizeof *t);
    COR_TRY(cor_made(t, error));
    t->clocks = &runner->suite->arm->clocks;
    t->agent_count = runner->configuration->agent_count;
    if (t->clocks->move_ticks > 0)
        COR_TRY(cor_state_create(runner->configuration, &t->before, error));
    const struct cor_clocks *clocks = t->clocks;
    if (clocks->agent_least >= clocks->agent_most)
        return COR_OK;
    struct cor_stream_name name = runner->suite->name;
    t->period = cor_calloc(t->agent_count, sizeof *t->period);
    t->beats = cor_calloc(t->agent_count, sizeof *t->beats);
    t->due = cor_calloc(t->agent_count, sizeof *t->due);
    t->ordinal = cor_calloc(t->agent_count, sizeof *t->ordinal);
    if (!t->period || !t->beats || !t->due || !t->ordinal)
        return cor_fail_memory(error);
    name.purpose = COR_PURPOSE_AGENT_CLOCK;
    for (uint32_t agent = 0; agent < t->agent_count; agent++) {
        name.entity = cor_configuration_identity(runner->configuration, agent);
        struct cor_rng rng = cor_rng_named(&name);
        t->period[agent] =
            (uint64_t)cor_rng_between(&rng, (int64_t)clocks->agent_least, (int64_t)clocks->agent_most);
    }
    return COR_OK;
}

void interaction__time_destroy(struct interaction__time *time) {
    if (!time)
        return;
    cor_state_destroy(time->before);
    COR_FREE(time->period, time->beats, time->due, time->ordinal, time);
}

void interaction__time_begin(struct cor_runner *runner) {
    struct interaction__time *t = runner->time;
    t->now = t->start = t->together = t->look = 0;
    for (uint32_t agent = 0; t->beats && agent < t->agent_count; agent++)
        t->beats[agent] = (struct beat){0, agent};
    t->stage = NONE;
    t->step = NEVER;
    t->asked = (struct cor_case){0};
    t->is_known = t->is_followed = t->is_asked = t->is_mixed = false;
    t->mark = cor_record_mark(runner->record);
}

/* What is judged next by a text is judged by the attributes of now. */
static void follow(struct cor_runner *r) {
    if (r->text && !r->time->is_followed)
        interaction__text_follow(r);
    r->time->is_followed = true;
}

/* How often a clock has ticked in this case before now. */
static uint32_t ticks_before(const struct interaction__time *t, uint64_t period) {
    return (uint32_t)(t->now / period - (t->start + period - 1) / period);
}

static void perceive(struct cor_runner *r, const struct cor_case *this_case) {
    struct interaction__time *t = r->time;
    t->is_known = t->is_followed = t->is_asked = false;
    if (!t->beats) {
        struct cor_stream_name name = this_case->name;
        name.ordinal = ticks_before(t, t->clocks->agent_least);
        cor_state_perceive(r->state, r->state->environment, &name);
        t->perceptions += t->agent_count;
        t->together += t->clocks->agent_least;
        return;
    }
    uint32_t count = 0;
    while (t->beats[0].tick == t->now) {
        const uint32_t agent = t->beats[0].agent;
        t->due[count] = agent;
        t->ordinal[count++] = ticks_before(t, t->period[agent]);
        t->beats[0].tick += t->period[agent];
        /* The first of the heap has a later tick now. */
        struct beat *beats = t->beats;
        const struct beat moved = beats[0];
        uint32_t at = 0;
        for (;;) {
            uint32_t child = 2 * at + 1;
            if (child >= t->agent_count)
                break;
            if (child + 1 < t->agent_count && is_before(&beats[child + 1], &beats[child]))
                child++;
            if (is_before(&moved, &beats[child]))
                break;
            beats[at] = beats[child];
            at = child;
        }
        beats[at] = moved;
    }
    cor_state_perceive_some(r->state, t->due, t->ordinal, count, &this_case->name);
    t->perceptions += count;
}

/* The structure as lists, and nothing stands that was known of it. */
static enum cor_status show_structure(struct cor_runner *r, struct cor_error *error) {
    COR_TRY(cor_state_lists(r->state, &r->structure, error));
    r->time->is_known = r->time->is_asked = false;
    if (r->text)
        interaction__text_restructure(r);
    return COR_OK;
}

/* Adopts as many moves as are made, from the structure before. */
static enum cor_status make_moves(struct cor_runner *r, size_t count, struct cor_error *error) {
    struct interaction__time *t = r->time;
    const struct cor_move *moves = r->outcome.has_moves ? r->outcome.moves : NULL;
    COR_TRY(cor_state_copy_structure(r->state, t->before, error));
    t->made = count;
    return cor_adopt_first(r->adopter, r->state, &r->outcome.solution, moves, r->outcome.move_count,
                           &t->asked.name, count, &r->adoption, error);
}

/* Makes the structure what it is now: with the moves up to this tick, which itself counts if phase 4 is over.
 */
static enum cor_status catch_up(struct cor_runner *r, bool with_now, struct cor_error *error) {
    struct interaction__time *t = r->time;
    if (t->stage != ADOPTION || t->now <= t->ticks.solution)
        return COR_OK;
    const uint64_t passed = t->now - t->ticks.solution - (with_now ? 0 : 1);
    const size_t count = (size_t)(passed / t->clocks->move_ticks);
    if (count == t->made)
        return COR_OK;
    COR_TRY(make_moves(r, count, error));
    return show_structure(r, error);
}

double interaction__time_measure(struct cor_runner *r) {
    struct interaction__time *t = r->time;
    if (!t->is_known)
        t->known = interaction__dissimilarity(r);
    t->is_known = true;
    return t->known;
}

static struct cor_case_row *last_case_row(const struct cor_runner *r) {
    return cor_record_at(r->record, COR_TABLE_CASES, cor_record_size(r->record, COR_TABLE_CASES) - 1);
}

/* The monitor looks, and the oracle beside it. */
static enum cor_status look(struct cor_runner *r, const struct cor_case *this_case, struct cor_error *error) {
    struct interaction__time *t = r->time;
    struct cor_case look = *this_case;
    struct cor_judgement judgement;
    enum cor_verdict detect;
    COR_TRY(catch_up(r, false, error));
    look.name.ordinal = t->looks++;
    COR_TRY(interaction__monitor(r, &look, error));
    COR_TRY(interaction__judge_look(r, &look, &judgement, &detect, error));
    t->is_followed = t->is_asked = r->text != NULL; /* the monitor follows, the oracle asks */
    t->has_alarm = t->has_alarm || look.alarm;
    /* A case's row tells of one look of the monitor: the one with which a monitor under test ended, else the
     * first that R-Detect fails, else the first that raises an alarm, else the last. */
    const int importance = detect == COR_VERDICT_SMOKE         ? 3
                           : cor_is_detection((uint8_t)detect) ? 2
                                                               : look.alarm;
    if (importance > t->importance || (importance == t->importance && importance == 0)) {
        t->importance = importance;
        t->shown = look;
        COR_TRY(interaction__note_look(r, &look, detect, last_case_row(r), error));
        if (importance >= 2)
            COR_TRY(interaction__note_violations(r, &look, COR_BOX_DETECT, &judgement, error));
    }
    t->look += t->clocks->monitor_ticks;
    /* Of a case at most one reorganization, so that a row is named by its case. */
    if (!look.alarm || t->stage != NONE || t->asked.number == this_case->number)
        return COR_OK;
    t->stage = START;
    t->step = t->now + r->suite->arm->activation_delay * t->clocks->case_ticks;
    t->ticks = (struct cor_tick_row){.alarm = t->now};
    return COR_OK;
}

/* a * b, or LATEST. */
static uint64_t lasting(uint64_t a, uint64_t b) {
    return b > 0 && a > LATEST / b ? LATEST : a * b;
}

/* Through the boxes, or without a result: nothing is under way any more. */
static enum cor_status end(struct cor_runner *r, const struct cor_reorganization_row *row,
                           struct cor_error *error) {
    struct interaction__time *t = r->time;
    t->ticks.adopted = t->now;
    struct cor_tick_row *ticks = cor_record_row(r->record, COR_TABLE_TICKS, error);
    if (!ticks)
        return error->status;
    t->ticks.arm = ticks->arm;
    t->ticks.suite = ticks->suite;
    t->ticks.sequence = (uint16_t)r->sequence.index;
    t->ticks.case_ = t->asked.number;
    *ticks = t->ticks;
    t->stage = NONE;
    t->step = NEVER;
    t->has_ended = true;
    t->gray = row->gray;
    t->black = row->black;
    t->is_mixed = t->is_mixed || t->asked.number < r->sequence.number;
    struct cor_case_row *case_row = cor_record_at(r->record, COR_TABLE_CASES, t->case_row);
    return interaction__end_reorganization(r, &t->asked, row, t->weighed, case_row, error);
}

/* Until the last move is made, or the next, where each is judged. */
static void wait_for_moves(struct cor_runner *r) {
    struct interaction__time *t = r->time;
    const uint64_t next = t->made < t->ticks.moves ? t->made + 1 : t->ticks.moves;
    t->step = t->ticks.solution +
              lasting(interaction__moves_are_judged(r) ? next : t->ticks.moves, t->clocks->move_ticks);
}

static enum cor_status complete(struct cor_runner *r, struct cor_reorganization_row *row,
                                struct cor_error *error) {
    struct interaction__time *t = r->time;
    follow(r);
    COR_TRY(interaction__note_adoption(r, row, error));
    COR_TRY(interaction__judge_structure(r, &t->asked, row, error));
    t->known = row->dissimilarity_after;
    t->is_known = true;
    t->is_asked = r->text != NULL;
    return end(r, row, error);
}

/* The next step of the reorganization under way, whose time has come. */
static enum cor_status go_on(struct cor_runner *r, const struct cor_case *this_case,
                             struct cor_error *error) {
    struct interaction__time *t = r->time;
    if (t->stage == START) {
        if (interaction__result_is_late(r, this_case)) {
            t->step = t->now + t->clocks->case_ticks;
            return COR_OK;
        }
        t->asked = *this_case;
        t->asked.looked = interaction__time_measure(r);
        follow(r);
        struct cor_reorganization_row *row = interaction__ask(r, &t->asked, &t->weighed, error);
        if (!row)
            return error->status;
        /* By what the algorithm was shown: when its solution is there, values may be others. */
        if (r->text && r->outcome.smoke == COR_SMOKE_NONE)
            COR_TRY(interaction__judge_solution(r, &t->asked, row, error));
        t->row = cor_record_size(r->record, COR_TABLE_REORGANIZATIONS) - 1;
        t->case_row = cor_record_size(r->record, COR_TABLE_CASES) - 1;
        last_case_row(r)->reorganized = 1;
        t->ticks.asked = t->now;
        t->step = t->now + lasting(row->spent, t->clocks->unit_ticks) +
                  lasting(r->outcome.messages, t->clocks->message_ticks);
        t->stage = SOLUTION;
        return COR_OK;
    }
    struct cor_reorganization_row *row = cor_record_at(r->record, COR_TABLE_REORGANIZATIONS, t->row);
    if (t->stage == SOLUTION) {
        t->ticks.solution = t->now;
        if (r->outcome.smoke != COR_SMOKE_NONE) {
            interaction__note_no_result(r, row);
            return end(r, row, error);
        }
        if (!r->text)
            COR_TRY(interaction__judge_solution(r, &t->asked, row, error));
        follow(r);
        if (t->clocks->move_ticks == 0) {
            COR_TRY(interaction__adopt(r, &t->asked, error));
            t->ticks.moves = (uint32_t)r->adoption.moves;
            return complete(r, row, error);
        }
        COR_TRY(cor_state_copy(t->before, r->state, error));
        COR_TRY(make_moves(r, 0, error));
        COR_TRY(
            cor_state_copy_structure(r->state, t->before, error)); /* not renumbered while nobody has moved */
        t->ticks.moves = (uint32_t)r->adoption.moves;
        t->stage = ADOPTION;
        wait_for_moves(r);
        return interaction__moves_are_judged(r) ? interaction__text_watch_moves(r, &t->asked, error) : COR_OK;
    }
    const bool are_judged = interaction__moves_are_judged(r);
    if (are_judged && t->made + 1 < t->ticks.moves) { /* not the last */
        COR_TRY(make_moves(r, t->made + 1, error));
        COR_TRY(show_structure(r, error));
        follow(r);
        wait_for_moves(r);
        return interaction__text_judge_move(r, error);
    }
    COR_TRY(make_moves(r, t->ticks.moves, error));
    if (are_judged)
        COR_TRY(interaction__end_moves(r, &t->asked, error));
    return complete(r, row, error);
}

/* What happens next; at one tick the lower phase first. */
static enum event next_event(const struct interaction__time *t, uint64_t *tick) {
    const uint64_t perceives = t->beats ? t->beats[0].tick : t->together;
    *tick = perceives < t->look ? perceives : t->look;
    *tick = t->step < *tick ? t->step : *tick;
    return *tick == perceives ? PERCEIVE : *tick == t->look ? LOOK : GO_ON;
}

/* What the oracle sees at the end of the case. Where the monitor did not look in it, its row tells of no
 * look, and has no more than what the monitor would measure now. */
static enum cor_status take_snapshot(struct cor_runner *r, struct cor_case *this_case,
                                     struct cor_error *error) {
    struct interaction__time *t = r->time;
    COR_TRY(catch_up(r, true, error));
    follow(r);
    if (r->text && !t->is_asked)
        COR_TRY(interaction__text_ask_all(r, error));
    t->is_asked = r->text != NULL;
    struct cor_snapshot_row *row = cor_record_row(r->record, COR_TABLE_SNAPSHOTS, error);
    if (!row)
        return error->status;
    const bool looks =
        interaction__is_looked_at(r, this_case) || (t->looks > 0 && t->shown.alarm) || t->has_ended;
    row->sequence = (uint16_t)r->sequence.index;
    row->case_ = this_case->number;
    row->tick = t->now;
    row->perceptions = t->perceptions;
    row->looks = t->looks;
    row->under_way = t->stage != NONE;
    row->dissimilarity = looks ? interaction__time_measure(r) : NAN;
    row->inside = !looks    ? (uint8_t)COR_INSIDE_NOT_LOOKED
                  : r->text ? (uint8_t)interaction__text_inside(r)
                            : (uint8_t)cor_oracle_inside(row->dissimilarity, r->configuration->threshold);
    if (t->importance >= 0)
        return COR_OK;
    if (r->text)
        COR_TRY(interaction__text_note_asked(r, this_case->number, error));
    t->shown = *this_case;
    t->shown.inside = COR_INSIDE_NOT_LOOKED;
    t->shown.dissimilarity = cor_monitor_dissimilarity(r->state);
    return interaction__note_look(r, &t->shown, COR_VERDICT_NOT_JUDGED, last_case_row(r), error);
}

enum cor_status interaction__time_case(struct cor_runner *r, struct cor_case *this_case,
                                       struct cor_error *error) {
    struct interaction__time *t = r->time;
    struct cor_sequence *s = &r->sequence;
    const bool shown = r->observed || cor_walk_sees(&r->walk);
    struct cor_case_row *row = interaction__case_row(r, error);
    if (!row)
        return error->status;
    if (shown)
        interaction__count_probes(r, false);
    t->start = t->now = (s->number - (uint64_t)1) * t->clocks->case_ticks;
    const uint64_t over = t->start + t->clocks->case_ticks;
    t->perceptions = t->looks = 0;
    t->importance = -1;
    t->has_alarm = t->has_ended = false;
    cor_state_surround(r->state, cor_walk_at(&r->walk, s->number));
    uint64_t tick;
    for (enum event event; !s->is_stopped && (event = next_event(t, &tick), tick < over);) {
        t->now = tick;
        if (event == PERCEIVE)
            perceive(r, this_case);
        else
            COR_TRY(event == LOOK ? look(r, this_case, error) : go_on(r, this_case, error));
    }
    if (!s->is_stopped)
        t->now = over - 1;
    COR_TRY(take_snapshot(r, this_case, error));
    this_case->alarm = t->has_alarm;
    COR_TRY(interaction__end_case(r, this_case, error));
    s->alarm = t->has_alarm;
    s->reorganized = row->reorganized != 0;
    s->dissimilarity = t->shown.dissimilarity;
    if (shown) {
        struct cor_case_row reacted = *row;
        struct cor_case shown_case = t->shown;
        shown_case.alarm = t->has_alarm; /* of any look */
        reacted.gray = t->has_ended ? t->gray : (uint8_t)COR_VERDICT_NOT_JUDGED;
        reacted.black = t->has_ended ? t->black : (uint8_t)COR_VERDICT_NOT_JUDGED;
        interaction__show_reaction(r, &shown_case, &reacted);
    }
    return COR_OK;
}

/* A reorganization under way comes to its end, and nothing else happens any more; one that has not begun does
 * not begin. */
enum cor_status interaction__time_end(struct cor_runner *r, struct cor_error *error) {
    struct interaction__time *t = r->time;
    while (t->stage == SOLUTION || t->stage == ADOPTION) {
        t->is_mixed = true;
        t->now = t->step;
        COR_TRY(go_on(r, &t->asked, error));
    }
    if (t->is_mixed)
        cor_record_sort_cases(r->record, &t->mark);
    return COR_OK;
}
