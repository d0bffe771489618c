/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawn_parameters.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 4096 /* values of a parameter, for its median: a power of two */

/* Columns of table suites that are part of a configuration and no parameter. */
#define SUITE_COLUMNS(X) X(groups) X(chains) X(sequences) X(threshold)
enum suite_column {
#define COLUMN(name) COLUMN_##name,
    SUITE_COLUMNS(COLUMN)
#undef COLUMN
        COLUMN_COUNT
};
static const char *const suite_columns[] = {
#define COLUMN(name) #name,
    SUITE_COLUMNS(COLUMN)
#undef COLUMN
        NULL,
};

/* A parameter while values are added. */
struct parameter {
    struct cor_parameter_coverage shown;
    double *kept; /* owned; every `stride`-th value */
    size_t kept_count;
    uint64_t stride;
    int32_t main; /* number among the main ones, -1 = none */
    double value; /* in the present suite; NaN if it has none */
    bool given;   /* it has one */
};

/* The parameters of an arm. */
struct space {
    struct parameter *parameter; /* owned */
    size_t count;                /* suite columns, then the catalog */
    uint32_t main_count;
    uint32_t drawn[COR_COVERAGE_MAIN_MAX][COR_COVERAGE_MAIN_MAX]; /* a bit a cell */
};

static enum cor_status space_init(struct space *space, const struct cor_result_header *head,
                                  struct cor_error *error) {
    size_t listed = head->catalog_size[COR_CATALOG_PARAMETER];
    space->count = COLUMN_COUNT + listed;
    space->parameter = cor_calloc(space->count, sizeof *space->parameter);
    if (!space->parameter)
        return cor_fail_memory(error);
    for (size_t i = 0; i < space->count; i++) {
        struct parameter *parameter = &space->parameter[i];
        bool of_suite = i < COLUMN_COUNT;
        const struct cor_catalog_entry *entry =
            of_suite ? NULL : &head->catalog[COR_CATALOG_PARAMETER][i - COLUMN_COUNT];
        parameter->stride = 1;
        parameter->main = -1;
        parameter->value = NAN;
        parameter->shown = (struct cor_parameter_coverage){.name = of_suite ? suite_columns[i] : entry->name,
                                                           .of_suite = of_suite,
                                                           .code = of_suite ? 0 : entry->code,
                                                           .whole = true,
                                                           .min = NAN,
                                                           .median = NAN,
                                                           .max = NAN};
    }
    return COR_OK;
}

static void space_fini(struct space *space) {
    for (size_t i = 0; i < space->count && space->parameter; i++)
        free(space->parameter[i].kept);
    free(space->parameter);
}

static void put(struct parameter *parameter, double value) {
    parameter->value = value;
    parameter->given = true;
}

/* Equal parts of the range seen; one a whole number if there are fewer. */
static uint32_t parts(const struct cor_parameter_coverage *shown, uint32_t most) {
    double range = shown->max - shown->min;
    if (shown->n == 0)
        return 0;
    return shown->whole && range < most ? (uint32_t)range + 1 : range > 0 ? most : 1;
}

static void end_ranges(struct space *space) {
    for (size_t i = 0; i < space->count; i++) {
        struct parameter *parameter = &space->parameter[i];
        struct cor_parameter_coverage *shown = &parameter->shown;
        /* NaN if nothing was kept, which is given back. */
        size_t n = parameter->kept_count;
        double median = NAN;
        if (n > 0) {
            cor_sort(parameter->kept, n);
            median = parameter->kept[n / 2];
            if (n % 2 == 0)
                median = median / 2 + parameter->kept[n / 2 - 1] / 2;
        }
        free(parameter->kept);
        parameter->kept = NULL;
        shown->median = median;
        shown->bins = parts(shown, COR_COVERAGE_BINS);
        shown->grid = parts(shown, COR_COVERAGE_GRID);
        shown->main = shown->bins > 1 && space->main_count < COR_COVERAGE_MAIN_MAX;
        if (shown->main)
            parameter->main = (int32_t)space->main_count++;
    }
}

static uint32_t place(const struct cor_parameter_coverage *shown, double value, uint32_t count) {
    bool each = shown->whole && shown->max - shown->min < count;
    /* Halves, as the difference of two finite numbers need not be finite. */
    double part =
        each ? value - shown->min : (value / 2 - shown->min / 2) / (shown->max / 2 - shown->min / 2) * count;
    return part >= count ? count - 1 : part > 0 ? (uint32_t)part : 0;
}

/* The parameters that take part in pairs. */
static void list_main(const struct space *space, const struct parameter *main[COR_COVERAGE_MAIN_MAX]) {
    for (size_t i = 0; i < space->count; i++)
        if (space->parameter[i].main >= 0)
            main[space->parameter[i].main] = &space->parameter[i];
}

/* Hands the parameters that the arm has over to it. */
static enum cor_status give(struct space *space, struct cor_arm_coverage *arm, struct cor_error *error) {
    const struct parameter *main[COR_COVERAGE_MAIN_MAX];
    arm->parameter = cor_calloc(space->count, sizeof *arm->parameter);
    COR_TRY(cor_made(arm->parameter, error));
    list_main(space, main);
    for (size_t i = 0; i < space->count; i++) {
        const struct cor_parameter_coverage *shown = &space->parameter[i].shown;
        if (shown->n + shown->undefined > 0)
            arm->parameter[arm->parameter_count++] = *shown;
    }
    for (uint32_t a = 0; a < space->main_count; a++)
        for (uint32_t b = a + 1; b < space->main_count; b++) {
            arm->parameter_pairs++;
            arm->cells += (uint64_t)main[a]->shown.grid * main[b]->shown.grid;
            uint32_t word = space->drawn[a][b];
            uint32_t count = 0;
            for (; word; word &= word - 1)
                count++;
            arm->cells_drawn += count;
        }
    return COR_OK;
}

