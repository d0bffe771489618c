/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stabilize, of an experiment with algorithms for structures: its arms gone through, or drawn from and the
 * worst start raced for; what is said of them, and the tests that show each no. */
#include "layer_commands.h"
#include "replay.h"
#include "running.h"
#include "stabilizing.h"

#include <corridor/array.h>
#include <corridor/bounds.h>
#include <corridor/interaction.h>
#include <corridor/ruling.h>
#include <corridor/stabilize_structures.h>
#include <corridor/state.h>
#include <corridor/test.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 65536u   /* starts that are gone through at once */
#define PILOT 64u      /* starts by which it is seen whether an algorithm draws */
#define BATCH 256u     /* runs of a test at once, whatever the number of processes */
#define MOST 100000u   /* runs of a test */
#define POOL 4096u     /* starts with which a race begins */
#define FINALISTS 10u  /* and ends; these have .. */
#define FINAL_RUNS 40u /* .. so many more runs each, with fresh draws */
#define RACE 1000000u  /* numbers of sequences by which the draws of runs are named: those of the test .. */
#define FINAL 2000000u /* .. begin with 0, those of a race, and of its end, with these */
#define LEVEL 0.95

static const struct cor_column_definition wrong_sheet_columns[] = {
    {"arm", "arm", "", "the arm", COR_CELL_WORD, 0, 0},
    {"size", "size", "", "how many agents", COR_CELL_WORD, 0, 0},
    {"agents", "agents", "1",
     "so many agents at least have to be put elsewhere, or right, for the first structure that is inside",
     COR_CELL_COUNT, 0, 0},
    {"starts", "runs", "1", "runs from such starts", COR_CELL_COUNT, 0, 0},
    {"back", "back", "1", "thereof back in time, and stayed", COR_CELL_COUNT, 0, 0},
    {"longest", "most cases", "1", "of these the most cases until it was back", COR_CELL_COUNT, 0, 0},
    {"mean", "mean", "1", "and the mean", COR_CELL_REAL, 3, 0}};
COR_SHEET_DEFINITION(wrong_sheet, "stabilize_agents", "Back by the number of agents that are wrong",
                     "a row for each number", COR_SHEET_DATA, 0);

/* What came of all runs, by what came of each. */
struct tally {
    uint64_t runs, ends[COR_STARTED_UNKNOWN + 1], quiet, at_rest;
    uint64_t *back; /* owned; [case up to within] of those that are back */
    struct {
        uint64_t runs, back, sum;
        uint32_t longest;
    } wrong[COR_STABILIZE_AGENTS_MAX + 1];
    struct cor_structure_run first[COR_STARTED_UNKNOWN + 1]; /* of each end */
    struct cor_structure_outcome first_outcome[COR_STARTED_UNKNOWN + 1];
    struct cor_structure_run longest; /* of those that are back, or late */
    uint32_t longest_back, longest_count;
};

struct arm_asked {
    struct cor_stabilizing *all;
    const struct cor_experiment *experiment;
    struct cor_structures_asked asked;
    struct cor_sheet *wrong;
    uint32_t index, jobs;
    struct cor_starts *starts; /* owned */
    struct cor_starts_size size;
    struct cor_structure_run *runs;         /* owned, as the two below; scratch */
    struct cor_structure_outcome *outcomes; /* what came of these */
    size_t run_capacity, outcome_capacity;
    struct tally tally;
    struct cor_stabilize_row row;
    const struct cor_structure_run *shown; /* of these a test is made; NULL: of none */
    struct cor_structure_run shown_run;
    char sentence[1400];
    bool drew;
};

static bool go_on(void *self, const char *doing) {
    struct arm_asked *a = self;
    return cor_progress_goes_on(&a->all->said_at, "%s: %s", a->experiment->arms[a->index].name, doing);
}

static enum cor_status run_all(struct arm_asked *a, size_t count, bool exactly, struct cor_error *error) {
    const struct cor_starts_work work = {a->runs, count, a->jobs, exactly, go_on, a};
    COR_TRY(COR_RESERVE(&a->outcomes, &a->outcome_capacity, count, error));
    return cor_starts_run(a->starts, &work, a->outcomes, error);
}

static void count_run(struct arm_asked *a, const struct cor_structure_run *run,
                      const struct cor_structure_outcome *outcome) {
    struct tally *t = &a->tally;
    const uint32_t wrong = cor_starts_wrong(a->starts, &run->start);
    if (t->ends[outcome->end]++ == 0) {
        t->first[outcome->end] = *run;
        t->first_outcome[outcome->end] = *outcome;
    }
    t->runs++;
    t->quiet += outcome->was_quiet;
    t->at_rest += outcome->rests;
    t->wrong[wrong].runs++;
    if (outcome->back > t->longest_back) {
        t->longest_back = outcome->back;
        t->longest = *run;
        t->longest_count = 0;
    }
    t->longest_count += outcome->back > 0 && outcome->back == t->longest_back;
    if (outcome->end != COR_STARTED_BACK)
        return;
    t->back[outcome->back]++;
    t->wrong[wrong].back++;
    t->wrong[wrong].sum += outcome->back;
    if (outcome->back > t->wrong[wrong].longest)
        t->wrong[wrong].longest = outcome->back;
}

