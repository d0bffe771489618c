/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one sentence above a table that says what to see in it, made of the same cells. */
#include "page.h"
#include "page_html.h"

#include <math.h>
#include <string.h>

/* What is made of the rows. {n} stands for the names of those with the extreme value {v}, with {is} and {its}
 * for one or several of them; {k} for a part of {m}. */
enum form {
    MOST,  /* the largest value, if it is above 0 */
    LEAST, /* the smallest value */
    TOTAL, /* the same as MOST, of the sums over rows of one name */
    WORD,  /* k of m rows have `word` in column `value` */
    ABOVE, /* k of m rows have a number above 0 there, or a flag that is set */
    BELOW, /* k of m rows have one below 0.05 */
    SUMS,  /* sums of two columns: `name` of `value` */
    ROWS   /* k rows */
};

struct rule {
    enum report__shown_view view;
    const char *sheet;
    enum form form;
    const char *name, *value, *word; /* columns; NULL = none is needed */
    const char *of;                  /* column of what is named beside `name`; NULL = nothing */
    const char *where, *is;          /* only rows with that word in that column; NULL = all */
    const char *text, *same, *none; /* same: all have the same value, k is m; none: there is no value, k is 0;
                                       NULL = text serves */
};

static const struct rule rules[] = {
    {REPORT__OF_tables, "found", MOST, "arm", "sequences_detected_pct", .where = "verdict", .is = "found",
     .text = "{n} {is} found most often: {v} % of {its} sequences.",
     .same = "All that are found are found equally often: {v} % of their sequences.",
     .none = "No injected fault is found."},
    {REPORT__OF_tables, "checks", ABOVE, NULL, "alarms_missed",
     .text = "Alarms are missed in {k} of {m} arms.", .none = "No alarm is missed."},
    {REPORT__OF_tables, "claim_parts", WORD, NULL, "verdict", "holds", .text = "{k} of {m} parts hold."},
    {REPORT__OF_tables, "agreement", SUMS, "inside", "compared",
     .text = "{k} of {m} published figures lie in our intervals."},
    {REPORT__OF_tables, "identities", WORD, NULL, "state", "holds",
     .text = "{k} of {m} hold; the others are broken, or there was nothing to check.",
     .same = "All {m} hold."},
    {REPORT__OF_tables, "failures", MOST, "class", "cases", .of = "arm",
     .text = "Most frequent: {n}, {v} test cases.", .same = "Each class has {v} test cases."},
    {REPORT__OF_survival, "kills", TOTAL, "oracle", "sequences",
     .text = "Violated in most sequences: {n}, in {v} of all arms together.",
     .same = "Each was violated in {v} sequences of all arms together."},
    {REPORT__OF_survival, "arms", LEAST, "arm", "restricted_mean",
     .text = "{n} {is} detected soonest: after {v} cases on average, cut at the horizon.",
     .same = "All arms: {v} cases on average, cut at the horizon.", .none = "No mean is known."},
    {REPORT__OF_survival, "points", LEAST, "arm", "undetected_10",
     .text = "Most is detected in {n}: after 10 cases a share of {v} of {its} sequences is left.",
     .same = "After 10 cases a share of {v} of the sequences of each arm is left.",
     .none = "No share is known after 10 cases."},
    {REPORT__OF_survival, "failures", MOST, "arm", "masked_pct",
     .text = "{n} {is} masked most: no box saw {v} % of {its} activated failures.",
     .same = "No box saw {v} % of the activated failures of each arm.",
     .none = "No activated failure was masked."},
    {REPORT__OF_survival, "log_rank", BELOW, NULL, "p", .text = "They do: p is below 0.05.",
     .none = "No difference is shown: p is not below 0.05."},
    {REPORT__OF_survival, "log_rank_pairs", BELOW, NULL, "p_holm",
     .text = "{k} of {m} pairs differ: p is below 0.05.", .none = "Of {m} pairs none is shown to differ."},
    {REPORT__OF_coverage, "environments", LEAST, "environment", "transitions_pct",
     .text = "{n} {is} covered least: {v} % of {its} transitions.",
     .same = "Each environment is covered alike: {v} % of its transitions.", .none = "No coverage is known."},
    {REPORT__OF_coverage, "covered", LEAST, "measure", "chain_pct",
     .text = "A chain alone sees least of: {n}, {v} %.", .same = "A chain alone sees {v} % of each.",
     .none = "No coverage is known."},
    {REPORT__OF_coverage, "arms", LEAST, "arm", "transitions_pct",
     .text = "Least is covered in {n}: {v} % of the transitions.",
     .same = "Each arm covers {v} % of the transitions.", .none = "No coverage is known."},
    {REPORT__OF_coverage, "missed", ROWS, .text = "{k} transitions were to be expected and never taken.",
     .none = "Nothing that was to be expected is missing."},
    {REPORT__OF_mechanisms, "masking", ABOVE, NULL, "masked",
     .text = "In {k} of {m} arms a failure that is seen isolated is not seen integrated.",
     .none = "No failure that is seen isolated is missed integrated."},
    {REPORT__OF_traps, "arms", MOST, "arm", "covered",
     .text = "Most traps are covered by {n}: {v} by a sequence on average.",
     .same = "Each arm covers {v} traps by a sequence on average.", .none = "No trap is covered."},
    {REPORT__OF_traps, "traps", ABOVE, NULL, "covered", .text = "{k} of {m} traps of arms are covered."},
    {REPORT__OF_traps, "growth", MOST, "arm", "covered",
     .text = "Most traps in the end: {n}, {v} on average.", .same = "{v} traps on average, everywhere.",
     .none = "No trap is covered."},
    {REPORT__OF_ranking, "ranking", SUMS, "suites_failing", "suites",
     .text = "{k} of {m} suites have a reorganization that failed."},
    {REPORT__OF_ranking, "causes", MOST, "condition", "ochiai",
     .text = "Goes with failing most: {n}; Ochiai {v}.", .none = "Nothing goes with failing."},
    {REPORT__OF_ranking, "symptoms", MOST, "condition", "ochiai",
     .text = "Goes with failing most: {n}; Ochiai {v}.", .none = "Nothing goes with failing."},
    COR_WITH_AGENT(
        {REPORT__OF_findings, "arms", MOST, "arm", "findings", .text = "Most findings: {n}, {v}.",
         .same = "{v} findings in each.", .none = "Nothing was found."},
        {REPORT__OF_findings, "operators", SUMS, "killed", "mutants", .of = "operator",
         .text = "{k} of {m} mutants are killed."},
        {REPORT__OF_findings, "killers", MOST, "check", "mutants",
         .text = "Most mutants are killed by {n}: {v}.", .none = "No mutant is killed."},
        {REPORT__OF_findings, "mutants", ROWS, "outcome", .text = "{k} mutants are {n}."},
        {REPORT__OF_findings, "findings", WORD, NULL, "cause", "root",
         .text = "{k} of {m} are roots, the others consequences.",
         .same = "{m} findings, all of them roots."},
        {REPORT__OF_findings, "units", WORD, NULL, "outcome", "silent",
         .text = "Nothing was found in {k} of {m} units."},
        {REPORT__OF_findings, "adequacy", SUMS, "reached", "total", .text = "{k} of {m} were reached."},
        {REPORT__OF_findings, "not_run", ROWS, .text = "{k} plans and events are reached by no entry."}, )
        COR_WITH_EFSM(
            {REPORT__OF_tests, "arms", ABOVE, NULL, "fail", .text = "{k} of {m} have a test that fails."},
            {REPORT__OF_tests, "tests", WORD, NULL, "verdict", "pass", .text = "{k} of {m} tests pass."},
            {REPORT__OF_tests, "kills", WORD, NULL, "state", "alive",
             .text = "In {k} of {m} rows the mutant stays alive: no test failed."},
            {REPORT__OF_tests, "traps", ABOVE, NULL, "covered",
             .text = "{k} of {m} traps of arms are covered."},
            {REPORT__OF_tests, "transitions", ABOVE, NULL, "moves",
             .text = "{k} of {m} transitions of arms were taken."},
            {REPORT__OF_tests, "moves", ABOVE, NULL, "allowed",
             .text = "The model allows {k} of {m} moves."}, )
            COR_WITH_SYSTEM(
                {REPORT__OF_goals, "arms", ABOVE, NULL, "fail", .text = "{k} of {m} have a test that fails."},
                {REPORT__OF_goals, "tests", WORD, NULL, "verdict", "pass", .text = "{k} of {m} tests pass."},
                {REPORT__OF_goals, "agents", WORD, NULL, "end", "success",
                 .text = "{k} of {m} reached their goal."},
                {REPORT__OF_goals, "kills", WORD, NULL, "state", "alive",
                 .text = "In {k} of {m} rows the mutant stays alive: no test failed."},
                {REPORT__OF_goals, "goals", ABOVE, NULL, "failed", .text = "{k} of {m} failed at least once.",
                 .none = "None of {m} failed."},
                {REPORT__OF_goals, "verdicts", ABOVE, NULL, "failed", .text = "{k} of {m} are violated.",
                 .none = "None of {m} is violated."},
                {REPORT__OF_goals, "judged", WORD, NULL, "verdict", "failed",
                 .text = "{k} of {m} are violated."},
                {REPORT__OF_goals, "reached", WORD, NULL, "end", "success",
                 .text = "{k} of {m} were reached."},
                {REPORT__OF_goals, "trace", ROWS, .text = "{k} turns."},
                {REPORT__OF_places, "arms", LEAST, "arm", "visited_pct",
                 .text = "{n} {is} visited least: {v} % of {its} free cells that were seen.",
                 .same = "Each arm: {v} % of the free cells that were seen.", .none = "No cells were seen."},
                {REPORT__OF_places, "entities", ABOVE, NULL, "touched", .text = "{k} of {m} were touched."},
                {REPORT__OF_places, "steps", ROWS, .text = "{k} steps between named states."},
                {REPORT__OF_places, "covered", ROWS, .text = "{k} numbers."}, ){
                REPORT__OF_searches, "shares", MOST, "generator", "found",
                .text = "{n} {is} successful most often: {v} of {its} repetitions found something.",
                .same = "Of each generator {v} repetitions found something.",
                .none = "No repetition found anything."},
    {REPORT__OF_searches, "pairs", BELOW, NULL, "p_holm", .text = "{k} of {m} pairs differ: p is below 0.05.",
     .none = "Of {m} pairs none is shown to differ."},
    {REPORT__OF_searches, "findings", LEAST, "class", "first", .text = "Found first: {n}, after {v} cases."},
    {REPORT__OF_searches, "regions", BELOW, NULL, "chance",
     .text = "{k} of {m} regions are better than the law, by more than chance.",
     .none = "Of {m} regions none is shown to be better than the law."},
    {REPORT__OF_searches, "islands", MOST, "arm", "classes", .text = "Most classes of failures: {n}, {v}.",
     .same = "Each search found {v} classes of failures.", .none = "No search found anything."},
    {REPORT__OF_estimate, "probabilities", MOST, "of", "probability", .where = "of", .is = "sequence",
     .text = "A {n} fails with probability {v}.", .none = "No probability above 0 is known."},
    {REPORT__OF_estimate, "estimate", MOST, "method", "cases", .text = "Method {n}: {v} test cases."},
    {REPORT__OF_estimate, "stages", SUMS, "reached", "started",
     .text = "{k} of {m} trajectories came to their level."},
};

