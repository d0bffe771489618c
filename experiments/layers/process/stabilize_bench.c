/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of rules, executed: the moves are made again, and what comes is judged; made small, and told. All
 * views of the rules are asked for, and no state but those of the run is visited, where it alone tells;
 * shrinking goes through smaller systems. */
#include "internal.h"
#include "stabilize_messages.h"

#include <corridor/array.h>
#include <corridor/process_stabilize.h>
#include <corridor/subject_file.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct process_layer__rules_bench {
    const struct cor_process_experiment *experiment;
    uint32_t arm, process_count, digit_count;     /* of the system */
    struct cor_stabilize_asked asked, asked_open; /* open: whatever numbers are enough for */
    struct process_layer__mail view, *mail;       /* of it, NULL: rules read each other's variables */
    struct cor_stabilize_system *system;          /* owned; open */
    struct cor_stabilize_way way;                 /* owned; of the last run */
    struct process_layer__mixing *mixing;         /* owned; of a mixed state, and there is no system */
    struct cor_stabilize_scene *smaller;          /* owned; of what shrinking left; NULL: that of the file */
    const char *unknown;                          /* why nothing is known of it; NULL: something is */
    struct cor_run last;
    char sentence[400];
};

/* ---- a bench */

static enum cor_status open_system(struct process_layer__rules_bench *bench, uint32_t count, bool is_open,
                                   struct cor_stabilize_system **system, struct cor_error *error) {
    struct cor_stabilize_size size;
    enum cor_status status = cor_stabilize_size_of(bench->experiment, count, &size, error);
    if (status == COR_OK)
        status = cor_stabilize_system_create(bench->experiment, bench->arm,
                                             is_open ? &bench->asked_open : &bench->asked, &size, is_open,
                                             system, error);
    cor_stabilize_sizes_fini(&size, 1);
    return status;
}

static enum cor_status need_system(struct process_layer__rules_bench *bench,
                                   const struct cor_stabilize_scene *scene, struct cor_error *error) {
    if (bench->system && bench->process_count == scene->process_count)
        return COR_OK;
    cor_stabilize_system_destroy(bench->system);
    bench->system = NULL;
    bench->process_count = scene->process_count;
    COR_TRY(open_system(bench, scene->process_count, true, &bench->system, error));
    const char *why = cor_stabilize_system_undecided(bench->system);
    if (why)
        return cor_fail(error, COR_STATUS_INPUT, bench->experiment->head.path, NULL, "undecided: %s", why);
    bench->mail = scene->mail > 0 ? &bench->view : NULL;
    bench->digit_count = cor_stabilize_system_digits(bench->system);
    return bench->mail ? process_layer__mail_view(bench->system, scene->mail, bench->mail, error) : COR_OK;
}

void process_layer__rules_bench_close(struct process_layer__rules_bench *bench) {
    if (!bench)
        return;
    cor_stabilize_system_destroy(bench->system);
    process_layer__mixing_close(bench->mixing);
    cor_stabilize_way_fini(&bench->way);
    cor_stabilize_scene_destroy(bench->smaller);
    free(bench);
}

enum cor_status process_layer__rules_bench_open(const struct cor_process_experiment *experiment, uint32_t arm,
                                                struct process_layer__rules_bench **bench,
                                                struct cor_error *error) {
    struct process_layer__rules_bench *made = cor_calloc(1, sizeof *made);
    uint32_t locals[COR_RULES_PROCESSES_MAX];
    COR_TRY(cor_made(made, error));
    *bench = made;
    made->experiment = experiment;
    made->arm = arm;
    COR_TRY(cor_stabilize_asked_read(experiment, &made->asked, error));
    made->asked_open = made->asked;
    made->asked_open.states_most = UINT32_MAX;
    if (experiment->scene->is_mixed)
        return process_layer__mixing_open(experiment, arm, &made->asked, experiment->scene->process_count,
                                          &made->mixing, error);
    COR_TRY(need_system(made, experiment->scene, error));
    return process_layer__rules_start(cor_stabilize_system_rules(made->system), made->mail, experiment->scene,
                                      locals, error);
}

/* ---- executing */

static uint64_t enabled_by(const struct cor_space_moves *moves) {
    uint64_t enabled = 0;
    for (uint32_t m = 0; m < moves->count; m++)
        enabled |= UINT64_C(1) << moves->items[m].actor;
    return enabled;
}

