/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stabilize: from any state, does it come back, and does it stay? */
#include "commands.h"
#include "internal.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cells.h>
#include <corridor/process_stabilize.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct cor_sheet_options sheets;
    struct cor_layer_options options;
    const char *arm, *daemon, *svg;
    int fairness;
    uint32_t count;
    int64_t states;
    bool tell, force;
};

/* A row of what is shown: an arm, a size, a daemon. */
struct outcome {
    const char *arm, *size, *daemon, *verdict, *fairness; /* borrowed */
    char *sentence, *worst_state;                         /* owned */
    uint64_t states, steps;
    uint32_t inside, stable, leaving, dead_ends, in_loops, lost, can_stay, loop, worst_steps, worst_moves,
        worst_rounds;
    uint32_t worst_states;
    double mean_steps, expected_worst, expected_mean, expected_error;
    bool is_proved;
    enum cor_tone tone;
};

#define OUTCOME(member) COR_CELL_OF(struct outcome, member)
#define KNOWN(member) COR_KNOWN_OF(struct outcome, member)
static const struct cor_column_definition stabilize_sheet_columns[] = {
    {"arm", "arm", "", "the arm", OUTCOME(arm)},
    {"size", "size", "", "how many processes, and in which graph", OUTCOME(size)},
    {"daemon", "daemon", "", "who chooses which processes move", OUTCOME(daemon)},
    {"verdict", "verdict", "",
     "holds, fair, chance, loops, rests, trapped, leaves, idles, late, or undecided", OUTCOME(verdict),
     .tone = COR_TONE_OF(struct outcome, tone)},
    {"said", "", "", "the verdict in a sentence", COR_TEXT_OF(struct outcome, sentence)},
    {"holds_from", "holds from", "",
     "the first of unfair, weak, strong, chance on which all come back (of rules that draw the first three: "
     "whatever is drawn); never: on none",
     OUTCOME(fairness)},
    {"proved", "is proved", "", "every state and every step was visited", OUTCOME(is_proved)},
    {"states", "states", "1", "all states", OUTCOME(states)},
    {"visited_steps", "steps visited", "1", "states with movers and outcomes", OUTCOME(steps)},
    {"inside", "inside", "1", "states in which all invariants hold", OUTCOME(inside)},
    {"stable", "stable part", "1", "states of the greatest part of these that no step leaves", OUTCOME(stable)},
    {"leaving", "can be left", "1", "states inside from which a step leads outside", OUTCOME(leaving)},
    {"dead_ends", "dead ends", "1", "states outside in which nobody can move", OUTCOME(dead_ends)},
    {"in_loops", "in loops", "1", "states outside through which a loop goes", OUTCOME(in_loops)},
    {"lost", "lost", "1", "states from which there is no way into the stable part", OUTCOME(lost)},
    {"can_stay", "can stay", "1",
     "of rules that draw: states from which a daemon can stay outside whatever is drawn", OUTCOME(can_stay)},
    {"loop", "loop", "1", "steps of the loop that is shown", COR_SOME_OF(struct outcome, loop)},
    {"worst_steps", "steps", "1", "of the longest way back; nothing: without a bound", KNOWN(worst_steps)},
    {"worst_moves", "moves", "1", "likewise, where each process that moves counts", KNOWN(worst_moves)},
    {"worst_rounds", "rounds", "1", "likewise, in rounds; nothing: without a bound, or not counted",
     KNOWN(worst_rounds)},
    {"worst_state", "worst", "", "a state from which the way back is longest",
     COR_TEXT_OF(struct outcome, worst_state)},
    {"worst_states", "worst states", "1", "from so many it is as long", OUTCOME(worst_states)},
    {"mean_steps", "mean steps", "1", "of the longest ways back, over all states that surely are back",
     OUTCOME(mean_steps), 3},
    {"expected_worst", "expected, worst", "1",
     "steps until back if each possible step is equally likely (of rules that draw: if the daemon chooses "
     "worst), from "
     "the state where it is most",
     OUTCOME(expected_worst), 3},
    {"expected_mean", "expected, mean", "1", "likewise, over all states", OUTCOME(expected_mean), 3},
    {"expected_error", "error", "1", "by how much these are too low at most", OUTCOME(expected_error),
     COR_DIGITS_FOUR}};
COR_SHEET_DEFINITION(stabilize_sheet, "stabilize", "Coming back", "a row for each arm, size and daemon", 0,
                     0);