/* What is said in place of the words in braces. */
struct said {
    const struct rule *rule;
    const struct cor_sheet *sheet;
    size_t rows;    /* that are shown */
    double extreme; /* NAN = there is none */
    uint64_t part, whole;
};

/* A row counts unless it is of another word, or of all names together. */
static bool is_looked_at(const struct said *said, size_t row) {
    const struct rule *rule = said->rule;
    const char *name = rule->form <= TOTAL ? report__sheet_word(said->sheet, row, rule->name) : "",
               *of = rule->of ? report__sheet_word(said->sheet, row, rule->of) : "";
    return (!rule->where || strcmp(report__sheet_word(said->sheet, row, rule->where), rule->is) == 0) &&
           strcmp(name, "all") != 0 && strcmp(of, "all") != 0;
}

static double value_of(const struct said *said, size_t row) {
    const struct rule *rule = said->rule;
    const struct cor_sheet *sheet = said->sheet;
    double value = NAN;
    if (!is_looked_at(said, row))
        return NAN;
    if (rule->form != TOTAL)
        return report__sheet_real(sheet, row, rule->value);
    value = 0;
    for (size_t other = 0; other < said->rows; other++)
        if (strcmp(report__sheet_word(sheet, other, rule->name),
                   report__sheet_word(sheet, row, rule->name)) == 0)
            value += report__sheet_real(sheet, other, rule->value);
    return value;
}