/* Makes the moves of a step, from `first` on, as far as the daemon can choose them; returns who moves. */
static uint64_t make_step(const struct cor_stabilize_scene *scene, const struct cor_choice *first,
                          size_t count, const struct cor_space_moves *moves, uint32_t *locals) {
    uint32_t next[COR_RULES_PROCESSES_MAX];
    uint64_t movers = 0;
    memcpy(next, locals, scene->process_count * sizeof *next);
    for (size_t c = 0; c < count && !(scene->daemon == COR_DAEMON_CENTRAL && movers != 0); c++) {
        uint32_t m = 0;
        while (m < moves->count && moves->items[m].actor != first[c].who)
            m++;
        const uint32_t move = m + first[c].what;
        if (move >= moves->count || moves->items[move].actor != first[c].who ||
            first[c].nth >= moves->items[move].outcome_count)
            continue;
        next[first[c].who] = locals[first[c].who] + (uint32_t)moves->items[move].by[first[c].nth];
        movers |= UINT64_C(1) << first[c].who;
    }
    if (scene->daemon == COR_DAEMON_SYNCHRONOUS && movers != enabled_by(moves))
        return 0;
    memcpy(locals, next, scene->process_count * sizeof *next);
    return movers;
}

/* Makes an event happen; returns its actor as a bit, 0: it is not possible. */
static uint64_t make_event(const struct process_layer__rules_bench *bench, const struct cor_choice *choice,
                           const struct cor_space_moves *moves, uint32_t *digits) {
    const struct process_layer__mail *mail = bench->mail;
    const uint32_t number = process_layer__mail_number(mail, digits);
    uint32_t next[COR_RULES_PROCESSES_MAX], link = 0, what = 0;
    const uint32_t actor = process_layer__mail_actor_of(mail, choice, &link);
    for (uint32_t m = 0; m < moves->count; m++) {
        const struct cor_space_move *move = &moves->items[m];
        if (move->actor != actor || (choice->kind != PROCESS_LAYER__LOSES && what++ != choice->what) ||
            choice->nth >= move->outcome_count)
            continue;
        cor_stabilize_system_locals(bench->system, number + (uint32_t)move->by[choice->nth], next);
        if (choice->kind == PROCESS_LAYER__LOSES &&
            next[mail->acts->process_count + link] == digits[mail->acts->process_count + link])
            continue;
        memcpy(digits, next, bench->digit_count * sizeof *next);
        return UINT64_C(1) << actor;
    }
    return 0;
}

/* The run: `way` gets it. *loop: the state at which the loop begins. */
static enum cor_status play(struct process_layer__rules_bench *bench, const struct cor_subject_test *test,
                            struct cor_choices *happened, size_t *made, uint32_t *loop,
                            struct cor_error *error) {
    const struct cor_stabilize_scene *scene = test->scene;
    const struct cor_choices *choices = &test->choices;
    struct cor_space_moves *moves = cor_calloc(1, sizeof *moves);
    uint32_t locals[COR_RULES_PROCESSES_MAX], before[COR_RULES_PROCESSES_MAX];
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(moves, error));
    cor_stabilize_way_fini(&bench->way);
    bench->way.process_count = bench->digit_count;
    *loop = COR_UNBOUNDED;
    *made = 0;
    if (happened)
        happened->count = 0;
    COR_TRY_OUT(process_layer__rules_start(cor_stabilize_system_rules(bench->system), bench->mail, scene,
                                           locals, error));
    for (size_t c = 0, behind; c < choices->count; c = behind) {
        for (behind = c; behind < choices->count && choices->items[behind].at == choices->items[c].at;)
            behind++;
        memcpy(before, locals, sizeof before);
        process_layer__rules_moves(bench->system, bench->mail, locals, moves);
        uint64_t left = bench->mail ? make_event(bench, &choices->items[c], moves, locals)
                                    : make_step(scene, &choices->items[c], behind - c, moves, locals);
        if (left == 0)
            continue;
        if (*loop == COR_UNBOUNDED && choices->items[c].at >= scene->loop)
            *loop = bench->way.count;
        COR_TRY_OUT(cor_stabilize_way_add(&bench->way, before, left, error));
        if (happened)
            COR_TRY_OUT(
                COR_RESERVE(&happened->items, &happened->capacity, happened->count + behind - c, error));
        for (size_t i = c; i < behind; i++)
            if (bench->mail || left >> choices->items[i].who & 1) {
                left &= ~(UINT64_C(1) << choices->items[i].who);
                ++*made;
                if (happened)
                    happened->items[happened->count++] = choices->items[i];
            }
    }
    COR_TRY_OUT(cor_stabilize_way_add(&bench->way, locals, 0, error));
out:
    free(moves);
    return status;
}

static const uint32_t *state_of(const struct process_layer__rules_bench *bench, uint32_t number) {
    return bench->way.locals + (size_t)number * bench->digit_count;
}

static enum cor_status is_violated(struct process_layer__rules_bench *bench, uint32_t number, bool *is_it,
                                   struct cor_error *error) {
    enum cor_truth truth;
    const char *name;
    COR_TRY(cor_stabilize_system_inside(bench->system, state_of(bench, number), &truth, &name, error));
    *is_it = truth == COR_TRUTH_FALSE;
    if (truth == COR_TRUTH_UNKNOWN)
        bench->unknown = name;
    return COR_OK;
}

