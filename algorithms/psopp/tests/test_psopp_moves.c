/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operators on positions: they never leave the limits, they reach what the README says they reach, and
 * the approach operators approach. */
#include "bench_psopp.h"
#include "partitions.h"

#include <stdio.h>

/* Who can be reached from whom, as an n x n table of bytes. */
struct graph {
    size_t count;
    unsigned char *edge; /* owned */
};

/* Can everybody be reached from vertex 0 (backwards: can 0 be reached from everybody)? */
static bool reaches_all(const struct graph *graph, bool backwards) {
    size_t *queue = calloc(graph->count, sizeof *queue), used = 1;
    unsigned char *seen = calloc(graph->count, 1);
    seen[0] = 1;
    for (size_t at = 0; at < used; at++)
        for (size_t to = 0; to < graph->count; to++)
            if (!seen[to] &&
                graph->edge[backwards ? to * graph->count + queue[at] : queue[at] * graph->count + to]) {
                seen[to] = 1;
                queue[used++] = to;
            }
    free(queue);
    free(seen);
    return used == graph->count;
}

/* Every partitioning can be reached from every other. */
static bool is_connected(const struct graph *graph) {
    return reaches_all(graph, false) && reaches_all(graph, true);
}

static uint32_t degree(const struct graph *graph, size_t from) {
    uint32_t edges = 0;
    for (size_t to = 0; to < graph->count; to++)
        edges += graph->edge[from * graph->count + to];
    return edges;
}

/* The neighbours by definition (README, "Reachability"), from labels alone. */
struct shape {
    uint32_t n, blocks, label[8], size[8];
};

static struct shape shape_of(uint32_t n, uint64_t key) {
    struct shape shape = {.n = n};
    for (uint32_t a = 0; a < n; a++) {
        shape.label[a] = (uint32_t)(key >> (4 * (n - 1 - a)) & 15);
        shape.size[shape.label[a]]++;
        shape.blocks = shape.label[a] + 1 > shape.blocks ? shape.label[a] + 1 : shape.blocks;
    }
    return shape;
}

static void edge_to(struct graph *graph, const struct partitions *all, size_t from,
                    const struct shape *shape) {
    long to = partitions_find(all, partitions_key(shape->n, shape->label));
    assert_true(to >= 0);
    graph->edge[from * graph->count + (size_t)to] = 1;
}

/* Block b, more than one member, is split along each subset of the agents. Returns the number of allowed
 * splits. */
static void define_splits(struct graph *graph, const struct partitions *all, size_t from,
                          const struct shape *shape, uint32_t b) {
    for (uint32_t subset = 1; subset < 1u << shape->n; subset++) {
        struct shape split = *shape;
        uint32_t moved = 0;
        bool inside = true;
        for (uint32_t a = 0; a < shape->n; a++)
            if (subset >> a & 1) {
                inside = inside && shape->label[a] == b;
                split.label[a] = shape->blocks;
                moved++;
            }
        if (inside && moved >= all->limits.size_min && shape->size[b] >= moved + all->limits.size_min)
            edge_to(graph, all, from, &split);
    }
}

static void define_join(struct graph *graph, const struct partitions *all, size_t from,
                        const struct shape *shape, uint32_t b, uint32_t c) {
    struct shape joined = *shape;
    for (uint32_t a = 0; a < shape->n; a++)
        if (joined.label[a] == c)
            joined.label[a] = b;
    edge_to(graph, all, from, &joined);
}

static bool size_fits(const struct partitions *all, uint32_t size) {
    return size >= all->limits.size_min && size <= all->limits.size_max;
}

