/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kinds without a text: limits, and whether a structure is the solution that was accepted, against a
 * canonical text of each structure that is made by a few lines of its own. Arguments: number of random pairs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/kind_judge.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGENTS = 7, BLOCKS = 6, TEXT = 2000 };

static int pairs = 4000;

/* A structure as a table, which may be renumbered and changed at will. */
struct table {
    uint32_t count;
    int in[BLOCKS][AGENTS];
    int parent[BLOCKS]; /* below 0: none */
};

static int compare_texts(const void *one, const void *other) {
    return strcmp(one, other);
}

/* The organizations below `parent` as a text in which names do not occur: "{01{2}{3}}". */
static void write_below(const struct table *t, int parent, char *text) {
    char(*parts)[TEXT] = calloc(BLOCKS, TEXT);
    size_t count = 0;
    assert_non_null(parts);
    for (uint32_t o = 0; o < t->count; o++) {
        if (t->parent[o] != parent)
            continue;
        char *part = parts[count++];
        part += sprintf(part, "{");
        for (int agent = 0; agent < AGENTS; agent++)
            if (t->in[o][agent])
                part += sprintf(part, "%d", agent);
        write_below(t, (int)o, part);
        strcat(part, "}");
    }
    qsort(parts, count, TEXT, compare_texts);
    *text = '\0';
    for (size_t i = 0; i < count; i++)
        strcat(text, parts[i]);
    free(parts);
}

static bool is_above(const struct table *t, int o, int below) {
    for (; below >= 0; below = t->parent[below])
        if (below == o)
            return true;
    return false;
}

static bool has_children(const struct table *t, uint32_t o) {
    for (uint32_t p = 0; p < t->count; p++)
        if (t->parent[p] == (int)o)
            return true;
    return false;
}

static uint32_t size_of(const struct table *t, uint32_t o) {
    uint32_t size = 0;
    for (int agent = 0; agent < AGENTS; agent++)
        size += t->in[o][agent] > 0;
    return size;
}

/* Of its kind, by definition. */
static bool is_of_kind(const struct table *t, enum cor_structure_kind kind) {
    uint32_t roots = 0;
    for (uint32_t o = 0; o < t->count; o++) {
        roots += t->parent[o] < 0;
        if (size_of(t, o) == 0 && !has_children(t, o))
            return false;
    }
    for (int agent = 0; agent < AGENTS; agent++) {
        uint32_t homes = 0;
        for (uint32_t o = 0; o < t->count; o++)
            homes += t->in[o][agent] > 0;
        if (cor_structure_nests(kind) ? homes != 1 : homes == 0 && kind == COR_STRUCTURE_COVERING)
            return false;
    }
    return kind != COR_STRUCTURE_TREE || roots <= 1;
}

static struct table draw_table(struct cor_rng *rng, enum cor_structure_kind kind) {
    struct table t;
    do {
        t = (struct table){.count = 1 + cor_rng_below(rng, BLOCKS - 1)};
        for (uint32_t o = 0; o < t.count; o++) {
            t.parent[o] = -1;
            if (cor_structure_nests(kind) && o > 0 && (kind == COR_STRUCTURE_TREE || cor_rng_below(rng, 3)))
                t.parent[o] = (int)cor_rng_below(rng, o);
            for (int agent = 0; agent < AGENTS && !cor_structure_nests(kind); agent++)
                t.in[o][agent] = cor_rng_below(rng, 3) == 0;
        }
        for (int agent = 0; agent < AGENTS && cor_structure_nests(kind); agent++)
            t.in[cor_rng_below(rng, t.count)][agent] = 1;
    } while (!is_of_kind(&t, kind));
    return t;
}

