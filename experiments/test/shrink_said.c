/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What shrinking found, in sentences. */
#include "shrink.h"

#include <corridor/array.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTED_MAX 12 /* items of a list that are named */

/* A line more; all is NULL once memory was out. */
COR_PRINTF(2, 3) static void say(char **all, const char *format, ...) {
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    *all = cor_join_take(*all, "\n", cor_strdup(line));
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* "1, 4 and 512", of many the first ones. */
struct list {
    char text[1024];
    size_t used;
    uint32_t count;
};

static void put(struct list *list, const char *item, bool last) {
    const char *between = list->count == 0 ? "" : last ? " and " : ", ";
    if (list->count++ < LISTED_MAX && list->used < sizeof list->text)
        list->used +=
            (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s", between, item);
    else if (last && list->used < sizeof list->text)
        list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, " ..");
}

static void put_number(struct list *list, uint64_t number, bool last) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    put(list, text, last);
}

static void say_sizes(const struct cor_shrinker *s, char **all) {
    const struct cor_test_size a = s->report->before, b = s->report->after;
    const struct cor_shrink_counts *counts = &s->report->counts;
    say(all,
        "Shrunk from %u to %u case%s, %u to %u agent%s, %u to %u group%s, %u to %u chain%s, %u to %u "
        "partition%s at the start, in %llu execution%s.",
        a.cases, b.cases, plural(b.cases), a.agents, b.agents, plural(b.agents), a.groups, b.groups,
        plural(b.groups), a.chains, b.chains, plural(b.chains), a.partitions, b.partitions,
        plural(b.partitions), (unsigned long long)counts->executions, plural(counts->executions));
}

static void say_end(const struct cor_shrinker *s, char **all) {
    const unsigned long long steps = s->report->steps;
    if (s->report->end == COR_SHRINK_MINIMAL)
        say(all, "Minimal: each of %llu single steps was tried, and none keeps the class.", steps);
    else if (s->report->end == COR_SHRINK_STOPPED)
        say(all, "Not minimal: it was stopped.");
    else if (s->stayed > 0)
        say(all, "Not minimal: of %llu single steps %u keep%s the class; the first is %s.", steps, s->stayed,
            s->stayed == 1 ? "s" : "", s->stayed_text);
    else
        say(all, "Not minimal: there are cases behind the failing one.");
    if (s->report->free)
        say(all, "What the model allows did not matter.");
    if (s->best->suite->name.seed != s->seed_first)
        say(all, "The random numbers of its streams are drawn anew: seed 0x%016llx instead of 0x%016llx.",
            (unsigned long long)s->best->suite->name.seed, (unsigned long long)s->seed_first);
}

static void say_parts(const struct cor_shrinker *s, char **all) {
    const struct cor_test *test = s->best;
    const struct cor_configuration *c = test->suite->configuration;
    const uint32_t cases = cor_test_cases(test);
    struct list list = {.used = 0};
    char class[COR_FAILURE_CLASS_TEXT];
    say(all, "It fails in case %u: %s.", test->expected.case_,
        cor_failure_class_text(&test->expected.class, class));
    for (uint32_t i = 0; i < cases; i++)
        put_number(&list, test->case_identity ? test->case_identity[i] : i + 1, i + 1 == cases);
    say(all, "What must be there: case%s %s of the sequence,", plural(cases), list.text);
    list = (struct list){.used = 0};
    for (uint32_t i = 0; i < c->agent_count; i++)
        put_number(&list, cor_configuration_identity(c, i), i + 1 == c->agent_count);
    say(all, "agent%s %s, in %u partition%s at the start,", plural(c->agent_count), list.text,
        c->initial_partitions, plural(c->initial_partitions));
    list = (struct list){.used = 0};
    for (uint32_t i = 0; i < c->chain_count; i++)
        put(&list,
            test->suite->experiment->model
                ->environments[test->suite->environment_of_profile[c->profile_of_chain[i]]]
                .name,
            i + 1 == c->chain_count);
    say(all, "chain%s of %s.", plural(c->chain_count), list.text);
    if (test->schedule)
        say(all, "Of the recorded schedule of mail %zu entr%s must be there.", test->schedule->count,
            test->schedule->count == 1 ? "y" : "ies");
}

/* Integers that are above the low end of their range, and reals that are not given as they are. */
static enum cor_status say_numbers(struct cor_shrinker *s, char **all, struct cor_error *error) {
    struct list list = {.used = 0};
    COR_TRY(cor__slots_list(s->bounds, s->best, &s->slots, error));
    for (size_t i = 0; i < s->slots.count; i++) {
        const struct cor_slot *slot = &s->slots.items[i];
        const double value = cor__slot_value(s->best, slot);
        char name[128], text[192];
        if (slot->integer ? value <= slot->low : cor__simplicity(value).digits < 3)
            continue;
        cor__slot_text(s->best, slot, name, sizeof name);
        snprintf(text, sizeof text, "%s = %.10g", name, value);
        put(&list, text, false);
    }
    if (list.count > LISTED_MAX)
        say(all, "Numbers that are not simpler: %s, and %u more.", list.text, list.count - LISTED_MAX);
    else if (list.count > 0)
        say(all, "Numbers that are not simpler: %s.", list.text);
    return COR_OK;
}

