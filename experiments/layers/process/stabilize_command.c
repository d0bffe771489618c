/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stabilize, of an experiment with a program of rules, or of one with messages: its arms, sizes and
 * daemons. */
#include "internal.h"
#include "layer_commands.h"
#include "output.h"
#include "running.h"
#include "stabilizing.h"
#include "subject_commands.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/process_stabilize.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a call collects (`all`), and of which experiment. */
struct stabilizing {
    struct cor_stabilizing *all; /* borrowed */
    const struct cor_stabilize_request *request;
    struct cor_process_experiment *experiment;
    struct cor_stabilize_asked asked;
    char *proved;   /* owned; "49,995 and 3,231" */
    bool is_drawn;  /* something was said of states that were drawn */
    bool has_sizes; /* of the arm there are several */
};

static bool go_on(void *self, const char *doing) {
    return cor_progress_goes_on(&((struct cor_stabilizing *)self)->said_at, "%s", doing);
}

/* ---- rows */

static enum cor_status put_run(struct stabilizing *s, const struct cor_stabilize_system *system,
                               const struct cor_stabilize_row *row, const char *word,
                               const struct cor_space_run *run, struct cor_error *error) {
    struct cor_stabilize_way way;
    char movers[400];
    const enum cor_status status = cor_stabilize_way_of(system, run, &way, error);
    for (uint32_t i = 0; i < way.count && status == COR_OK; i++) {
        cor_stabilize_system_put_movers(system, way.movers[i], movers, sizeof movers);
        cor_stabilizing_row(s->all->runs, row);
        cor_sheet_word(s->all->runs, word);
        cor_sheet_count(s->all->runs, i);
        cor_sheet_text_take(s->all->runs,
                            cor_stabilize_system_text(system, way.locals + (size_t)i * way.process_count));
        if (movers[0])
            cor_sheet_text(s->all->runs, "%s", movers);
        else
            cor_sheet_nothing(s->all->runs);
    }
    cor_stabilize_way_fini(&way);
    return status;
}

static void put_depths(struct stabilizing *s, const struct cor_stabilize_row *row,
                       const struct cor_stabilized *found) {
    for (uint32_t d = 0; d < found->depth_count; d++) {
        cor_stabilizing_row(s->all->depths, row);
        cor_sheet_count(s->all->depths, d);
        cor_sheet_count(s->all->depths, found->depth[d]);
    }
}

static char *bound_text(uint32_t bound, const char *word) {
    return bound == COR_UNBOUNDED
               ? cor_strdup("")
               : cor_format("%" PRIu32 " %.*s", bound, (int)strlen(word) - (bound == 1), word);
}

/* The line of a daemon: columns where it holds, else the sentence. */
static enum cor_status add_line(struct stabilizing *s, const struct cor_stabilize_said *said,
                                const struct cor_stabilize_row *row, const struct cor_stabilized *found,
                                struct cor_error *error) {
    if (said->verdict != COR_STABILIZE_HOLDS)
        return cor_stabilizing_add(s->all,
                                   cor_format("  %-12s %-21s %s%s%s\n", row->daemon, said->head, said->rest,
                                              row->file ? ": " : "", row->file ? row->file : ""),
                                   error);
    char *steps = bound_text(found->worst_steps, "steps"), *moves = bound_text(found->worst_moves, "moves");
    char *rounds =
        found->has_rounds ? bound_text(found->worst_rounds, "rounds") : cor_strdup("rounds not counted ");
    char *line = steps && moves && rounds
                     ? cor_format("  %-12s %-21s %-9s %-9s %-9s worst: %s\n", row->daemon, said->head, steps,
                                  moves, rounds, row->worst_state)
                     : NULL;
    free(steps);
    free(moves);
    free(rounds);
    return cor_stabilizing_add(s->all, line, error);
}