/* The same under other names, changed in one thing or not. */
static struct table change_table(struct cor_rng *rng, const struct table *t, enum cor_structure_kind kind) {
    uint32_t number[BLOCKS];
    struct table other = {.count = t->count};
    for (uint32_t o = 0; o < t->count; o++)
        number[o] = o;
    cor_rng_shuffle(rng, number, t->count);
    for (uint32_t o = 0; o < t->count; o++) {
        memcpy(other.in[number[o]], t->in[o], sizeof t->in[o]);
        other.parent[number[o]] = t->parent[o] < 0 ? -1 : (int)number[t->parent[o]];
    }
    const uint32_t o = cor_rng_below(rng, other.count), p = cor_rng_below(rng, other.count);
    const uint32_t agent = cor_rng_below(rng, AGENTS);
    switch (cor_rng_below(rng, 6)) {
    case 0:
        other.in[o][agent] = !other.in[o][agent];
        if (cor_structure_nests(kind))
            other.in[p][agent] = !other.in[o][agent];
        break;
    case 1:
        if (cor_structure_nests(kind) && !is_above(&other, (int)o, (int)p))
            other.parent[o] = (int)p;
        break;
    case 2:
        other.parent[o] = -1;
        break;
    case 3:
        for (int i = 0; i < AGENTS && o != p; i++) {
            const int one = other.in[o][i];
            other.in[o][i] = other.in[p][i];
            other.in[p][i] = one;
        }
        break;
    case 4: /* one more, like another or of one agent */
        if (cor_structure_nests(kind) || other.count == BLOCKS)
            break;
        if (agent % 2 == 0)
            memcpy(other.in[other.count], other.in[o], sizeof other.in[o]);
        else
            other.in[other.count][agent] = 1;
        other.parent[other.count++] = -1;
        break;
    default:
        break;
    }
    return other;
}

static struct cor_lists lists_of(struct cor_rng *rng, const struct table *t, bool nests) {
    struct cor_lists lists;
    cor_lists_init(&lists);
    for (uint32_t o = 0; o < t->count; o++) {
        uint32_t members[AGENTS], count = 0;
        for (uint32_t agent = 0; agent < AGENTS; agent++)
            if (t->in[o][agent])
                members[count++] = agent;
        cor_rng_shuffle(rng, members, count);
        assert_int_equal(cor_lists_put(&lists, members, count, NULL), COR_OK);
    }
    for (uint32_t o = 0; o < t->count && nests; o++)
        assert_int_equal(
            cor_lists_hang(&lists, o, t->parent[o] < 0 ? COR_NOBODY : (uint32_t)t->parent[o], NULL), COR_OK);
    return lists;
}

static void equal_structures_agree_and_others_do_not(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 61, .purpose = COR_PURPOSE_TEST});
    struct cor_kind_judge *judges[COR_STRUCTURE_ADOPTED] = {NULL};
    int same_count = 0, other_count = 0;
    for (int k = COR_STRUCTURE_COVERING; k < COR_STRUCTURE_ADOPTED; k++)
        assert_int_equal(cor_kind_judge_create((enum cor_structure_kind)k, &judges[k], NULL), COR_OK);
    for (int i = 0; i < pairs; i++) {
        const enum cor_structure_kind kind = (enum cor_structure_kind)(1 + i % (COR_STRUCTURE_ADOPTED - 1));
        const struct table one = draw_table(&rng, kind), other = change_table(&rng, &one, kind);
        char texts[2][TEXT];
        write_below(&one, -1, texts[0]);
        write_below(&other, -1, texts[1]);
        struct cor_lists structure = lists_of(&rng, &one, cor_structure_nests(kind));
        struct cor_lists solution = lists_of(&rng, &other, cor_structure_nests(kind));
        struct cor_judgement judgement;
        const struct cor_limits limits = {1 + cor_rng_below(&rng, 3), 1 + cor_rng_below(&rng, AGENTS),
                                          cor_rng_below(&rng, 4), 1 + cor_rng_below(&rng, BLOCKS)};
        assert_int_equal(cor_kind_judge_look(judges[kind], &structure, AGENTS, &limits, &judgement, NULL),
                         COR_OK);
        uint32_t low = 0, high = 0;
        for (uint32_t o = 0; o < one.count; o++) {
            low += size_of(&one, o) > 0 && size_of(&one, o) < limits.size_min;
            high += size_of(&one, o) > limits.size_max && !(size_of(&one, o) < limits.size_min);
        }
        assert_int_equal(judgement.count[COR_CHECK_SIZE_LOW], low);
        assert_int_equal(judgement.count[COR_CHECK_SIZE_HIGH], high);
        assert_int_equal(judgement.count[COR_CHECK_COUNT_LOW], one.count < limits.count_min);
        assert_int_equal(judgement.count[COR_CHECK_COUNT_HIGH], one.count > limits.count_max);
        cor_judgement_init(&judgement);
        assert_int_equal(
            cor_kind_judge_compare(judges[kind], &structure, &solution, AGENTS, &judgement, NULL), COR_OK);
        const bool comparable = is_of_kind(&other, kind), same = strcmp(texts[0], texts[1]) == 0;
        if (comparable && (judgement.violation_count > 0) == same)
            fail_msg("%s: %s and %s: %u", cor_structure_words[kind], texts[0], texts[1],
                     judgement.violation_count);
        if (!comparable)
            assert_int_equal(judgement.violation_count, 0);
        assert_int_equal(judgement.count[COR_CHECK_NOT_ADOPTED], judgement.violation_count);
        same_count += comparable && same;
        other_count += comparable && !same;
        cor_lists_fini(&structure);
        cor_lists_fini(&solution);
    }
    assert_true(same_count > pairs / 4 && other_count > pairs / 8);
    for (int k = 0; k < COR_STRUCTURE_ADOPTED; k++)
        cor_kind_judge_destroy(judges[k]);
}

