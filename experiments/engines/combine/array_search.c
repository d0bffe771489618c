/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 0x7fff  /* a row's number and counts of rows fit in 16 bits with room for EXCLUDED */
#define FAILED_MAX 100   /* times that no row is found for open tuples, by too hard constraints */
#define EXCLUDED 0x8000u /* what counts of excluded tuples begin with, so that they are never 0 or 1 */

struct open_tuple {
    uint32_t tuple, block;
};

struct covering {
    uint16_t rows; /* how many have the tuple */
    uint16_t who;  /* exclusive or of their slots: the slot itself where there is one */
};

struct combine__search {
    const struct combine__problem *problem; /* borrowed */
    struct combine__logic *logic;           /* borrowed; NULL: no constraints */
    struct cor_rng rng;
    uint32_t width;
    uint64_t moves, work;
    size_t best_open; /* fewest open tuples since a row was taken away */

    /* Rows live in slots; `order` names those in use, the kept ones first. */
    uint16_t *rows;   /* owned, as all below; slot x parameter */
    uint32_t *unique; /* slot x parameter: tuples with that cell which no other row has */
    uint64_t *tabu;   /* slot x parameter: the cell stays until this move */
    size_t slot_capacity;
    uint16_t *order, *spare; /* slots in use; slots to be used again */
    size_t row_count, kept_count, slot_count, spare_count;

    /* Tuples. */
    struct covering *cover;
    uint32_t *where;         /* its place in `open`, where no row has it */
    struct open_tuple *open; /* tuples that no row has */
    size_t open_count;

    uint16_t *best; /* rows that covered all, the fewest so far */
    size_t best_count;

    uint16_t *trial; /* a row at work */
    bool *fixed;
    uint32_t *sequence; /* parameters in some order */
    uint32_t *weights;  /* of the levels of one parameter */
};

enum cor_status combine__search_create(const struct combine__problem *problem, struct combine__logic *logic,
                                       const struct cor_rng *rng, struct combine__search **made,
                                       struct cor_error *error) {
    struct combine__search *s = cor_calloc(1, sizeof *s);
    *made = s;
    COR_TRY(cor_made(s, error));
    uint32_t most_levels = 1;
    for (uint32_t p = 0; p < problem->parameter_count; p++)
        if (problem->level_count[p] > most_levels)
            most_levels = problem->level_count[p];
    s->problem = problem;
    s->logic = logic;
    s->rng = *rng;
    s->width = problem->parameter_count;
    s->cover = cor_calloc(problem->tuple_count, sizeof *s->cover);
    s->where = cor_calloc(problem->tuple_count, sizeof *s->where);
    s->open = cor_calloc(problem->tuple_count, sizeof *s->open);
    s->trial = cor_calloc(s->width, sizeof *s->trial);
    s->fixed = cor_calloc(s->width, sizeof *s->fixed);
    s->sequence = cor_calloc(s->width, sizeof *s->sequence);
    s->weights = cor_calloc(most_levels, sizeof *s->weights);
    if (!s->cover || !s->where || !s->open || !s->trial || !s->fixed || !s->sequence || !s->weights)
        return cor_fail_memory(error);
    for (size_t b = 0; b < problem->block_count; b++) {
        uint32_t end = b + 1 < problem->block_count ? problem->blocks[b + 1].first : problem->tuple_count;
        for (uint32_t t = problem->blocks[b].first; t < end; t++) {
            s->where[t] = t;
            s->open[t] = (struct open_tuple){t, (uint32_t)b};
        }
    }
    s->open_count = problem->tuple_count;
    return COR_OK;
}

void combine__search_destroy(struct combine__search *s) {
    if (!s)
        return;
    COR_FREE(s->rows, s->unique, s->tabu, s->order, s->spare, s->cover, s->where, s->open, s->best, s->trial,
             s->fixed, s->sequence, s->weights, s);
}

static void close_tuple(struct combine__search *s, uint32_t tuple) {
    struct open_tuple last = s->open[--s->open_count];
    s->open[s->where[tuple]] = last;
    s->where[last.tuple] = s->where[tuple];
}