/* Told and drawn, as far as that is asked for. */
static enum cor_status show_tale(struct stabilizing *s, const struct cor_stabilize_tale *tale,
                                 const struct cor_stabilized *found, const struct cor_stabilize_row *row,
                                 struct cor_error *error) {
    char title[500], *told, *svg;
    if (s->request->tell) {
        COR_TRY(cor_stabilize_tell(tale, &told, error));
        COR_TRY(cor_stabilizing_add(s->all, told, error));
    }
    if (!s->request->svg && !s->all->pictures)
        return COR_OK;
    snprintf(title, sizeof title, "%s, %s: %s", row->arm, row->daemon, row->verdict);
    /* Pages have titles and curves of their own. */
    COR_TRY(cor_stabilize_draw(tale, s->all->pictures ? NULL : found, s->all->pictures ? "" : title, &svg,
                               error));
    enum cor_status status = COR_OK;
    if (s->request->svg)
        status = cor_output_text(s->request->svg, svg, s->request->force, error);
    if (s->all->pictures) {
        cor_stabilizing_row(s->all->pictures, row);
        cor_sheet_word(s->all->pictures, row->verdict);
        cor_sheet_word(s->all->pictures, svg);
    }
    free(svg);
    return status;
}

static bool is_shown(const struct stabilizing *s) {
    return s->request->tell || s->request->svg || s->all->pictures;
}

static enum cor_status show_way(struct stabilizing *s, struct cor_stabilize_system *system,
                                const struct cor_stabilize_way *way, const struct cor_stabilized *found,
                                const struct cor_stabilize_row *row, struct cor_error *error) {
    struct cor_stabilize_tale tale;
    if (!is_shown(s))
        return COR_OK;
    enum cor_status status = cor_stabilize_tale_of(system, way, &tale, error);
    if (status == COR_OK)
        status = show_tale(s, &tale, found, row, error);
    cor_stabilize_tale_fini(&tale);
    return status;
}

/* Writes a test into the folder of tests; row->file: its name. grade: of a mixed state; else "". */
static enum cor_status write_test(struct stabilizing *s, struct cor_subject_test *test, const char *grade,
                                  struct cor_stabilize_row *row, struct cor_error *error) {
    char *text = NULL, *word = s->has_sizes ? cor_format("%s.%s%s", row->size, row->daemon, grade)
                                            : cor_format("%s%s", row->daemon, grade);
    enum cor_status status = cor_made(word, error);
    if (status == COR_OK)
        status = cor_process_layer.subject->write(test, &text, error);
    if (status == COR_OK)
        status = cor_stabilizing_keep(s->request, row->arm, word, text, &row->file, error);
    free(word);
    free(text);
    return status;
}

/* Of a no, as far as a run shows it. */
static enum cor_status keep(struct stabilizing *s, struct cor_stabilize_system *system, uint32_t arm,
                            const char *graph, const struct cor_stabilize_question *question,
                            const struct cor_stabilized *found, enum cor_stabilize_verdict verdict,
                            struct cor_stabilize_row *row, struct cor_error *error) {
    struct cor_subject_test test = {.experiment = &s->experiment->head, .arm = arm};
    enum cor_status status =
        cor_stabilize_test_make(system, &s->asked, question, found, verdict, graph, &test, error);
    if (status == COR_OK && test.scene)
        status = write_test(s, &test, "", row, error);
    cor_choices_fini(&test.choices);
    cor_stabilize_scene_destroy(test.scene);
    return status;
}

/* What was found, as far as it is numbers, the sentence and the worst state; these are freed by the caller.
 */
static void put_known(struct cor_stabilize_row *row, const struct cor_stabilize_system *system,
                      const struct cor_stabilized *found, const struct cor_stabilize_said *said) {
    const bool is_bounded = found->worst_steps != COR_UNBOUNDED;
    row->verdict = cor_stabilize_verdict_word(said->verdict);
    row->fairness = cor_fairness_word(found->from);
    row->sentence = cor_format("%s%s%s", said->head, said->between, said->rest);
    if (is_bounded) {
        uint32_t locals[COR_RULES_PROCESSES_MAX];
        cor_stabilize_system_locals(system, found->worst_state, locals);
        row->worst_state = cor_stabilize_system_text(system, locals);
    }
    row->states = found->asked;
    row->steps = found->steps;
    row->inside = found->inside;
    row->stable = found->stable;
    row->leaving = found->leaving;
    row->dead_ends = found->dead_ends;
    row->in_loops = found->in_loops;
    row->lost = found->lost;
    row->can_stay = found->can_stay;
    row->loop = found->loop.count;
    row->worst_steps = found->worst_steps;
    row->worst_moves = found->worst_moves;
    row->worst_rounds = found->has_rounds ? found->worst_rounds : COR_UNBOUNDED;
    row->worst_states = is_bounded ? found->worst_states : 0;
    row->mean_steps = is_bounded ? found->mean_steps : NAN;
    row->expected_worst = found->expected_worst;
    row->expected_mean = found->expected_mean;
    row->expected_error = found->expected_error;
}