/* To whom a turn may be owed. */
static uint64_t enabled_in(const struct process_layer__rules_bench *bench, uint32_t number,
                           struct cor_space_moves *moves) {
    process_layer__rules_moves(bench->system, bench->mail, state_of(bench, number), moves);
    return enabled_by(moves) & (bench->mail ? bench->mail->owed : UINT64_MAX); /* a loss is owed to nobody */
}

/* Is condition number `g` of `again` met in none of these states? */
static enum cor_status is_unmet(struct process_layer__rules_bench *bench, uint32_t g, uint32_t from,
                                uint32_t below, bool *is_it, struct cor_error *error) {
    *is_it = true;
    for (uint32_t i = from; i < below && *is_it; i++) {
        enum cor_truth truth;
        COR_TRY(cor_stabilize_system_meets(bench->system, state_of(bench, i), g, &truth, error));
        *is_it = truth == COR_TRUTH_FALSE;
    }
    return COR_OK;
}

/* May something be drawn in a step of the way? */
static bool may_draw(const struct process_layer__rules_bench *bench, uint32_t i,
                     struct cor_space_moves *moves) {
    enabled_in(bench, i, moves);
    for (uint32_t m = 0; m < moves->count; m++)
        if (bench->way.movers[i] >> moves->items[m].actor & 1 && moves->items[m].outcome_count > 1)
            return true;
    return false;
}

/* All that can be reached is gone through: can a state be gone on from for ever, by chance, without coming
 * back or (again: its number) meeting what is to be met? Has it no way back at all (is_lost)? What is too
 * large is unknown. */
static enum cor_status ask_whole(struct process_layer__rules_bench *bench,
                                 const struct cor_stabilize_scene *scene, uint32_t from, uint32_t again,
                                 bool is_lost, bool *is_it, struct cor_error *error) {
    struct cor_stabilize_system *system = NULL;
    *is_it = false;
    enum cor_status status = open_system(bench, scene->process_count, false, &system, error);
    if (status == COR_OK && cor_stabilize_system_undecided(system))
        bench->unknown = "what can be reached";
    else if (status == COR_OK) {
        const struct cor_space *space = cor_stabilize_system_space(system);
        const uint32_t state = bench->mail ? process_layer__mail_number(bench->mail, state_of(bench, from))
                                           : cor_stabilize_system_number(system, state_of(bench, from));
        const uint64_t *goal = again == COR_NONE ? NULL : cor_stabilize_system_again(system)[again];
        status = is_lost ? cor_space_is_lost(space, scene->daemon, state, is_it, error)
                         : cor_space_can_stay(space, scene->daemon, state, goal, is_it, error);
    }
    cor_stabilize_system_destroy(system);
    return status;
}

/* Does the loop owe nobody a turn, as the daemon is asked to? By chance: is there no way out of it, to where
 * the corridor is not left or (again: its number) to what is to be met? What is drawn may lead out of a fair
 * one. */
static enum cor_status is_fair(struct process_layer__rules_bench *bench,
                               const struct cor_stabilize_scene *scene, uint32_t from, uint32_t below,
                               uint32_t again, struct cor_space_moves *moves, bool *is_it,
                               struct cor_error *error) {
    uint64_t always = UINT64_MAX, sometimes = 0, move = 0;
    bool draws = false;
    for (uint32_t i = from; i < below; i++) {
        const uint64_t enabled = enabled_in(bench, i, moves);
        always &= enabled;
        sometimes |= enabled;
        move |= bench->way.movers[i];
        draws = draws || may_draw(bench, i, moves);
    }
    *is_it = scene->fairness == COR_FAIRNESS_WEAK     ? (always & ~move) == 0
             : scene->fairness == COR_FAIRNESS_STRONG ? (sometimes & ~move) == 0
                                                      : true;
    if (scene->fairness == COR_FAIRNESS_CHANCE)
        return ask_whole(bench, scene, from, again, false, is_it, error);
    if (scene->fairness == COR_FAIRNESS_UNFAIR || !draws || !*is_it)
        return COR_OK;
    COR_TRY(ask_whole(bench, scene, from, again, again == COR_NONE, is_it, error));
    if (!*is_it)
        bench->unknown = "whether what is drawn leads out of the loop";
    return COR_OK;
}