/* ---- exactly: each start once */

/* Goes through starts from number *number on, at most CHUNK; *drew: one of them drew something. */
static enum cor_status take_chunk(struct arm_asked *a, uint64_t *number, uint32_t most, bool *drew,
                                  struct cor_error *error) {
    const uint64_t all = a->size.numbers < 0x1p63 ? (uint64_t)a->size.numbers : INT64_MAX;
    size_t count = 0;
    COR_TRY(COR_RESERVE(&a->runs, &a->run_capacity, most, error));
    for (; *number < all && count < most; ++*number) {
        a->runs[count].sequence = 0;
        count += cor_starts_at(a->starts, *number, &a->runs[count].start);
    }
    if (count == 0)
        return COR_OK;
    COR_TRY(run_all(a, count, true, error));
    for (size_t i = 0; i < count; i++) {
        *drew = *drew || a->outcomes[i].drew;
        count_run(a, &a->runs[i], &a->outcomes[i]);
    }
    return COR_OK;
}

/* Goes through all starts, unless something draws, which the first of them show mostly, or there are too
 * many. What was counted of an arm that draws is no more than one run of each, and is forgotten. */
static enum cor_status go_through(struct arm_asked *a, bool is_small, struct cor_error *error) {
    uint64_t number = 0;
    uint64_t *back = a->tally.back;
    COR_TRY(take_chunk(a, &number, PILOT, &a->drew, error));
    while (!a->drew && is_small && number < (uint64_t)a->size.numbers)
        COR_TRY(take_chunk(a, &number, CHUNK, &a->drew, error));
    if (a->drew) {
        memset(back, 0, ((size_t)a->asked.within + 1) * sizeof *back);
        a->tally = (struct tally){.back = back};
    }
    return COR_OK;
}

/* What is violated and calls nobody: a constraint, or the threshold. */
static void put_violated(const struct arm_asked *a, const struct cor_structure_outcome *outcome, char *text,
                         size_t size) {
    const char *says, *name = outcome->violated == COR_NOBODY
                                  ? NULL
                                  : cor_experiment_constraint(a->experiment, outcome->violated, &says);
    if (name)
        snprintf(text, size, "`%s` is violated, and no trigger is", name);
    else
        snprintf(text, size, "the threshold is exceeded, and the monitor raises no alarm");
}

/* The sentence of an arm. */
static void say(struct arm_asked *a, const char *format, ...) COR_PRINTF(2, 3);
static void say(struct arm_asked *a, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(a->sentence, sizeof a->sentence, format, list);
    va_end(list);
}

static void show_run(struct arm_asked *a, const struct cor_structure_run *run) {
    a->shown_run = *run;
    a->shown = &a->shown_run;
}

/* The first of what is wrong, by its weight. */
static enum cor_structure_end worst_end(const struct tally *t) {
    static const enum cor_structure_end order[] = {COR_STARTED_SLEEPS,  COR_STARTED_LOOPS, COR_STARTED_OUT,
                                                   COR_STARTED_RANG,    COR_STARTED_LEFT,  COR_STARTED_LATE,
                                                   COR_STARTED_UNKNOWN, COR_STARTED_BACK};
    size_t i = 0;
    while (order[i] != COR_STARTED_BACK && t->ends[order[i]] == 0)
        i++;
    return order[i];
}

static enum cor_stabilize_verdict verdict_of(enum cor_structure_end end) {
    static const enum cor_stabilize_verdict verdicts[] = {
        [COR_STARTED_BACK] = COR_STABILIZE_HOLDS,    [COR_STARTED_LEFT] = COR_STABILIZE_LEAVES,
        [COR_STARTED_RANG] = COR_STABILIZE_LEAVES,   [COR_STARTED_LATE] = COR_STABILIZE_LATE,
        [COR_STARTED_OUT] = COR_STABILIZE_LATE,      [COR_STARTED_LOOPS] = COR_STABILIZE_LOOPS,
        [COR_STARTED_SLEEPS] = COR_STABILIZE_SLEEPS, [COR_STARTED_UNKNOWN] = COR_STABILIZE_UNDECIDED};
    return verdicts[end];
}