/* One member away (x), one back (y), or both; not all against all. */
static void define_exchanges(struct graph *graph, const struct partitions *all, size_t from,
                             const struct shape *shape) {
    for (uint32_t x = 0; x < shape->n; x++)
        for (uint32_t y = 0; y < shape->n; y++) {
            uint32_t b = shape->label[x], c = shape->label[y];
            if (b == c)
                continue;
            struct shape moved = *shape;
            moved.label[x] = c;
            if (size_fits(all, shape->size[b] - 1) && size_fits(all, shape->size[c] + 1))
                edge_to(graph, all, from, &moved);
            moved.label[y] = b;
            if (shape->size[b] > 1 || shape->size[c] > 1)
                edge_to(graph, all, from, &moved);
        }
}

static void define_neighbours(struct graph *graph, const struct partitions *all, size_t from, bool mixed) {
    struct shape shape = shape_of(all->limits.n, all->keys[from]);
    bool others = false;
    for (uint32_t b = 0; b < shape.blocks; b++) {
        if (shape.blocks < all->limits.count_max && shape.size[b] >= 2 * all->limits.size_min) {
            define_splits(graph, all, from, &shape, b);
            others = true;
        }
        for (uint32_t c = 0; c < b; c++)
            if (shape.blocks > all->limits.count_min &&
                shape.size[b] + shape.size[c] <= all->limits.size_max) {
                define_join(graph, all, from, &shape, b, c);
                others = true;
            }
    }
    if (mixed || !others)
        define_exchanges(graph, all, from, &shape);
}

static uint64_t key_of(const struct psopp_position *position) {
    return partitions_key(position->space->agent_count, position->label);
}

/* A position of its own, loaded with a partitioning. */
static void load(struct psopp_position *position, const struct psopp_space *space, uint64_t key) {
    uint32_t block_start[17], members[16];
    uint32_t blocks = partitions_blocks(space->agent_count, key, block_start, members);
    psopp__position_load(position, blocks, block_start, members);
}

/* What random moves lead to, seen by making them, until every neighbour of the definition has come out (it
 * has to within 200 draws per neighbour). No move may lead elsewhere; standing still is not an edge of the
 * definition. */
static void sample_neighbours(struct graph *seen, const struct graph *defined, const struct partitions *all,
                              struct psopp *psopp, size_t from) {
    struct psopp_position *position = &psopp->particles[0].position;
    unsigned char *row = seen->edge + from * seen->count;
    const unsigned char *expected = defined->edge + from * defined->count;
    uint32_t missing = degree(defined, from);
    for (uint32_t draws = 200 * missing; draws > 0 && missing > 0; draws--) {
        load(position, &psopp->space, all->keys[from]);
        psopp__random_move(psopp, position);
        long to = partitions_find(all, key_of(position));
        assert_true(to >= 0 && (expected[to] || (size_t)to == from));
        missing -= !row[to] && expected[to];
        row[to] = 1;
    }
    assert_int_equal(missing, 0);
}

static void bench_at(struct bench *bench, const struct partitions_limits *l, bool mixed) {
    bench_init(bench, (struct bench_limits){l->n, l->size_min, l->size_max, l->count_min, l->count_max},
               l->n);
    bench->task.parameters[PSOPP_EXCHANGE_POLICY] = mixed;
    bench_begin(bench);
}

struct tally {
    uint32_t disconnected[2], fixed_count_disconnected[2], fixed_count_settings;
};

static void search(const struct partitions *all, void *data) {
    struct tally *tally = data;
    struct partitions_limits l = all->limits;
    uint32_t low = (l.n + l.size_max - 1) / l.size_max, high = l.n / l.size_min;
    low = low > l.count_min ? low : l.count_min;
    high = high < l.count_max ? high : l.count_max;
    for (int mixed = 0; mixed < 2; mixed++) {
        struct bench bench;
        struct graph seen = {all->count, calloc(all->count, all->count)},
                     defined = {all->count, calloc(all->count, all->count)};
        bench_at(&bench, &l, mixed);
        for (size_t from = 0; from < all->count; from++) {
            define_neighbours(&defined, all, from, mixed);
            sample_neighbours(&seen, &defined, all, bench.psopp, from);
        }
        bool connected = is_connected(&seen);
        tally->disconnected[mixed] += !connected;
        if (mixed) /* the rule in the README */
            assert_int_equal(connected, !(l.size_max < 2 * l.size_min && high > low));
        if (l.count_min == l.count_max) {
            tally->fixed_count_disconnected[mixed] += !connected;
            tally->fixed_count_settings += !mixed;
        }
        bench_fini(&bench);
        free(seen.edge);
        free(defined.edge);
    }
}