/* Steps of the walk that its profiles never make: cases between them are gone. */
static void say_walk(const struct cor_shrinker *s, char **all) {
    const struct cor_suite *suite = s->best->suite;
    const struct cor_walk *walk = &suite->recorded[0];
    uint32_t jumps = 0;
    for (uint32_t i = 1; i <= walk->case_count; i++)
        for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
            const struct cor_profile *p = suite->profiles[suite->configuration->profile_of_chain[chain]];
            const size_t from = cor_walk_at(walk, i - 1)[chain];
            jumps += !(p->probability[from * p->state_count + cor_walk_at(walk, i)[chain]] > 0);
        }
    if (jumps > 0)
        say(all, "%u step%s of its chains ha%s probability 0 in their profiles: what lay between is gone.",
            jumps, plural(jumps), jumps == 1 ? "s" : "ve");
}

static void say_nearest(const struct cor_shrinker *s, char **all) {
    const struct nearest *n = &s->nearest;
    if (!n->text)
        say(all, "No single step that was tried passes.");
    else
        say(all, "The nearest test that passes: %s%s.", n->is_value ? "" : "without ", n->text);
}

/* The solution of a reorganization as a text: "{0 1} {2}"; the first blocks and members. */
struct solution {
    bool is_there;
    char text[512];
};

static struct solution solution_at(struct cor_record *record, uint32_t number) {
    struct solution s = {.is_there = false};
    size_t count, used = 0;
    const uint32_t *sizes = cor_record_items(record, COR_VECTOR_SOLUTION_BLOCK_SIZE, &count);
    const uint32_t *members = cor_record_items(record, COR_VECTOR_SOLUTION_MEMBER, &count);
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_FAILURES); i++) {
        const struct cor_failure_row *row = cor_record_at(record, COR_TABLE_FAILURES, i);
        if (row->case_ != number)
            continue;
        s.is_there = true;
        for (uint32_t b = 0, m = 0; b < row->blocks; b++) {
            for (uint32_t k = 0; k < sizes[row->block_start + b]; k++, m++)
                if (used < sizeof s.text - 16)
                    used += (size_t)snprintf(s.text + used, sizeof s.text - used, "%s%u", k > 0 ? " " : "{",
                                             members[row->member_start + m]);
            if (used < sizeof s.text - 16)
                used += (size_t)snprintf(s.text + used, sizeof s.text - used, "%s%s",
                                         sizes[row->block_start + b] > 0 ? "}" : "{}",
                                         b + 1 < row->blocks ? " " : "");
        }
        if (used >= sizeof s.text - 16)
            snprintf(s.text + sizeof s.text - 16, 16, " ..");
        if (row->blocks == 0)
            snprintf(s.text, sizeof s.text, "nothing");
    }
    return s;
}

/* What a case came to. */
struct seen_case {
    bool is_there, alarm, reorganized;
    uint8_t gray, black;
    float dissimilarity;
    struct solution solution;
};

static struct seen_case see_case(struct cor_record *record, uint32_t number) {
    struct seen_case seen = {.is_there = number <= cor_record_size(record, COR_TABLE_CASES)};
    if (!seen.is_there)
        return seen;
    const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, number - 1);
    seen.alarm = row->alarm;
    seen.reorganized = row->reorganized;
    seen.gray = row->gray;
    seen.black = row->black;
    seen.dissimilarity = row->dissimilarity;
    seen.solution = solution_at(record, number);
    return seen;
}

static bool case_differs(const struct seen_case *a, const struct seen_case *b) {
    return a->is_there != b->is_there || a->alarm != b->alarm || a->reorganized != b->reorganized ||
           a->gray != b->gray || a->black != b->black || a->dissimilarity != b->dissimilarity ||
           a->solution.is_there != b->solution.is_there || strcmp(a->solution.text, b->solution.text) != 0;
}

static void say_difference(char **all, uint32_t number, const struct seen_case *with,
                           const struct seen_case *without) {
    if (with->solution.is_there && without->solution.is_there &&
        strcmp(with->solution.text, without->solution.text) != 0)
        say(all,
            "Without the fault, on the same streams, it goes another way from case %u on: the solution is "
            "%s, with it %s.",
            number, without->solution.text, with->solution.text);
    else if (with->reorganized != without->reorganized)
        say(all, "Without the fault, on the same streams, it goes another way from case %u on: it %s.",
            number, without->reorganized ? "reorganizes" : "does not reorganize");
    else
        say(all,
            "Without the fault, on the same streams, it goes another way from case %u on: R-Solution %s, "
            "R-Distribution %s.",
            number, cor_term_word(COR_FAMILY_VERDICT, without->gray),
            cor_term_word(COR_FAMILY_VERDICT, without->black));
}