/* "does not come back: .." of an end that is no yes, with a number of starts if these were gone through. */
static void say_end(struct arm_asked *a, enum cor_structure_end end, const char *share) {
    const struct cor_structure_outcome *outcome = &a->tally.first_outcome[end];
    const uint32_t cases = a->asked.within + a->asked.stays;
    char violated[200];
    put_violated(a, outcome, violated, sizeof violated);
    switch (end) {
    case COR_STARTED_SLEEPS:
        say(a, "does not come back: %s: nothing is ever called%s", violated, share);
        break;
    case COR_STARTED_LOOPS:
        say(a, "does not come back: %" PRIu32 " case%s repeated for ever, outside%s", outcome->at,
            outcome->at == 1 ? " is" : "s are", share);
        break;
    case COR_STARTED_OUT:
        if (outcome->was_stopped)
            say(a, "does not come back: in case %" PRIu32 " the algorithm fails, which ends the sequence%s",
                outcome->at, share);
        else
            say(a, "does not come back: outside after %" PRIu32 " cases%s", cases, share);
        break;
    case COR_STARTED_RANG:
        say(a, "does not stay: inside after case %" PRIu32 ", and in case %" PRIu32 " an alarm rings%s",
            a->asked.within, outcome->at, share);
        break;
    case COR_STARTED_LEFT:
        say(a, "does not stay: inside after case %" PRIu32 ", and left in case %" PRIu32 "%s", outcome->from,
            outcome->at, share);
        break;
    case COR_STARTED_LATE:
        say(a, "comes back within %" PRIu32 " cases; within %" PRIu32 " was asked%s", a->tally.longest_back,
            a->asked.within, share);
        break;
    default:
        say(a, "undecided: it is unknown whether it is inside, or the algorithm ran out of time or memory%s",
            share);
    }
}

/* What was found where each start was gone through. */
static enum cor_status say_exact(struct arm_asked *a, enum cor_stabilize_verdict *verdict,
                                 struct cor_error *error) {
    struct tally *t = &a->tally;
    const enum cor_structure_end end = worst_end(t);
    char of[COR_COMMAS_SIZE], all[COR_COMMAS_SIZE], share[100];
    cor_with_commas(t->runs, all);
    *verdict = verdict_of(end);
    if (t->quiet == t->runs) {
        *verdict = COR_STABILIZE_UNDECIDED;
        say(a, "undecided: all %s starts are inside, and nothing is put to the test", all);
    } else if (end != COR_STARTED_BACK) {
        snprintf(share, sizeof share, ", from %s of %s starts", cor_with_commas(t->ends[end], of), all);
        say_end(a, end, share);
    } else if (t->at_rest == t->runs)
        say(a, "comes back and stays: from each of %s starts within %" PRIu32 " case%s", all, t->longest_back,
            cor_plural(t->longest_back));
    else
        say(a,
            "comes back within %" PRIu32 " case%s, and stays up to case %" PRIu32
            ", from each of %s starts; behind that it is open, for the state still changes",
            t->longest_back, cor_plural(t->longest_back), a->asked.within + a->asked.stays, all);
    const bool is_no = *verdict != COR_STABILIZE_HOLDS && *verdict != COR_STABILIZE_UNDECIDED;
    if (is_no)
        show_run(a, end == COR_STARTED_LATE ? &t->longest : &t->first[end]);
    a->row.is_proved = *verdict != COR_STABILIZE_UNDECIDED && end != COR_STARTED_UNKNOWN;
    a->row.inside = (uint32_t)(t->quiet < UINT32_MAX ? t->quiet : UINT32_MAX);
    a->row.worst_steps =
        t->ends[COR_STARTED_BACK] + t->ends[COR_STARTED_LATE] == t->runs ? t->longest_back : UINT32_MAX;
    a->row.worst_states = t->longest_count;
    const struct cor_structure_run *worst = is_no ? a->shown : &t->longest;
    if (is_no || t->longest_back > 0)
        COR_TRY(cor_made(a->row.worst_state = cor_starts_text(a->starts, &worst->start), error));
    uint64_t within = 0;
    for (uint32_t k = 0; k <= a->asked.within && t->runs > 0; k++) {
        within += t->back[k];
        cor_stabilizing_row(a->all->depths, &a->row);
        cor_sheet_count(a->all->depths, k);
        cor_sheet_count(a->all->depths, within);
    }
    return COR_OK;
}

/* ---- by chance: a test of the share that is back, and a race for the worst start */

/* Is that end a no by itself, whatever the share is: proved of its start? */
static bool is_proof(const struct arm_asked *a, enum cor_structure_end end) {
    return end == COR_STARTED_SLEEPS || ((end == COR_STARTED_RANG || end == COR_STARTED_LEFT) &&
                                         !a->asked.values && a->size.unsettled == 0 && !a->size.draws);
}