/* Single agents as blocks, which the 200 settings leave out. */
static void single_agents_have_all_their_neighbours(void **state) {
    (void)state;
    struct tally tally = {.fixed_count_settings = 0};
    struct partitions all = partitions_list((struct partitions_limits){6, 1, 6, 1, 6});
    search(&all, &tally);
    assert_int_equal(tally.disconnected[0] + tally.disconnected[1], 0);
    free(all.keys);
}

/* The figures of the README: of 200 settings, 5 are disconnected with `mixed`, 25 with `last_resort`. */
static void of_200_settings_those_of_the_readme_are_disconnected(void **state) {
    (void)state;
    struct tally tally = {.fixed_count_settings = 0};
    assert_int_equal(partitions_settings(search, &tally), 200);
    assert_int_equal(tally.disconnected[1], 5);
    assert_int_equal(tally.disconnected[0], 25);
    assert_int_equal(tally.fixed_count_settings, 57);
    assert_int_equal(tally.fixed_count_disconnected[0], 0);
    assert_int_equal(tally.fixed_count_disconnected[1], 0);
}

/* Is a split or a join possible, by sizes and number alone? */
static bool can_split_or_join(const struct psopp_position *position, const struct bench_limits *limits) {
    uint32_t largest = 0, smallest = UINT32_MAX, next = UINT32_MAX;
    for (uint32_t i = 0; i < position->live_count; i++) {
        uint32_t size = position->blocks[position->live[i]].size;
        largest = size > largest ? size : largest;
        next = size < smallest ? smallest : size < next ? size : next;
        smallest = size < smallest ? size : smallest;
    }
    return (position->live_count < limits->count_max && largest >= 2 * limits->size_min) ||
           (position->live_count > limits->count_min && smallest + (uint64_t)next <= limits->size_max);
}

static uint64_t used(const struct bench *bench, enum psopp_operator which) {
    uint64_t sum = 0;
    for (uint32_t c = bench->host.counter_start[which]; c < bench->host.counter_start[which + 1]; c++)
        sum += bench->host.counters[c];
    return sum;
}

/* Random and approach moves towards targets that change now and then; C1 to C5 after each. As a last resort
 * means: nobody changes places where there is something to split or to join. */
static void wander(struct bench_limits limits, bool mixed, uint32_t exchange_max, uint32_t moves,
                   uint32_t check_every) {
    struct bench bench;
#ifdef __SANITIZE_ADDRESS__
    moves /= 10; /* the same code, ten times as slow */
#endif
    bench_init(&bench, limits, limits.n + mixed);
    bench.task.parameters[PSOPP_EXCHANGE_POLICY] = mixed;
    bench.task.parameters[PSOPP_EXCHANGE_SIZE] = exchange_max;
    bench_begin(&bench);
    struct psopp *psopp = bench.psopp;
    struct psopp_position *position = &psopp->particles[0].position, *target = &psopp->particles[0].best;
    for (uint32_t move = 0; move < moves; move++) {
        uint32_t what = cor_rng_below(&bench.rng, 100);
        if (what == 0)
            psopp__position_copy(target, position);
        const bool may_exchange = mixed || !can_split_or_join(position, &limits);
        const uint64_t exchanges =
            used(&bench, PSOPP_RANDOM_EXCHANGE) + used(&bench, PSOPP_APPROACH_EXCHANGE);
        if (what < 40 || !psopp__approach(psopp, position, target, psopp__halves(psopp->random).one))
            psopp__random_move(psopp, position);
        if (!may_exchange)
            assert_int_equal(used(&bench, PSOPP_RANDOM_EXCHANGE) + used(&bench, PSOPP_APPROACH_EXCHANGE),
                             exchanges);
        bench_check_feasible(&bench, position);
        if (move % check_every == 0)
            bench_check(&bench, position);
    }
    for (int operator= 0; operator<PSOPP_OPERATOR_COUNT;
         operator++) { /* all operators that can be used, were */
        bool is_exchange = operator== PSOPP_RANDOM_EXCHANGE || operator== PSOPP_APPROACH_EXCHANGE;
        if (limits.count_min == limits.count_max ? is_exchange : mixed || !is_exchange)
            assert_true(used(&bench, (enum psopp_operator) operator) > 0);
    }
    bench_fini(&bench);
}