/* Of the rows with the extreme value the first of each name. */
static bool is_extreme(const struct said *said, size_t row) {
    const char *name = report__sheet_word(said->sheet, row, said->rule->name);
    if (!(value_of(said, row) == said->extreme))
        return false;
    for (size_t before = 0; before < row; before++)
        if (strcmp(report__sheet_word(said->sheet, before, said->rule->name), name) == 0 &&
            (!said->rule->of || strcmp(report__sheet_word(said->sheet, before, said->rule->of),
                                       report__sheet_word(said->sheet, row, said->rule->of)) == 0) &&
            value_of(said, before) == said->extreme)
            return false;
    return true;
}

/* "A", "A and B", "A and 3 others"; returns how many there are. */
static size_t put_names(const struct said *said, FILE *file) {
    if (said->rule->form == ROWS) { /* of one group */
        cor_html_short(file, report__sheet_word(said->sheet, 0, said->rule->name), 160);
        return 1;
    }
    size_t count = 0, size = said->rows, second = size;
    for (size_t row = 0; row < size; row++) {
        if (!is_extreme(said, row))
            continue;
        count++;
        second = count == 2 ? row : second;
    }
    size_t put = 0;
    for (size_t row = 0; file && row < size && put < (count == 2 ? 2 : 1); row++) {
        if (!is_extreme(said, row))
            continue;
        fputs(put++ > 0 ? " and " : "", file);
        cor_html_short(file, report__sheet_word(said->sheet, row, said->rule->name), 160);
        if (said->rule->of) {
            fputs(" of ", file);
            cor_html_short(file, report__sheet_word(said->sheet, row, said->rule->of), 48);
        }
    }
    if (file && count > 2)
        fprintf(file, " and %zu others", count - 1);
    return count;
}