/* *proof: the end that is one, which ends the test; COR_STARTED_BACK: none is. */
static enum cor_status test_share(struct arm_asked *a, struct cor_ruling *ruling,
                                  enum cor_structure_end *proof, struct cor_error *error) {
    bool is_proved = false;
    *proof = COR_STARTED_BACK;
    COR_TRY(COR_RESERVE(&a->runs, &a->run_capacity, BATCH, error));
    for (uint32_t first = 0; first < MOST && !ruling->is_over && !is_proved; first += BATCH) {
        for (uint32_t i = 0; i < BATCH; i++) {
            a->runs[i].sequence = first + i;
            COR_TRY(cor_starts_draw(a->starts, first + i, &a->runs[i].start, error));
        }
        COR_TRY(run_all(a, BATCH, false, error));
        for (uint32_t i = 0; i < BATCH && !ruling->is_over && !is_proved; i++) {
            const enum cor_structure_end end = a->outcomes[i].end;
            count_run(a, &a->runs[i], &a->outcomes[i]);
            is_proved = is_proof(a, end);
            *proof = is_proved ? end : *proof;
            COR_TRY(
                cor_ruling_take(ruling, end == COR_STARTED_UNKNOWN ? NAN : end == COR_STARTED_BACK, error));
        }
    }
    return COR_OK;
}

/* A start in a race. */
struct racer {
    struct cor_structure_start start;
    uint32_t place, runs, back; /* place: in which it began, by which even ones are told apart */
    uint64_t cases;             /* until it was back, or as many as there are */
    uint32_t failing;           /* number of the first sequence that was not back */
    bool has_failed, sleeps;
};

/* The worse one first. */
static int compare_racers(const void *one, const void *other) {
    const struct racer *a = one, *b = other;
    const uint64_t left = (uint64_t)a->back * b->runs, right = (uint64_t)b->back * a->runs;
    const uint64_t slow = a->cases * b->runs, fast = b->cases * a->runs;
    return left != right         ? (left < right ? -1 : 1)
           : slow != fast        ? (slow > fast ? -1 : 1)
           : a->place < b->place ? -1
                                 : 1;
}

/* Runs each of the racers `times` times, with the draws of sequences from `first` on. */
static enum cor_status run_racers(struct arm_asked *a, struct racer *racers, uint32_t count, uint32_t first,
                                  uint32_t times, struct cor_error *error) {
    const size_t runs = (size_t)count * times;
    COR_TRY(COR_RESERVE(&a->runs, &a->run_capacity, runs, error));
    for (size_t i = 0; i < runs; i++)
        a->runs[i] = (struct cor_structure_run){racers[i / times].start, first + (uint32_t)(i % times)};
    COR_TRY(run_all(a, runs, false, error));
    for (size_t i = 0; i < runs; i++) {
        struct racer *racer = &racers[i / times];
        const struct cor_structure_outcome *outcome = &a->outcomes[i];
        const bool is_back = outcome->end == COR_STARTED_BACK;
        if (outcome->end == COR_STARTED_UNKNOWN)
            continue;
        racer->runs++;
        racer->back += is_back;
        racer->cases += outcome->back > 0 ? outcome->back : a->asked.within + a->asked.stays;
        racer->sleeps = racer->sleeps || outcome->end == COR_STARTED_SLEEPS;
        if (!is_back && !racer->has_failed) {
            racer->has_failed = true;
            racer->failing = a->runs[i].sequence;
        }
    }
    return COR_OK;
}

/* All starts, if they are few enough; else those that are drawn next. */
static enum cor_status line_up(struct arm_asked *a, struct racer *racers, uint32_t *count,
                               struct cor_error *error) {
    *count = 0;
    if (a->size.numbers <= POOL)
        for (uint64_t number = 0; number < (uint64_t)a->size.numbers; number++)
            *count += cor_starts_at(a->starts, number, &racers[*count].start);
    else
        for (uint32_t i = 0; i < POOL; i++) {
            COR_TRY(cor_starts_draw(a->starts, RACE + i, &racers[i].start, error));
            ++*count;
        }
    for (uint32_t i = 0; i < *count; i++)
        racers[i].place = i;
    return COR_OK;
}

/* Successive halving: all run twice, the worse half of them four times, and so on; the last ten once more,
 * with fresh draws, by which alone they are judged. racers: [FINALISTS] the worst first. */
static enum cor_status race(struct arm_asked *a, struct racer *racers, uint32_t *count,
                            struct cor_error *error) {
    uint32_t first = RACE, times = 2;
    COR_TRY(line_up(a, racers, count, error));
    while (*count > FINALISTS) {
        COR_TRY(run_racers(a, racers, *count, first, times, error));
        qsort(racers, *count, sizeof *racers, compare_racers);
        first += times;
        times = times < 32 ? 2 * times : times;
        *count = *count / 2 > FINALISTS ? *count / 2 : FINALISTS;
    }
    for (uint32_t i = 0; i < *count; i++)
        racers[i] = (struct racer){.start = racers[i].start, .place = i};
    COR_TRY(run_racers(a, racers, *count, FINAL, FINAL_RUNS, error));
    qsort(racers, *count, sizeof *racers, compare_racers);
    return COR_OK;
}