static void open_tuple(struct combine__search *s, uint32_t tuple, uint32_t block) {
    s->where[tuple] = (uint32_t)s->open_count;
    s->open[s->open_count++] = (struct open_tuple){tuple, block};
}

void combine__search_exclude(struct combine__search *s, uint32_t tuple) {
    COR_ASSERT(s->row_count == 0 && s->cover[tuple].rows == 0);
    close_tuple(s, tuple);
    s->cover[tuple].rows = EXCLUDED;
}

static inline uint32_t *unique_of(struct combine__search *s, uint32_t slot) {
    return s->unique + (size_t)slot * s->width;
}

/* The one row that has a tuple of this block has it alone, or no longer so. */
static inline void mark_unique(struct combine__search *s, const struct combine__block *block, uint32_t slot,
                               uint32_t by) {
    uint32_t *unique = unique_of(s, slot);
    for (uint32_t i = 0; i < block->count; i++)
        unique[block->parameter[i]] += by;
}

static inline void gain_tuple(struct combine__search *s, uint32_t tuple, uint32_t block, uint32_t slot) {
    struct covering *covering = &s->cover[tuple];
    uint32_t before = covering->rows++;
    if (before == 0) {
        mark_unique(s, &s->problem->blocks[block], slot, 1);
        close_tuple(s, tuple);
    } else if (before == 1)
        mark_unique(s, &s->problem->blocks[block], covering->who, UINT32_MAX);
    covering->who ^= (uint16_t)slot;
}

static inline void lose_tuple(struct combine__search *s, uint32_t tuple, uint32_t block, uint32_t slot) {
    struct covering *covering = &s->cover[tuple];
    uint32_t after = --covering->rows;
    covering->who ^= (uint16_t)slot;
    if (after == 0) {
        mark_unique(s, &s->problem->blocks[block], slot, UINT32_MAX);
        open_tuple(s, tuple, block);
    } else if (after == 1)
        mark_unique(s, &s->problem->blocks[block], covering->who, 1);
}

static inline uint16_t *row_of(const struct combine__search *s, uint32_t slot) {
    return s->rows + (size_t)slot * s->width;
}

static void set_cell(struct combine__search *s, uint32_t slot, uint32_t parameter, uint16_t level) {
    const struct combine__problem *problem = s->problem;
    uint16_t *row = row_of(s, slot);
    uint16_t old = row[parameter];
    COR_ASSERT(level < problem->level_count[parameter]);
    if (old == level)
        return;
    for (uint32_t i = problem->pair_start[parameter]; i < problem->pair_start[parameter + 1]; i++) {
        const struct combine__pair *pair = &problem->pairs[i];
        uint32_t base = pair->first + row[pair->other] * pair->other_stride;
        lose_tuple(s, base + old * pair->self_stride, pair->block, slot);
        gain_tuple(s, base + level * pair->self_stride, pair->block, slot);
    }
    for (uint32_t i = problem->other_start[parameter]; i < problem->other_start[parameter + 1]; i++) {
        const struct combine__block *block = &problem->blocks[problem->others[i]];
        row[parameter] = old;
        lose_tuple(s, combine__block_tuple(block, row), problem->others[i], slot);
        row[parameter] = level;
        gain_tuple(s, combine__block_tuple(block, row), problem->others[i], slot);
    }
    row[parameter] = level;
    s->work += problem->pair_start[parameter + 1] - problem->pair_start[parameter] +
               4 * (problem->other_start[parameter + 1] - problem->other_start[parameter]);
}