/* The same test, every fault left out. */
static bool leave_faults_out(struct cor_test *test) {
    struct cor_arm *arm = &test->arm;
    const bool had = arm->fault != 0 || arm->monitor.fault != COR_MONITOR_FAULT_NONE ||
                     arm->adoption.fault != COR_ADOPTION_FAULT_NONE ||
                     arm->result.fault != COR_RESULT_FAULT_NONE ||
                     arm->session.agents.fault != COR_CRASH_FAULT_NONE;
    arm->fault = 0;
    arm->monitor.fault = COR_MONITOR_FAULT_NONE;
    arm->adoption.fault = COR_ADOPTION_FAULT_NONE;
    arm->result.fault = COR_RESULT_FAULT_NONE;
    arm->session.agents.fault = COR_CRASH_FAULT_NONE;
    test->suite->configuration->monitor = arm->monitor;
    test->suite->configuration->adoption = arm->adoption;
    return had;
}

static enum cor_status execute_logged(struct cor_shrinker *s, const struct cor_test *test,
                                      struct seen_case *seen, uint32_t cases, struct cor_test_result *result,
                                      struct cor_error *error) {
    cor_tester_log_solutions(s->tester, true);
    const enum cor_status status = cor_tester_execute(s->tester, test, 0, result, error);
    cor_tester_log_solutions(s->tester, false);
    for (uint32_t i = 0; status == COR_OK && i < cases; i++)
        seen[i] = see_case(cor_tester_record(s->tester), i + 1);
    return status;
}

static enum cor_status say_without_fault(struct cor_shrinker *s, char **all, struct cor_error *error) {
    const uint32_t cases = cor_test_cases(s->best);
    struct seen_case *with = cor_calloc(cases, sizeof *with), *without = cor_calloc(cases, sizeof *without);
    struct cor_test *copy = NULL;
    struct cor_test_result result;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(with && without ? COR_OK : cor_fail_memory(error));
    COR_TRY_OUT(cor_test_copy(s->best, &copy, error));
    if (!leave_faults_out(copy)) {
        say(all, "The arm has no fault that could be left out.");
        goto out;
    }
    COR_TRY_OUT(execute_logged(s, s->best, with, cases, &result, error));
    COR_TRY_OUT(execute_logged(s, copy, without, cases, &result, error));
    uint32_t at = 0;
    while (at < cases && !case_differs(&with[at], &without[at]))
        at++;
    if (at == cases)
        say(all, "Without the fault, on the same streams, nothing is different.");
    else
        say_difference(all, at + 1, &with[at], &without[at]);
    if (result.case_ != 0)
        say(all, "Without the fault it fails, too, in case %u.", result.case_);
out:
    free(with);
    free(without);
    cor_test_destroy(copy);
    return status;
}

enum cor_status cor__shrink_said(struct cor_shrinker *s, struct cor_error *error) {
    char *all = cor_strdup("");
    enum cor_status status = COR_OK;
    if (!s->checks)
        say_sizes(s, &all);
    say_end(s, &all);
    if (!s->checks) {
        say_parts(s, &all);
        COR_TRY_OUT(say_numbers(s, &all, error));
        say_walk(s, &all);
        say_nearest(s, &all);
        COR_TRY_OUT(say_without_fault(s, &all, error));
    }
    status = cor_made(all, error);
out:
    if (status != COR_OK) {
        free(all);
        all = NULL;
    }
    s->report->said = all;
    return status;
}

enum cor_status cor__shrink_said_flaky(struct cor_shrinker *s, const struct cor_test_result *first,
                                       const struct cor_test_result *second, struct cor_error *error) {
    char one[COR_FAILURE_CLASS_TEXT], other[COR_FAILURE_CLASS_TEXT], *all = cor_strdup("");
    const struct cor_test_result *expected = &s->best->expected;
    if (first->case_ == 0 && second->case_ == 0)
        say(&all, "flaky: the failure does not repeat: no case fails.");
    else if (first->case_ != second->case_ || !cor_failure_class_equal(&first->class, &second->class))
        say(&all, "flaky: executed twice, it fails in case %u (%s), then in case %u (%s).", first->case_,
            cor_failure_class_text(&first->class, one), second->case_,
            cor_failure_class_text(&second->class, other));
    else if (first->hash != second->hash)
        say(&all, "flaky: executed twice, it fails in case %u each time, but rows of it differ.",
            first->case_);
    else
        say(&all, "flaky: it fails in case %u (%s), but %s is expected.", first->case_,
            cor_failure_class_text(&first->class, one), cor_failure_class_text(&expected->class, other));
    s->report->said = all;
    return cor_made(all, error);
}