static const struct cor_column_definition depth_sheet_columns[] = {
    {"arm", "arm", "", "the arm", COR_CELL_WORD, 0, 0},
    {"size", "size", "", "how many processes, and in which graph", COR_CELL_WORD, 0, 0},
    {"daemon", "daemon", "", "who chooses which processes move", COR_CELL_WORD, 0, 0},
    {"steps", "steps", "1", "within so many", COR_CELL_COUNT, 0, 0},
    {"states", "states", "1", "so many states are back for sure", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(depth_sheet, "stabilize_depth", "Back within so many steps",
                     "a row for each number of steps", COR_SHEET_DATA, 0);

static const struct cor_column_definition run_sheet_columns[] = {
    {"arm", "arm", "", "the arm", COR_CELL_WORD, 0, 0},
    {"size", "size", "", "how many processes, and in which graph", COR_CELL_WORD, 0, 0},
    {"daemon", "daemon", "", "who chooses which processes move", COR_CELL_WORD, 0, 0},
    {"run", "run", "",
     "worst: the longest way back; loop: what can be repeated for ever; again: likewise, inside",
     COR_CELL_WORD, 0, 0},
    {"step", "step", "1", "number of the step, from 0", COR_CELL_COUNT, 0, 0},
    {"state", "state", "", "the values before it", COR_CELL_TEXT, 0, 0},
    {"movers", "who moves", "", "who moves in it; nothing: the run is at its end", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(run_sheet, "stabilize_run", "Worst runs and loops", "a row for each step",
                     COR_SHEET_DATA, 0);

/* All that a call of the command has. */
struct stabilizing {
    const struct request *request;
    struct cor_process_experiment *experiment;
    struct cor_stabilize_asked asked;
    struct cor_sheets *sheets;
    struct cor_sheet *rows, *depths, *runs;
    char *text, *proved; /* owned; for people; "49,995 and 3,231" */
    uint32_t failed, undecided;
    double said_at; /* of progress */
};

static bool go_on(void *self, const char *doing) {
    struct stabilizing *s = self;
    return cor_progress_goes_on(&s->said_at, "%s", doing);
}

static enum cor_status add(struct stabilizing *s, char *more, struct cor_error *error) {
    s->text = cor_join_take(s->text, "", more);
    return cor_made(s->text, error);
}

#define TURNS_SHOWN 1000u

/* Of a longer way the end is told and drawn. */
static uint32_t first_shown(const struct cor_space_run *turns) {
    return turns->count > TURNS_SHOWN ? turns->count - TURNS_SHOWN : 0;
}

/* ---- the story: a line a step */

static char *values_text(const struct cor_stabilize_system *system, uint32_t state) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    char *text = cor_strdup(""), value[64];
    for (uint32_t v = 0; v < rules->variable_count; v++)
        for (uint32_t p = 0; p < rules->definition.process_count; p++) {
            cor_rules_text(&rules->processes[p].domains[v], cor_stabilize_system_value(system, state, p, v),
                           value, sizeof value);
            text = cor_join_take(text, p > 0 ? " " : "; ", cor_strdup(value));
        }
    return text;
}

static void put_movers(uint64_t movers, char *text, size_t size) {
    text[0] = '\0';
    for (; movers != 0; movers &= movers - 1)
        snprintf(text + strlen(text), size - strlen(text), "%s%d", text[0] ? " " : "",
                 __builtin_ctzll(movers));
}

static enum cor_status tell(struct stabilizing *s, struct cor_stabilize_system *system,
                            const struct cor_space_run *turns, struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    char part[200], value[40], said[200] = "", movers[400], label[200] = "";
    size_t width = 0;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        snprintf(label + strlen(label), sizeof label - strlen(label), "%s%s", v > 0 ? "; " : "",
                 rules->variables[v]);
    snprintf(label + strlen(label), sizeof label - strlen(label), " =");
    const uint32_t first = first_shown(turns);
    if (first > 0)
        COR_TRY(add(s,
                    cor_format("  the last %u of %" PRIu32 " steps; --json has all in stabilize_run\n",
                               TURNS_SHOWN, turns->count),
                    error));
    struct cor_bytes lines = {0};
    for (uint32_t i = first; i <= turns->count; i++) {
        put_movers(i < turns->count ? turns->items[i].movers : 0, movers, sizeof movers);
        const size_t length = strlen(movers) + strlen(" move");
        width = length > width ? length : width;
    }
    width = strlen(label) > width ? strlen(label) : width;
    for (uint32_t i = first; i < turns->count + turns->is_loop; i++) {
        const struct cor_space_turn *turn = &turns->items[i % turns->count];
        uint64_t moved = i > 0 ? turns->items[i - 1].movers : 0;
        put_movers(moved, movers, sizeof movers);
        if (i > first)
            snprintf(movers + strlen(movers), sizeof movers - strlen(movers), " move%s",
                     __builtin_popcountll(moved) == 1 ? "s" : "");
        const enum cor_status status =
            cor_stabilize_system_reason(system, turn->state, part, sizeof part, value, sizeof value, error);
        char *values = status == COR_OK ? values_text(system, turn->state) : NULL;
        if (!values) {
            cor_bytes_fini(&lines);
            return status != COR_OK ? status : cor_fail_memory(error);
        }
        const bool is_new = strcmp(part, said) != 0;
        char *reason = part[0] == '\0' ? cor_strdup("inside")
                       : !value[0]     ? cor_format("%s is violated", part)
                       : is_new        ? cor_format("%s is %s", part, value)
                                       : cor_strdup(value);
        snprintf(said, sizeof said, "%s", part);
        cor_bytes_print(&lines, "  %-*s  %s   %s%s\n", (int)width + 1, i == first ? label : movers, values,
                        reason ? reason : "",
                        turns->is_loop && i == turns->count ? "   as at the beginning" : "");
        free(values);
        free(reason);
    }
    char *told = cor_bytes_text_take(&lines, error);
    return told ? add(s, told, error) : COR_STATUS_MEMORY;
}

/* ---- the picture */

#define CELL 34
#define LEFT 90
#define TOP 50

/* A tint of a value: from light to dark. */
static void tint(uint32_t value, uint32_t count, char text[16]) {
    const unsigned dark = count < 2 ? 0 : 150 * value / (count - 1);
    snprintf(text, 16, "#%02x%02x%02x", 245 - dark, 248 - dark * 3 / 4, 252 - dark / 3);
}

/* A row a step, a column a process, its value as a tint; a ring around who moves, a bar where the corridor is
 * violated, a bracket around a loop. Several variables stand one below the other. */
static enum cor_status draw_run(struct cor_stabilize_system *system, const struct cor_space_run *turns,
                                FILE *file, struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    const uint32_t processes = rules->definition.process_count, variables = rules->variable_count;
    const uint32_t first = first_shown(turns);
    const double row = CELL * variables + 6, right = LEFT + CELL * processes;
    for (uint32_t p = 0; p < processes; p++)
        fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"m\">%" PRIu32 "</text>\n",
                LEFT + CELL * (int)p + CELL / 2, TOP - 8, p);
    for (uint32_t i = first; i < turns->count; i++) {
        const double y = TOP + row * (i - first);
        const char *violated;
        COR_TRY(cor_stabilize_system_violated(system, turns->items[i].state, &violated, error));
        fprintf(file, "<text x=\"%d\" y=\"%.0f\" class=\"e\">%" PRIu32 "</text>\n", LEFT - 14, y + row / 2,
                i);
        if (violated)
            fprintf(file, "<rect x=\"%.0f\" y=\"%.0f\" width=\"5\" height=\"%.0f\" class=\"v\"/>\n",
                    right + 6, y, row - 6);
        for (uint32_t p = 0; p < processes; p++) {
            const double x = LEFT + CELL * (double)p;
            for (uint32_t v = 0; v < variables; v++) {
                const uint32_t value = cor_stabilize_system_value(system, turns->items[i].state, p, v);
                char fill[16], name[64];
                tint(value, rules->processes[p].domains[v].count, fill);
                cor_rules_text(&rules->processes[p].domains[v], value, name, sizeof name);
                fprintf(file,
                        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"%s\"/><text "
                        "x=\"%.0f\" y=\"%.0f\" class=\"m\">",
                        x + 1, y + CELL * v + 1, CELL - 2, CELL - 2, fill, x + CELL / 2.,
                        y + CELL * (v + .5) + 4);
                cor_html_text(file, name);
                fputs("</text>\n", file);
            }
            if (turns->items[i].movers >> p & 1)
                fprintf(file,
                        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%.0f\" rx=\"9\" "
                        "class=\"r\"/>\n",
                        x + 2.5, y + 2.5, CELL - 5, CELL * (double)variables - 5);
        }
    }
    if (turns->is_loop)
        fprintf(file, "<path d=\"M%d %d h-10 v%.0f h10\" class=\"l\"/>\n", LEFT - 34, TOP + 2,
                row * (turns->count - first) - 8);
    return COR_OK;
}

/* The share of states that are surely back within k steps. */
static void draw_depth(const struct cor_stabilized *found, uint32_t size, double left, double top,
                       FILE *file) {
    const double width = 260, height = 140, most = found->depth_count > 1 ? found->depth_count - 1 : 1;
    fprintf(file,
            "<text x=\"%.0f\" y=\"%.0f\" class=\"t\">share of states surely back within so many steps</text>\n"
            "<path d=\"M%.0f %.0f v%.0f h%.0f\" class=\"a\"/>\n<text x=\"%.0f\" y=\"%.0f\" "
            "class=\"e\">1</text><text x=\"%.0f\" y=\"%.0f\" class=\"e\">0</text><text x=\"%.0f\" "
            "y=\"%.0f\" class=\"m\">%" PRIu32 "</text>\n<path d=\"",
            left, top - 14, left, top, height, width, left - 6, top + 6, left - 6, top + height, left + width,
            top + height + 16, found->depth_count - 1);
    for (uint32_t d = 0; d < found->depth_count; d++)
        fprintf(file, "%s%.1f %.1f", d > 0 ? " L" : "M", left + width * d / most,
                top + height * (1 - (double)found->depth[d] / size));
    fputs("\" class=\"c\"/>\n", file);
}

static enum cor_status draw(struct stabilizing *s, struct cor_stabilize_system *system,
                            const struct cor_space_run *turns, const struct cor_stabilized *found,
                            const char *title, struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    const double left = LEFT + CELL * (double)rules->definition.process_count + 80;
    const double height =
        TOP + (CELL * (double)rules->variable_count + 6) * (turns->count - first_shown(turns)) + 20;
    char *svg = NULL;
    size_t size;
    FILE *file = open_memstream(&svg, &size);
    COR_TRY(cor_made(file, error));
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" "
            "font-size=\"12\">\n<style>.t{font-weight:bold}.m{text-anchor:middle}.e{text-anchor:end}"
            ".v{fill:#b3261e}.r{fill:none;stroke:#1b1b1b;stroke-width:2}"
            ".l{fill:none;stroke:#1b1b1b;stroke-width:2}.a{fill:none;stroke:#777}"
            ".c{fill:none;stroke:#14518b;stroke-width:2}</style>\n<rect width=\"100%%\" "
            "height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"20\" class=\"t\">",
            left + 300, height < 260 ? 260 : height, LEFT);
    cor_html_text(file, title);
    if (first_shown(turns) > 0)
        fprintf(file, " (the last %u of %" PRIu32 " steps)", TURNS_SHOWN, turns->count);
    fputs("</text>\n", file);
    enum cor_status status = draw_run(system, turns, file, error);
    draw_depth(found, cor_stabilize_system_space(system)->size, left, TOP + 14, file);
    fputs("</svg>\n", file);
    const bool is_whole = !ferror(file);
    if ((fclose(file) != 0 || !is_whole) && status == COR_OK)
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = cor_output_text(s->request->svg, svg, s->request->force, error);
    free(svg);
    return status;
}

/* ---- rows */

static void put_run(struct stabilizing *s, const struct cor_stabilize_system *system,
                    const struct outcome *row, const char *word, const struct cor_space_run *turns) {
    char movers[400];
    for (uint32_t i = 0; i < turns->count; i++) {
        put_movers(turns->items[i].movers, movers, sizeof movers);
        cor_sheet_row(s->runs);
        cor_sheet_word(s->runs, row->arm);
        cor_sheet_word(s->runs, row->size);
        cor_sheet_word(s->runs, row->daemon);
        cor_sheet_word(s->runs, word);
        cor_sheet_count(s->runs, i);
        cor_sheet_text_take(s->runs, cor_stabilize_system_text(system, turns->items[i].state));
        if (movers[0])
            cor_sheet_text(s->runs, "%s", movers);
        else
            cor_sheet_nothing(s->runs);
    }
}

static void put_depths(struct stabilizing *s, const struct outcome *row, const struct cor_stabilized *found) {
    for (uint32_t d = 0; d < found->depth_count; d++) {
        cor_sheet_row(s->depths);
        cor_sheet_word(s->depths, row->arm);
        cor_sheet_word(s->depths, row->size);
        cor_sheet_word(s->depths, row->daemon);
        cor_sheet_count(s->depths, d);
        cor_sheet_count(s->depths, found->depth[d]);
    }
}

static char *bound_text(uint32_t bound, const char *word) {
    return bound == COR_UNBOUNDED
               ? cor_strdup("")
               : cor_format("%" PRIu32 " %.*s", bound, (int)strlen(word) - (bound == 1), word);
}

/* The line of a daemon: columns where it holds, else the sentence. */
static enum cor_status add_line(struct stabilizing *s, const struct cor_stabilize_said *said,
                                const struct outcome *row, const struct cor_stabilized *found,
                                struct cor_error *error) {
    if (said->verdict != COR_STABILIZE_HOLDS)
        return add(s, cor_format("  %-12s %-21s %s\n", row->daemon, said->head, said->rest), error);
    char *steps = bound_text(found->worst_steps, "steps"), *moves = bound_text(found->worst_moves, "moves");
    char *rounds =
        found->has_rounds ? bound_text(found->worst_rounds, "rounds") : cor_strdup("rounds not counted");
    char *line = steps && moves && rounds
                     ? cor_format("  %-12s %-21s %-9s %-9s %-9s worst: %s\n", row->daemon, said->head, steps,
                                  moves, rounds, row->worst_state)
                     : NULL;
    free(steps);
    free(moves);
    free(rounds);
    return add(s, line, error);
}

static enum cor_status take_daemon(struct stabilizing *s, struct cor_stabilize_system *system,
                                   enum cor_daemon daemon, struct outcome *row, struct cor_error *error) {
    const struct cor_space *space = cor_stabilize_system_space(system);
    struct cor_stabilize_question question = cor_default_stabilize_question();
    struct cor_stabilized found;
    struct cor_stabilize_said said;
    question.daemon = daemon;
    question.fairness = (enum cor_fairness)s->request->fairness;
    question.again = cor_stabilize_system_again(system);
    question.again_count = s->asked.again_count;
    question.go_on = go_on;
    question.self = s;
    enum cor_status status = cor_stabilize(space, &question, &found, error);
    if (status == COR_OK)
        status = cor_stabilize_say(system, &s->asked, question.fairness, &found, &said, error);
    if (status != COR_OK) {
        cor_stabilized_fini(&found);
        return status;
    }
    const bool is_bounded = found.worst_steps != COR_UNBOUNDED;
    row->verdict = cor_stabilize_verdict_word(said.verdict);
    row->fairness = cor_fairness_word(found.from);
    row->sentence = cor_format("%s%s%s", said.head, said.between, said.rest);
    row->worst_state = is_bounded ? cor_stabilize_system_text(system, found.worst_state) : NULL;
    row->states = space->size;
    row->steps = found.steps;
    row->inside = found.inside;
    row->stable = found.stable;
    row->leaving = found.leaving;
    row->dead_ends = found.dead_ends;
    row->in_loops = found.in_loops;
    row->lost = found.lost;
    row->can_stay = found.can_stay;
    row->loop = found.loop.count;
    row->worst_steps = found.worst_steps;
    row->worst_moves = found.worst_moves;
    row->worst_rounds = found.has_rounds ? found.worst_rounds : COR_UNBOUNDED;
    row->worst_states = is_bounded ? found.worst_states : 0;
    row->mean_steps = is_bounded ? found.mean_steps : NAN;
    row->expected_worst = found.expected_worst;
    row->expected_mean = found.expected_mean;
    row->expected_error = found.expected_error;
    const bool is_undecided = said.verdict == COR_STABILIZE_UNDECIDED;
    row->is_proved = !is_undecided;
    row->tone = said.is_good ? COR_TONE_GOOD : is_undecided ? COR_TONE_PLAIN : COR_TONE_BAD;
    s->undecided += is_undecided;
    s->failed += !said.is_good && !is_undecided;
    const struct cor_space_run *turns = found.again_loop.count > 0 ? &found.again_loop
                                        : found.loop.count > 0     ? &found.loop
                                                                   : &found.worst;
    status = cor_made(row->sentence, error);
    if (status == COR_OK) {
        COR_SHEET_PUT(s->rows, struct outcome, row);
        put_depths(s, row, &found);
        put_run(s, system, row, "worst", &found.worst);
        put_run(s, system, row, "loop", &found.loop);
        put_run(s, system, row, "again", &found.again_loop);
        status = add_line(s, &said, row, &found, error);
    }
    if (status == COR_OK && s->request->tell && turns->count > 0)
        status = tell(s, system, turns, error);
    if (status == COR_OK && s->request->svg) {
        char title[500];
        snprintf(title, sizeof title, "%s, %s: %s", row->arm, row->daemon, row->verdict);
        status = draw(s, system, turns, &found, title, error);
    }
    cor_stabilized_fini(&found);
    free(row->sentence);
    free(row->worst_state);
    row->sentence = row->worst_state = NULL;
    return status;
}

static enum cor_status add_head(struct stabilizing *s, const struct cor_stabilize_system *system,
                                const struct outcome *row, struct cor_error *error) {
    const struct cor_space *space = cor_stabilize_system_space(system);
    char number[COR_COMMAS_SIZE];
    char *variables = cor_stabilize_system_variables(system);
    char *line = variables ? cor_format("%s: %s, %s: all %s states", row->arm, row->size, variables,
                                        cor_with_commas(space->size, number))
                           : NULL;
    free(variables);
    return add(s, line, error);
}

/* ", 85 of them inside, and none of these is left": the same whichever the daemon is, but for the last. */
static enum cor_status add_inside(struct stabilizing *s, const struct outcome *row, struct cor_error *error) {
    char inside[COR_COMMAS_SIZE], leaving[COR_COMMAS_SIZE];
    cor_with_commas(row->inside, inside);
    if (row->leaving == 0)
        return add(s, cor_format(", %s of them inside, and none of these is left\n", inside), error);
    return add(s,
               cor_format(", %s of them inside, and %s of these can be left\n", inside,
                          cor_with_commas(row->leaving, leaving)),
               error);
}

static enum cor_status take_size(struct stabilizing *s, uint32_t arm, const struct cor_stabilize_size *size,
                                 struct cor_error *error) {
    struct cor_stabilize_system *system = NULL;
    struct outcome row = {.arm = s->experiment->arms[arm].name, .size = size->name};
    uint64_t steps = 0;
    char number[COR_COMMAS_SIZE];
    if (size->is_apart)
        cor_say("warning: arm %s, %s: the graph is not connected", row.arm, size->name);
    COR_TRY(cor_stabilize_system_create(s->experiment, arm, &s->asked, size, &system, error));
    const char *undecided = cor_stabilize_system_undecided(system);
    enum cor_status status = COR_OK;
    char *before = s->text, *lines;
    if (undecided) {
        s->undecided++;
        if (s->request->svg)
            cor_say("warning: %s is not written: nothing is known that could be drawn", s->request->svg);
        status = add(s, cor_format("%s: %s: undecided: %s\n", row.arm, size->name, undecided), error);
        for (int d = 0; d < COR_DAEMON_COUNT && status == COR_OK; d++) {
            if (!(s->asked.daemons >> d & 1))
                continue;
            struct outcome none = {.arm = row.arm,
                                   .size = row.size,
                                   .daemon = cor_daemon_word((enum cor_daemon)d),
                                   .verdict = cor_stabilize_verdict_word(COR_STABILIZE_UNDECIDED),
                                   .worst_steps = COR_UNBOUNDED,
                                   .worst_moves = COR_UNBOUNDED,
                                   .worst_rounds = COR_UNBOUNDED,
                                   .mean_steps = NAN,
                                   .expected_worst = NAN,
                                   .expected_mean = NAN,
                                   .expected_error = NAN,
                                   .sentence = cor_format("undecided: %s", undecided)};
            status = cor_made(none.sentence, error);
            if (status == COR_OK)
                COR_SHEET_PUT(s->rows, struct outcome, &none);
            free(none.sentence);
        }
        goto out;
    }
    /* Lines of daemons go behind a head that is known with the first of them. */
    status = add_head(s, system, &row, error);
    before = s->text;
    s->text = cor_strdup("");
    for (int d = 0; d < COR_DAEMON_COUNT && status == COR_OK; d++) {
        if (!(s->asked.daemons >> d & 1))
            continue;
        row.daemon = cor_daemon_word((enum cor_daemon)d);
        status = take_daemon(s, system, (enum cor_daemon)d, &row, error);
        steps += row.is_proved ? row.steps : 0;
    }
    lines = s->text;
    s->text = before;
    if (status == COR_OK)
        status = add_inside(s, &row, error);
    if (status == COR_OK)
        status = add(s, cor_strdup(lines), error);
    free(lines);
    if (status == COR_OK && steps > 0)
        s->proved = cor_join_take(s->proved, " and ", cor_strdup(cor_with_commas(steps, number)));
out:
    cor_stabilize_system_destroy(system);
    return status;
}

static enum cor_status choose(struct stabilizing *s, struct cor_error *error) {
    const struct request *request = s->request;
    if (request->states > 0)
        s->asked.states_most = (uint64_t)request->states;
    if (!request->daemon)
        return COR_OK;
    s->asked.daemons = 0;
    char *words = cor_strdup(request->daemon), *rest = NULL;
    COR_TRY(cor_made(words, error));
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        for (int d = 0; d < COR_DAEMON_COUNT; d++)
            if (strcmp(word, cor_daemon_word((enum cor_daemon)d)) == 0)
                s->asked.daemons |= 1u << d;
    free(words);
    return COR_OK;
}

/* Goes through what is asked for: counts its arms, sizes and daemons, and (is_taken) answers it. */
static enum cor_status take_arms(struct stabilizing *s, const char *path, bool is_taken, uint32_t *rows,
                                 struct cor_error *error) {
    struct cor_stabilize_size sizes[COR_STABILIZE_SIZES_MAX];
    const struct cor_process_experiment *experiment = s->experiment;
    uint32_t found = 0, sizes_found = 0;
    for (uint32_t a = 0; a < experiment->head.arm_count; a++) {
        uint32_t count = 0;
        if (s->request->arm && strcmp(s->request->arm, experiment->arms[a].name) != 0)
            continue;
        found++;
        enum cor_status status = cor_stabilize_sizes(experiment, a, sizes, &count, error);
        for (uint32_t z = 0; z < count && status == COR_OK; z++)
            if (s->request->count == 0 || s->request->count == sizes[z].process_count) {
                sizes_found++;
                *rows += (uint32_t)__builtin_popcount(s->asked.daemons);
                if (is_taken)
                    status = take_size(s, a, &sizes[z], error);
            }
        cor_stabilize_sizes_fini(sizes, count);
        COR_TRY(status);
    }
    if (found == 0) {
        const char *names[65] = {NULL};
        char known[1024];
        for (uint32_t a = 0; a < experiment->head.arm_count && a < 64; a++)
            names[a] = experiment->arms[a].name;
        cor_known_names(s->request->arm, names, known, sizeof known);
        return cor_fail(error, COR_STATUS_INPUT, path, known, "the experiment has no arm \"%.80s\"",
                        s->request->arm);
    }
    if (sizes_found == 0)
        return cor_fail(error, COR_STATUS_INPUT, path, "see \"counts\" in \"stabilize\"",
                        "no system of it has %" PRIu32 " processes", s->request->count);
    return COR_OK;
}

static enum cor_status show(struct stabilizing *s, struct cor_error *error) {
    const struct cor_sheet_options *options = &s->request->sheets;
    if (options->json || options->csv || options->sheet || options->where)
        return cor_show_sheets(options, s->sheets, "stabilize", error);
    COR_TRY(cor_sheets_status(s->sheets, error));
    cor_print("%s", s->text);
    if (s->proved && s->proved[0])
        cor_print("Proved%s: every state and every step was visited (%s steps).\n",
                  s->undecided > 0 ? " of the others" : "", s->proved);
    return cor_stream_status(stdout, error);
}

static enum cor_status stabilize_all(struct stabilizing *s, const char *path, struct cor_error *error) {
    struct cor_layer_options options = s->request->options;
    char *text = NULL, *warnings = NULL;
    size_t length;
    if (s->request->svg)
        COR_TRY(cor_output_check(s->request->svg, s->request->force, error));
    enum cor_status status = cor_json_read_text(path, &text, &length, error);
    if (status == COR_OK)
        status = cor_process_rules_parse(text, path, &options, &s->experiment, error);
    free(text);
    COR_TRY(status);
    COR_TRY(cor_stabilize_asked_read(s->experiment, &s->asked, error));
    COR_TRY(choose(s, error));
    COR_TRY(cor_sheets_create("corridor-stabilize", 1, &s->sheets, error));
    s->rows = cor_sheets_add(s->sheets, &stabilize_sheet);
    s->depths = cor_sheets_add(s->sheets, &depth_sheet);
    s->runs = cor_sheets_add(s->sheets, &run_sheet);
    s->text = cor_strdup("");
    s->proved = cor_strdup("");
    COR_TRY(s->text && s->proved ? COR_OK : cor_fail_memory(error));
    uint32_t rows = 0;
    COR_TRY(take_arms(s, path, false, &rows, error));
    if (s->request->svg && rows > 1)
        return cor_fail(error, COR_STATUS_INPUT, s->request->svg, "choose one by --arm, --daemon and --count",
                        "a picture is of one arm, size and daemon, and there are several");
    status = process_layer__look_at_isolation(s->experiment, &options, &warnings, error);
    cor_say_warnings(warnings);
    COR_TRY(status);
    COR_TRY(take_arms(s, path, true, &rows, error));
    cor_progress_doing(NULL);
    return show(s, error);
}

static enum cor_exit run_stabilize(const struct cor_arguments *arguments) {
    struct stabilizing s = {.request = arguments->request};
    struct cor_error error = COR_NO_ERROR;
    cor_catch_interrupts_briefly();
    const enum cor_status status = stabilize_all(&s, arguments->words[0], &error);
    cor_progress_doing(NULL);
    const enum cor_exit exit = status == COR_STATUS_INTERRUPTED ? COR_EXIT_INCOMPLETE
                               : status != COR_OK               ? cor_report(&error)
                               : s.failed > 0                   ? COR_EXIT_EXPECTATION
                               : s.undecided > 0                ? COR_EXIT_UNDECIDED
                                                                : COR_EXIT_DONE;
    cor_sheets_destroy(s.sheets);
    cor_process_experiment_destroy(s.experiment);
    free(s.text);
    free(s.proved);
    return exit;
}

static const char *daemon_word(size_t index) {
    return index < COR_DAEMON_COUNT ? cor_daemon_word((enum cor_daemon)index) : NULL;
}

static const char *fairness_word(size_t index) {
    return index < COR_FAIRNESS_NEVER ? cor_fairness_word((enum cor_fairness)index) : NULL;
}

const struct cor_command cor_command_stabilize = {
    .name = "stabilize",
    .summary = "check that all come back",
    .operands = "EXPERIMENT.json",
    .takes = {1, 1, "needs an experiment with a program of rules"},
    .request_size = sizeof(struct request),
    .manual = "Asks of a distributed program, from any state: does it come back into its corridor, and does "
              "it stay there? The "
              "program has rules in the place of messages: a process reads its neighbours' variables "
              "(docs/do/stabilize.md). "
              "All states and all steps are visited, so what is said is proved of what the program declares: "
              "with the worst state "
              "and the longest way back, or with the loop in which it stays wrong for ever. Of each arm and "
              "size a line for each "
              "daemon, who chooses which processes move.\nAn unfair daemon may pass over a process for ever. "
              "--fair says what is "
              "asked of it instead: weak, who can move for ever has a turn; strong, who can again and again; "
              "chance, each step that "
              "is possible has some probability, or, of rules that draw, the coin is chance and the daemon "
              "an adversary. Weak and strong beside coins are undecided where an unfair daemon can prevent "
              "it. Large systems, programs with messages and algorithms for "
              "structures are not "
              "computed so far.\nExits with 0 if all that is asked holds, 1 if something does not, and 7 if "
              "something is undecided: "
              "there are too many states, a process keeps something that it does not declare, or the corridor holds "
              "in none of its states, or in all.",
    .options =
        {
            {"arm", 0, "ARM", "ask of this arm alone", COR_TEXT(arm)},
            {"daemon", 0, "WORDS", "ask of these daemons alone", COR_WORD_LIST(daemon, NULL),
             .words = daemon_word},
            {"count", 0, "N", "ask of systems of so many processes alone",
             COR_INTEGER(count, 1, COR_RULES_PROCESSES_MAX, 0)},
            {"fair", 0, "WORD", "ask so much of the daemon", COR_WORD(fairness, fairness_word, 0, 0)},
            {"states", 0, "N", "visit at most so many states; more are undecided",
             COR_INTEGER(states, 1, COR_SPACE_STATES_MAX, 0), .otherwise = "20000000, or as the file says"},
            {"tell", 0, NULL, "tell the loop, or the longest way back, a line a step", COR_FLAG(tell)},
            {"svg", 0, "FILE", "draw it: a row a step, a column a process", COR_TEXT(svg)},
            COR_FORCE_OPTION(force),
            COR_SHEET_OPTIONS(sheets, "print the verdicts as CSV"),
            COR_ISOLATE_OPTION(options.isolation),
        },
    .examples = {"corridor stabilize ring.json # three daemons, each with its worst state or its loop",
                 "corridor stabilize ring.json --arm few --daemon distributed --tell",
                 "corridor stabilize ring.json --arm few --daemon distributed --svg loop.svg",
                 "corridor stabilize ring.json --fair weak --json"},
    .run = run_stabilize,
};