/* Is a run outside longer than `within` has it? */
static bool is_late(const struct process_layer__rules_bench *bench, uint32_t outside,
                    struct cor_space_moves *moves, char *why, size_t size) {
    const struct cor_stabilize_within *within = &bench->asked.within;
    uint32_t move_count = 0, rounds = 0;
    uint64_t left = 0;
    for (uint32_t i = 0; i < outside; i++) {
        if (left == 0) {
            left = enabled_in(bench, i, moves);
            rounds++;
        }
        move_count += (uint32_t)__builtin_popcountll(bench->way.movers[i]);
        left &= ~bench->way.movers[i];
        left &= i + 1 < bench->way.count ? enabled_in(bench, i + 1, moves) : 0;
    }
    const uint32_t is[] = {outside, move_count, rounds},
                   was[] = {within->steps, within->moves, within->rounds};
    static const char *const words[] = {"steps", "moves", "rounds"};
    for (size_t b = 0; b < 3; b++)
        if (is[b] > was[b]) {
            snprintf(why, size, "it is outside for %" PRIu32 " %s; within %" PRIu32 " was asked", is[b],
                     words[b], was[b]);
            return true;
        }
    return false;
}

/* What is known of the run that is judged. */
struct judged {
    const struct cor_stabilize_scene *scene;
    struct cor_space_moves *moves; /* owned */
    bool *violated;                /* owned; [state] */
    uint32_t last, loop, closed;   /* the loop's first state and, likewise, where that is again */
};

/* Of a loop of a program with messages: can it happen in time? Else nothing is said of it. */
static enum cor_status is_in_time(struct process_layer__rules_bench *bench, uint32_t from, uint32_t below,
                                  bool *is_it, struct cor_error *error) {
    uint32_t high;
    COR_TRY(process_layer__mail_loop_in_time(bench->mail, &bench->experiment->arms[bench->arm].environment,
                                             state_of(bench, from), bench->way.movers + from, below - from,
                                             is_it, &high, error));
    if (*is_it)
        return COR_OK;
    snprintf(bench->sentence, sizeof bench->sentence,
             "only where a message takes longer than %" PRIu32 " ticks, or never comes", high);
    bench->unknown = "whether the loop can happen in time";
    return COR_OK;
}

/* A loop through one state outside is all outside; what follows may tell that of one that is inside. */
static enum cor_status judge_loop(struct process_layer__rules_bench *bench, const struct judged *of,
                                  enum cor_stabilize_verdict *verdict, struct cor_error *error) {
    const struct cor_stabilize_within *within = &bench->asked.within;
    const uint32_t steps = of->closed - of->loop;
    char *why = bench->sentence;
    const size_t size = sizeof bench->sentence;
    bool some = false, is_it = false, in_time = true;
    for (uint32_t i = of->loop; i <= of->last; i++)
        some = some || of->violated[i];
    for (uint32_t g = 0; g < bench->asked.again_count && !some && *verdict == COR_STABILIZE_HOLDS; g++) {
        COR_TRY(is_unmet(bench, g, of->loop, of->closed, &is_it, error));
        if (is_it)
            COR_TRY(is_fair(bench, of->scene, of->loop, of->closed, g, of->moves, &is_it, error));
        if (is_it)
            COR_TRY(is_in_time(bench, of->loop, of->closed, &in_time, error));
        if (is_it && in_time) {
            *verdict = COR_STABILIZE_IDLES;
            snprintf(why, size, "%.80s is met in no state of the loop", bench->asked.again[g]);
        }
    }
    if (!some)
        return COR_OK;
    COR_TRY(is_fair(bench, of->scene, of->loop, of->closed, COR_NONE, of->moves, &is_it, error));
    if (is_it)
        COR_TRY(is_in_time(bench, of->loop, of->closed, &in_time, error));
    if (is_it && !in_time)
        return COR_OK;
    if (is_it) {
        *verdict = COR_STABILIZE_LOOPS;
        snprintf(why, size, "%" PRIu32 " step%s end%s where %s began, outside", steps, steps == 1 ? "" : "s",
                 steps == 1 ? "s" : "", steps == 1 ? "it" : "they");
    } else if (within->steps != COR_UNBOUNDED || within->moves != COR_UNBOUNDED) {
        *verdict = COR_STABILIZE_LATE;
        snprintf(why, size, "%" PRIu32 " steps end where they began: there is no bound", steps);
    } else if (bench->unknown)
        snprintf(why, size, "%s is not known", bench->unknown);
    else
        snprintf(why, size,
                 of->scene->fairness == COR_FAIRNESS_CHANCE
                     ? "chance leads out of the loop, and back"
                     : "the loop passes over somebody to whom a daemon that is so fair owes a turn");
    return COR_OK;
}

