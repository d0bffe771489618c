/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For scripts: spaces that are written down, each move of each state, and what is found of them, a line of
 * JSON a question. Standard input has, in words with blanks between them,
 *
 *   space SIZE ACTORS OWED, then for each state: INSIDE MOVES, and for each move: ACTOR OUTCOMES TARGET ..
 *   again COUNT STATE ..     in these states a condition holds; for the questions that follow
 *   starts COUNT STATE ..    of these, and of what comes of them, is asked then
 *   keep MOVES               of all states together so many moves may be kept in memory, likewise
 *   ask DAEMON FAIRNESS      by their words
 */
#include <corridor/stabilize.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct written {
    uint32_t *first;              /* [state + 1] moves */
    struct cor_space_move *moves; /* each with outcomes of its own */
    uint32_t count, capacity;
};

static void moves_of(const void *self, uint32_t state, struct cor_space_moves *moves) {
    const struct written *w = self;
    for (uint32_t m = w->first[state]; m < w->first[state + 1]; m++)
        moves->items[moves->count++] = w->moves[m];
}

static uint64_t number(void) {
    uint64_t value;
    if (scanf("%" SCNu64, &value) != 1)
        exit(2);
    return value;
}

static void *made(void *memory) {
    if (!memory)
        exit(4);
    return memory;
}

static void read_space(struct cor_space *space, struct written *w, uint64_t **inside) {
    space->size = (uint32_t)number();
    space->actor_count = (uint32_t)number();
    space->owed = number();
    *inside = made(calloc(space->size / 64 + 1, sizeof **inside));
    w->first = made(calloc(space->size + 1, sizeof *w->first));
    for (uint32_t s = 0; s < space->size; s++) {
        (*inside)[s / 64] |= number() << s % 64;
        for (uint64_t left = number(); left > 0; left--) {
            if (w->count == w->capacity) {
                w->capacity = 2 * w->capacity + 1024;
                w->moves = made(realloc(w->moves, w->capacity * sizeof *w->moves));
            }
            struct cor_space_move *move = &w->moves[w->count++];
            move->actor = (uint32_t)number();
            move->outcome_count = (uint32_t)number();
            int32_t *by = made(calloc(move->outcome_count, sizeof *by));
            for (uint32_t o = 0; o < move->outcome_count; o++)
                by[o] = (int32_t)((int64_t)number() - (int64_t)s);
            move->by = by;
        }
        w->first[s + 1] = w->count;
    }
    space->inside = *inside;
    space->self = w;
    space->moves = moves_of;
}

/* A set of states that stands behind a word. */
static uint64_t *read_set(uint32_t size) {
    uint64_t *set = made(calloc(size / 64 + 1, sizeof *set));
    for (uint64_t left = number(); left > 0; left--) {
        const uint64_t state = number();
        set[state / 64] |= UINT64_C(1) << state % 64;
    }
    return set;
}

static void put_bound(const char *name, uint32_t bound) {
    if (bound == COR_UNBOUNDED)
        printf(", \"%s\": null", name);
    else
        printf(", \"%s\": %" PRIu32, name, bound);
}

static void put_real(const char *name, double value) {
    if (isnan(value))
        printf(", \"%s\": null", name);
    else
        printf(", \"%s\": %.12g", name, value);
}

static void put_turns(const char *name, const struct cor_space_run *turns) {
    printf(", \"%s\": [", name);
    for (uint32_t i = 0; i < turns->count; i++)
        printf("%s[%" PRIu32 ", %" PRIu64 "]", i > 0 ? ", " : "", turns->items[i].state,
               turns->items[i].movers);
    printf("]");
}