/* What is said of the worst that was found, and whether it surely is back too seldom: by Holm, of whom the
 * first of those that are left in the race is tested by the error divided by their number. The exact test of
 * one side is that whether the upper end of the interval with twice that error lies below the share. */
static enum cor_status say_worst(struct arm_asked *a, const struct racer *worst, uint32_t count, char *text,
                                 size_t size, bool *is_bad, struct cor_error *error) {
    *is_bad = false;
    text[0] = '\0';
    if (count == 0 || worst->runs == 0)
        return COR_OK;
    const struct cor_bounds bounds =
        cor_proportion_clopper_pearson(worst->back, worst->runs, 1 - (1 - LEVEL) / count);
    a->row.worst_runs = worst->runs;
    a->row.worst_share = (double)worst->back / worst->runs;
    a->row.worst_low = bounds.low;
    a->row.worst_high = bounds.high;
    COR_TRY(cor_made(a->row.worst_state = cor_starts_text(a->starts, &worst->start), error));
    *is_bad = worst->sleeps ||
              cor_proportion_clopper_pearson(worst->back, worst->runs, 1 - 2 * a->asked.error / count).high <=
                  a->asked.share;
    if (worst->back < worst->runs)
        snprintf(text, size, "; the worst found, %.600s: %" PRIu32 " of %" PRIu32 " runs [%.2f, %.2f]",
                 a->row.worst_state, worst->back, worst->runs, bounds.low, bounds.high);
    else
        snprintf(text, size, "; of the worst that were sought each is, in all of %" PRIu32 " runs",
                 worst->runs);
    return COR_OK;
}

static enum cor_status sample(struct arm_asked *a, enum cor_stabilize_verdict *verdict, bool *is_good,
                              struct cor_error *error) {
    struct cor_ruling_rule rule = cor_ruling_rule(true, true, true, a->asked.share);
    COR_FINISHED(cor_ruling) struct cor_ruling ruling = {0};
    COR_FREED struct racer *racers = cor_calloc(POOL, sizeof *racers);
    struct cor_bounds bounds;
    char worst_said[800] = "", all[COR_COMMAS_SIZE], drawn[COR_COMMAS_SIZE];
    uint32_t count = 0;
    bool is_bad = false;
    double middle;
    rule.alpha = rule.beta = a->asked.error;
    cor_ruling_init(&ruling, &rule);
    enum cor_status status = cor_made(racers, error);
    COR_TRY(status);
    enum cor_structure_end end;
    COR_TRY(test_share(a, &ruling, &end, error));
    cor_ruling_interval(&ruling, &middle, &bounds);
    a->row.drawn = a->tally.runs;
    a->row.longest = a->tally.longest_back;
    a->row.share = middle;
    a->row.share_low = bounds.low;
    a->row.share_high = bounds.high;
    *is_good = false;
    if (end != COR_STARTED_BACK) {
        *verdict = verdict_of(end);
        show_run(a, &a->tally.first[end]);
        COR_TRY(cor_made(a->row.worst_state = cor_starts_text(a->starts, &a->shown->start), error));
        a->row.is_proved = end == COR_STARTED_SLEEPS;
        say_end(a, end, ", from a start that was drawn");
        return status;
    }
    COR_TRY(race(a, racers, &count, error));
    COR_TRY(say_worst(a, racers, count, worst_said, sizeof worst_said, &is_bad, error));
    cor_with_commas(a->tally.runs, drawn);
    cor_real_with_commas(a->size.numbers, all);
    *verdict = COR_STABILIZE_SAMPLED;
    const enum cor_structure_end worst = worst_end(&a->tally);
    if (a->tally.quiet == a->tally.runs) {
        *verdict = COR_STABILIZE_UNDECIDED;
        say(a, "undecided: all %s starts that were drawn are inside, and nothing is put to the test", drawn);
    } else if (ruling.end == COR_RULING_FAILS) {
        say(a,
            "does not come back: %.2f [%.2f, %.2f] of %s starts do within %" PRIu32
            " case%s, and stay for %" PRIu32 "%s",
            middle, bounds.low, bounds.high, all, a->asked.within, cor_plural(a->asked.within),
            a->asked.stays, worst_said);
    } else if (is_bad) {
        say(a, "does not come back from each start%s", worst_said);
    } else if (ruling.end == COR_RULING_HOLDS) {
        *is_good = true;
        say(a,
            "at least %g of %s starts are back within %" PRIu32 " case%s, and stay for %" PRIu32
            " (error %g, by %s that were drawn)%s",
            a->asked.share, all, a->asked.within, cor_plural(a->asked.within), a->asked.stays, a->asked.error,
            drawn, worst_said);
    } else {
        *verdict = COR_STABILIZE_UNDECIDED;
        say(a,
            "undecided: after %s starts that were drawn of %s it is open whether %g of them are back "
            "within %" PRIu32 " case%s%s",
            drawn, all, a->asked.share, a->asked.within, cor_plural(a->asked.within), worst_said);
    }
    if (*verdict == COR_STABILIZE_SAMPLED && !*is_good && count > 0 && racers[0].has_failed)
        show_run(a, &(struct cor_structure_run){racers[0].start, racers[0].failing});
    else if (ruling.end == COR_RULING_FAILS && worst != COR_STARTED_BACK && worst != COR_STARTED_UNKNOWN)
        show_run(a, &a->tally.first[worst]);
    return status;
}