/* Of messages one actor moves after the other: events. Strong is usual there: nothing that sends comes back
 * if nothing need arrive. */
static struct cor_stabilize_question question_of(const struct stabilizing *s, uint32_t daemon) {
    const bool is_any = daemon == COR_STABILIZE_ANY;
    struct cor_stabilize_question question = cor_default_stabilize_question();
    question.daemon = is_any ? COR_DAEMON_CENTRAL : (enum cor_daemon)daemon;
    question.fairness =
        is_any && !s->all->has_fairness ? COR_FAIRNESS_STRONG : (enum cor_fairness)s->request->fairness;
    question.go_on = go_on;
    question.self = s->all;
    return question;
}

static struct cor_stabilize_row row_of(const struct stabilizing *s, uint32_t arm,
                                       const struct cor_stabilize_size *size, uint32_t daemon) {
    struct cor_stabilize_row row = cor_no_stabilize_row;
    row.arm = s->experiment->arms[arm].name;
    row.size = size->name;
    row.daemon = cor_stabilize_daemon_word(daemon);
    return row;
}

static enum cor_status take_daemon(struct stabilizing *s, struct cor_stabilize_system *system, uint32_t arm,
                                   const char *graph, uint32_t daemon, struct cor_stabilize_row *row,
                                   struct cor_error *error) {
    struct cor_stabilize_way way = {0};
    struct cor_stabilize_question question = question_of(s, daemon);
    struct cor_stabilized found;
    struct cor_stabilize_said said;
    question.again = cor_stabilize_system_again(system);
    question.again_count = s->asked.again_count;
    enum cor_status status = cor_stabilize(cor_stabilize_system_space(system), &question, &found, error);
    if (status == COR_OK)
        status = cor_stabilize_say(system, &s->asked, question.fairness, &found, &said, error);
    if (status != COR_OK) {
        cor_stabilized_fini(&found);
        return status;
    }
    put_known(row, system, &found, &said);
    const bool is_undecided = said.verdict == COR_STABILIZE_UNDECIDED;
    row->is_proved = !is_undecided;
    row->tone = said.is_good ? COR_TONE_GOOD : is_undecided ? COR_TONE_PLAIN : COR_TONE_BAD;
    s->all->undecided += is_undecided;
    s->all->failed += !said.is_good && !is_undecided;
    const struct cor_space_run *turns = said.verdict == COR_STABILIZE_LEAVES ? &found.leave
                                        : found.again_loop.count > 0         ? &found.again_loop
                                        : found.loop.count > 0               ? &found.loop
                                                                             : &found.worst;
    COR_TRY_OUT(cor_made(row->sentence, error));
    if (s->request->output && !said.is_good && !is_undecided)
        COR_TRY_OUT(keep(s, system, arm, graph, &question, &found, said.verdict, row, error));
    COR_SHEET_PUT(s->all->rows, struct cor_stabilize_row, row);
    put_depths(s, row, &found);
    COR_TRY_OUT(put_run(s, system, row, "worst", &found.worst, error));
    COR_TRY_OUT(put_run(s, system, row, "loop", &found.loop, error));
    COR_TRY_OUT(put_run(s, system, row, "again", &found.again_loop, error));
    COR_TRY_OUT(add_line(s, &said, row, &found, error));
    COR_TRY_OUT(cor_stabilize_way_of(system, turns, &way, error));
    if (way.count > 0)
        COR_TRY_OUT(show_way(s, system, &way, &found, row, error));
out:
    cor_stabilize_way_fini(&way);
    cor_stabilized_fini(&found);
    free(row->sentence);
    free(row->worst_state);
    free(row->file);
    row->sentence = row->worst_state = row->file = NULL;
    return status;
}