static void put_found(const struct cor_space *space, const struct cor_stabilized *f) {
    printf("{\"states\": %" PRIu32 ", \"asked\": %" PRIu32 ", ", space->size, f->asked);
    printf("\"steps\": %" PRIu64 ", \"inside\": %" PRIu32 ", \"stable\": %" PRIu32 ", \"leaving\": %" PRIu32,
           f->steps, f->inside, f->stable, f->leaving);
    printf(", \"dead_ends\": %" PRIu32 ", \"in_loops\": %" PRIu32 ", \"lost\": %" PRIu32
           ", \"can_stay\": %" PRIu32,
           f->dead_ends, f->in_loops, f->lost, f->can_stay);
    for (int h = 0; h < COR_FAIRNESS_NEVER; h++)
        printf(", \"%s\": %s, \"%s_open\": %s", cor_fairness_word((enum cor_fairness)h),
               f->holds[h] ? "true" : "false", cor_fairness_word((enum cor_fairness)h),
               f->open[h] ? "true" : "false");
    printf(", \"again_open\": %s", f->again_open ? "true" : "false");
    printf(", \"from\": \"%s\", \"has_rounds\": %s", cor_fairness_word(f->from),
           f->has_rounds ? "true" : "false");
    put_bound("worst_steps", f->worst_steps);
    put_bound("worst_moves", f->worst_moves);
    put_bound("worst_rounds", f->worst_rounds);
    put_bound("a_dead_end", f->a_dead_end);
    put_bound("again_failing", f->again_failing);
    printf(", \"worst_state\": %" PRIu32 ", \"worst_states\": %" PRIu32 ", \"again_dead_ends\": %" PRIu32,
           f->worst_state, f->worst_states, f->again_dead_ends);
    put_real("mean_steps", f->mean_steps);
    put_real("expected_worst", f->expected_worst);
    put_real("expected_mean", f->expected_mean);
    printf(", \"shortest\": %" PRIu32 ", \"is_shortest\": %s, \"loop_fairness\": \"%s\", \"depth\": [",
           f->shortest, f->is_shortest ? "true" : "false", cor_fairness_word(f->loop_fairness));
    for (uint32_t d = 0; d < f->depth_count; d++)
        printf("%s%" PRIu64, d > 0 ? ", " : "", f->depth[d]);
    printf("]");
    put_turns("worst", &f->worst);
    put_turns("loop", &f->loop);
    put_turns("again_loop", &f->again_loop);
    printf("}\n");
}

/* Which of the words it is. */
static int index_of(const char *word, const char *(*at)(int), int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(at(i), word) == 0)
            return i;
    exit(2);
}

static const char *daemon_at(int index) {
    return cor_daemon_word((enum cor_daemon)index);
}

static const char *fairness_at(int index) {
    return cor_fairness_word((enum cor_fairness)index);
}

int main(void) {
    struct cor_space space = {0};
    struct written w = {0};
    uint64_t *inside = NULL, *met = NULL, *starts = NULL;
    const uint64_t *again[1] = {NULL};
    char word[16], daemon[16], fairness[16];
    uint64_t moves_most = 0;
    int exit_code = 0;
    while (exit_code == 0 && scanf("%15s", word) == 1) {
        if (strcmp(word, "space") == 0) {
            for (uint32_t m = 0; m < w.count; m++)
                free((void *)(uintptr_t)w.moves[m].by);
            free(w.first);
            free(inside);
            free(met);
            free(starts);
            w.count = 0;
            met = starts = NULL;
            space.starts = NULL;
            read_space(&space, &w, &inside);
            moves_most = space.size % 3 > 0 ? cor_default_stabilize_question().moves_most : 0;
        } else if (strcmp(word, "keep") == 0) {
            moves_most = number();
        } else if (strcmp(word, "again") == 0) {
            free(met);
            again[0] = met = read_set(space.size);
        } else if (strcmp(word, "starts") == 0) {
            free(starts);
            space.starts = starts = read_set(space.size);
        } else if (scanf("%15s %15s", daemon, fairness) == 2 && strcmp(word, "ask_stay") == 0) {
            const uint64_t *goal = strcmp(fairness, "met") == 0 ? met : NULL;
            struct cor_error error = COR_NO_ERROR;
            bool can_stay = false;
            for (uint32_t state = 0; state < space.size && exit_code == 0; state++) {
                if (cor_space_can_stay(&space, (enum cor_daemon)index_of(daemon, daemon_at, COR_DAEMON_COUNT),
                                       state, goal, &can_stay, &error) != COR_OK)
                    exit_code = 4;
                printf("%s%d", state > 0 ? ", " : "[", can_stay);
            }
            printf("]\n");
        } else {
            struct cor_stabilized found;
            struct cor_error error = COR_NO_ERROR;
            struct cor_stabilize_question question = cor_default_stabilize_question();
            question.daemon = (enum cor_daemon)index_of(daemon, daemon_at, COR_DAEMON_COUNT);
            question.fairness = (enum cor_fairness)index_of(fairness, fairness_at, COR_FAIRNESS_NEVER);
            question.again = again;
            question.again_count = met != NULL;
            question.moves_most = moves_most; /* some are asked again */
            if (cor_stabilize(&space, &question, &found, &error) == COR_OK)
                put_found(&space, &found);
            else
                exit_code = 4;
            fflush(stdout);
            cor_stabilized_fini(&found);
        }
    }
    for (uint32_t m = 0; m < w.count; m++)
        free((void *)(uintptr_t)w.moves[m].by);
    free(w.moves);
    free(w.first);
    free(inside);
    free(met);
    free(starts);
    return exit_code;
}