/* ---- the test that shows a no */

static enum cor_status make_test(struct arm_asked *a, struct cor_test **test, struct cor_error *error) {
    const uint32_t within = a->asked.within, last = within + a->asked.stays - 1;
    const struct cor_suite *suite;
    struct cor_walk walk;
    char property[200];
    cor_walk_init(&walk);
    *test = NULL;
    enum cor_status status = cor_starts_suite(a->starts, &a->shown->start, &suite, &walk, error);
    if (status == COR_OK)
        status = cor_test_of_sequence(suite, a->shown->sequence, NULL, &walk, test, error);
    cor_walk_fini(&walk);
    COR_TRY(status);
    /* The last part: where a sequence ends before, "always" accuses nobody. */
    snprintf(property, sizeof property,
             "P [ always[%" PRIu32 ", %" PRIu32 "] inside and always[%" PRIu32 ", %" PRIu32
             "] not alarm and next[%" PRIu32 ", %" PRIu32 "] true ]",
             within - 1, last, within, last, last, last);
    COR_TRY(cor_test_of_property(*test, a->row.arm, property, error));
    (*test)->said = cor_format("Arm %s of the experiment \"%s\", the weather frozen: %s", a->row.arm,
                               a->experiment->name, a->sentence);
    COR_TRY(cor_made((*test)->said, error));
    return cor_bounds_text(a->experiment->model, &(*test)->arm, &(*test)->bounds, error);
}

static char *structure_text(const struct cor_lists *lists) {
    char *text = cor_strdup("");
    for (uint32_t b = 0; b < lists->block_count; b++)
        for (uint32_t m = lists->start[b]; m < lists->start[b + 1]; m++)
            text = cor_join_take(text, "",
                                 cor_format("%s%" PRIu32 "%s",
                                            m > lists->start[b] ? " "
                                            : b > 0             ? " {"
                                                                : "{",
                                            lists->members[m], m + 1 == lists->start[b + 1] ? "}" : ""));
    return text;
}

/* Rows of the run that the test makes again. */
static enum cor_status put_run(struct arm_asked *a, const struct cor_test *test, struct cor_error *error) {
    struct cor_tester *tester = NULL;
    struct cor_runner *runner = NULL;
    struct cor_lists lists;
    struct cor_sheet *sheet = a->all->runs;
    cor_lists_init(&lists);
    enum cor_status status = cor_tester_create(&tester, error);
    COR_TRY_OUT(status);
    cor_tester_observe(tester, true);
    COR_TRY_OUT(cor_tester_begin(tester, test, &runner, error));
    for (uint32_t k = 0; !cor_sequence_is_over(runner); k++) {
        COR_TRY_OUT(cor_state_lists(cor_sequence_state(runner), &lists, error));
        COR_TRY_OUT(cor_sequence_case(runner, error));
        const struct cor_reaction *reaction = cor_sequence_reaction(runner);
        cor_stabilizing_row(sheet, &a->row);
        cor_sheet_word(sheet, "no");
        cor_sheet_count(sheet, k);
        cor_sheet_text_take(sheet, structure_text(&lists));
        if (reaction->alarm || reaction->reorganized)
            cor_sheet_text(sheet, "%s%s", reaction->alarm ? "an alarm" : "",
                           !reaction->reorganized ? ""
                           : reaction->alarm      ? ", the algorithm"
                                                  : "the algorithm");
        else
            cor_sheet_nothing(sheet);
    }
out:
    if (tester)
        cor_tester_end(tester, runner);
    cor_tester_destroy(tester);
    cor_lists_fini(&lists);
    return status;
}

static enum cor_status keep(struct arm_asked *a, struct cor_error *error) {
    COR_DESTROYED(cor_test) struct cor_test *test = NULL;
    COR_FREED char *text = NULL;
    enum cor_status status = make_test(a, &test, error);
    COR_TRY(status);
    COR_TRY(put_run(a, test, error));
    if (a->all->request->output) {
        COR_TRY(cor_test_text(test, &text, error));
        COR_TRY(cor_stabilizing_keep(a->all->request, a->row.arm, a->row.verdict, text, &a->row.file, error));
    }
    return status;
}

