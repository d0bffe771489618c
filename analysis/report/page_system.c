/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a result file of the system layer: tests of running systems, and of mutants of them. */
#include "page.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/system_schema.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PICTURES_MAX 3            /* of the last turns of the test that is shown */
#define PICTURE_BYTES_MAX 4000000 /* of one that is shown */

static enum cor_status read_views(struct cor_report *report, struct cor_error *error) {
    const struct cor_view_request all = {
        .result = report->result, .level = report->options.level, .suite = COR_ANY_SUITE};
    COR_TRY(report__look(report, "goals", &all, &report->view[REPORT__OF_goals], error));
    return report__look(report, "places", &all, &report->view[REPORT__OF_places], error);
}

static void put_facts(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *arms = report__sheet_of(report, "arms");
    fputs("<dl class=facts>", file);
    report__page_fact(file, "arms", report->arm_count);
    report__page_fact(file, "tests", report__sheet_sum(arms, "tests"));
    report__page_fact(file, "pass", report__sheet_sum(arms, "pass"));
    report__page_fact(file, "fail", report__sheet_sum(arms, "fail"));
    report__page_fact(file, "no verdict", report__sheet_sum(arms, "no_verdict"));
    report__page_fact(file, "trouble", report__sheet_sum(arms, "trouble"));
    report__tests_facts_end(report, file);
}

static const struct report__tests_words words = {
    .view_name = "goals",
    .fails = "a goal failed or a judge found a violation",
    .system = "world",
    .chooser = "chooser",
    .unit = "cycles",
    .until = "to the verdict",
    .spent = "spent",
    .legend =
        "Tests that failed and pass without the mutant, of those that were made; stronger colour: a larger "
        "share. alive: it survived, as tests were carried out and none killed it; no verdict: the world was "
        "in trouble in every test; equivalent: proven to do what the system does."};

static void put_maps(const struct cor_report *report, FILE *file) {
    char name[REPORT__FIGURE_NAME];
    fputs("<div class=multiples>\n", file);
    for (size_t i = 0; i < report->figures.count; i++) {
        report__figure_name(name, "places", i);
        report__figure_html(&report->figures, file, name,
                            i < report->figures.count ? report->figures.figure[i].title : "");
    }
    fputs("</div>\n", file);
    if (report->figures.count == REPORT__FLOORS_MAX)
        fprintf(file,
                "<p class=legend>The first %d floors are drawn; <code>corridor show FILE places --arm "
                "NAME</code> draws those of an arm.</p>\n",
                REPORT__FLOORS_MAX);
}

/* A file beside the result, whole; NULL, with 0 bytes: there is none of that name that may be shown. */
static unsigned char *picture_beside(const char *result, const char *name, size_t *bytes) {
    const char *slash = strrchr(result, '/');
    unsigned char *picture = NULL;
    struct stat found;
    *bytes = 0;
    if (name[0] == '.' || strchr(name, '/'))
        return NULL;
    char *path = cor_format("%.*s%s", slash ? (int)(slash - result + 1) : 0, result, name);
    const int file = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    free(path);
    if (file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0 &&
        found.st_size <= PICTURE_BYTES_MAX)
        picture = cor_calloc((size_t)found.st_size, 1);
    while (picture && *bytes < (size_t)found.st_size) {
        const ssize_t part = read(file, picture + *bytes, (size_t)found.st_size - *bytes);
        if (part <= 0)
            break;
        *bytes += (size_t)part;
    }
    if (file >= 0)
        close(file);
    return picture;
}

/* What browsers call a picture of such bytes; NULL: no picture that is shown. */
static const char *picture_type(const unsigned char *picture, size_t bytes) {
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'},
                               jpeg[] = {0xff, 0xd8, 0xff};
    if (bytes > sizeof png && memcmp(picture, png, sizeof png) == 0)
        return "image/png";
    return bytes > sizeof jpeg && memcmp(picture, jpeg, sizeof jpeg) == 0 ? "image/jpeg" : NULL;
}