/* What is said of states that were drawn: the row, its line and (test: NULL: there is none) its file. */
static enum cor_status put_drawn(struct stabilizing *s, const struct cor_stabilize_said *said,
                                 struct cor_subject_test *test, const char *grade,
                                 struct cor_stabilize_row *row, struct cor_error *error) {
    const bool is_unknown = said->verdict == COR_STABILIZE_UNDECIDED,
               is_open = is_unknown || (said->is_good && s->request->prove);
    row->verdict = cor_stabilize_verdict_word(said->verdict);
    row->tone = said->is_good || is_unknown ? COR_TONE_PLAIN : COR_TONE_BAD;
    s->is_drawn = s->is_drawn || !is_unknown;
    s->all->undecided += is_open;
    s->all->failed += !said->is_good && !is_open;
    COR_TRY(cor_made(row->sentence = cor_format("%s%s%s", said->head, said->between, said->rest), error));
    if (test)
        COR_TRY(write_test(s, test, grade, row, error));
    COR_SHEET_PUT(s->all->rows, struct cor_stabilize_row, row);
    return cor_stabilizing_add(s->all,
                               cor_format("  %-12s %s%s%s\n", row->daemon, row->sentence,
                                          row->file ? ": " : "", row->file ? row->file : ""),
                               error);
}

/* A daemon of a system whose states are drawn. */
static enum cor_status take_drawn(struct stabilizing *s, struct cor_stabilize_system *system, uint32_t arm,
                                  const struct cor_stabilize_size *size, uint32_t daemon,
                                  struct cor_error *error) {
    const struct cor_stabilize_question question = question_of(s, daemon);
    const struct cor_stabilize_scene asked = {.process_count = size->process_count,
                                              .mail = daemon == COR_STABILIZE_ANY ? s->asked.mail : 0,
                                              .graph = size->graph,
                                              .daemon = question.daemon,
                                              .fairness = question.fairness};
    struct cor_subject_test test = {.experiment = &s->experiment->head, .arm = arm};
    struct cor_stabilize_row row = row_of(s, arm, size, daemon);
    struct cor_stabilize_sampled sampled;
    struct cor_stabilize_said said;
    enum cor_status status =
        cor_stabilize_sample(system, &s->asked, &question, &s->experiment->arms[arm].environment,
                             s->experiment->head.seed, &sampled, &said, error);
    COR_TRY_OUT(status);
    s->is_drawn = true;
    row.drawn = sampled.drawn;
    row.longest = sampled.longest;
    const double states = cor_stabilize_system_states(system);
    row.states = states < 0x1p64 ? (uint64_t)states : 0;
    const bool is_kept = sampled.is_no && s->request->output;
    if (is_kept)
        COR_TRY_OUT(cor_stabilize_test_of(system, &sampled.way, sampled.from, &asked,
                                          cor_stabilize_verdict_word(said.verdict), &test, error));
    COR_TRY_OUT(put_drawn(s, &said, is_kept ? &test : NULL, "", &row, error));
    if (sampled.way.count > 0)
        COR_TRY_OUT(show_way(s, system, &sampled.way, NULL, &row, error));
out:
    cor_stabilize_way_fini(&sampled.way);
    cor_choices_fini(&test.choices);
    cor_stabilize_scene_destroy(test.scene);
    free(row.sentence);
    free(row.file);
    return status;
}

static enum cor_status add_head(struct stabilizing *s, const struct cor_stabilize_system *system,
                                const struct cor_stabilize_row *row, bool is_drawn, struct cor_error *error) {
    char number[COR_COMMAS_SIZE];
    char *variables = cor_stabilize_system_variables(system);
    char *line = variables ? cor_format("%s: %s, %s: %s%s states", row->arm, row->size, variables,
                                        is_drawn ? "" : "all ",
                                        cor_real_with_commas(cor_stabilize_system_states(system), number))
                           : NULL;
    free(variables);
    return cor_stabilizing_add(s->all, line, error);
}