/* ---- an arm */

static enum cor_status add_head(struct arm_asked *a, struct cor_error *error) {
    const struct cor_starts_size *size = &a->size;
    char structures[COR_COMMAS_SIZE], numbers[COR_COMMAS_SIZE], aside[160] = "", unsettled[120] = "",
                                                                kept[40] = "";
    cor_with_commas(size->structures, structures);
    cor_real_with_commas(size->numbers, numbers);
    if (size->set_aside > 0) {
        snprintf(aside, sizeof aside, ", of which %" PRIu32 " %s set aside: there %s", size->set_aside,
                 size->set_aside == 1 ? "is" : "are",
                 size->saw_all ? "nothing is inside" : "nothing was found inside");
        cor_sheet_remark(a->all->rows, "%s: of %" PRIu32 " weathers%s", a->row.arm, size->weathers,
                         aside + strlen(", of which"));
    }
    if (size->unsettled > 0)
        snprintf(unsettled, sizeof unsettled, "; in %" PRIu32 " values do not come to rest", size->unsettled);
    if (size->kept > 1)
        snprintf(kept, sizeof kept, ", kept bytes of %" PRIu32 " kinds", size->kept);
    return cor_stabilizing_add(a->all,
                               cor_format("%s: %s, %s structure%s, the weather in each of %" PRIu32
                                          " state%s%s%s: %s start%s%s\n",
                                          a->row.arm, a->row.size, structures, cor_plural(size->structures),
                                          size->weathers, cor_plural(size->weathers), aside, kept, numbers,
                                          cor_plural((uint64_t)size->numbers), unsettled),
                               error);
}

static void put_wrong(struct arm_asked *a) {
    for (uint32_t w = 0; w <= a->size.agents; w++) {
        if (a->tally.wrong[w].runs == 0)
            continue;
        cor_sheet_row(a->wrong);
        cor_sheet_word(a->wrong, a->row.arm);
        cor_sheet_word(a->wrong, a->row.size);
        cor_sheet_count(a->wrong, w);
        cor_sheet_count(a->wrong, a->tally.wrong[w].runs);
        cor_sheet_count(a->wrong, a->tally.wrong[w].back);
        cor_sheet_count(a->wrong, a->tally.wrong[w].longest);
        if (a->tally.wrong[w].back > 0)
            cor_sheet_real(a->wrong, (double)a->tally.wrong[w].sum / (double)a->tally.wrong[w].back);
        else
            cor_sheet_nothing(a->wrong);
    }
}

static enum cor_status decide_arm(struct arm_asked *a, enum cor_stabilize_verdict *verdict, bool *is_good,
                                  struct cor_error *error) {
    const bool is_small = a->size.numbers <= (double)a->asked.states_most;
    char most[COR_COMMAS_SIZE];
    *verdict = COR_STABILIZE_UNDECIDED;
    *is_good = false;
    if (a->size.numbers == 0) {
        say(a, "undecided: %s",
            a->size.saw_all ? "the corridor is empty: in no weather a structure is inside, and nothing "
                              "can come back"
                            : "in no weather a structure was found inside, and not all were looked at");
        return COR_OK;
    }
    a->drew = a->size.draws || a->asked.is_sampled || a->size.kept > 1; /* which are some of all */
    if (!a->drew)
        COR_TRY(go_through(a, is_small, error));
    if (!a->drew && is_small) {
        COR_TRY(say_exact(a, verdict, error));
        *is_good = *verdict == COR_STABILIZE_HOLDS;
        return COR_OK;
    }
    if (a->drew)
        return sample(a, verdict, is_good, error);
    say(a, "undecided: more than %s starts; nearest is --sample, which draws some of them",
        cor_with_commas(a->asked.states_most, most));
    return COR_OK;
}

static enum cor_status say_arm(struct arm_asked *a, enum cor_stabilize_verdict verdict, bool is_good,
                               struct cor_error *error) {
    struct cor_stabilizing *all = a->all;
    const bool is_open =
        verdict == COR_STABILIZE_UNDECIDED || (is_good && !a->row.is_proved && all->request->prove);
    a->row.verdict = cor_stabilize_verdict_word(verdict);
    a->row.states = a->size.numbers < 0x1p63 ? (uint64_t)a->size.numbers : 0;
    a->row.tone = is_good && a->row.is_proved ? COR_TONE_GOOD
                  : is_good || is_open        ? COR_TONE_PLAIN
                                              : COR_TONE_BAD;
    all->undecided += is_open;
    all->failed += !is_good && !is_open;
    COR_TRY(cor_made(a->row.sentence = cor_strdup(a->sentence), error));
    if (a->shown)
        COR_TRY(keep(a, error));
    COR_SHEET_PUT(all->rows, struct cor_stabilize_row, &a->row);
    put_wrong(a);
    return cor_stabilizing_add(
        all, cor_format("  %s%s%s\n", a->sentence, a->row.file ? ": " : "", a->row.file ? a->row.file : ""),
        error);
}

