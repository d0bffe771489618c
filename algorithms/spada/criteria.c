/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Criteria of formation and termination from the corridor as a text (paper 003, 5.1: application-specific,
 * the same that are monitored). The objective is a sum over partitions, or their greatest, of what each has
 * by itself, reckoned of sums over its members. So a partition is described by these sums and a member by its
 * part of each, two numbers: what is known, and how many parts are not. Whoever has them can weigh a change
 * of two partitions, and nobody has to know of a third. */
#include "spada.h"

#include <math.h>
#include <string.h>

struct spada_criteria {             /* each agent has its own */
    struct cor_objective objective; /* each leaf is a column of a lone agent: that is the partition */
    uint32_t leaf_count;
    struct cor_objective_step steps[];
};

struct spada_view {
    struct cor_objective_work work;
    const double **columns;       /* [leaf] */
    double *leaf, *tried, *hoped; /* [leaf]; [width] sums of partitions that are only thought of */
};

static bool is_leaf(const struct cor_objective_step *step) {
    return step->by_block && step->what <= COR_OBJECTIVE_GREATEST;
}

uint32_t spada__width(const struct spada_criteria *criteria) {
    return criteria ? 2 * criteria->leaf_count : 0;
}

static struct spada_criteria *copy_criteria(const struct cor_objective *given, const struct cor_host *host) {
    const size_t bytes = given->step_count * sizeof *given->steps;
    struct spada_criteria *criteria = host->alloc(host, sizeof *criteria + bytes);
    if (!criteria)
        return NULL;
    memcpy(criteria->steps, given->steps, bytes);
    for (uint32_t s = 0; s < given->step_count; s++) {
        struct cor_objective_step *step = &criteria->steps[s];
        if (!is_leaf(step))
            continue;
        step->what = COR_OBJECTIVE_SUM;
        step->column = criteria->leaf_count++;
        step->filter = COR_OBJECTIVE_NO_FILTER;
    }
    criteria->objective = (struct cor_objective){given->step_count, 0, criteria->steps, NULL};
    return criteria;
}

/* What an agent brings into the sums. */
static void fill_row(const struct cor_task *task, uint32_t agent, double *row) {
    for (uint32_t s = 0; s < task->objective->step_count; s++) {
        const struct cor_objective_step *step = &task->objective->steps[s];
        if (!is_leaf(step))
            continue;
        const unsigned char *filter =
            step->filter == COR_OBJECTIVE_NO_FILTER
                ? NULL
                : task->objective->filters + (size_t)step->filter * task->agent_count;
        const double value = step->what == COR_OBJECTIVE_COUNT ? 1 : task->values[step->column][agent];
        const bool passes = !filter || filter[agent], is_known = !isnan(value);
        const bool counts_unknown = step->what == COR_OBJECTIVE_UNKNOWNS;
        row[0] = !passes ? 0 : counts_unknown ? !is_known : is_known ? value : 0;
        row[1] = passes && !is_known && !counts_unknown;
        row += 2;
    }
}

bool spada__read_criteria(const struct cor_task *task, const struct cor_host *host) {
    for (uint32_t i = 0; task->objective && i < task->agent_count; i++) {
        struct spada_agent *self = host->agent(host, i)->state;
        self->criteria = copy_criteria(task->objective, host);
        if (!self->criteria)
            return false;
        /* Behind the row: where a letter that brings rows is written. */
        const size_t width = spada__width(self->criteria);
        self->row = host->alloc(host, 3 * width * sizeof(double) + sizeof(struct spada_candidate));
        if (!self->row)
            return false;
        fill_row(task, i, self->row);
    }
    return true;
}

/* ---- sums, rows */

void spada__add_row(const struct spada_agent *self, double *sums, const double *row, double sign) {
    for (uint32_t i = 0; i < spada__width(self->criteria); i++)
        sums[i] += sign * (row ? row[i] : i % 2); /* of whom nothing is known all is unknown */
}

const double *spada__rows_behind(const struct spada_turn *turn, const struct cor_message *message,
                                 uint32_t size, uint32_t count) {
    const size_t width = spada__width(turn->self->criteria);
    return width > 0 && message->size == size + count * width * sizeof(double)
               ? (const double *)(const void *)((const unsigned char *)message->payload + size)
               : NULL;
}

void spada__say_with_rows(const struct spada_turn *turn, uint32_t to, enum spada_kind kind,
                          const void *payload, uint32_t size, const double *row, const double *sums) {
    const size_t width = spada__width(turn->self->criteria);
    if (width == 0) {
        spada_say(turn, to, kind, payload, size);
        return;
    }
    unsigned char *letter = (unsigned char *)(turn->self->row + width);
    uint32_t used = size;
    memcpy(letter, payload, size);
    for (int turns = 0; turns < 2; turns++) {
        const double *numbers = turns == 0 ? row : sums;
        if (numbers)
            memcpy(letter + used, numbers, width * sizeof *numbers);
        used += numbers ? (uint32_t)(width * sizeof *numbers) : 0;
    }
    spada_say(turn, to, kind, letter, used);
}

bool spada__open_view(const struct spada_agent *self, const struct cor_host *host,
                      struct spada_office *office) {
    const struct spada_criteria *criteria = self->criteria;
    if (!criteria || office->view)
        return true;
    const size_t width = spada__width(criteria), leaves = criteria->leaf_count;
    struct spada_view *view = host->alloc(host, sizeof *view);
    void *memory = host->alloc(host, cor_objective_bytes(&criteria->objective, 1, 1));
    double *numbers =
        host->alloc(host, (leaves + (3 + 2 * SPADA_CANDIDATES_MAX) * width + 1) * sizeof *numbers);
    const double **columns = host->alloc(host, (leaves + 1) * sizeof *columns);
    if (!view || !memory || !numbers || !columns)
        return false;
    for (size_t i = 0; i < leaves; i++)
        columns[i] = numbers + i;
    *view = (struct spada_view){.columns = columns, .leaf = numbers, .tried = numbers + leaves};
    view->hoped = view->tried + width;
    office->sums = view->hoped + width;
    office->candidate_rows = office->sums + width;
    office->view = view;
    const struct cor_task lone = {.agent_count = 1, .values = columns, .objective = &criteria->objective};
    cor_objective_begin(&view->work, &lone, 1, 1, memory);
    return true;
}