/* ", 85 of them inside, and none of these is left": the same whichever the daemon is, but for the last. */
static enum cor_status add_inside(struct stabilizing *s, const struct cor_stabilize_row *row,
                                  struct cor_error *error) {
    char inside[COR_COMMAS_SIZE], leaving[COR_COMMAS_SIZE];
    cor_with_commas(row->inside, inside);
    if (row->leaving == 0)
        return cor_stabilizing_add(
            s->all, cor_format(", %s of them inside, and none of these is left\n", inside), error);
    return cor_stabilizing_add(s->all,
                               cor_format(", %s of them inside, and %s of these can be left\n", inside,
                                          cor_with_commas(row->leaving, leaving)),
                               error);
}

/* A size of which nothing is known, for one reason: a line, and a row for each daemon. */
static enum cor_status take_undecided(struct stabilizing *s, const struct cor_stabilize_row *row,
                                      uint32_t daemons, const char *undecided, struct cor_error *error) {
    s->all->undecided++;
    if (s->request->svg)
        cor_say("warning: %s is not written: nothing is known that could be drawn", s->request->svg);
    enum cor_status status = cor_stabilizing_add(
        s->all, cor_format("%s: %s: undecided: %s\n", row->arm, row->size, undecided), error);
    for (uint32_t d = 0; d <= COR_STABILIZE_ANY && status == COR_OK; d++) {
        if (!(daemons >> d & 1))
            continue;
        struct cor_stabilize_row none = *row;
        none.daemon = cor_stabilize_daemon_word(d);
        none.verdict = cor_stabilize_verdict_word(COR_STABILIZE_UNDECIDED);
        none.sentence = cor_format("undecided: %s", undecided);
        status = cor_made(none.sentence, error);
        if (status == COR_OK)
            COR_SHEET_PUT(s->all->rows, struct cor_stabilize_row, &none);
        free(none.sentence);
    }
    return status;
}

/* A grade of what may be wrong of a program that does not say what it keeps: a line, and of a no the first
 * run that shows it. *is_drawn: a picture is written. */
static enum cor_status take_grade(struct stabilizing *s, uint32_t arm, const struct cor_stabilize_size *size,
                                  struct process_layer__mixing *mixing, bool is_mixed, bool *is_drawn,
                                  struct cor_error *error) {
    const struct cor_stabilize_question question = question_of(s, COR_STABILIZE_ANY);
    struct cor_subject_test test = {.experiment = &s->experiment->head, .arm = arm};
    struct cor_stabilize_tale tale = {.loop = COR_UNBOUNDED};
    struct cor_stabilize_row row = row_of(s, arm, size, COR_STABILIZE_ANY);
    struct cor_stabilize_said said;
    enum cor_status status =
        process_layer__mixed_ask(mixing, is_mixed, &s->asked, &question, &said, &test, error);
    COR_TRY_OUT(status);
    const bool is_no = !said.is_good && said.verdict != COR_STABILIZE_UNDECIDED;
    COR_TRY_OUT(put_drawn(s, &said, is_no && s->request->output ? &test : NULL, is_mixed ? ".mixed" : ".mail",
                          &row, error));
    if (is_no && is_shown(s) && !*is_drawn) {
        COR_TRY_OUT(process_layer__mixed_tale(mixing, &test, &tale, error));
        COR_TRY_OUT(show_tale(s, &tale, NULL, &row, error));
        *is_drawn = s->request->svg != NULL;
    }
out:
    cor_stabilize_tale_fini(&tale);
    cor_choices_fini(&test.choices);
    cor_stabilize_scene_destroy(test.scene);
    free(row.sentence);
    free(row.file);
    return status;
}

/* A program that does not say what it keeps. */
static enum cor_status take_mixed(struct stabilizing *s, uint32_t arm, const struct cor_stabilize_size *size,
                                  struct cor_error *error) {
    struct process_layer__mixing *mixing = NULL;
    const char *name = s->experiment->arms[arm].name;
    bool is_drawn = false;
    if (s->all->has_fairness)
        cor_say("warning: --fair says nothing of arm %s: each event is drawn, none is passed over for ever",
                name);
    enum cor_status status =
        process_layer__mixing_open(s->experiment, arm, &s->asked, size->process_count, &mixing, error);
    if (status == COR_OK)
        status = cor_stabilizing_add(
            s->all, cor_format("%s: %s, which do not say what they keep\n", name, size->name), error);
    for (uint32_t grade = 0; grade < 2 && status == COR_OK; grade++)
        status = take_grade(s, arm, size, mixing, grade == 0, &is_drawn, error);
    process_layer__mixing_close(mixing);
    if (status == COR_OK && s->request->svg && !is_drawn)
        cor_say("warning: %s is not written: no run was found that does not come back", s->request->svg);
    return status;
}