static enum cor_status take_arm(struct arm_asked *a, struct cor_error *error) {
    const struct cor_stabilize_request *request = a->all->request;
    enum cor_stabilize_verdict verdict;
    bool is_good;
    char *size = NULL;
    a->row = cor_no_stabilize_row;
    a->row.arm = a->experiment->arms[a->index].name;
    enum cor_status status = cor_starts_create(a->experiment, a->index, request->suite, request->agents,
                                               &a->asked, &a->starts, error);
    COR_TRY_OUT(status);
    a->size = cor_starts_size(a->starts);
    size = cor_format("%" PRIu32 " agent%s", a->size.agents, cor_plural(a->size.agents));
    a->tally.back = cor_calloc((size_t)a->asked.within + 1, sizeof *a->tally.back);
    COR_TRY_OUT(size && a->tally.back ? COR_OK : cor_fail_memory(error));
    a->row.size = size;
    COR_TRY_OUT(add_head(a, error));
    COR_TRY_OUT(decide_arm(a, &verdict, &is_good, error));
    COR_TRY_OUT(say_arm(a, verdict, is_good, error));
out:
    cor_starts_destroy(a->starts);
    free(a->tally.back);
    free(a->runs);
    free(a->outcomes);
    free(a->row.sentence);
    free(a->row.worst_state);
    free(a->row.file);
    free(size);
    return status;
}

/* What nothing above says: which arms are proved, and what was corrupted. */
static enum cor_status add_foot(struct cor_stabilizing *all, const struct cor_structures_asked *asked,
                                uint32_t drawn, uint32_t proved, struct cor_error *error) {
    const bool keeps = asked->has_kept;
    const char *what = !asked->values   ? (asked->is_own ? "what algorithms keep alone was"
                                           : keeps       ? "structures, and what algorithms keep, were"
                                                         : "structures alone were")
                       : !asked->is_own ? (keeps ? "structures, states, values and what algorithms keep were"
                                                 : "structures, states and values were")
                       : keeps          ? "states, values and what algorithms keep were"
                                        : "states and values alone were";
    if (proved > 0)
        COR_TRY(cor_stabilizing_add(all,
                                    cor_format("Proved%s: each start was gone through, and nothing drew.\n",
                                               drawn > 0 ? " of those that do not draw" : ""),
                                    error));
    if (drawn > 0)
        COR_TRY(cor_stabilizing_add(all, cor_strdup("Nothing is proved of what draws, but what was met.\n"),
                                    error));
    return cor_stabilizing_add(all, cor_format("Of each start %s corrupted; the weather stays.\n", what),
                               error);
}

static enum cor_status take_arms(struct cor_stabilizing *all, const struct cor_experiment *experiment,
                                 struct cor_error *error) {
    struct cor_sheet *wrong = cor_sheets_add(all->sheets, &wrong_sheet);
    struct cor_structures_asked asked;
    uint32_t drawn = 0, proved = 0;
    COR_TRY(cor_structures_asked_read(experiment, &asked, error));
    asked.is_sampled = asked.is_sampled || all->request->sample;
    if (all->request->states > 0)
        asked.states_most = (uint64_t)all->request->states;
    for (uint32_t i = 0; i < experiment->arm_count; i++) {
        struct arm_asked a = {.all = all,
                              .experiment = experiment,
                              .asked = asked,
                              .wrong = wrong,
                              .index = i,
                              .jobs = all->request->jobs > 0 ? all->request->jobs : cor_default_workers()};
        if (!cor_stabilizing_asks(all->request, experiment->arms[i].name))
            continue;
        COR_TRY(take_arm(&a, error));
        drawn += a.drew;
        proved += a.row.is_proved && !a.drew;
    }
    return add_foot(all, &asked, drawn, proved, error);
}

enum cor_status cor_stabilize_structures(struct cor_stabilizing *all, const char *path, const char *text,
                                         struct cor_error *error) {
    const struct cor_layer_options options = all->request->options;
    struct cor_opened opened;
    enum cor_status status = cor_open_text(path, text, &options, &opened, error);
    if (status == COR_OK && opened.notes)
        cor_say_warnings(cor_strdup(opened.notes));
    if (status == COR_OK)
        status = cor_stabilizing_check_arms(all->request, opened.experiment, path, error);
    if (status == COR_OK)
        status = take_arms(all, ((const struct cor_interaction *)opened.experiment)->experiment, error);
    cor_opened_fini(&opened);
    return status;
}
