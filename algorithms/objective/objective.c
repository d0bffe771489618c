/* SPDX-License-Identifier: MIT
 *
 * A step is of one of four kinds. What all together have and no block changes is reckoned once; what a block
 * has by itself, when it is measured; the rest for each candidate. */
#include <corridor/objective.h>

#include <math.h>

enum kind {
    FIXED,  /* of all together, whatever the blocks are */
    OWN,    /* of a block, by its members alone */
    SINGLE, /* of all together */
    LATE    /* of a block, by what all together are */
};

size_t cor_objective_bytes(const struct cor_objective *objective, uint32_t slots, uint32_t most) {
    return objective->step_count * (((size_t)slots + most + 1) * sizeof(double) + 1);
}

static int is_leaf(const struct cor_objective_step *step) {
    return step->what <= COR_OBJECTIVE_GREATEST;
}

static enum kind kind_of(const struct cor_objective_work *work, const struct cor_objective_step *step) {
    if (is_leaf(step))
        return step->by_block ? OWN : step->what == COR_OBJECTIVE_BLOCKS ? SINGLE : FIXED;
    if (step->what >= COR_OBJECTIVE_ALL_OF)
        return SINGLE;
    enum kind left = (enum kind)work->kinds[step->left],
              right = step->right == COR_NO_BLOCK ? left : (enum kind)work->kinds[step->right];
    int waits = left == SINGLE || right == SINGLE || left == LATE || right == LATE;
    if (step->by_block)
        return waits ? LATE : OWN;
    return waits ? SINGLE : FIXED;
}

/* A count, a sum or an extreme of these agents, NULL: of all. */
static double gather(const struct cor_objective_work *work, const struct cor_objective_step *step,
                     const uint32_t *members, uint32_t count) {
    const unsigned char *filter = step->filter == COR_OBJECTIVE_NO_FILTER
                                      ? NULL
                                      : work->objective->filters + (size_t)step->filter * work->agent_count;
    const double *column = step->what == COR_OBJECTIVE_COUNT ? NULL : work->values[step->column];
    const int adds_up = step->what <= COR_OBJECTIVE_UNKNOWNS;
    double made = adds_up ? 0 : (double)NAN;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t agent = members ? members[m] : m;
        if (filter && !filter[agent])
            continue;
        double value = column ? column[agent] : 1;
        if (adds_up)
            made += step->what == COR_OBJECTIVE_UNKNOWNS ? (isnan(value) ? 1 : 0) : value;
        else if (isnan(made) || (step->what == COR_OBJECTIVE_LEAST ? value < made : value > made))
            made = value;
    }
    return made;
}

static double negation(double a) {
    return isnan(a) ? a : a == 0;
}

static double conjunction(double a, double b) {
    return a == 0 || b == 0 ? 0 : isnan(a) || isnan(b) ? (double)NAN : 1;
}

static double finite(double a) {
    return isfinite(a) ? a : (double)NAN;
}

/* The number of a step that stands before, of the block in that slot, at that place of the candidate. */
static double number_of(const struct cor_objective_work *work, uint32_t step, uint32_t slot, uint32_t place) {
    switch ((enum kind)work->kinds[step]) {
    case OWN:
        return work->rows[(size_t)slot * work->objective->step_count + step];
    case LATE:
        return work->late[(size_t)step * work->most + place];
    default:
        return work->single[step];
    }
}

static double reckon(const struct cor_objective_work *work, const struct cor_objective_step *step,
                     uint32_t slot, uint32_t place) {
    double left = number_of(work, step->left, slot, place);
    double b = step->right == COR_NO_BLOCK ? left : number_of(work, step->right, slot, place);
    switch (step->what) {
    case COR_OBJECTIVE_AND:
        return conjunction(left, b);
    case COR_OBJECTIVE_OR:
        return negation(conjunction(negation(left), negation(b)));
    case COR_OBJECTIVE_NOT:
        return negation(left);
    case COR_OBJECTIVE_NEGATE:
        return -left;
    case COR_OBJECTIVE_ABSOLUTE:
        return fabs(left);
    default:
        break;
    }
    if (isnan(left) || isnan(b))
        return (double)NAN;
    switch (step->what) {
    case COR_OBJECTIVE_ADD:
        return finite(left + b);
    case COR_OBJECTIVE_SUBTRACT:
        return finite(left - b);
    case COR_OBJECTIVE_MULTIPLY:
        return finite(left * b);
    case COR_OBJECTIVE_DIVIDE:
        return finite(left / b);
    case COR_OBJECTIVE_DIVIDE_DOWN:
        return finite(floor(left / b));
    case COR_OBJECTIVE_LOWER:
        return left < b ? left : b;
    case COR_OBJECTIVE_HIGHER:
        return left > b ? left : b;
    case COR_OBJECTIVE_LESS:
        return left < b;
    case COR_OBJECTIVE_LESS_EQUAL:
        return left <= b;
    case COR_OBJECTIVE_EQUAL:
        return !(left < b) && !(left > b);
    case COR_OBJECTIVE_NOT_EQUAL:
        return left < b || left > b;
    default:
        return (double)NAN;
    }
}