/* Of a run that is no loop. */
static enum cor_status judge_end(struct process_layer__rules_bench *bench, const struct judged *of,
                                 enum cor_stabilize_verdict *verdict, struct cor_error *error) {
    char *why = bench->sentence;
    const size_t size = sizeof bench->sentence;
    uint32_t outside = 0;
    if (enabled_in(bench, of->last, of->moves) == 0) {
        bool is_it = false;
        for (uint32_t g = 0; g < bench->asked.again_count && !is_it; g++)
            COR_TRY(is_unmet(bench, g, of->last, of->last + 1, &is_it, error));
        if (of->violated[of->last] || is_it) {
            *verdict = of->violated[of->last] ? COR_STABILIZE_RESTS : COR_STABILIZE_IDLES;
            snprintf(why, size, "nobody can move at the end, %s",
                     of->violated[of->last] ? "outside" : "inside");
            return COR_OK;
        }
    }
    for (uint32_t i = 0; i < of->last; i++)
        if (!of->violated[i] && of->violated[i + 1]) {
            *verdict = COR_STABILIZE_LEAVES;
            snprintf(why, size, "step %" PRIu32 " leads outside from inside", i);
            return COR_OK;
        }
    while (outside < of->last && of->violated[outside])
        outside++;
    if (is_late(bench, outside, of->moves, why, size))
        *verdict = COR_STABILIZE_LATE;
    return COR_OK;
}

/* What the run fails by; COR_STABILIZE_HOLDS: by nothing. */
static enum cor_status judge(struct process_layer__rules_bench *bench, const struct cor_subject_test *test,
                             uint32_t loop, enum cor_stabilize_verdict *verdict, struct cor_error *error) {
    struct judged of = {.scene = test->scene,
                        .moves = cor_calloc(1, sizeof *of.moves),
                        .violated = cor_calloc(bench->way.count, sizeof *of.violated),
                        .last = bench->way.count - 1,
                        .loop = loop,
                        .closed = COR_UNBOUNDED};
    enum cor_status status = COR_OK;
    *verdict = COR_STABILIZE_HOLDS;
    bench->unknown = NULL;
    COR_TRY_OUT(of.moves && of.violated ? COR_OK : cor_fail_memory(error));
    for (uint32_t i = 0; i <= of.last; i++)
        COR_TRY_OUT(is_violated(bench, i, &of.violated[i], error));
    snprintf(bench->sentence, sizeof bench->sentence, "the corridor is not left for good");
    const bool is_known = !bench->unknown;
    const char *open = NULL;
    if (!is_known)
        snprintf(bench->sentence, sizeof bench->sentence, "%s is unknown in a state", bench->unknown);
    /* A fair loop may come by where it began before all had their turn: each time it does it may be one. */
    for (uint32_t i = loop == COR_UNBOUNDED ? of.last + 1 : loop + 1;
         i <= of.last && is_known && *verdict == COR_STABILIZE_HOLDS; i++) {
        if (memcmp(state_of(bench, i), state_of(bench, loop), bench->digit_count * sizeof(uint32_t)) != 0)
            continue;
        of.closed = i;
        bench->unknown = NULL;
        COR_TRY_OUT(judge_loop(bench, &of, verdict, error));
        open = bench->unknown ? bench->unknown : open;
    }
    if (of.closed != COR_UNBOUNDED)
        bench->unknown = *verdict == COR_STABILIZE_HOLDS ? open : NULL;
    else if (!is_known)
        ;
    else if (loop != COR_UNBOUNDED)
        snprintf(bench->sentence, sizeof bench->sentence, "the last state is not the first of the loop");
    else
        COR_TRY_OUT(judge_end(bench, &of, verdict, error));
    if (of.closed != COR_UNBOUNDED) {
        bench->way.count = of.closed;
        bench->way.loop = loop;
    }
out:
    free(of.moves);
    free(of.violated);
    return status;
}

enum cor_status process_layer__rules_run(struct process_layer__rules_bench *bench,
                                         const struct cor_subject_test *test, struct cor_choices *happened,
                                         struct cor_run *run, struct cor_error *error) {
    enum cor_stabilize_verdict verdict;
    uint32_t loop;
    size_t made;
    if (bench->mixing) {
        COR_TRY(process_layer__mixed_run(bench->mixing, test, happened, run, &bench->unknown, error));
        snprintf(bench->sentence, sizeof bench->sentence, "%s", run->sentence);
        bench->last = *run;
        return COR_OK;
    }
    COR_TRY(need_system(bench, test->scene, error));
    COR_TRY(play(bench, test, happened, &made, &loop, error));
    COR_TRY(judge(bench, test, loop, &verdict, error));
    if (verdict == COR_STABILIZE_HOLDS && test->choices.count == 0 &&
        strcmp(test->expected, cor_stabilize_verdict_word(COR_STABILIZE_TRAPPED)) == 0) {
        bool is_lost;
        COR_TRY(ask_whole(bench, test->scene, 0, COR_NONE, true, &is_lost, error));
        if (is_lost) {
            verdict = COR_STABILIZE_TRAPPED;
            snprintf(bench->sentence, sizeof bench->sentence, "no way leads back from where it begins");
        }
    }
    const struct cor_stabilize_way *way = &bench->way;
    uint64_t digest = cor_hash_word(COR_HASH_SEED, (uint64_t)verdict);
    digest =
        cor_hash_bytes(digest, way->locals, (size_t)way->count * way->process_count * sizeof *way->locals);
    digest = cor_hash_bytes(digest, way->movers, way->count * sizeof *way->movers);
    const char *word = verdict == COR_STABILIZE_HOLDS ? NULL : cor_stabilize_verdict_word(verdict);
    *run = (struct cor_run){.class = cor_failure_class(word),
                            .digest = digest,
                            .choices = made,
                            .failure = word ? word : COR_NO_FAILURE,
                            .sentence = bench->sentence};
    bench->last = *run;
    return COR_OK;
}