static void put_picture(const struct cor_report *report, const struct cor_sheet *turns, size_t row,
                        FILE *file) {
    const char *name = report__sheet_word(turns, row, "picture");
    const uint64_t cycle = report__sheet_count(turns, row, "cycle");
    size_t bytes = 0;
    unsigned char *picture = report->options.path ? picture_beside(report->options.path, name, &bytes) : NULL;
    const char *type = picture ? picture_type(picture, bytes) : NULL;
    if (type) {
        fprintf(file,
                "<figure><img alt=\"What the world showed behind cycle %" PRIu64 "\" src=\"data:%s;base64,",
                cycle, type);
        /* RFC 4648, section 4. */
        static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (size_t i = 0; i < bytes; i += 3) {
            const size_t left = bytes - i;
            const uint32_t word = (uint32_t)picture[i] << 16 |
                                  (left > 1 ? (uint32_t)picture[i + 1] << 8 : 0) |
                                  (left > 2 ? picture[i + 2] : 0);
            for (int l = 0; l < 4; l++)
                fputc((size_t)l > left ? '=' : letters[word >> (18 - 6 * l) & 63], file);
        }
        fprintf(file, "\"><figcaption>Behind cycle %" PRIu64 ": ", cycle);
        cor_html_short(file, name, 60);
        fputs("</figcaption></figure>\n", file);
    } else {
        fprintf(file, "<p>Behind cycle %" PRIu64 " the world sent the picture ", cycle);
        cor_html_short(file, name, 60);
        fputs("; no PNG or JPEG of that name lies beside the result file.</p>\n", file);
    }
    free(picture);
}

/* Pictures of the last turns, up to the one that fixed the verdict. */
static void put_pictures(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *turns = report__sheet_of(report, "ending");
    size_t first = cor_sheet_size(turns), left = PICTURES_MAX;
    for (size_t row = first; row-- > 0 && left > 0;)
        if (report__sheet_word(turns, row, "picture")[0]) {
            first = row;
            left--;
        }
    if (left == PICTURES_MAX)
        return;
    fputs("<div class=\"multiples large\">\n", file);
    for (size_t row = first; row < cor_sheet_size(turns); row++)
        if (report__sheet_word(turns, row, "picture")[0])
            put_picture(report, turns, row, file);
    fputs("</div>\n", file);
}

static const struct report__section sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .before = report__tests_headline,
     .sheet = {{REPORT__OF_goals, "scores", false}, {REPORT__OF_goals, "arms", false}}},
    {.id = "tests",
     .shorter = "Tests",
     .heading = "Tests and test agents",
     .sentence =
         "pass: all goals were reached, and no judge found a violation. What neither passed nor failed "
         "has no verdict.",
     .sheet = {{REPORT__OF_goals, "tests", false}, {REPORT__OF_goals, "agents", true}}},
    {.id = "mutants",
     .shorter = "Mutants",
     .heading = "Mutants, by what chose the actions",
     .needs = {"kills"},
     .before = report__tests_kills,
     .sheet = {{REPORT__OF_goals, "kills", true}}},
    {.id = "goals",
     .shorter = "Goals",
     .heading = "Goals, and what judges said",
     .needs = {"goals", "verdicts"},
     .sheet = {{REPORT__OF_goals, "goals", false}, {REPORT__OF_goals, "verdicts", false}}},
    {.id = "places",
     .shorter = "Places",
     .heading = "Where test agents were",
     .sentence = "Visits of cells of all tests of an arm; what is empty was never seen.",
     .needs = {"entities", "cells", "steps", "covered"},
     .before = put_maps,
     .sheet = {{REPORT__OF_places, "arms", false},
               {REPORT__OF_places, "entities", true},
               {REPORT__OF_places, "steps", true},
               {REPORT__OF_places, "covered", true}}},
    {.id = "trace",
     .shorter = "Trace",
     .heading = "One test, turn by turn",
     .sentence =
         "The first test that failed, else the first. Others: <code>corridor show FILE goals --arm NAME "
         "--suite N</code>; the test again: <code>corridor replay</code>.",
     .needs = {"trace"},
     .before = put_pictures,
     .sheet = {{REPORT__OF_goals, "judged", false},
               {REPORT__OF_goals, "ending", false},
               {REPORT__OF_goals, "reached", true},
               {REPORT__OF_goals, "trace", true}}},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = report__page_provenance},
};

static enum cor_status plot(struct cor_report *report, struct cor_error *error) {
    return report__plot_places(report, cor_sheets_find(report->view[REPORT__OF_places], "cells"), error);
}

const struct report__page_kind report__page_of_system = {.layer = &cor_system_schema,
                                                         .subject = "system",
                                                         .shown = REPORT__OF_goals,
                                                         .read = read_views,
                                                         .plot = plot,
                                                         .put_facts = put_facts,
                                                         .words = &words,
                                                         .sections = sections,
                                                         .section_count = sizeof sections / sizeof *sections};