/* A number over the blocks: not known, if the filter or the number of one is not. */
static double over_blocks(const struct cor_objective_work *work, const struct cor_objective_step *step,
                          const uint32_t *slots, uint32_t count) {
    uint32_t taken = 0;
    double made = 0;
    if (step->what <= COR_OBJECTIVE_ONE_OF) {
        uint32_t examples = 0, unsure = 0;
        for (uint32_t b = 0; b < count; b++) {
            double passes = step->left == COR_NO_BLOCK ? 1 : number_of(work, step->left, slots[b], b);
            double it = number_of(work, step->right, slots[b], b);
            double example = conjunction(passes, step->what == COR_OBJECTIVE_ALL_OF ? negation(it) : it);
            examples += example == 1;
            unsure += isnan(example) ? 1u : 0u;
        }
        /* All, any and one: how many examples are known, and of how many that is not known. */
        if (step->what == COR_OBJECTIVE_ONE_OF)
            return examples > 1 ? 0 : unsure > 0 ? (double)NAN : examples == 1;
        double is_one = examples > 0 ? 1 : unsure > 0 ? (double)NAN : 0;
        return step->what == COR_OBJECTIVE_ALL_OF ? negation(is_one) : is_one;
    }
    for (uint32_t b = 0; b < count; b++) {
        double passes = step->left == COR_NO_BLOCK ? 1 : number_of(work, step->left, slots[b], b);
        if (passes == 0)
            continue;
        double it = step->right == COR_NO_BLOCK ? 1 : number_of(work, step->right, slots[b], b);
        if (isnan(passes) || isnan(it))
            return (double)NAN;
        if (step->what == COR_OBJECTIVE_LEAST_OF)
            made = taken == 0 || it < made ? it : made;
        else if (step->what == COR_OBJECTIVE_GREATEST_OF)
            made = taken == 0 || it > made ? it : made;
        else
            made += it;
        taken++;
    }
    if (step->what == COR_OBJECTIVE_COUNT_OF)
        return taken;
    if (step->what == COR_OBJECTIVE_SUM_OF)
        return finite(made);
    if (taken == 0)
        return (double)NAN;
    return step->what == COR_OBJECTIVE_MEAN_OF ? finite(made / taken) : made;
}

void cor_objective_begin(struct cor_objective_work *work, const struct cor_task *task, uint32_t slots,
                         uint32_t most, void *memory) {
    const struct cor_objective *objective = task->objective;
    const size_t steps = objective->step_count;
    double *numbers = memory;
    *work = (struct cor_objective_work){.objective = objective,
                                        .values = task->values,
                                        .agent_count = task->agent_count,
                                        .most = most,
                                        .rows = numbers,
                                        .single = numbers + slots * steps,
                                        .late = numbers + (slots + (size_t)1) * steps};
    work->kinds = (unsigned char *)(work->late + most * steps);
    for (uint32_t i = 0; i < steps; i++) {
        const struct cor_objective_step *step = &objective->steps[i];
        work->kinds[i] = (unsigned char)kind_of(work, step);
        if (work->kinds[i] != FIXED)
            continue;
        if (step->what == COR_OBJECTIVE_CONSTANT)
            work->single[i] = step->constant;
        else
            work->single[i] =
                is_leaf(step) ? gather(work, step, NULL, work->agent_count) : reckon(work, step, 0, 0);
    }
}

void cor_objective_measure(struct cor_objective_work *work, uint32_t slot, const uint32_t *members,
                           uint32_t count) {
    const uint32_t steps = work->objective->step_count;
    double *row = work->rows + (size_t)slot * steps;
    for (uint32_t i = 0; i < steps; i++) {
        const struct cor_objective_step *step = &work->objective->steps[i];
        if (work->kinds[i] == OWN)
            row[i] = is_leaf(step) ? gather(work, step, members, count) : reckon(work, step, slot, 0);
    }
}

double cor_objective_total(struct cor_objective_work *work, const uint32_t *slots, uint32_t count) {
    const uint32_t steps = work->objective->step_count;
    for (uint32_t i = 0; i < steps; i++) {
        const struct cor_objective_step *step = &work->objective->steps[i];
        if (work->kinds[i] == LATE)
            for (uint32_t b = 0; b < count; b++)
                work->late[(size_t)i * work->most + b] = reckon(work, step, slots[b], b);
        if (work->kinds[i] != SINGLE)
            continue;
        if (step->what == COR_OBJECTIVE_BLOCKS)
            work->single[i] = count;
        else
            work->single[i] = step->what >= COR_OBJECTIVE_ALL_OF ? over_blocks(work, step, slots, count)
                                                                 : reckon(work, step, 0, 0);
    }
    return work->single[steps - 1];
}

enum cor_objective_form cor_objective_form(const struct cor_objective_work *work) {
    const struct cor_objective_step *last = &work->objective->steps[work->objective->step_count - 1];
    if (last->what < COR_OBJECTIVE_SUM_OF || last->left != COR_NO_BLOCK || work->kinds[last->right] != OWN)
        return COR_OBJECTIVE_ANY;
    return last->what == COR_OBJECTIVE_SUM_OF        ? COR_OBJECTIVE_ADDED
           : last->what == COR_OBJECTIVE_MEAN_OF     ? COR_OBJECTIVE_AVERAGED
           : last->what == COR_OBJECTIVE_GREATEST_OF ? COR_OBJECTIVE_HIGHEST
                                                     : COR_OBJECTIVE_ANY;
}

double cor_objective_part(const struct cor_objective_work *work, uint32_t slot) {
    const uint32_t steps = work->objective->step_count;
    return work->rows[(size_t)slot * steps + work->objective->steps[steps - 1].right];
}