static enum cor_status take_size(struct stabilizing *s, uint32_t arm, const struct cor_stabilize_size *size,
                                 struct cor_error *error) {
    const struct cor_process *program = cor_process_description(s->experiment->arms[arm].program);
    if (!program->rule && !program->save)
        return take_mixed(s, arm, size, error);
    struct cor_stabilize_system *system = NULL;
    struct cor_stabilize_row row = row_of(s, arm, size, 0);
    const uint32_t daemons = cor_stabilize_daemons(&s->asked, &s->experiment->arms[arm]);
    uint64_t steps = 0;
    char number[COR_COMMAS_SIZE];
    if (size->is_apart)
        cor_say("warning: arm %s, %s: the graph is not connected", row.arm, size->name);
    COR_TRY(cor_stabilize_system_create(s->experiment, arm, &s->asked, size, false, &system, error));
    const bool is_drawn = s->asked.sample.is_asked && !cor_stabilize_is_limited(&s->asked) &&
                          cor_stabilize_system_states(system) > (double)s->asked.states_most;
    struct cor_stabilize_asked asked = s->asked;
    if (is_drawn) {
        if (cor_stabilize_has_messages(&s->asked, &s->experiment->arms[arm]))
            asked.states_most = UINT32_MAX; /* that numbers are enough for */
        cor_stabilize_system_destroy(system);
        COR_TRY(cor_stabilize_system_create(s->experiment, arm, &asked, size, true, &system, error));
    }
    const char *undecided = cor_stabilize_system_undecided(system);
    enum cor_status status = COR_OK;
    char *before = s->all->text, *lines;
    if (undecided) {
        status = take_undecided(s, &row, daemons, undecided, error);
        goto out;
    }
    /* Lines of daemons go behind a head that is known with the first of them. */
    status = add_head(s, system, &row, is_drawn, error);
    if (is_drawn && status == COR_OK)
        status = cor_stabilizing_add(s->all, cor_strdup("\n"), error);
    for (uint32_t d = 0; d <= COR_STABILIZE_ANY && is_drawn && status == COR_OK; d++)
        if (daemons >> d & 1)
            status = take_drawn(s, system, arm, size, d, error);
    if (is_drawn)
        goto out;
    before = s->all->text;
    s->all->text = cor_strdup("");
    for (uint32_t d = 0; d <= COR_STABILIZE_ANY && status == COR_OK; d++) {
        if (!(daemons >> d & 1))
            continue;
        row.daemon = cor_stabilize_daemon_word(d);
        status = take_daemon(s, system, arm, size->graph, d, &row, error);
        steps += row.is_proved ? row.steps : 0;
    }
    lines = s->all->text;
    s->all->text = before;
    if (status == COR_OK)
        status = add_inside(s, &row, error);
    if (status == COR_OK)
        status = cor_stabilizing_add(s->all, cor_strdup(lines), error);
    free(lines);
    if (status == COR_OK && steps > 0)
        s->proved = cor_join_take(s->proved, " and ", cor_strdup(cor_with_commas(steps, number)));
out:
    cor_stabilize_system_destroy(system);
    return status;
}

static enum cor_status choose(struct stabilizing *s, struct cor_error *error) {
    const struct cor_stabilize_request *request = s->request;
    if (request->states > 0)
        s->asked.states_most = (uint64_t)request->states;
    s->asked.sample.is_asked = s->asked.sample.is_asked || request->sample;
    if (request->mail > 0)
        s->asked.mail = request->mail;
    if (!request->daemon)
        return COR_OK;
    s->asked.daemons = 0;
    char *words = cor_strdup(request->daemon), *rest = NULL;
    COR_TRY(cor_made(words, error));
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        for (uint32_t d = 0; d <= COR_STABILIZE_ANY; d++)
            if (strcmp(word, cor_stabilize_daemon_word(d)) == 0)
                s->asked.daemons |= 1u << d;
    free(words);
    return COR_OK;
}