/* ---- numbers of partitions */

static void measure(const struct spada_turn *turn, const double *sums) {
    static const uint32_t lone = 0;
    struct spada_view *view = turn->self->office->view;
    for (uint32_t i = 0; i < turn->self->criteria->leaf_count; i++)
        view->leaf[i] = sums[2 * i + 1] > 0 ? (double)NAN : sums[2 * i];
    cor_objective_measure(&view->work, 0, &lone, 1);
}

/* Of what was measured last; what is the same for each is a constant. */
static double number_of(const struct spada_turn *turn, uint32_t step) {
    const struct cor_objective_work *work = &turn->self->office->view->work;
    return work->objective->steps[step].by_block ? work->rows[step] : work->single[step];
}

static const struct cor_objective_step *last_step(const struct spada_turn *turn) {
    const struct cor_objective *objective = &turn->self->criteria->objective;
    return &objective->steps[objective->step_count - 1];
}

double spada__part(const struct spada_turn *turn, const double *sums) {
    measure(turn, sums);
    return number_of(turn, last_step(turn)->right);
}

/* The number of the partition with a member more, or less. */
static double part_with(const struct spada_turn *turn, const double *sums, const double *row, double sign) {
    double *tried = turn->self->office->view->tried;
    memcpy(tried, sums, spada__width(turn->self->criteria) * sizeof *tried);
    spada__add_row(turn->self, tried, row, sign);
    return spada__part(turn, tried);
}

/* The objective of two partitions alone. */
static double joined(const struct spada_turn *turn, double one, double other) {
    if (last_step(turn)->what == COR_OBJECTIVE_SUM_OF || isnan(one) || isnan(other))
        return one + other;
    return one > other ? one : other;
}

/* What is unknown is worse than any number. */
static double gained(double before, double after) {
    return isnan(after) ? -(double)INFINITY : isnan(before) ? (double)INFINITY : before - after;
}

double *spada__hoped_sums(const struct spada_turn *turn) {
    const struct spada_office *office = turn->self->office;
    if (!turn->self->criteria)
        return NULL;
    return memcpy(office->view->hoped, office->sums,
                  spada__width(turn->self->criteria) * sizeof *office->sums);
}

static const double *row_of_candidate(const struct spada_turn *turn, uint32_t candidate) {
    return turn->self->office->candidate_rows + 2 * spada__width(turn->self->criteria) * (size_t)candidate;
}

void spada__fill_numbers(const struct spada_turn *turn, uint32_t candidate, struct spada_numbers *numbers) {
    const double *row = row_of_candidate(turn, candidate), *others = row + spada__width(turn->self->criteria);
    numbers->now = spada__part(turn, others);
    numbers->then = part_with(turn, others, row, -1);
}

void spada__take_rows(const struct spada_turn *turn, uint32_t candidate, double *hoped) {
    struct spada_office *office = turn->self->office;
    const size_t width = spada__width(turn->self->criteria);
    if (width == 0)
        return;
    const uint32_t last = office->candidate_count - 1;
    double *rows = office->candidate_rows, *tried = office->view->tried;
    memcpy(tried, rows + candidate * 2 * width, width * sizeof *rows);
    spada__add_row(turn->self, hoped, tried, 1);
    for (uint32_t i = 0; i <= last; i++)
        if (office->candidates[i].leader == office->candidates[candidate].leader)
            spada__add_row(turn->self, rows + (2 * i + 1) * width, tried, -1);
    memmove(rows + candidate * 2 * width, rows + last * 2 * width, 2 * width * sizeof *rows);
}

double spada__gain(const struct spada_turn *turn, const double *sums, uint32_t candidate) {
    const struct spada_office *office = turn->self->office;
    const size_t width = spada__width(turn->self->criteria);
    const double *row = row_of_candidate(turn, candidate), *others = row + width;
    double before = joined(turn, spada__part(turn, sums), spada__part(turn, others));
    double after = part_with(turn, sums, row, 1);
    if (office->candidates[candidate].size > 1)
        after = joined(turn, after, part_with(turn, others, row, -1));
    return gained(before, after);
}

double spada__gain_without(const struct spada_turn *turn, uint32_t member) {
    const struct spada_office *office = turn->self->office;
    const double *row = office->rows + spada__width(turn->self->criteria) * (size_t)member;
    double after = joined(turn, part_with(turn, office->sums, row, -1), spada__part(turn, row));
    return gained(spada__part(turn, office->sums), after);
}

bool spada__meets_criteria(const struct spada_turn *turn) {
    const struct cor_objective *objective = &turn->self->criteria->objective;
    bool is_asked = false;
    measure(turn, turn->self->office->sums);
    for (uint32_t s = 0; s + 1 < objective->step_count; s++) {
        const struct cor_objective_step *step = &objective->steps[s];
        if (step->what != COR_OBJECTIVE_ALL_OF)
            continue;
        is_asked = true;
        if (!(number_of(turn, step->right) > 0) &&
            (step->left == COR_NO_BLOCK || number_of(turn, step->left) != 0))
            return false;
    }
    return is_asked;
}