static void put_said(const struct said *said, const char *text, FILE *file) {
    char number[COR_CELL];
    for (; *text; text++) {
        if (*text != '{') {
            fputc(*text, file);
            continue;
        }
        if (strncmp(text, "{n}", 3) == 0)
            put_names(said, file);
        else if (strncmp(text, "{is}", 4) == 0)
            fputs(put_names(said, NULL) == 1 ? "is" : "are", file);
        else if (strncmp(text, "{its}", 5) == 0)
            fputs(put_names(said, NULL) == 1 ? "its" : "their", file);
        else if (strncmp(text, "{v}", 3) == 0) {
            cor_brief_text(said->extreme, number);
            fputs(number, file);
        } else
            report__html_count(file, text[1] == 'k' ? said->part : said->whole);
        text = strchr(text, '}');
    }
}

void report__page_insight(enum report__shown_view view, const struct cor_sheet *sheet, const char *tag,
                          FILE *file) {
    struct said said = {.sheet = sheet, .rows = sheet ? report__sheet_rows(sheet) : 0, .extreme = NAN};
    const char *id = sheet ? cor_sheet_definition(sheet)->id : "";
    for (size_t r = 0; r < sizeof rules / sizeof *rules && !said.rule; r++)
        if (rules[r].view == view && strcmp(rules[r].sheet, id) == 0)
            said.rule = &rules[r];
    if (!said.rule)
        return;
    if (said.rule->form <= TOTAL) {
        const double sign = said.rule->form == LEAST ? -1 : 1;
        for (size_t row = 0; row < said.rows; row++) {
            double value = value_of(&said, row);
            said.whole += isnan(value) ? 0 : 1;
            if (!isnan(value) && !(sign * value <= sign * said.extreme) && (sign < 0 || value > 0))
                said.extreme = value;
        }
        for (size_t row = 0; row < said.rows; row++)
            said.part += value_of(&said, row) == said.extreme;
    } else if (said.rule->form == SUMS) {
        for (size_t row = 0; row < said.rows; row++) {
            if (!is_looked_at(&said, row))
                continue;
            said.part += report__sheet_count(sheet, row, said.rule->name);
            said.whole += report__sheet_count(sheet, row, said.rule->value);
        }
    } else {
        const struct rule *rule = said.rule;
        for (size_t row = 0; row < said.rows; row++) {
            const struct cor_table_cell *cell =
                rule->value ? cor_sheet_cell(said.sheet, row, cor_sheet_column(said.sheet, rule->value))
                            : NULL;
            double value = !cell                         ? NAN
                           : cell->kind == COR_CELL_FLAG ? cell->flag
                           : rule->form == WORD          ? NAN
                                                         : report__sheet_real(said.sheet, row, rule->value);
            bool is_known = rule->form == WORD || rule->form == ROWS || !isnan(value);
            said.whole += is_known;
            said.part += rule->form == WORD
                             ? strcmp(report__sheet_word(said.sheet, row, rule->value), rule->word) == 0
                         : rule->form == ABOVE ? value > 0
                         : rule->form == BELOW ? value < 0.05
                                               : is_known;
        }
    }
    const bool is_alike = said.part == said.whole && (said.rule->form > TOTAL || said.whole > 1);
    const char *text = said.part == 0 && said.rule->none ? said.rule->none
                       : is_alike && said.rule->same     ? said.rule->same
                                                         : said.rule->text;
    /* Where nothing can be compared nothing is said. */
    if ((said.part == 0 && said.rule->form <= TOTAL && !said.rule->none) ||
        (said.whole == 0 && said.rule->form != ROWS && said.rule->form > TOTAL))
        return;
    fprintf(file, "<%s class=insight data-of=%s>", tag, id);
    put_said(&said, text, file);
    fprintf(file, "</%s>\n", tag);
}