static enum cor_status add_row(struct combine__search *s, const uint16_t *row, bool kept,
                               struct cor_error *error) {
    COR_ASSERT(!kept || s->row_count == s->kept_count);
    if (s->spare_count == 0 && s->slot_count == s->slot_capacity) {
        size_t wanted = s->slot_capacity ? 2 * s->slot_capacity : 64;
        if (wanted > ROWS_MAX)
            wanted = ROWS_MAX;
        if (wanted == s->slot_capacity)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "lower the strength, or the numbers of values",
                            "more than %d rows are needed", ROWS_MAX);
#define GROW(array, width)                                                \
    do {                                                                  \
        void *grown = realloc(array, wanted * (width) * sizeof *(array)); \
        COR_TRY(cor_made(grown, error));                                  \
        (array) = grown;                                                  \
    } while (0)
        GROW(s->rows, s->width);
        GROW(s->unique, s->width);
        GROW(s->tabu, s->width);
        GROW(s->order, 1);
        GROW(s->spare, 1);
#undef GROW
        s->slot_capacity = wanted;
    }
    uint32_t slot = s->spare_count ? s->spare[--s->spare_count] : (uint32_t)s->slot_count++;
    s->order[s->row_count++] = (uint16_t)slot;
    s->kept_count += kept;
    memcpy(row_of(s, slot), row, s->width * sizeof *row);
    memset(unique_of(s, slot), 0, s->width * sizeof *s->unique);
    memset(s->tabu + (size_t)slot * s->width, 0, s->width * sizeof *s->tabu);
    for (size_t b = 0; b < s->problem->block_count; b++)
        gain_tuple(s, combine__block_tuple(&s->problem->blocks[b], row), (uint32_t)b, slot);
    s->work += s->problem->block_count;
    return COR_OK;
}

/* How many open tuples a level of each would close, given the fixed cells of the trial. */
static void weigh_levels(struct combine__search *s, uint32_t parameter) {
    const struct combine__problem *problem = s->problem;
    uint32_t levels = problem->level_count[parameter];
    memset(s->weights, 0, levels * sizeof *s->weights);
    for (uint32_t i = problem->pair_start[parameter]; i < problem->pair_start[parameter + 1]; i++) {
        const struct combine__pair *pair = &problem->pairs[i];
        if (!s->fixed[pair->other])
            continue;
        uint32_t tuple = pair->first + s->trial[pair->other] * pair->other_stride;
        for (uint32_t l = 0; l < levels; l++, tuple += pair->self_stride)
            s->weights[l] += s->cover[tuple].rows == 0;
    }
    for (uint32_t i = problem->other_start[parameter]; i < problem->other_start[parameter + 1]; i++) {
        const struct combine__block *block = &problem->blocks[problem->others[i]];
        uint32_t tuple = block->first, stride = 0;
        bool ready = true;
        for (uint32_t j = 0; j < block->count && ready; j++)
            if (block->parameter[j] == parameter)
                stride = block->stride[j];
            else {
                ready = s->fixed[block->parameter[j]];
                tuple += s->trial[block->parameter[j]] * block->stride[j];
            }
        for (uint32_t l = 0; ready && l < levels; l++, tuple += stride)
            s->weights[l] += s->cover[tuple].rows == 0;
    }
    s->work += (problem->pair_start[parameter + 1] - problem->pair_start[parameter] +
                problem->other_start[parameter + 1] - problem->other_start[parameter]) *
               (uint64_t)levels / 2;
}

/* The trial holds some row that satisfies the constraints; the level of a parameter becomes that which
 * closes most open tuples and still can be completed. */
static void choose_level(struct combine__search *s, uint32_t parameter) {
    uint32_t levels = s->problem->level_count[parameter];
    weigh_levels(s, parameter);
    s->fixed[parameter] = true;
    for (uint32_t tried = 0; tried < levels; tried++) {
        uint32_t best = 0, ties = 0;
        for (uint32_t l = 0; l < levels; l++) {
            if (s->weights[l] == UINT32_MAX)
                continue;
            if (ties == 0 || s->weights[l] > s->weights[best])
                best = l, ties = 1;
            else if (s->weights[l] == s->weights[best] && cor_rng_below(&s->rng, ++ties) == 0)
                best = l;
        }
        /* Can the trial be completed with this level? If so it is. */
        const uint16_t level = (uint16_t)best;
        uint16_t before = s->trial[parameter];
        s->trial[parameter] = level;
        if (!s->logic || combine__logic_allows(s->logic, s->trial, parameter) ||
            combine__logic_complete(s->logic, s->trial, s->fixed) == COMBINE__YES)
            return;
        s->trial[parameter] = before;
        s->weights[best] = UINT32_MAX;
    }
    COR_ASSERT(false && "the level it had can be completed");
}

