/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/likelihood.h>

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>

double cor_step_bits(double probability) {
    return probability > 0 ? -log2(probability) : (double)INFINITY;
}

double cor_step_usual_bits(const double *row, uint32_t states) {
    double bits = 0;
    for (uint32_t to = 0; to < states; to++)
        if (row[to] > 0)
            bits += row[to] * cor_step_bits(row[to]);
    return bits;
}

/* What the steps of a law cost in bits, each row's mean, where a draw leads, and scratch for the law of the
 * state. Chains of one law share it. */
struct costs {
    const double *transition; /* borrowed: whose they are */
    double *step, *usual;     /* owned by `step`, as all: [from * states + to], [from] */
    double *below;      /* [from * states + to]: draws below it that are below no earlier one lead there */
    double *now, *next; /* [state] */
};

static enum cor_status costs_init(struct costs *costs, const struct cor_chain_walk *chain,
                                  struct cor_error *error) {
    const size_t n = chain->states;
    COR_TRY(cor_made(costs->step = cor_calloc(n * (2 * n + 3), sizeof *costs->step), error));
    costs->transition = chain->transition;
    costs->below = costs->step + n * n;
    costs->usual = costs->below + n * n;
    costs->now = costs->usual + n;
    costs->next = costs->now + n;
    for (size_t from = 0; from < n; from++) {
        const double *row = chain->transition + from * n;
        double sum = 0, *last = costs->below + from * n;
        costs->usual[from] = cor_step_usual_bits(row, chain->states);
        for (size_t to = 0; to < n; to++) {
            costs->step[from * n + to] = cor_step_bits(row[to]);
            costs->below[from * n + to] = sum += row[to];
            last = row[to] > 0 ? &costs->below[from * n + to] : last;
        }
        *last = INFINITY; /* it takes what rounding leaves */
    }
    return COR_OK;
}

/* The mean over all walks from the first state: the law of the state goes on step by step. */
static double usual_bits(const struct cor_chain_walk *chain, const struct costs *costs, uint32_t steps) {
    const uint32_t n = chain->states;
    double bits = 0, *now = costs->now, *next = costs->next;
    for (uint32_t s = 0; s < n; s++)
        now[s] = s == chain->walk[0];
    for (uint32_t step = 0; step < steps; step++) {
        for (uint32_t to = 0; to < n; to++)
            next[to] = 0;
        for (uint32_t from = 0; from < n; from++) {
            if (!(now[from] > 0))
                continue;
            bits += now[from] * costs->usual[from];
            for (uint32_t to = 0; to < n; to++)
                next[to] += now[from] * chain->transition[(size_t)from * n + to];
        }
        double *held = now;
        now = next;
        next = held;
    }
    return bits;
}

/* The bits of a walk that is drawn. */
static double drawn_bits(const struct cor_chain_walk *chain, const struct costs *costs, uint32_t steps,
                         struct cor_rng *rng) {
    const size_t n = chain->states;
    size_t at = chain->walk[0];
    double bits = 0;
    for (uint32_t step = 0; step < steps; step++) {
        const double draw = cor_rng_unit(rng), *below = costs->below + at * n;
        size_t to = 0;
        while (to + 1 < n && draw >= below[to])
            to++;
        bits += costs->step[at * n + to];
        at = to;
    }
    return bits;
}

enum cor_status cor_walks_likelihood(const struct cor_chain_walk *chains, size_t chain_count, uint32_t steps,
                                     struct cor_rng *rng, struct cor_likelihood *likelihood,
                                     struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct costs *costs = cor_calloc(chain_count + 1, sizeof *costs);
    const struct costs **of = cor_calloc(chain_count + 1, sizeof *of);
    size_t laws = 0;
    COR_TRY_OUT(cor_made(costs, error));
    COR_TRY_OUT(cor_made(of, error));
    *likelihood = (struct cor_likelihood){0};
    for (size_t c = 0; c < chain_count; c++) {
        size_t law = 0;
        while (law < laws && costs[law].transition != chains[c].transition)
            law++;
        if (law == laws)
            COR_TRY_OUT(costs_init(&costs[laws++], &chains[c], error));
        of[c] = &costs[law];
        const struct cor_chain_walk *chain = &chains[c];
        double bits = 0;
        for (uint32_t step = 1; step <= steps; step++)
            bits += of[c]->step[(size_t)chain->walk[step - 1] * chain->states + chain->walk[step]];
        likelihood->bits += bits;
        likelihood->usual_bits += usual_bits(&chains[c], of[c], steps);
    }
    if (likelihood->bits < INFINITY) {
        /* The share of walks that cost at least so much. Drawing ends once COR_LIKELIHOOD_HITS were that
         * rare: those over all that were drawn are a p as good as that of all draws (Besag and Clifford,
         * Sequential Monte Carlo p-values, Biometrika 78, 1991). Sums of the same numbers in another order
         * differ in their last bits. */
        const double least = likelihood->bits * (1 - 1e-9);
        uint32_t hits = 0, draws = 0;
        while (hits < COR_LIKELIHOOD_HITS && draws < COR_LIKELIHOOD_DRAWS) {
            double drawn = 0;
            for (size_t c = 0; c < chain_count; c++)
                drawn += drawn_bits(&chains[c], of[c], steps, rng);
            hits += drawn >= least;
            draws++;
        }
        likelihood->rarer = hits < COR_LIKELIHOOD_HITS ? (hits + 1) / (draws + 1.0) : (double)hits / draws;
    }
out:
    for (size_t law = 0; law < laws; law++)
        free(costs[law].step);
    COR_FREE(costs, of);
    return status;
}
