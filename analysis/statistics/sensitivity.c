/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/sensitivity.h>

#include <corridor/array.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_qrng.h>

#include <math.h>
#include <stdlib.h>

#define LEVELS 4 /* of the grid; the step is levels / (2 (levels - 1)) of the range */

const char *const cor_input_design_words[] = {
#define COR_INPUT_DESIGN(KIND, word, fewest) #word,
    COR_INPUT_DESIGNS(COR_INPUT_DESIGN)
#undef COR_INPUT_DESIGN
        NULL,
};

const uint32_t cor_input_design_fewest[] = {
#define COR_INPUT_DESIGN(KIND, word, fewest) fewest,
    COR_INPUT_DESIGNS(COR_INPUT_DESIGN)
#undef COR_INPUT_DESIGN
};

/* Rows of a point of SOBOL; of MORRIS row 0 is the start and row i the end of step i. */
enum { ROW_A, ROW_B, ROW_MIXED };

uint32_t cor_input_design_rows_of_point(const struct cor_input_design *design) {
    return design->inputs + (design->kind == COR_INPUT_DESIGN_SOBOL ? 3 : 2);
}

uint64_t cor_input_design_rows(const struct cor_input_design *design) {
    return (uint64_t)design->points * cor_input_design_rows_of_point(design);
}

uint32_t cor_input_design_stream(const struct cor_input_design *design, uint64_t row) {
    const uint32_t per_point = cor_input_design_rows_of_point(design), of_point = (uint32_t)(row % per_point);
    const bool other =
        of_point == per_point - 1 || (design->kind == COR_INPUT_DESIGN_SOBOL && of_point == ROW_B);
    return 2 * (uint32_t)(row / per_point) + other;
}

/* A way from a corner of the grid: each input in a drawn order, up where it began below, else down. */
static void make_way(const struct cor_input_design *design, struct cor_rng *rng, double *rows) {
    const uint32_t k = design->inputs;
    uint32_t order[COR_INPUT_DESIGN_INPUTS_MAX];
    bool rises[COR_INPUT_DESIGN_INPUTS_MAX];
    for (uint32_t i = 0; i < k; i++) {
        const uint32_t level = cor_rng_below(rng, LEVELS / 2);
        rises[i] = cor_rng_below(rng, 2) == 1;
        order[i] = i;
        rows[i] = (double)(rises[i] ? level : level + LEVELS / 2) / (LEVELS - 1);
    }
    cor_rng_shuffle(rng, order, k);
    for (uint32_t step = 1; step <= k + 1; step++) {
        double *row = rows + (size_t)step * k;
        for (uint32_t i = 0; i < k; i++)
            row[i] = row[(ptrdiff_t)i - k];
        if (step > k)
            break; /* the last row again */
        /* The levels are thirds: what is exact is the level, not the sum of level and step. */
        const uint32_t moved = order[step - 1];
        const int level = (int)(row[moved] * (LEVELS - 1) + 0.5);
        row[moved] = (double)(rises[moved] ? level + LEVELS / 2 : level - LEVELS / 2) / (LEVELS - 1);
    }
}

enum cor_status cor_input_design_make(const struct cor_input_design *design, struct cor_rng *rng,
                                      double *rows, struct cor_error *error) {
    COR_ASSERT(design->inputs >= 1 && design->inputs <= COR_INPUT_DESIGN_INPUTS_MAX);
    const size_t of_point = (size_t)cor_input_design_rows_of_point(design) * design->inputs;
    if (design->kind == COR_INPUT_DESIGN_MORRIS) {
        for (uint32_t p = 0; p < design->points; p++)
            make_way(design, rng, rows + p * of_point);
        return COR_OK;
    }
    gsl_qrng *sequence = gsl_qrng_alloc(gsl_qrng_sobol, 2 * design->inputs);
    COR_TRY(cor_made(sequence, error));
    /* Point n of Sobol's sequence is its row n; GSL leaves out the first, which is all 0. */
    const uint32_t k = design->inputs, per_point = cor_input_design_rows_of_point(design);
    double shift[COR_INPUT_DESIGN_BLOCKS][2 * COR_INPUT_DESIGN_INPUTS_MAX];
    double point[2 * COR_INPUT_DESIGN_INPUTS_MAX] = {0};
    for (uint32_t b = 0; b < COR_INPUT_DESIGN_BLOCKS; b++)
        for (uint32_t i = 0; i < 2 * k; i++)
            shift[b][i] = cor_rng_unit(rng);
    for (uint32_t p = 0; p < design->points; p++) {
        const uint32_t block = p % COR_INPUT_DESIGN_BLOCKS;
        double *row = rows + (size_t)p * per_point * k;
        if (block == 0 && p > 0)
            gsl_qrng_get(sequence, point);
        for (uint32_t i = 0; i < 2 * k; i++) {
            const double moved = point[i] + shift[block][i];
            row[i] = moved < 1 ? moved : moved - 1;
        }
        for (uint32_t r = ROW_MIXED; r < per_point; r++)
            for (uint32_t i = 0; i < k; i++)
                row[r * k + i] = row[i + (r - ROW_MIXED == i ? k : 0)];
    }
    gsl_qrng_free(sequence);
    return COR_OK;
}