/* All levels that are not fixed, in a random order of parameters. */
static void choose_levels(struct combine__search *s) {
    for (uint32_t p = 0; p < s->width; p++)
        s->sequence[p] = p;
    cor_rng_shuffle(&s->rng, s->sequence, s->width);
    for (uint32_t i = 0; i < s->width; i++)
        if (!s->fixed[s->sequence[i]])
            choose_level(s, s->sequence[i]);
}

enum cor_status combine__search_keep(struct combine__search *s, const uint16_t *row, const bool *fixed,
                                     struct cor_error *error) {
    memcpy(s->trial, row, s->width * sizeof *row);
    memcpy(s->fixed, fixed, s->width * sizeof *fixed);
    if (s->logic && combine__logic_complete(s->logic, s->trial, s->fixed) != COMBINE__YES)
        COR_ASSERT(false && "a row to keep that can be completed");
    choose_levels(s);
    return add_row(s, s->trial, true, error);
}

static enum cor_status keep_best(struct combine__search *s, struct cor_error *error) {
    COR_ASSERT(s->open_count == 0);
    if (!s->best || s->row_count > s->best_count) {
        free(s->best);
        COR_TRY(cor_made(s->best = cor_calloc(s->row_count * s->width, sizeof *s->best), error));
    }
    s->best_count = s->row_count;
    for (size_t i = 0; i < s->row_count; i++)
        memcpy(s->best + i * s->width, row_of(s, s->order[i]), s->width * sizeof *s->best);
    return COR_OK;
}

enum cor_status combine__search_cover(struct combine__search *s, uint32_t tries, struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint16_t *best = cor_calloc(s->width, sizeof *best);
    COR_TRY(cor_made(best, error));
    for (uint32_t failed = 0; s->open_count > 0;) {
        uint64_t most = 0;
        for (uint32_t i = 0; i < tries; i++) {
            /* Makes the trial a row with an open tuple, and with many. What cannot be is excluded before;
             * that a row cannot be completed is never so, but may be undecided. */
            const struct combine__problem *problem = s->problem;
            uint32_t levels[COR_COMBINE_STRENGTH_MAX];
            struct open_tuple chosen = s->open[cor_rng_below(&s->rng, (uint32_t)s->open_count)];
            const struct combine__block *block = &problem->blocks[chosen.block];
            memset(s->fixed, 0, s->width * sizeof *s->fixed);
            for (uint32_t p = 0; p < s->width; p++)
                s->trial[p] = (uint16_t)cor_rng_below(&s->rng, problem->level_count[p]);
            combine__block_levels(problem, block, chosen.tuple, levels);
            for (uint32_t j = 0; j < block->count; j++) {
                s->trial[block->parameter[j]] = (uint16_t)levels[j];
                s->fixed[block->parameter[j]] = true;
            }
            if (s->logic && combine__logic_complete(s->logic, s->trial, s->fixed) != COMBINE__YES)
                continue;
            choose_levels(s);
            uint64_t count = 0;
            for (size_t b = 0; b < s->problem->block_count; b++)
                count += s->cover[combine__block_tuple(&s->problem->blocks[b], s->trial)].rows == 0;
            if (count > most) {
                most = count;
                memcpy(best, s->trial, s->width * sizeof *best);
            }
        }
        if (most > 0)
            COR_TRY_OUT(add_row(s, best, false, error));
        else if (++failed > FAILED_MAX)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, NULL,
                                 "write the constraints simpler, or split them",
                                 "the constraints are too hard: no rows are found that satisfy them"));
    }
    status = keep_best(s, error);
out:
    free(best);
    return status;
}

struct candidate {
    uint32_t slot, parameter, ties;
    uint16_t level;
    int64_t score;
};

/* An open tuple with the level that a cell might get. */
struct near {
    const struct combine__block *block;
    uint32_t tuple;
    uint32_t other, other_level; /* of a pair */
};