enum cor_expected process_layer__rules_find(const struct process_layer__rules_bench *bench,
                                            const struct cor_subject_test *test, char *why, size_t size) {
    const struct cor_run *last = &bench->last;
    const bool fails = strcmp(last->failure, COR_NO_FAILURE) != 0;
    snprintf(why, size, fails ? "%s: %s" : "nothing fails%.0s: %s", last->failure, bench->sentence);
    return fails &&
                   (strcmp(last->failure, test->expected) == 0 || strcmp(test->expected, COR_NO_FAILURE) == 0)
               ? COR_EXPECTED_COMES
           : bench->unknown ? COR_EXPECTED_IS_OPEN
                            : COR_EXPECTED_IS_GONE;
}

char *process_layer__rules_text(const struct cor_choice *move) {
    char *text =
        move->kind == PROCESS_LAYER__HEARS
            ? cor_format("Process %u hears %u in step %" PRIu64, move->who, move->of, move->at)
        : move->kind == PROCESS_LAYER__LOSES
            ? cor_format("A message from %u to %u is lost in step %" PRIu64, move->of, move->who, move->at)
        : move->kind == PROCESS_LAYER__ALARM
            ? cor_format("Alarm %u of process %u goes off in step %" PRIu64, move->of, move->who, move->at)
            : cor_format("Process %u moves in step %" PRIu64, move->who, move->at);
    return move->what > 0 || move->nth > 0
               ? cor_join_take(
                     text, "",
                     cor_format(", by its move %" PRIu32 ", outcome %" PRIu32, move->what, move->nth))
               : text;
}

/* ---- shrinking */

/* Goes through the system of so many processes: does it fail by the same? Then the test is what shows it. */
static enum cor_status try_size(struct process_layer__rules_bench *bench, uint32_t count,
                                struct cor_subject_test *test, bool *fails, bool *is_decided,
                                struct cor_error *error) {
    const struct cor_stabilize_scene *scene = test->scene;
    struct cor_stabilize_question question = cor_default_stabilize_question();
    struct cor_stabilize_system *system = NULL;
    struct cor_stabilized found = {0};
    struct cor_stabilize_said said;
    struct cor_subject_test made = {.experiment = test->experiment, .arm = test->arm};
    question.daemon = scene->daemon;
    question.fairness = scene->fairness;
    question.again_count = bench->asked.again_count;
    *fails = *is_decided = false;
    enum cor_status status = open_system(bench, count, false, &system, error);
    if (status == COR_OK && !cor_stabilize_system_undecided(system)) {
        *is_decided = true;
        question.again = cor_stabilize_system_again(system);
        status = cor_stabilize(cor_stabilize_system_space(system), &question, &found, error);
        if (status == COR_OK)
            status = cor_stabilize_say(system, &bench->asked, question.fairness, &found, &said, error);
        if (status == COR_OK && !said.is_good)
            status = cor_stabilize_test_make(system, &bench->asked, &question, &found, said.verdict,
                                             scene->graph, &made, error);
        *fails = status == COR_OK && made.scene && strcmp(made.expected, test->expected) == 0;
        cor_stabilized_fini(&found);
    }
    cor_stabilize_system_destroy(system);
    if (*fails) {
        cor_stabilize_scene_destroy(bench->smaller);
        test->scene = bench->smaller = made.scene;
        cor_choices_fini(&test->choices);
        test->choices = made.choices;
        return COR_OK;
    }
    cor_choices_fini(&made.choices);
    cor_stabilize_scene_destroy(made.scene);
    return status;
}

/* Does the test fail by the same from another start, which is taken over? Then it begins there. */
static enum cor_status try_values(struct process_layer__rules_bench *bench, struct cor_subject_test *test,
                                  struct cor_json_document *values, bool *fails, struct cor_error *error) {
    struct cor_stabilize_scene *before = test->scene, *scene = cor_calloc(1, sizeof *scene);
    struct cor_run run = {0};
    if (!scene)
        cor_json_destroy(values);
    COR_TRY(cor_made(scene, error));
    *scene = *before;
    scene->values = values;
    scene->graph = before->graph ? cor_strdup(before->graph) : NULL;
    enum cor_status status = before->graph ? cor_made(scene->graph, error) : COR_OK;
    test->scene = scene;
    if (status == COR_OK)
        status = process_layer__rules_run(bench, test, NULL, &run, error);
    *fails = status == COR_OK && run.class != 0 && strcmp(run.failure, test->expected) == 0;
    test->scene = *fails ? scene : before;
    if (*fails) {
        cor_stabilize_scene_destroy(bench->smaller);
        bench->smaller = scene;
    } else
        cor_stabilize_scene_destroy(scene);
    return status;
}