static void a_million_moves_stay_feasible(void **state) {
    (void)state;
    wander((struct bench_limits){24, 2, 9, 3, 12}, true, 3, 300000, 10);
    wander((struct bench_limits){24, 2, 9, 3, 12}, false, 1, 300000, 10);
    wander((struct bench_limits){12, 1, 12, 1, 12}, true, 3, 200000, 10);
    wander((struct bench_limits){21, 2, 5, 6, 6}, false, 2, 100000, 10);
    wander((struct bench_limits){150, 5, 60, 2, 30}, true, 1, 70000, 100);
    wander((struct bench_limits){700, 100, 600, 1, 7}, true, 1, 30000, 100); /* large blocks: samples */
}

/* Pairs that both positions treat alike, by brute force. */
static uint32_t agreement(const struct psopp_position *a, const struct psopp_position *b) {
    uint32_t n = a->space->agent_count, alike = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            alike += (a->label[i] == a->label[j]) == (b->label[i] == b->label[j]);
    return alike;
}

/* 200 random moves away. */
static void scatter(struct bench *bench, struct psopp_position *position) {
    for (int i = 0; i < 200; i++)
        psopp__random_move(bench->psopp, position);
}

static void split_and_join_never_lower_the_similarity(void **state) {
    (void)state;
    struct bench bench;
    bench_init(&bench, (struct bench_limits){24, 2, 12, 2, 10}, 5);
    bench.task.parameters[PSOPP_EXCHANGE_POLICY] = 1;
    bench_begin(&bench);
    struct psopp *psopp = bench.psopp;
    struct psopp_position *position = &psopp->particles[0].position, *target = &psopp->particles[0].best;
    uint32_t exchanges = 0, exchanges_up = 0, applied[2] = {0};
    for (uint32_t round = 0; round < 20000; round++) {
        if (round % 50 == 0) {
            scatter(&bench, position);
            psopp__position_copy(target, position);
            scatter(&bench, position);
        }
        uint32_t before = agreement(position, target), what = round % 3;
        psopp_move *move = what == 0   ? psopp__approach_split
                           : what == 1 ? psopp__approach_join
                                       : psopp__approach_exchange;
        bool moved = move(psopp, position, target);
        uint32_t after = agreement(position, target);
        if (what == 2) {
            exchanges += moved;
            exchanges_up += moved && after > before;
        } else if (moved) {
            assert_true(after > before);
            applied[what]++;
        }
        if (!moved)
            assert_int_equal(after, before);
    }
    assert_true(applied[0] > 100 && applied[1] > 100 && exchanges > 100);
    assert_true(exchanges_up * 2 > exchanges);
    bench_fini(&bench);
}

/* Does the join of two blocks unite more pairs that the target keeps together than others? By counting all.
 */
static bool join_wins_by_counting(uint32_t n, const uint32_t *label, const uint32_t *target, uint32_t one,
                                  uint32_t other) {
    uint32_t right = 0, pairs = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (label[i] == one && label[j] == other) {
                pairs++;
                right += target[i] == target[j];
            }
    return 2 * right > pairs;
}

