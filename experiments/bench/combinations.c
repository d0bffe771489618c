/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Covering arrays: rows and seconds, with default settings, the checker's look included. */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/combine.h>

#include <stdio.h>
#include <string.h>

#define VALUES_MAX 1024

/* A model under construction: parameters p0, p1, .. with the values 0, 1, .. */
struct model {
    struct cor_words words;
    struct cor_combine_model *model;
    uint32_t parameter_count, value_count;
    uint32_t owner[VALUES_MAX], level[VALUES_MAX]; /* of each value, numbered through */
};

static void begin_model(struct model *m) {
    struct cor_error error = COR_NO_ERROR;
    *m = (struct model){0};
    cor_words_init(&m->words);
    bench_must(cor_combine_model_create(&m->words, &m->model, &error), &error);
}

static void end(struct model *m) {
    cor_combine_model_destroy(m->model);
    cor_words_fini(&m->words);
}

/* "3^4 2^2" */
static void add_parameters(struct model *m, const char *levels) {
    unsigned count, times;
    int used;
    for (; sscanf(levels, "%u^%u%n", &count, &times, &used) == 2; levels += used)
        for (unsigned i = 0; i < times; i++) {
            struct cor_combine_level of[16];
            struct cor_error error = COR_NO_ERROR;
            char name[16], texts[16][12];
            COR_ASSERT(count <= 16 && m->value_count + count <= VALUES_MAX);
            for (uint32_t p = 0; p < count; p++) {
                snprintf(texts[p], sizeof texts[p], "%u", p);
                of[p] = (struct cor_combine_level){.text = texts[p], .value = cor_integer(p)};
                m->owner[m->value_count] = m->parameter_count;
                m->level[m->value_count++] = p;
            }
            snprintf(name, sizeof name, "p%u", m->parameter_count++);
            bench_must(
                cor_combine_add_parameter(m->model, name, COR_VALUE_TYPE_INTEGER, of, count, NULL, &error),
                &error);
        }
}

static void constrain(struct model *m, const char *text) {
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_combine_add_constraint(m->model, text, NULL, &error), &error);
}

/* Rows for pairs, judged; and the seconds it took. */
static double pairs(const struct model *m, double *seconds) {
    struct cor_combine_request request = cor_default_combine_request();
    struct cor_combine_array array;
    struct cor_combine_judgement judgement;
    struct cor_error error = COR_NO_ERROR;
    double begun = bench_user_seconds();
    bench_must(cor_combine_generate(m->model, &request, &array, &error), &error);
    bench_must(cor_combine_check(m->model, &request, array.levels, array.row_count, &judgement, &error),
               &error);
    *seconds = bench_user_seconds() - begun;
    COR_ASSERT(judgement.missing == 0 && judgement.bad_row_count == 0);
    double rows = (double)array.row_count;
    cor_combine_array_fini(&array);
    return rows;
}

static void put_sizes(const char *const *levels, const char *const *pict, struct bench_figure *figures) {
    for (size_t i = 0; levels[i]; i++) {
        double seconds;
        struct model m;
        begin_model(&m);
        add_parameters(&m, levels[i]);
        double rows = pairs(&m, &seconds);
        end(&m);
        figures[i].value = rows;
        snprintf(figures[i].note, sizeof figures[i].note, "%.2f s; PICT %s", seconds, pict[i]);
    }
}

void bench_combine_small(const struct bench_places *places, struct bench_figure *figures) {
    static const char *const levels[] = {"3^4", "3^13", "2^100", NULL}, *const pict[] = {"12", "19", "16"};
    (void)places;
    put_sizes(levels, pict, figures);
}

void bench_combine_large(const struct bench_places *places, struct bench_figure *figures) {
    static const char *const levels[] = {"4^15 3^17 2^29", "4^1 3^39 2^35", "10^20", NULL}, *const pict[] = {
                                                                                                "38", "28",
                                                                                                "213"};
    (void)places;
    put_sizes(levels, pict, figures);
}

void bench_combine_constrained(const struct bench_places *places, struct bench_figure *figures) {
    char path[4096], line[8192], name[32];
    unsigned pict, jenny, prototype, best, named = 0, fewer = 0, models = 0;
    double rows = 0, slowest = 0, as_best = 0;
    snprintf(path, sizeof path, "%s/experiments/engines/combine/tests/casa_models.txt", places->source);
    FILE *file = fopen(path, "r");
    if (!file)
        bench_fail(path);
    while (fgets(line, sizeof line, file)) {
        struct model m;
        double seconds;
        if (line[0] == '#' || sscanf(line, "%31s %u %u %u %u", name, &pict, &jenny, &prototype, &best) != 5)
            continue;
        begin_model(&m);
        if (!fgets(line, sizeof line, file))
            bench_fail(path);
        add_parameters(&m, line);
        if (!fgets(line, sizeof line, file))
            bench_fail(path);
        /* "3 85, 3 86": values that do not go together. */
        for (char *next, *at = line; at; at = next) {
            char text[400] = "not (";
            uint32_t value;
            int used;
            bool first = true;
            next = strchr(at, ',');
            if (next)
                *next++ = '\0';
            for (; sscanf(at, "%u%n", &value, &used) == 1; at += used, first = false) {
                size_t written = strlen(text);
                snprintf(text + written, sizeof text - written, "%sp%u = %u", first ? "" : " and ",
                         m.owner[value], m.level[value]);
            }
            strcat(text, ")");
            constrain(&m, text);
        }
        double found = pairs(&m, &seconds);
        rows += found;
        slowest = seconds > slowest ? seconds : slowest;
        as_best += found <= best;
        fewer += found <= prototype && found <= pict && found <= jenny;
        named += prototype;
        models++;
        end(&m);
    }
    fclose(file);
    figures[0].value = rows;
    snprintf(figures[0].note, sizeof figures[0].note,
             "%u of %u models take no more rows than PICT, jenny and the prototype (in sum %u)", fewer,
             models, named);
    figures[1].value = as_best;
    figures[2].value = slowest;
}

/* Ten parameters of 7 values, the first of which stands for "does not apply", behind one switch. */
void bench_combine_switch(const struct bench_places *places, struct bench_figure *figures) {
    struct model m;
    char off[400] = "p0 = 0 implies p1 = 0", on[400] = "p0 = 1 implies p1 > 0";
    (void)places;
    begin_model(&m);
    add_parameters(&m, "2^1 7^10");
    for (unsigned i = 2; i <= 10; i++) {
        size_t written = strlen(off);
        snprintf(off + written, sizeof off - written, " and p%u = 0", i);
        snprintf(on + strlen(on), sizeof on - strlen(on), " and p%u > 0", i);
    }
    constrain(&m, off);
    constrain(&m, on);
    double rows = pairs(&m, &figures[0].value);
    snprintf(figures[0].note, sizeof figures[0].note, "%.0f rows; PICT: no answer in 120 s", rows);
    end(&m);
}