static inline struct near look_near(const struct combine__block *block, uint32_t tuple, uint32_t at,
                                    uint32_t level) {
    struct near near = {.block = block, .tuple = tuple};
    if (block->count == 2) {
        near.other = block->parameter[1 - at];
        near.other_level = (tuple - block->first - level * block->stride[at]) / block->stride[1 - at];
    }
    return near;
}

/* How many open tuples with this level of the parameter a row has but for that cell. */
static int64_t gain_of(const struct near *near, size_t near_count, const uint16_t *row, uint32_t parameter,
                       uint16_t level) {
    int64_t gain = 0;
    for (size_t i = 0; i < near_count; i++) {
        const struct combine__block *block = near[i].block;
        if (block->count == 2) {
            gain += row[near[i].other] == near[i].other_level;
            continue;
        }
        uint32_t tuple = block->first;
        for (uint32_t j = 0; j < block->count; j++)
            tuple += (block->parameter[j] == parameter ? level : row[block->parameter[j]]) * block->stride[j];
        gain += tuple == near[i].tuple;
    }
    return gain;
}

#define NEAR_MAX 256 /* open tuples that a gain is counted over; beyond them it is a bound from below */

/* Of a list that a move looks through; a short one is paid for with the move. */
static uint64_t work_of_looking(size_t count) {
    return count > 64 ? (count - 64) / 4 : 0;
}

/* Looks at giving the rows that lack only cell `parameter` of the tuple this level. */
static void look_at_rows(struct combine__search *s, const struct combine__block *wanted,
                         const uint32_t *levels, uint32_t lacking, struct candidate *best) {
    struct near near[NEAR_MAX];
    size_t near_count = 0;
    uint32_t parameter = wanted->parameter[lacking];
    uint16_t level = (uint16_t)levels[lacking];
    s->work += work_of_looking(s->open_count) + work_of_looking(s->row_count);
    for (size_t i = 0; i < s->open_count && near_count < NEAR_MAX; i++) {
        const struct combine__block *block = &s->problem->blocks[s->open[i].block];
        /* The place of a parameter in a block, or its count. */
        uint32_t at = 0;
        while (at < block->count && block->parameter[at] != parameter)
            at++;
        if (at < block->count &&
            (s->open[i].tuple - block->first) / block->stride[at] % s->problem->level_count[parameter] ==
                level)
            near[near_count++] = look_near(block, s->open[i].tuple, at, level);
    }
    for (size_t i = s->kept_count; i < s->row_count; i++) {
        uint32_t slot = s->order[i];
        uint16_t *row = row_of(s, slot);
        bool fits = true;
        for (uint32_t j = 0; j < wanted->count && fits; j++)
            fits = (row[wanted->parameter[j]] == levels[j]) == (j != lacking);
        if (!fits)
            continue;
        int64_t score =
            gain_of(near, near_count, row, parameter, level) - (int64_t)unique_of(s, slot)[parameter];
        s->work += 4 + near_count;
        if (s->tabu[(size_t)slot * s->width + parameter] > s->moves &&
            (int64_t)s->open_count - score >= (int64_t)s->best_open)
            continue;
        if (best->ties > 0 && score < best->score)
            continue;
        if (s->logic) {
            uint16_t before = row[parameter];
            row[parameter] = level;
            bool allowed = combine__logic_allows(s->logic, row, parameter);
            row[parameter] = before;
            s->work += 8;
            if (!allowed)
                continue;
        }
        if (best->ties == 0 || score > best->score)
            *best = (struct candidate){slot, parameter, 1, level, score};
        else if (cor_rng_below(&s->rng, ++best->ties) == 0)
            *best = (struct candidate){slot, parameter, best->ties, level, score};
    }
}

