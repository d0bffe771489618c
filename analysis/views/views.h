/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views, one a file, and what they share. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_VIEWS_H
#define CORRIDOR_ANALYSIS_VIEWS_VIEWS_H

#include <corridor/arms.h>
#include <corridor/property.h>
#include <corridor/query.h>
#include <corridor/search_result.h>
#include <corridor/tables.h>
#include <corridor/view.h>

#define COR_VIEW_DECLARATION(name) extern const struct cor_view views__view_##name;
COR_VIEWS(COR_VIEW_DECLARATION)
COR_VIEW_DECLARATION(ranking)
COR_VIEW_DECLARATION(summary)
#undef COR_VIEW_DECLARATION

/* Sheets of the ranking, which the tree shows, too. */
extern const struct cor_sheet_definition views__causes, views__symptoms, views__ranking, views__scores;

/* The level of intervals that is asked for; 95 % if none is. */
static inline double views__view_level(const struct cor_view_request *request) {
    double level = request->level > 0 ? request->level : 0.95;
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    return level;
}

/* ---- listing views: questions in SQL and columns */

/* Of a layer: how its files are read, and what made('what', a, b) makes of numbers (query.h), given the
 * asking; NULL: nothing; and temporary tables and views that questions share, as statements of SQL; NULL:
 * none. */
struct views__source {
    enum cor_status (*init)(struct cor_result *result, struct cor_layer_tables *tables,
                            struct cor_error *error);
    cor_query_make *make;
    const char *const *statements;
};

/* The tables of a file that are asked, and with what: :arm and :suite where the request has them. */
struct views__asking {
    struct cor_layer_tables tables; /* owned */
    struct cor_query *query;        /* owned */
    struct cor_query_given given[8];
    double level; /* of intervals */
};

/* Reads the file. COR_STATUS_INPUT: as init; or the request names an arm that there is not. */
enum cor_status views__asking_init(const struct views__source *source, const struct cor_view_request *request,
                                   struct views__asking *asking, struct cor_error *error) COR_MUST_USE;

/* Idempotent. */
void views__asking_fini(struct views__asking *asking);

/* From here on a name of questions stands for the value, whose text is borrowed. */
void views__give(struct views__asking *asking, const char *name, struct cor_query_value value);

/* Fills a sheet with the answer to a question, its columns in their order: counts, reals, words, flags (0,
 * 1); of an estimate two columns, how many of how many. Where the question says {columns}, these are listed
 * as the sheet defines them: a new column is one line. A column called `tone` has that of the cell in front
 * of it: good, bad, faint, strong, NULL; one called `remark` what stands below the sheet, one called `title`
 * its title, where they are not NULL. */
#define VIEWS__COLUMNS "{columns}"
enum cor_status views__ask(const struct views__asking *asking, const char *text, struct cor_sheet *sheet,
                           struct cor_error *error) COR_MUST_USE;

/* That sequences of the arm are steered to traps, if there are such: no figure counts them. */
void views__remark_steered(const struct cor_arm_measurement *arm, struct cor_sheet *sheet);

/* Fills tables->claim from the figures, and the sheets about claims. */
enum cor_status views__judge_claims(struct cor_tables *tables, struct cor_error *error) COR_MUST_USE;
void views__put_claims(const struct cor_tables *tables, struct cor_sheets *sheets);
extern const struct cor_sheet_definition views__claims_sheet, views__claim_parts_sheet,
    views__agreement_sheet;

/* What led to reorganizations without a result, if there are any. */
enum cor_status views__put_smokes(struct cor_result *result, struct cor_sheets *sheets,
                                  struct cor_error *error) COR_MUST_USE;
extern const struct cor_sheet_definition views__smokes_sheet;

/* What tests of models and of running systems failed by; a question of failed(number, arm, suite, what, why)
 * fills it. */
extern const struct cor_sheet_definition views__failing_sheet;
#define VIEWS__FAILING                                                                                 \
    "select arm, what, count(*), arm || '/' || suite, why from (select * from failed order by number)" \
    " where :arm is null or arm = :arm group by arm, what having min(number) >= 0 order by min(number)"

/* Of arms whose mail goes by pct, what is promised and what came, if there are any. */
enum cor_status views__put_schedules(struct cor_result *result, struct cor_sheets *sheets,
                                     struct cor_error *error) COR_MUST_USE;
extern const struct cor_sheet_definition views__schedules_sheet;

/* A name within a string of the language of Graphviz; and as one. Colours as in the drawing of a tree: the
 * page has others for these where it is dark. */
void views__put_dot_text(const char *text, FILE *file);
void views__put_dot_name(const char *text, FILE *file);
#define VIEWS__DOT_PASSED "#bfe3bf"
#define VIEWS__DOT_FAILED "#f4b6b0"
#define VIEWS__DOT_MIXED "#fbe6a2"

/* Of a layer whose rows of sequences become cases (cor_ending_source): the tables that are asked, and the
 * rows of a suite in them; false: it is not there. */
struct cor_layer_tables;
enum cor_status views__asked_tables(struct cor_result *result, struct cor_layer_tables *tables,
                                    struct cor_error *error) COR_MUST_USE;
bool views__asked_rows(const struct cor_layer_tables *tables, uint16_t arm, uint32_t number,
                       struct cor_asked_rows suite[COR_ASKED_COUNT]);

/* All sheets of the tables, in the order in which a reader sees them. */
void views__put_tables(const struct cor_tables *tables, struct cor_sheets *sheets);

/* ---- what the sheets of searches share */

extern const struct cor_sheet_definition views__search_shares, views__search_pairs, views__search_curves;

/* The name of an arm of searches by its code. */
static inline const char *views__search_arm_name(const struct cor_layer_tables *search, uint16_t arm) {
    return cor_arm_entry(search->head, cor_arm_of_code(search->head, arm))->name;
}

/* A search that knows nothing of the others. */
struct views__repetition {
    const char *name, *target; /* of the search, of what was searched; borrowed */
    uint16_t target_code, arm;
    uint64_t first, cases; /* cases up to the first failure, 0: none; in all */
    uint64_t classes;
};

/* Searches beside each other, by arm: how many found something, after how many cases, curves, and each
 * against each on the same target. Those of an arm stand together. */
enum cor_status views__compare_repetitions(const struct views__repetition *repetitions, size_t count,
                                           double level, struct cor_sheets *sheets,
                                           struct cor_error *error) COR_MUST_USE;

/* ---- the figures that paper 003 prints in its Tables 1 and 2 */

/* Lines of data/isoteso_table1.csv and data/isoteso_table2.csv, NULL-terminated; made at build time. */
extern const char *const views__paper_table1[], *const views__paper_table2[];

/* The published mean and standard deviation of a metric in a column; NaN where the paper gives none.
 * `fault_id` is a column such as "PSOPP-F1". False if the paper has no such cell. */
bool views__paper_figure(const char *metric, const char *fault_id, double *mean, double *sd);

/* A figure that the paper does not print, from others of that column that it prints; false if there is none.
 */
bool views__paper_derive(const char *metric, const char *fault_id, double *mean);

/* Whether the paper has a column of that name. */
bool views__paper_has(const char *fault_id);

/* Why a published figure cannot be right, or is read otherwise than its row says; NULL = no reason known. */
const char *views__paper_note(const char *metric, const char *fault_id);

#endif