/* From every partitioning of seven agents towards every other: a join is made only where it wins, never where
 * it loses as many pairs as it wins, and where one wins, it is found. */
static void joins_are_made_exactly_where_they_win(void **state) {
    (void)state;
    enum { AGENTS = 7 };
    struct bench bench;
    struct partitions all = partitions_list((struct partitions_limits){AGENTS, 1, AGENTS, 1, AGENTS});
    uint32_t made = 0, none = 0, evenly = 0;
    bench_init(&bench, (struct bench_limits){AGENTS, 1, AGENTS, 1, AGENTS}, 3);
    bench_begin(&bench);
    struct psopp_position *position = &bench.psopp->particles[0].position,
                          *target = &bench.psopp->particles[0].best;
    for (size_t from = 0; from < all.count; from += 7)
        for (size_t to = 0; to < all.count; to += 11) {
            bool wins = false;
            load(target, &bench.psopp->space, all.keys[to]);
            load(position, &bench.psopp->space, all.keys[from]);
            for (uint32_t b = 0; b < position->live_count; b++)
                for (uint32_t c = 0; c < b; c++)
                    wins = wins || join_wins_by_counting(AGENTS, position->label, target->label, b, c);
            bool moved = false;
            for (uint32_t tries = wins ? 300 : 20; tries > 0 && !moved; tries--) {
                uint32_t before[AGENTS];
                memcpy(before, position->label, sizeof before);
                moved = psopp__approach_join(bench.psopp, position, target);
                if (!moved)
                    continue;
                uint32_t one = UINT32_MAX, other = UINT32_MAX; /* the two blocks whose labels became one */
                for (uint32_t i = 0; i < AGENTS; i++)
                    for (uint32_t j = 0; j < i; j++)
                        if (before[i] != before[j] && position->label[i] == position->label[j]) {
                            one = before[i];
                            other = before[j];
                        }
                assert_true(join_wins_by_counting(AGENTS, before, target->label, one, other));
            }
            assert_int_equal(moved, wins);
            made += moved;
            none += !moved;
            evenly += !moved && position->live_count > 1;
        }
    assert_true(made > 1000 && none > 1000 && evenly > 100);
    free(all.keys);
    bench_fini(&bench);
}

/* Stands in for the approach operators: none can do anything, and it is seen in which order they are asked.
 */
static char asked[4];

static bool ask(char which) {
    asked[strlen(asked)] = which;
    return false;
}

static bool ask_split(struct psopp *psopp, struct psopp_position *position,
                      const struct psopp_position *target) {
    (void)psopp, (void)position, (void)target;
    return ask('s');
}

static bool ask_join(struct psopp *psopp, struct psopp_position *position,
                     const struct psopp_position *target) {
    (void)psopp, (void)position, (void)target;
    return ask('j');
}

static bool ask_exchange(struct psopp *psopp, struct psopp_position *position,
                         const struct psopp_position *target) {
    (void)psopp, (void)position, (void)target;
    return ask('e');
}

/* All orders of the operators, equally often; as a last resort those of split and join, and where neither can
 * be, the exchange. */