/* Is a value of the point unknown? */
static bool is_unknown(const double *values, uint32_t count) {
    for (uint32_t r = 0; r < count; r++)
        if (!isfinite(values[r]))
            return true;
    return false;
}

static double student(double level, double freedom) {
    return gsl_cdf_tdist_Pinv((1 + level) / 2, freedom);
}

/* Sums of a block, or of all but one. */
struct sums {
    double points, sum, square;                         /* of A and B, about the mean of all */
    double product[COR_INPUT_DESIGN_INPUTS_MAX + 1];    /* B (A with B's input - A) */
    double difference[COR_INPUT_DESIGN_INPUTS_MAX + 1]; /* (A with B's input - A)^2 */
};

static void add_sums(struct sums *to, const struct sums *sums, double times) {
    to->points += times * sums->points;
    to->sum += times * sums->sum;
    to->square += times * sums->square;
    for (uint32_t i = 0; i <= COR_INPUT_DESIGN_INPUTS_MAX; i++) {
        to->product[i] += times * sums->product[i];
        to->difference[i] += times * sums->difference[i];
    }
}

static double variance_of(const struct sums *sums) {
    const double n = 2 * sums->points, mean = sums->sum / n;
    return (sums->square - n * mean * mean) / (n - 1);
}

static double first_of(const struct sums *sums, uint32_t input) {
    return sums->product[input] / sums->points / variance_of(sums);
}

static double total_of(const struct sums *sums, uint32_t input) {
    return sums->difference[input] / (2 * sums->points) / variance_of(sums);
}

typedef double index_of(const struct sums *sums, uint32_t input);

/* An index of all blocks, and the jackknife's interval. */
static double judge(const struct sums *blocks, const struct sums *all, index_of *index, uint32_t input,
                    double level, struct cor_bounds *bounds) {
    double without[COR_INPUT_DESIGN_BLOCKS], mean = 0, square = 0;
    const double value = index(all, input);
    for (uint32_t b = 0; b < COR_INPUT_DESIGN_BLOCKS; b++) {
        struct sums rest = *all;
        add_sums(&rest, &blocks[b], -1);
        without[b] = index(&rest, input);
        mean += without[b] / COR_INPUT_DESIGN_BLOCKS;
    }
    for (uint32_t b = 0; b < COR_INPUT_DESIGN_BLOCKS; b++)
        square += (without[b] - mean) * (without[b] - mean);
    const double error = sqrt(square * (COR_INPUT_DESIGN_BLOCKS - 1) / COR_INPUT_DESIGN_BLOCKS),
                 half = student(level, COR_INPUT_DESIGN_BLOCKS - 1) * error;
    if (half > 0) /* blocks that are all alike do not say how they may differ */
        *bounds = (struct cor_bounds){value - half, value + half};
    return value;
}

static void take_pair(const struct cor_input_design *design, const double *values, double mean,
                      struct sums *sums) {
    const double a = values[ROW_A] - mean, b = values[ROW_B] - mean;
    sums->points++;
    sums->sum += a + b;
    sums->square += a * a + b * b;
    for (uint32_t i = 0; i <= design->inputs; i++) {
        const double mixed = values[ROW_MIXED + i] - mean;
        sums->product[i] += b * (mixed - a);
        sums->difference[i] += (mixed - a) * (mixed - a);
    }
}

static void judge_pairs(const struct cor_input_design *design, const double *values, double level,
                        struct cor_sensitivity *made) {
    const uint32_t per_point = cor_input_design_rows_of_point(design);
    struct sums blocks[COR_INPUT_DESIGN_BLOCKS] = {0}, all = {0};
    bool is_constant = true;
    double one = NAN;
    for (uint32_t p = 0; p < design->points; p++) {
        const double *of_point = values + (size_t)p * per_point;
        if (is_unknown(of_point, per_point))
            continue;
        made->mean += (of_point[ROW_A] + of_point[ROW_B]) / 2;
        made->points++;
        if (isnan(one))
            one = of_point[0];
        for (uint32_t r = 0; r < per_point; r++)
            is_constant = is_constant && of_point[r] == one;
    }
    made->mean /= made->points;
    for (uint32_t p = 0; p < design->points; p++)
        if (!is_unknown(values + (size_t)p * per_point, per_point))
            take_pair(design, values + (size_t)p * per_point, made->mean,
                      &blocks[p % COR_INPUT_DESIGN_BLOCKS]);
    for (uint32_t b = 0; b < COR_INPUT_DESIGN_BLOCKS; b++)
        add_sums(&all, &blocks[b], 1);
    made->variance = is_constant ? 0 : variance_of(&all);
    if (!(made->variance > 0) || made->points < 2 * COR_INPUT_DESIGN_BLOCKS)
        return;
    for (uint32_t i = 0; i <= design->inputs; i++) {
        struct cor_input_effect *effect = &made->effect[i];
        effect->first = judge(blocks, &all, first_of, i, level, &effect->first_bounds);
        effect->total = judge(blocks, &all, total_of, i, level, &effect->total_bounds);
    }
}