static void check_text(enum cor_structure_kind kind, struct cor_violation violation, const char *expected) {
    char text[200];
    cor_violation_kind_text(kind, &violation, text, sizeof text);
    assert_string_equal(text, expected);
}

static void violations_are_said_in_the_words_of_the_kind(void **unused) {
    (void)unused;
    const enum cor_structure_kind covering = COR_STRUCTURE_COVERING, tree = COR_STRUCTURE_TREE;
    const struct cor_violation missing = {COR_CHECK_MISSING, 3, COR_NOBODY, 1, 0};
    check_text(COR_STRUCTURE_PARTITIONING, missing, "Agent 3 is in no partition, expected in exactly one.");
    check_text(covering, missing, "Agent 3 is in no organization, expected in at least one.");
    check_text(tree, missing, "Agent 3 is in no organization, expected in exactly one.");
    check_text(covering, (struct cor_violation){COR_CHECK_DOUBLE, 3, 2, 1, 2},
               "Agent 3 occurs more than once in organization 2.");
    check_text(tree, (struct cor_violation){COR_CHECK_DOUBLE, 3, 2, 1, 2},
               "Agent 3 occurs 2 times (last in organization 2), expected once.");
    check_text(covering, (struct cor_violation){COR_CHECK_UNKNOWN, 9, 2, 7, 9},
               "Organization 2 lists agent 9, but the system has only 7 agents.");
    check_text(tree, (struct cor_violation){COR_CHECK_EMPTY, COR_NOBODY, 2, 1, 0},
               "Organization 2 has no members and no children.");
    check_text(covering, (struct cor_violation){COR_CHECK_SIZE_LOW, COR_NOBODY, 2, 3, 1},
               "Organization 2 has 1 member, expected at least 3.");
    check_text(covering, (struct cor_violation){COR_CHECK_COUNT_HIGH, COR_NOBODY, COR_NOBODY, 3, 5},
               "There are 5 organizations, expected at most 3.");
    check_text(covering, (struct cor_violation){COR_CHECK_NOT_ADOPTED, COR_NOBODY, 2, 0, 0},
               "Organization 2 of the structure is none of the accepted solution.");
    check_text(covering, (struct cor_violation){COR_CHECK_NOT_ADOPTED, COR_NOBODY, COR_NOBODY, 4, 0},
               "Organization 4 of the accepted solution is not in the structure.");
    check_text(tree, (struct cor_violation){COR_CHECK_NOT_ADOPTED, COR_NOBODY, 2, 0, 1},
               "Organization 2 stands below organization 1, in the accepted solution below organization 0.");
    check_text(tree, (struct cor_violation){COR_CHECK_NOT_ADOPTED, COR_NOBODY, 2, COR_NOBODY, 1},
               "Organization 2 stands below organization 1, in the accepted solution below none.");
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_structures_agree_and_others_do_not),
        cmocka_unit_test(violations_are_said_in_the_words_of_the_kind),
    };
    if (count > 1)
        pairs = atoi(words[1]);
    return cmocka_run_group_tests_name("kind_judge", tests, NULL, NULL);
}