static void operators_are_asked_in_all_orders(void **state) {
    (void)state;
    static const struct {
        struct bench_limits limits;
        bool mixed;
        const char *orders[7];
    } cases[] = {{{24, 2, 12, 2, 10}, true, {"sje", "sej", "jse", "jes", "esj", "ejs", NULL}},
                 {{24, 2, 12, 2, 10}, false, {"sj", "js", NULL}},
                 {{60, 10, 10, 6, 6}, false, {"e", NULL}}};
    const struct psopp_moves asking = {.move = {[PSOPP_APPROACH_SPLIT] = ask_split,
                                                [PSOPP_APPROACH_JOIN] = ask_join,
                                                [PSOPP_APPROACH_EXCHANGE] = ask_exchange}};
    enum { ASKED = 6000 };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bench bench;
        uint32_t seen[6] = {0}, orders = 0;
        bench_init(&bench, cases[c].limits, 3);
        bench.task.parameters[PSOPP_EXCHANGE_POLICY] = cases[c].mixed;
        bench_begin(&bench);
        bench.psopp->moves = &asking;
        struct psopp_particle *particle = &bench.psopp->particles[0];
        for (uint32_t i = 0; i < ASKED; i++) {
            memset(asked, 0, sizeof asked);
            uint32_t half = (uint32_t)(((uint64_t)i << 32) / ASKED);
            assert_false(psopp__approach(bench.psopp, &particle->position, &particle->best, half));
            for (orders = 0; cases[c].orders[orders]; orders++)
                seen[orders] += strcmp(asked, cases[c].orders[orders]) == 0;
        }
        for (uint32_t o = 0; o < orders; o++)
            assert_in_range(seen[o], ASKED / orders - 1, ASKED / orders + 1);
        bench_fini(&bench);
    }
}

/* A block of eight is split along its groups: those of two that are too small for a block of their own go
 * together, and what is just large enough for one is. */