/* The elementary effects of a way; `effects` of each input, then of chance. NaN: it did not move. */
static void take_way(const struct cor_input_design *design, const double *values, const double *rows,
                     double *effects) {
    const uint32_t k = design->inputs;
    for (uint32_t i = 0; i < k; i++)
        effects[i] = NAN;
    effects[k] = values[k + 1] - values[k];
    for (uint32_t step = 1; step <= k; step++)
        for (uint32_t i = 0; i < k; i++) {
            const double moved = rows[(size_t)step * k + i] - rows[(size_t)(step - 1) * k + i];
            if (moved != 0)
                effects[i] = (values[step] - values[step - 1]) / moved;
        }
}

static void judge_effects(const double *effects, uint32_t points, uint32_t width, double level,
                          struct cor_input_effect *made) {
    double n = 0, sum = 0, square = 0, star = 0, star_square = 0;
    for (uint32_t p = 0; p < points; p++) {
        const double effect = effects[(size_t)p * width];
        if (isnan(effect))
            continue;
        n++;
        sum += effect;
        star += fabs(effect);
    }
    if (n < 2)
        return;
    for (uint32_t p = 0; p < points; p++) {
        const double effect = effects[(size_t)p * width];
        if (isnan(effect))
            continue;
        square += (effect - sum / n) * (effect - sum / n);
        star_square += (fabs(effect) - star / n) * (fabs(effect) - star / n);
    }
    made->star = star / n;
    made->mean = sum / n;
    made->deviation = sqrt(square / (n - 1));
    const double half = student(level, n - 1) * sqrt(star_square / (n - 1) / n);
    if (half > 0) /* likewise */
        made->star_bounds = (struct cor_bounds){made->star > half ? made->star - half : 0, made->star + half};
}

static enum cor_status judge_ways(const struct cor_input_design *design, const double *values,
                                  const double *rows, double level, struct cor_sensitivity *made,
                                  struct cor_error *error) {
    const uint32_t k = design->inputs, per_point = cor_input_design_rows_of_point(design), width = k + 1;
    double *effects = cor_calloc((size_t)design->points * width, sizeof *effects), n = 0, one = NAN;
    bool is_constant = true;
    COR_TRY(cor_made(effects, error));
    for (uint32_t p = 0; p < design->points; p++) {
        const double *of_point = values + (size_t)p * per_point;
        if (is_unknown(of_point, per_point))
            continue;
        take_way(design, of_point, rows + (size_t)p * per_point * k,
                 effects + (size_t)made->points++ * width);
        for (uint32_t r = 0; r < per_point; r++) {
            const double apart = of_point[r] - made->mean;
            made->mean += apart / ++n;
            made->variance += apart * (of_point[r] - made->mean);
            is_constant = is_constant && (isnan(one) || of_point[r] == one);
            one = of_point[r];
        }
    }
    made->variance = is_constant ? 0 : made->variance / (n - 1);
    for (uint32_t i = 0; i < width && made->variance > 0; i++)
        judge_effects(effects + i, made->points, width, level, &made->effect[i]);
    free(effects);
    return COR_OK;
}

enum cor_status cor_sensitivity_make(const struct cor_input_design *design, const double *values,
                                     const double *rows, double level, struct cor_sensitivity *sensitivity,
                                     struct cor_error *error) {
    enum cor_status status = COR_OK;
    const struct cor_bounds none = {NAN, NAN};
    *sensitivity = (struct cor_sensitivity){0};
    for (uint32_t i = 0; i <= COR_INPUT_DESIGN_INPUTS_MAX; i++)
        sensitivity->effect[i] = (struct cor_input_effect){NAN, NAN, NAN, none, NAN, NAN, none, none};
    if (design->kind == COR_INPUT_DESIGN_SOBOL)
        judge_pairs(design, values, level, sensitivity);
    else
        status = judge_ways(design, values, rows, level, sensitivity, error);
    sensitivity->unknown = design->points - sensitivity->points;
    return status;
}