/* Goes through what is asked for: counts its arms, sizes and daemons, and (is_taken) answers it. */
static enum cor_status take_arms(struct stabilizing *s, const char *path, bool is_taken, uint32_t *rows,
                                 struct cor_error *error) {
    struct cor_stabilize_size sizes[COR_STABILIZE_SIZES_MAX];
    const struct cor_process_experiment *experiment = s->experiment;
    uint32_t sizes_found = 0;
    for (uint32_t a = 0; a < experiment->head.arm_count; a++) {
        uint32_t count = 0;
        if (!cor_stabilizing_asks(s->request, experiment->arms[a].name))
            continue;
        const uint32_t daemons = cor_stabilize_daemons(&s->asked, &experiment->arms[a]);
        if (daemons == 0)
            return cor_fail(error, COR_STATUS_INPUT, path,
                            cor_stabilize_has_messages(&s->asked, &experiment->arms[a])
                                ? "any is the daemon of messages"
                                : "rules that read each other have central, distributed and synchronous",
                            "arm \"%.80s\" has none of these daemons: %.80s", experiment->arms[a].name,
                            s->request->daemon);
        enum cor_status status = cor_stabilize_sizes(experiment, a, sizes, &count, error);
        s->has_sizes = count > 1;
        for (uint32_t z = 0; z < count && status == COR_OK; z++)
            if (s->request->count == 0 || s->request->count == sizes[z].process_count) {
                sizes_found++;
                *rows += (uint32_t)__builtin_popcount(daemons);
                if (is_taken)
                    status = take_size(s, a, &sizes[z], error);
            }
        cor_stabilize_sizes_fini(sizes, count);
        COR_TRY(status);
    }
    if (sizes_found == 0)
        return cor_fail(error, COR_STATUS_INPUT, path, "see \"counts\" in \"stabilize\"",
                        "no system of it has %" PRIu32 " processes", s->request->count);
    return COR_OK;
}

static enum cor_status stabilize_all(struct stabilizing *s, const char *path, const char *text,
                                     struct cor_error *error) {
    struct cor_layer_options options = s->request->options;
    char *warnings = NULL;
    COR_TRY(cor_process_rules_parse(text, path, &options, &s->experiment, error));
    COR_TRY(cor_stabilize_asked_read(s->experiment, &s->asked, error));
    COR_TRY(choose(s, error));
    COR_TRY(cor_stabilizing_check_arms(s->request, &s->experiment->head, path, error));
    COR_TRY(cor_made(s->proved = cor_strdup(""), error));
    uint32_t rows = 0;
    COR_TRY(take_arms(s, path, false, &rows, error));
    if (s->request->svg && rows > 1)
        return cor_fail(error, COR_STATUS_INPUT, s->request->svg, "choose one by --arm, --daemon and --count",
                        "a picture is of one arm, size and daemon, and there are several");
    const enum cor_status status =
        process_layer__look_at_isolation(s->experiment, &options, &warnings, error);
    cor_say_warnings(warnings);
    COR_TRY(status);
    COR_TRY(take_arms(s, path, true, &rows, error));
    if (s->is_drawn)
        COR_TRY(cor_stabilizing_add(
            s->all, cor_strdup("Nothing is proved of a system whose states were drawn, but what was met.\n"),
            error));
    return s->proved[0]
               ? cor_stabilizing_add(
                     s->all,
                     cor_format("Proved%s: every state%s and every step was visited (%s steps).\n",
                                s->all->undecided > 0 ? " of the others" : "",
                                cor_stabilize_is_limited(&s->asked) ? " that comes of it" : "", s->proved),
                     error)
               : COR_OK;
}

enum cor_status cor_stabilize_programs(struct cor_stabilizing *all, const char *path, const char *text,
                                       struct cor_error *error) {
    struct stabilizing s = {.all = all, .request = all->request};
    const enum cor_status status = stabilize_all(&s, path, text, error);
    cor_process_experiment_destroy(s.experiment);
    free(s.proved);
    return status;
}