/* The number of a parameter by its code, `count` if the catalog lacks it. */
static size_t index_of(const struct space *space, uint16_t code) {
    size_t i = COLUMN_COUNT;
    while (i < space->count && space->parameter[i].shown.code != code)
        i++;
    return i;
}

/* The values of a suite. */
static void take(struct space *space, const struct cor_suite_rows *suite) {
    const struct cor_parameter_row *row = suite->table[COR_TABLE_PARAMETERS].row;
    for (size_t i = 0; i < space->count; i++) {
        space->parameter[i].value = NAN;
        space->parameter[i].given = false;
    }
#define COLUMN(name) put(&space->parameter[COLUMN_##name], (double)suite->row.name);
    SUITE_COLUMNS(COLUMN)
#undef COLUMN
    for (size_t i = 0; i < suite->table[COR_TABLE_PARAMETERS].count; i++) {
        size_t index = index_of(space, row[i].parameter);
        COR_ASSERT(index < space->count); /* whoever reads rows holds their codes against the catalogs */
        put(&space->parameter[index], row[i].value);
    }
}

/* What is done with each suite of an arm: ranges first, then what lies where in them. */
typedef enum cor_status take_suite(struct space *space, const struct cor_suite_rows *suite,
                                   struct cor_error *error);

static enum cor_status see_all(struct space *space, const struct cor_suite_rows *suite,
                               struct cor_error *error) {
    take(space, suite);
    for (size_t i = 0; i < space->count; i++)
        if (space->parameter[i].given) {
            const double value = space->parameter[i].value;
            struct cor_parameter_coverage *shown = &space->parameter[i].shown;
            if (!isfinite(value)) {
                shown->undefined++;
                continue;
            }
            shown->n++;
            shown->min = shown->n == 1 || value < shown->min ? value : shown->min;
            shown->max = shown->n == 1 || value > shown->max ? value : shown->max;
            shown->whole = shown->whole && value == floor(value);
            /* Every value up to KEPT, then every second, every fourth, ... */
            struct parameter *parameter = &space->parameter[i];
            if (!parameter->kept)
                parameter->kept = cor_calloc(KEPT, sizeof *parameter->kept);
            if (!parameter->kept)
                return cor_fail_memory(error);
            if ((parameter->shown.n - 1) % parameter->stride != 0)
                continue;
            if (parameter->kept_count == KEPT) {
                for (size_t j = 0; j < KEPT / 2; j++)
                    parameter->kept[j] = parameter->kept[2 * j];
                parameter->kept_count = KEPT / 2;
                parameter->stride *= 2;
            }
            parameter->kept[parameter->kept_count++] = value;
        }
    return COR_OK;
}

static enum cor_status place_all(struct space *space, const struct cor_suite_rows *suite,
                                 struct cor_error *error) {
    (void)error;
    take(space, suite);
    const struct parameter *main[COR_COVERAGE_MAIN_MAX];
    list_main(space, main);
    for (size_t i = 0; i < space->count; i++) {
        struct parameter *parameter = &space->parameter[i];
        struct cor_parameter_coverage *shown = &parameter->shown;
        if (isfinite(parameter->value))
            shown->bin[shown->bins > 1 ? place(shown, parameter->value, shown->bins) : 0]++;
    }
    for (uint32_t a = 0; a < space->main_count; a++)
        for (uint32_t b = a + 1; b < space->main_count; b++) {
            /* The cell of the grid in which two parameters lie in this suite. */
            const struct parameter *one = main[a];
            const struct parameter *other = main[b];
            uint32_t *drawn = &space->drawn[a][b];
            if (isfinite(one->value) && isfinite(other->value))
                *drawn |= 1u << (place(&one->shown, one->value, one->shown.grid) * COR_COVERAGE_GRID +
                                 place(&other->shown, other->value, other->shown.grid));
        }
    return COR_OK;
}

static enum cor_status go_through(struct cor_coverage *coverage, struct cor_result *result,
                                  struct space *space, take_suite *take_one, struct cor_error *error) {
    static const char *const columns[] = {"parameter", "value", NULL};
    const struct cor_reading reading = {COR_TABLE_PARAMETERS, columns};
    struct cor_suite_reader *reader;
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    COR_TRY(cor_suite_reader_create(result, &reading, 1, &reader, error));
    for (;;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        if (!coverage__wanted(coverage, &suite->row))
            continue;
        COR_TRY_OUT(take_one(&space[0], suite, error));
        COR_TRY_OUT(
            take_one(&space[coverage__find_arm(coverage, suite->row.arm) - coverage->arm], suite, error));
    }
out:
    cor_suite_reader_destroy(reader);
    return status;
}

enum cor_status coverage__find_parameters(struct cor_result *result, struct cor_coverage *coverage,
                                          struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct space *space = cor_calloc(coverage->arm_count, sizeof *space);
    if (!space)
        return cor_fail_memory(error);
    for (size_t a = 0; a < coverage->arm_count; a++)
        COR_TRY_OUT(space_init(&space[a], coverage->head, error));
    COR_TRY_OUT(go_through(coverage, result, space, see_all, error));
    for (size_t a = 0; a < coverage->arm_count; a++)
        end_ranges(&space[a]);
    COR_TRY_OUT(go_through(coverage, result, space, place_all, error));
    for (size_t a = 0; a < coverage->arm_count; a++)
        COR_TRY_OUT(give(&space[a], &coverage->arm[a], error));
out:
    for (size_t a = 0; a < coverage->arm_count; a++)
        space_fini(&space[a]);
    free(space);
    return status;
}