static enum cor_status try_start(struct process_layer__rules_bench *bench, struct cor_subject_test *test,
                                 const uint32_t *digits, bool *fails, struct cor_error *error) {
    struct cor_json_document *values;
    COR_TRY(process_layer__rules_start_put(cor_stabilize_system_rules(bench->system), bench->mail,
                                           process_layer__has_values(&bench->experiment->arms[bench->arm]),
                                           digits, &values, error));
    return try_values(bench, test, values, fails, error);
}

/* The same of a mixed state, with less told and less under way; until nothing more can be spared. */
static enum cor_status shrink_mixed(struct process_layer__rules_bench *bench, struct cor_subject_test *test,
                                    uint64_t *tried, bool *is_less, struct cor_error *error) {
    struct cor_json_document *values;
    bool is_there = true, fails;
    *is_less = false;
    for (uint32_t number = 0; is_there; number += !fails) { /* with one more that is like it, perhaps */
        fails = false;
        COR_TRY(process_layer__mixed_less(bench->mixing, test, number, &values, &is_there, error));
        if (values)
            COR_TRY(try_values(bench, test, values, &fails, error));
        *tried += values != NULL;
        *is_less = *is_less || fails;
    }
    return COR_OK;
}

/* Takes messages and alarms out of the state that it begins with, one by one, as long as it fails by the
 * same; until each that is left is needed. */
static enum cor_status shrink_start(struct process_layer__rules_bench *bench, struct cor_subject_test *test,
                                    uint64_t *tried, bool *is_less, struct cor_error *error) {
    uint32_t digits[COR_RULES_PROCESSES_MAX], messages[PROCESS_LAYER__MAIL_MOST];
    bool fails = true;
    struct cor_run run;
    if (bench->mixing)
        return shrink_mixed(bench, test, tried, is_less, error);
    *is_less = false;
    COR_TRY(process_layer__rules_run(bench, test, NULL, &run, error)); /* the system is that of the test */
    const struct process_layer__mail *mail = bench->mail;
    const struct cor_acts *acts = mail->acts;
    while (fails) {
        fails = false;
        COR_TRY(process_layer__rules_start(cor_stabilize_system_rules(bench->system), mail, test->scene,
                                           digits, error));
        for (uint32_t l = 0; l < acts->link_count && !fails; l++) {
            const uint32_t own = digits[acts->process_count + l],
                           count = process_layer__mail_on(mail, digits, l, messages);
            for (uint32_t without = 0; without < count && !fails; without++, ++*tried) {
                process_layer__mail_on(mail, digits, l, messages);
                memmove(messages + without, messages + without + 1, (count - 1 - without) * sizeof *messages);
                process_layer__mail_put_on(mail, digits, l, messages, count - 1);
                COR_TRY(try_start(bench, test, digits, &fails, error));
                digits[acts->process_count + l] = own;
            }
        }
        for (uint32_t p = 0; p < acts->process_count && acts->messages && !fails; p++) {
            const struct cor_acts_process *process = &acts->processes[p];
            const uint32_t own = digits[p];
            for (uint32_t to = 0; to < process->local_count && !fails; to++) {
                const uint32_t gone = process->set[own] & ~process->set[to];
                if (process->values[to] != process->values[own] || gone == 0 ||
                    process->set[own] != (process->set[to] | gone))
                    continue;
                digits[p] = to;
                COR_TRY(try_start(bench, test, digits, &fails, error));
                digits[p] = own;
                ++*tried;
            }
        }
        *is_less = *is_less || fails;
    }
    return COR_OK;
}

/* Fewer processes, from one on, as far as the graph allows; then what is shown is the shortest, exactly. What
 * is too large to be gone through loses moves, as other tests do. */