/* One move: an open tuple, and the cell that is best changed for it. */
static void move(struct combine__search *s) {
    uint32_t levels[COR_COMBINE_STRENGTH_MAX];
    struct open_tuple chosen = s->open[cor_rng_below(&s->rng, (uint32_t)s->open_count)];
    const struct combine__block *block = &s->problem->blocks[chosen.block];
    struct candidate best = {0};
    s->moves++;
    combine__block_levels(s->problem, block, chosen.tuple, levels);
    for (uint32_t i = 0; i < block->count; i++)
        look_at_rows(s, block, levels, i, &best);
    if (best.ties == 0) {
        uint32_t place = cor_rng_below(&s->rng, (uint32_t)(s->row_count - s->kept_count));
        /* Gives a row the tuple, and whatever else the constraints then ask for. */
        const uint32_t slot = s->order[s->kept_count + place];
        memcpy(s->trial, row_of(s, slot), s->width * sizeof *s->trial);
        memset(s->fixed, 0, s->width * sizeof *s->fixed);
        for (uint32_t i = 0; i < block->count; i++) {
            s->trial[block->parameter[i]] = (uint16_t)levels[i];
            s->fixed[block->parameter[i]] = true;
        }
        if (!s->logic || combine__logic_complete(s->logic, s->trial, s->fixed) == COMBINE__YES)
            for (uint32_t p = 0; p < s->width; p++)
                if (row_of(s, slot)[p] != s->trial[p]) {
                    set_cell(s, slot, p, s->trial[p]);
                    s->tabu[(size_t)slot * s->width + p] = s->moves + 2;
                }
        return;
    }
    set_cell(s, best.slot, best.parameter, best.level);
    uint32_t tenure = 1 + cor_rng_below(&s->rng, 10);
    s->tabu[(size_t)best.slot * s->width + best.parameter] = s->moves + tenure;
}

/* The row whose tuples most others have too. */
static size_t least_needed(const struct combine__search *s) {
    size_t best = s->kept_count;
    uint64_t least = UINT64_MAX;
    for (size_t i = s->kept_count; i < s->row_count; i++) {
        uint64_t sum = 0;
        const uint32_t *unique = s->unique + (size_t)s->order[i] * s->width;
        for (uint32_t p = 0; p < s->width; p++)
            sum += unique[p];
        if (sum < least)
            least = sum, best = i;
    }
    return best;
}

enum cor_status combine__search_shrink(struct combine__search *s, size_t least, uint64_t moves, uint64_t work,
                                       struct cor_error *error) {
    uint64_t last_move = moves < UINT64_MAX - s->moves ? s->moves + moves : UINT64_MAX;
    uint64_t last_work = work < UINT64_MAX - s->work ? s->work + work : UINT64_MAX;
    while (s->row_count > least && s->row_count > s->kept_count) {
        const size_t place = least_needed(s);
        uint32_t slot = s->order[place];
        COR_ASSERT(place >= s->kept_count);
        for (size_t b = 0; b < s->problem->block_count; b++)
            lose_tuple(s, combine__block_tuple(&s->problem->blocks[b], row_of(s, slot)), (uint32_t)b, slot);
        s->order[place] = s->order[--s->row_count];
        s->spare[s->spare_count++] = (uint16_t)slot;
        s->work += s->problem->block_count;
        if (s->open_count > 0 && s->row_count == s->kept_count)
            break;
        s->best_open = s->open_count;
        while (s->open_count > 0 && s->moves < last_move && s->work < last_work) {
            move(s);
            if (s->open_count < s->best_open)
                s->best_open = s->open_count;
        }
        if (s->open_count > 0)
            break;
        COR_TRY(keep_best(s, error));
    }
    return COR_OK;
}

size_t combine__search_open(const struct combine__search *s) {
    return s->open_count;
}

size_t combine__search_row_count(const struct combine__search *s) {
    return s->best_count;
}

void combine__search_rows(const struct combine__search *s, uint16_t *rows) {
    memcpy(rows, s->best, s->best_count * s->width * sizeof *rows);
}

uint64_t combine__search_moves(const struct combine__search *s) {
    return s->moves;
}

void combine__block_levels(const struct combine__problem *problem, const struct combine__block *block,
                           uint32_t tuple, uint32_t *levels) {
    uint32_t rest = tuple - block->first;
    for (uint32_t i = 0; i < block->count; i++) {
        levels[i] = rest / block->stride[i];
        COR_ASSERT(levels[i] < problem->level_count[block->parameter[i]]);
        rest %= block->stride[i];
    }
}