static void splits_leave_groups_whole(void **state) {
    (void)state;
    static const uint32_t whole[] = {0, 8}, members[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t pairs[] = {0, 2, 4, 6, 8}, halves[] = {0, 4, 8};
    for (uint32_t size_min = 2; size_min <= 4; size_min += 2)
        for (int of_pairs = 0; of_pairs < 2; of_pairs++) {
            struct bench bench;
            uint32_t smaller[9] = {0};
            bench_init(&bench, (struct bench_limits){8, size_min, 8, 1, 4}, 4);
            bench_begin(&bench);
            struct psopp_position *position = &bench.psopp->particles[0].position,
                                  *target = &bench.psopp->particles[0].best;
            psopp__position_load(target, of_pairs ? 4 : 2, of_pairs ? pairs : halves, members);
            for (int draw = 0; draw < 200; draw++) {
                psopp__position_load(position, 1, whole, members);
                assert_true(psopp__approach_split(bench.psopp, position, target));
                assert_int_equal(position->live_count, 2);
                for (uint32_t a = 0; a < 8; a++)
                    for (uint32_t b = 0; b < a; b++)
                        if (target->label[a] == target->label[b])
                            assert_int_equal(position->label[a], position->label[b]);
                uint32_t one = position->blocks[position->live[0]].size;
                smaller[one < 8 - one ? one : 8 - one]++;
            }
            assert_int_equal(smaller[of_pairs && size_min == 2 ? 2 : 4], 200);
            bench_fini(&bench);
        }
}

/* Members of the agent's group, by the target, in its block as it was; without itself. */
static uint32_t mates(uint32_t n, const uint32_t *label, uint32_t block, const uint32_t *target,
                      uint32_t agent) {
    uint32_t count = 0;
    for (uint32_t a = 0; a < n; a++)
        count += a != agent && label[a] == block && target[a] == target[agent];
    return count;
}

/* What the README says of an exchange: one comes to others of its group, mostly to where most of them are and
 * in one of eight where any is; where it could come alone, another goes back in half of the cases, never one
 * of the same group, rather one to others of its own. */
static void an_exchange_brings_a_stray_home(void **state) {
    (void)state;
    enum { AGENTS = 24 };
    struct bench bench;
    uint32_t made = 0, to_most = 0, both = 0, fits = 0;
    bench_init(&bench, (struct bench_limits){AGENTS, 2, 12, 2, 10}, 7);
    bench.task.parameters[PSOPP_EXCHANGE_POLICY] = 1;
    bench_begin(&bench);
    struct psopp_position *position = &bench.psopp->particles[0].position,
                          *target = &bench.psopp->particles[0].best;
    for (uint32_t round = 0; round < 4000; round++) {
        uint32_t before[AGENTS], moved[AGENTS], count = 0;
        scatter(&bench, position);
        if (round % 50 == 0)
            psopp__position_copy(target, position);
        memcpy(before, position->label, sizeof before);
        if (!psopp__approach_exchange(bench.psopp, position, target))
            continue;
        for (uint32_t a = 0; a < AGENTS; a++)
            if (position->label[a] != before[a])
                moved[count++] = a;
        assert_in_range(count, 1, 2);
        if (count == 2)
            assert_int_not_equal(target->label[moved[0]], target->label[moved[1]]);
        /* of two, the stray is the one that has more of its group where it goes */
        uint32_t there[2] = {0}, stray = 0;
        for (uint32_t m = 0; m < count; m++)
            there[m] = mates(AGENTS, before, position->label[moved[m]], target->label, moved[m]);
        stray = count == 2 && there[1] > there[0];
        assert_true(there[stray] > 0);
        made++;
        both += count == 2;
        fits += count == 2 && there[1 - stray] > 0;
        to_most +=
            there[stray] >= mates(AGENTS, before, before[moved[stray]], target->label, moved[stray]) + 1;
    }
    print_message("%u exchanges, %u to where most are, %u both ways, %u of these fit\n", made, to_most, both,
                  fits);
    assert_true(made > 3000);
    assert_true(to_most * 100 > made * 93 && to_most * 100 < made * 99);
    assert_true(both * 10 > made * 4 && both * 10 < made * 7);
    assert_true(fits * 100 > both * 55); /* by chance half of them would */
    bench_fini(&bench);
}

/* Approach after approach: where limits are not in the way, or leave exchanges only, the target is reached.
 * With blocks of at least two it is not always: {a x} {b y} {c z} towards {a b c} .. can neither be joined
 * with profit nor spare a member. */
static void approaches_arrive(void **state) {
    (void)state;
    static const struct bench_limits limits[] = {{16, 1, 16, 1, 16}, {60, 10, 10, 6, 6}, {24, 2, 12, 2, 10}};
    for (size_t l = 0; l < 3; l++) {
        struct bench bench;
        bench_init(&bench, limits[l], 9);
        bench.task.parameters[PSOPP_EXCHANGE_POLICY] = 1;
        bench_begin(&bench);
        struct psopp_position *position = &bench.psopp->particles[0].position,
                              *target = &bench.psopp->particles[0].best;
        uint32_t pairs = limits[l].n * (limits[l].n - 1) / 2, arrived = 0, before = 0, after = 0, rounds = 50;
        for (uint32_t round = 0; round < rounds; round++) {
            scatter(&bench, position);
            psopp__position_copy(target, position);
            scatter(&bench, position);
            before += agreement(position, target);
            for (uint32_t step = 0; step < 2000; step++)
                (void)psopp__approach(bench.psopp, position, target, psopp__halves(bench.psopp->random).one);
            after += agreement(position, target);
            arrived += agreement(position, target) == pairs;
        }
        assert_true(l < 2 ? arrived == rounds : arrived > rounds / 2);
        assert_true(before < 0.75 * rounds * pairs && after > 0.98 * rounds * pairs);
        bench_fini(&bench);
    }
}

/* Millions of moves away from the last full sum, the total is that of the members: large values whose squares
 * nearly cancel. */
static void the_total_does_not_drift(void **state) {
    (void)state;
    struct bench bench;
    bench_init(&bench, (struct bench_limits){60, 2, 20, 3, 30}, 2);
    for (uint32_t a = 0; a < 60; a++)
        bench.values[a] = bench.values[a] * 1e-3 + 1e3;
    bench.task.parameters[PSOPP_EXCHANGE_POLICY] = 1;
    bench_begin(&bench);
    struct psopp_position *position = &bench.psopp->particles[0].position;
    for (uint32_t move = 0; move < 400000; move++)
        psopp__random_move(bench.psopp, position);
    double kept = bench_kept_total(position), exact = bench_total(&bench, position);
    assert_true(kept > 0 && kept - exact < 1e-9 * exact && exact - kept < 1e-9 * exact);
    struct psopp_position
        fresh; /* loaded, not moved to: the same blocks have the same total, but for rounding */
    uint32_t start[BENCH_AGENTS + 1] = {0}, members[BENCH_AGENTS];
    for (uint32_t i = 0; i < position->live_count; i++) {
        uint32_t slot = position->live[i], size = position->blocks[slot].size;
        memcpy(members + start[i], psopp__position_members(position, slot), size * sizeof *members);
        start[i + 1] = start[i] + size;
    }
    assert_true(psopp__position_create(&fresh, &bench.psopp->space));
    psopp__position_load(&fresh, position->live_count, start, members);
    double loaded = bench_kept_total(&fresh);
    assert_true(loaded - kept < 1e-14 * kept && kept - loaded < 1e-14 * kept);
    bench_fini(&bench);
}

/* A block of six is split into parts of 1..5 equally often, and every subset of a size is equally likely:
 * each agent is with agent 0 as often as the law says. */
static void random_splits_are_uniform(void **state) {
    (void)state;
    enum { AGENTS = 6, DRAWS = 60000, SUBSETS = 1 << (AGENTS - 1) };
    struct bench bench;
    uint32_t seen[SUBSETS] = {0}, start[2] = {0, AGENTS}, members[AGENTS] = {0, 1, 2, 3, 4, 5};
    bench_init(&bench, (struct bench_limits){AGENTS, 1, AGENTS, 1, AGENTS}, 6);
    bench_begin(&bench);
    struct psopp_position *position = &bench.psopp->particles[0].position;
    for (int draw = 0; draw < DRAWS; draw++) {
        psopp__position_load(position, 1, start, members);
        assert_true(psopp__random_split(bench.psopp, position, NULL));
        uint32_t slot = position->live[0], companions = 0;
        const uint32_t *part = psopp__position_members(position, slot);
        bool with_zero = false;
        for (uint32_t m = 0; m < position->blocks[slot].size; m++) {
            with_zero = with_zero || part[m] == 0;
            companions |= part[m] > 0 ? 1u << (part[m] - 1) : 0;
        }
        seen[with_zero ? companions : (SUBSETS - 1) & ~companions]++;
    }
    /* The part of agent 0 has s members with probability s/6 * 1/5 + s/6 * 1/5 (it is either part), and then
     * its companions are any s-1 of five. */
    static const double choose[AGENTS] = {1, 5, 10, 10, 5, 1};
    double chi_square = 0;
    for (uint32_t subset = 0; subset + 1 < SUBSETS; subset++) {
        uint32_t size = 1;
        for (uint32_t bit = 0; bit + 1 < AGENTS; bit++)
            size += subset >> bit & 1;
        double expected = DRAWS * (2.0 * size / (AGENTS * (AGENTS - 1.0))) / choose[size - 1];
        chi_square += (seen[subset] - expected) * (seen[subset] - expected) / expected;
    }
    assert_true(chi_square < 59.7); /* 30 degrees of freedom, p = 0.001 */
    assert_int_equal(seen[SUBSETS - 1], 0);
    bench_fini(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_200_settings_those_of_the_readme_are_disconnected),
        cmocka_unit_test(single_agents_have_all_their_neighbours),
        cmocka_unit_test(a_million_moves_stay_feasible),
        cmocka_unit_test(split_and_join_never_lower_the_similarity),
        cmocka_unit_test(joins_are_made_exactly_where_they_win),
        cmocka_unit_test(operators_are_asked_in_all_orders),
        cmocka_unit_test(splits_leave_groups_whole),
        cmocka_unit_test(an_exchange_brings_a_stray_home),
        cmocka_unit_test(approaches_arrive),
        cmocka_unit_test(the_total_does_not_drift),
        cmocka_unit_test(random_splits_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
