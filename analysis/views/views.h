/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views, one a file, and what they share. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_VIEWS_H
#define CORRIDOR_ANALYSIS_VIEWS_VIEWS_H

#include <corridor/property.h>
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

/* Of arms whose mail goes by pct, what is promised and what came, if there are any. */
enum cor_status views__put_schedules(struct cor_result *result, struct cor_sheets *sheets,
                                     struct cor_error *error) COR_MUST_USE;
extern const struct cor_sheet_definition views__schedules_sheet;

/* The words of a row of smokes, up to size - 1 bytes of them, ended by '\0'. COR_STATUS_INPUT if the file
 * does not have them. */
enum cor_status views__smoke_words(struct cor_result *result, const struct cor_smoke_row *row, char *words,
                                   size_t size, struct cor_error *error) COR_MUST_USE;

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

#endif