enum cor_status process_layer__rules_shrink(struct process_layer__rules_bench *bench, void *whole,
                                            struct cor_shrinking *shrinking, bool *differs,
                                            struct cor_error *error) {
    struct cor_subject_test *test = &shrinking->tests[0];
    const struct cor_stabilize_scene *scene = test->scene;
    const uint32_t was = scene->process_count, mail = scene->mail;
    const bool is_fixed =
        scene->graph && (scene->graph[0] != '"' || strncmp(scene->graph + 1, "grid", 4) == 0);
    struct cor_run run;
    bool fails = false, is_decided = false;
    *differs = false;
    COR_TRY(process_layer__rules_run(bench, test, NULL, &run, error));
    if (run.class == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a schedule that fails",
                        "the schedule does not fail: %s", run.sentence);
    uint64_t tried = 0;
    for (uint32_t count = is_fixed ? was : 1; count <= was && !fails && !bench->mixing; count++, tried++) {
        struct cor_error none = COR_NO_ERROR;
        const enum cor_status status = try_size(bench, count, test, &fails, &is_decided, &none);
        const bool may_not_exist = status == COR_STATUS_INPUT || status == COR_STATUS_PLUGIN;
        if (status != COR_OK && (count == was || !may_not_exist))
            return cor_fail(error, status, none.place, none.remedy, "%s", none.cause);
    }
    bool is_less;
    if (bench->mixing) /* as long as there are more events than need be */
        COR_TRY(shrink_start(bench, test, &tried, &is_less, error));
    is_less = !fails;
    if (fails && mail > 0)
        COR_TRY(shrink_start(bench, test, &tried, &is_less, error));
    while (!fails && is_less) { /* with less under way events can be spared, perhaps */
        COR_TRY(cor_shrink_here(shrinking, whole, false, differs, error));
        tried += shrinking->shrunk.tried;
        is_less = false;
        if (mail == 0)
            break;
        COR_TRY(shrink_start(bench, &shrinking->tests[shrinking->shrunk.best], &tried, &is_less, error));
        shrinking->shrunk.tried = tried;
    }
    if (!fails)
        return COR_OK;
    COR_TRY(process_layer__rules_run(bench, test, NULL, &run, error));
    *differs = strcmp(run.failure, test->expected) != 0;
    shrinking->shrunk = (struct cor_shrunk){
        .count = 1, .tried = tried, .is_minimal = true, .are_pairs = true, .are_sets = true};
    const uint32_t left = bench->smaller->process_count;
    snprintf(shrinking->scene, sizeof shrinking->scene, "%" PRIu32 " process%s, and no fewer fail so", left,
             left == 1 ? "" : "es");
    return COR_OK;
}

/* ---- the story */

/* tale: of a mixed state. */
static enum cor_status tell_json(struct process_layer__rules_bench *bench,
                                 const struct cor_stabilize_tale *tale, char **text,
                                 struct cor_error *error) {
    const struct cor_stabilize_way *way = &bench->way;
    struct cor_json_writer *writer;
    char movers[400];
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "failure", bench->last.failure);
    cor_json_put_string(writer, "sentence", bench->sentence);
    if (!bench->mixing && way->loop != COR_UNBOUNDED)
        cor_json_put_integer(writer, "loop", way->loop);
    cor_json_open_array(writer, "steps");
    for (uint32_t i = 0; i < (bench->mixing ? tale->state_count : way->count); i++) {
        char *state = bench->mixing ? cor_stabilize_tale_text(tale, i)
                                    : cor_stabilize_system_text(bench->system, state_of(bench, i));
        if (bench->mixing)
            snprintf(movers, sizeof movers, "%s", i + 1 < tale->state_count ? tale->states[i + 1].moved : "");
        else
            cor_stabilize_system_put_movers(bench->system, way->movers[i], movers, sizeof movers);
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "state", state ? state : "");
        cor_json_put_string(writer, "movers", movers);
        cor_json_close(writer);
        free(state);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_json_text_take(writer, 2, text, error);
}

enum cor_status process_layer__rules_tell(struct process_layer__rules_bench *bench,
                                          const struct cor_subject_test *test, enum cor_story_form form,
                                          char **text, struct cor_error *error) {
    const struct cor_stabilize_scene *scene = test->scene;
    struct cor_run run;
    struct cor_stabilize_tale tale = {.loop = COR_UNBOUNDED};
    char title[500], *told;
    *text = NULL;
    COR_TRY(process_layer__rules_run(bench, test, NULL, &run, error));
    snprintf(title, sizeof title, "%s, %s: %s", bench->experiment->arms[bench->arm].name,
             scene->mail > 0 ? cor_stabilize_daemon_word(COR_STABILIZE_ANY) : cor_daemon_word(scene->daemon),
             run.failure);
    enum cor_status status = bench->mixing ? process_layer__mixed_tale(bench->mixing, test, &tale, error)
                                           : cor_stabilize_tale_of(bench->system, &bench->way, &tale, error);
    if (status == COR_OK && form == COR_STORY_JSON)
        status = tell_json(bench, &tale, text, error);
    else if (status == COR_OK && form == COR_STORY_SVG)
        status = cor_stabilize_draw(&tale, NULL, title, text, error);
    else if (status == COR_OK && (status = cor_stabilize_tell(&tale, &told, error)) == COR_OK) {
        *text = cor_join_take(cor_format("%s: %s\n", title, bench->sentence), "", told);
        status = cor_made(*text, error);
    }
    cor_stabilize_tale_fini(&tale);
    return status;
}
