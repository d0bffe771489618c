/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What shrinking found, in sentences. */
#include "shrinker.h"

#include <corridor/array.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END_TEXT (COR_FAILURE_CLASS_TEXT + 64)

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

/* Its entries as in the file. */
static void say_schedule(const struct cor_mail_record *schedule, char **all) {
    struct sequence__list list = {.used = 0};
    for (size_t i = 0; i < schedule->count; i++) {
        const struct cor_mail_entry *it = &schedule->entries[i];
        char text[128];
        snprintf(text, sizeof text, "[%llu, \"%s\", %llu, %llu]", (unsigned long long)it->identity,
                 cor_mail_deed_word(it->deed), (unsigned long long)it->of, (unsigned long long)it->value);
        sequence__list_put(&list, text, i + 1 == schedule->count);
    }
    if (list.count == 0)
        say(all, "Mail goes in sending order.");
    else
        say(all, "Of the recorded schedule of mail %u entr%s must be there: %s.", list.count,
            list.count == 1 ? "y" : "ies", list.text);
}

static const char *word_of_organizations(const struct cor_shrinker *s) {
    const bool is_partitioning = s->best->suite->configuration->kind == COR_STRUCTURE_PARTITIONING;
    return is_partitioning ? "partition" : "organization";
}

/* Which case fixed that the property is violated, and why. */
static enum cor_status say_property(struct cor_shrinker *s, char **all, struct cor_error *error) {
    static const char *const by[] = {[COR_UNMET_CASE] = "with case",
                                     [COR_UNMET_STOP] = "when a failure ends it in case",
                                     [COR_UNMET_END] = "as it ends, open, with case"};
    const struct cor_test *test = s->best;
    struct cor_test_result result;
    char *lines;
    say(all, "It violates %s, %s %u:", test->property, by[test->expected.class.unmet], test->expected.case_);
    if (test->expected.class.unmet == COR_UNMET_END)
        say(all, "any shorter one would, so no case was taken away;");
    if (!cor_tries_afford(s->tries, 1)) {
        say(all, "why was not looked at: the budget is used up.");
        return COR_OK;
    }
    s->tries->count++;
    COR_TRY(cor_tester_execute(s->tester, test, 0, &result, error));
    COR_TRY(cor_tester_reasons(s->tester, &lines, error));
    for (char *rest = lines, *line = strtok_r(rest, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        say(all, "%s%s", line, *rest ? ";" : ".");
    free(lines);
    return COR_OK;
}

static void say_parts(const struct cor_shrinker *s, char **all) {
    const struct cor_test *test = s->best;
    const struct cor_configuration *c = test->suite->configuration;
    const uint32_t cases = cor_test_cases(test);
    struct sequence__list list = {.used = 0};
    char class[COR_FAILURE_CLASS_TEXT];
    if (!test->property)
        say(all, "It fails in case %u: %s.", test->expected.case_,
            cor_failure_class_text(&test->expected.class, class));
    for (uint32_t i = 0; i < cases; i++)
        sequence__list_put_number(&list, test->case_identity ? test->case_identity[i] : i + 1,
                                  i + 1 == cases);
    say(all, "What must be there: case%s %s of the sequence,", plural(cases), list.text);
    list = (struct sequence__list){.used = 0};
    for (uint32_t i = 0; i < c->agent_count; i++)
        sequence__list_put_number(&list, cor_configuration_identity(c, i), i + 1 == c->agent_count);
    say(all, "agent%s %s, in %u %s%s at the start,", plural(c->agent_count), list.text, c->initial_partitions,
        word_of_organizations(s), plural(c->initial_partitions));
    list = (struct sequence__list){.used = 0};
    for (uint32_t i = 0; i < c->chain_count; i++) {
        char text[128];
        sequence__chain_text(test, i, text, sizeof text);
        sequence__list_put(&list, text, i + 1 == test->suite->configuration->chain_count);
    }
    say(all, "chain%s of %s.", plural(c->chain_count), list.text);
    if (test->schedule)
        say_schedule(test->schedule, all);
}

/* Integers that are above the low end of their range, and reals that are not given as they are. */
static enum cor_status say_numbers(struct cor_shrinker *s, char **all, struct cor_error *error) {
    struct sequence__list list = {.used = 0};
    COR_TRY(sequence__slots_list(s->bounds, s->best, &s->slots, error));
    for (size_t i = 0; i < s->slots.count; i++) {
        const struct cor_slot *slot = &s->slots.items[i];
        const double value = sequence__slot_value(s->best, slot);
        char name[256], text[288];
        if (slot->integer ? value <= slot->low : sequence__simplicity(value).digits < 3)
            continue;
        sequence__slot_text(s->best, slot, name, sizeof name);
        snprintf(text, sizeof text, "%s = %.10g", name, value);
        sequence__list_put(&list, text, false);
    }
    if (list.count > SEQUENCE__LISTED)
        say(all, "Left as drawn: %s and %u more.", list.text, list.count - SEQUENCE__LISTED);
    else if (list.count > 0)
        say(all, "Left as drawn: %s.", list.text);
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
        say(all,
            "%u step%s of its chains ha%s probability 0 in their profiles, because cases between them were "
            "taken away.",
            jumps, plural(jumps), jumps == 1 ? "s" : "ve");
}

/* An agent as the suite numbered it; whatever a spoilt solution has instead of one. */
static uint32_t name_of(const struct cor_configuration *c, uint32_t agent) {
    return agent < c->agent_count ? (uint32_t)cor_configuration_identity(c, agent) : agent;
}

static char *solution_at(struct cor_record *record, uint32_t number, const struct cor_configuration *c) {
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_FAILURES); i++) {
        const struct cor_failure_row *row = cor_record_at(record, COR_TABLE_FAILURES, i);
        if (row->case_ == number) {
            /* The solution of a reorganization as a text: "{0 1}{2}"; owned by the caller. NULL: there is
             * none, or memory is out. */
            const uint32_t *sizes = cor_record_items(record, COR_VECTOR_SOLUTION_BLOCK_SIZE, NULL);
            const uint32_t *members = cor_record_items(record, COR_VECTOR_SOLUTION_MEMBER, NULL);
            enum { DIGITS = 11 }; /* of an agent, and a space */
            char *text = cor_calloc((size_t)row->members * DIGITS + (size_t)row->blocks * 2 + 1, 1),
                 *at = text;
            for (uint32_t b = 0, m = 0; text && b < row->blocks; b++) {
                *at++ = '{';
                for (uint32_t k = 0; k < sizes[row->block_start + b]; k++, m++)
                    at += sprintf(at, "%s%u", k > 0 ? " " : "", name_of(c, members[row->member_start + m]));
                *at++ = '}';
            }
            return text;
        }
    }
    return NULL;
}

/* Blocks of one solution that the other has not. */
static void list_blocks(const char *one, const char *other, struct sequence__list *list) {
    char block[256];
    uint32_t left = 0;
    for (int round = 0; round < 2; round++) /* counts, then puts */
        for (const char *at = one; *at; at += strcspn(at, "}") + 1) {
            const size_t length = strcspn(at, "}") + 1;
            snprintf(block, sizeof block, "%.*s", (int)length, at);
            if (length >= sizeof block ? strcmp(one, other) == 0 : strstr(other, block) != NULL)
                continue;
            if (length >= sizeof block)
                memcpy(block + sizeof block - 5, " ..}", 5);
            if (round == 0)
                left++;
            else
                sequence__list_put(list, block, list->count + 1 == left);
        }
}

/* What a case came to. */
struct seen_case {
    bool is_there, alarm, reorganized;
    uint8_t gray, black;
    float dissimilarity;
    char *solution; /* owned; NULL: none */
};

static struct seen_case see_case(struct cor_record *record, uint32_t number,
                                 const struct cor_configuration *c) {
    const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, number - 1);
    return (struct seen_case){.is_there = true,
                              .alarm = row->alarm,
                              .reorganized = row->reorganized,
                              .gray = row->gray,
                              .black = row->black,
                              .dissimilarity = row->dissimilarity,
                              .solution = solution_at(record, number, c)};
}

enum cor_status sequence__shrink_see(struct cor_shrinker *s, struct sequence__seen **seen,
                                     struct cor_error *error) {
    struct sequence__seen *it = *seen = cor_calloc(1, sizeof *it);
    COR_TRY(cor_made(it, error));
    it->count = (uint32_t)cor_record_size(cor_tester_record(s->tester), COR_TABLE_CASES);
    it->cases = cor_calloc(it->count, sizeof *it->cases);
    for (uint32_t i = 0; it->cases && i < it->count; i++)
        it->cases[i] = see_case(cor_tester_record(s->tester), i + 1, s->best->suite->configuration);
    return cor_made(it->cases, error);
}

void sequence__seen_destroy(struct sequence__seen *seen) {
    if (!seen)
        return;
    for (uint32_t i = 0; seen->cases && i < seen->count; i++)
        free(seen->cases[i].solution);
    free(seen->cases);
    free(seen);
}

/* From 0; one that was not executed is not there. */
static const struct seen_case *seen_at(const struct sequence__seen *seen, uint32_t at) {
    static const struct seen_case none;
    return at < seen->count ? &seen->cases[at] : &none;
}

static bool case_differs(const struct seen_case *a, const struct seen_case *b) {
    return a->is_there != b->is_there || a->alarm != b->alarm || a->reorganized != b->reorganized ||
           a->gray != b->gray || a->black != b->black || a->dissimilarity != b->dissimilarity ||
           !a->solution != !b->solution || (a->solution && strcmp(a->solution, b->solution) != 0);
}

static void say_difference(char **all, uint32_t number, const struct seen_case *with,
                           const struct seen_case *without) {
    static const char way[] = "Without the fault, on the same streams, it goes another way from case";
    struct sequence__list here = {.used = 0}, there = {.used = 0};
    if (with->solution && without->solution && strcmp(with->solution, without->solution) != 0) {
        list_blocks(without->solution, with->solution, &there);
        list_blocks(with->solution, without->solution, &here);
        say(all, "%s %u on: its solution has %s, where with the fault there is %s.", way, number,
            there.count > 0 ? there.text : "nothing", here.count > 0 ? here.text : "nothing");
    } else if (with->reorganized != without->reorganized)
        say(all, "%s %u on: it %s.", way, number,
            without->reorganized ? "reorganizes" : "does not reorganize");
    else
        say(all, "%s %u on: R-Solution %s, R-Distribution %s.", way, number,
            cor_term_word(COR_FAMILY_VERDICT, without->gray),
            cor_term_word(COR_FAMILY_VERDICT, without->black));
}

static enum cor_status see_logged(struct cor_shrinker *s, const struct cor_test *test,
                                  struct sequence__seen **seen, struct cor_test_result *result,
                                  struct cor_error *error) {
    cor_tester_log_solutions(s->tester, true);
    s->tries->count++;
    const enum cor_status status = cor_tester_execute(s->tester, test, 0, result, error);
    cor_tester_log_solutions(s->tester, false);
    return status == COR_OK ? sequence__shrink_see(s, seen, error) : status;
}

static enum cor_status say_without_fault(struct cor_shrinker *s, char **all, struct cor_error *error) {
    const uint32_t cases = cor_test_cases(s->best);
    COR_DESTROYED(sequence__seen) struct sequence__seen *with = NULL, *without = NULL;
    COR_DESTROYED(cor_test) struct cor_test *copy = NULL;
    struct cor_test_result result;
    COR_TRY(cor_test_copy(s->best, &copy, error));
    if (!cor_test_leave_faults_out(copy)) {
        say(all, "The arm has no fault that could be left out.");
        return COR_OK;
    }
    if (!cor_tries_afford(s->tries, 2)) {
        say(all, "Where it goes another way without the fault was not looked at: the budget is used up.");
        return COR_OK;
    }
    COR_TRY(see_logged(s, s->best, &with, &result, error));
    COR_TRY(see_logged(s, copy, &without, &result, error));
    uint32_t at = 0;
    while (at < cases && !case_differs(seen_at(with, at), seen_at(without, at)))
        at++;
    if (at == cases)
        say(all, "Without the fault, on the same streams, nothing is different.");
    else
        say_difference(all, at + 1, seen_at(with, at), seen_at(without, at));
    if (result.case_ != 0)
        say(all, "Without the fault it fails, too, in case %u.", result.case_);
    return COR_OK;
}

enum cor_status sequence__shrink_said(struct cor_shrinker *s, struct cor_error *error) {
    char *all = cor_strdup(""), *violated = cor_strdup(""), *without = cor_strdup("");
    enum cor_status status = COR_OK;
    if (!s->checks) {
        if (s->best->property)
            COR_TRY_OUT(say_property(s, &violated, error)); /* its executions count, and the others' */
        COR_TRY_OUT(say_without_fault(s, &without, error));
        const struct cor_test_size a = s->report->before, b = s->report->after;
        const struct cor_shrink_counts *counts = &s->report->counts;
        say(&all,
            "Shrunk from %u to %u case%s, %u to %u agent%s, %u to %u group%s, %u to %u chain%s, %u to %u "
            "%s%s at the start, in %llu execution%s.",
            a.cases, b.cases, plural(b.cases), a.agents, b.agents, plural(b.agents), a.groups, b.groups,
            plural(b.groups), a.chains, b.chains, plural(b.chains), a.partitions, b.partitions,
            word_of_organizations(s), plural(b.partitions), (unsigned long long)counts->tries.count,
            plural(counts->tries.count));
    }
    const unsigned long long steps = s->report->steps;
    if (s->report->end == COR_SHRINK_MINIMAL)
        say(&all,
            "Minimal: %llu ways to make it smaller still were tried, and with none it fails in the same way.",
            steps);
    else if (s->tries->is_used_up)
        say(&all, "Not minimal: the budget of %llu executions is used up.",
            (unsigned long long)s->definition->budget);
    else if (s->report->end == COR_SHRINK_STOPPED)
        say(&all, "Not minimal: it was stopped.");
    else if (s->stayed > 0)
        say(&all, "Not minimal: of %llu single steps %u keep%s the class; the first is %s.", steps, s->stayed,
            s->stayed == 1 ? "s" : "", s->stayed_text);
    else
        say(&all, "Not minimal: there are cases behind the failing one.");
    if (s->definition->free)
        say(&all, "What the model allows did not matter: --free.");
    else if (s->report->free)
        say(&all,
            "The test does not tell what its model allows (\"bounds\"): nothing was held against that.");
    else if (s->report->counts.outside > 0)
        say(&all,
            "%llu smaller ones that the model does not allow were not executed: --free tries them, too.",
            (unsigned long long)s->report->counts.outside);
    if (s->best->suite->name.seed != s->seed_first)
        say(&all, "The random numbers of its streams are drawn anew: seed 0x%016llx instead of 0x%016llx.",
            (unsigned long long)s->best->suite->name.seed, (unsigned long long)s->seed_first);
    if (!s->checks) {
        if (s->best->property) {
            all = cor_join_take(all, "\n", violated);
            violated = NULL;
        }
        say_parts(s, &all);
        COR_TRY_OUT(say_numbers(s, &all, error));
        say_walk(s, &all);
        const struct nearest *n = &s->nearest;
        if (!n->text)
            say(&all, "No single step that was tried passes.");
        else
            say(&all, "The nearest test that passes: %s%s.", n->is_value ? "" : "without ", n->text);
        all = cor_join_take(all, "\n", without);
        without = NULL;
    }
    status = cor_made(all, error);
out:
    free(violated);
    free(without);
    if (status != COR_OK) {
        free(all);
        all = NULL;
    }
    s->report->said = all;
    return status;
}

static const char *what_differs(const struct seen_case *a, const struct seen_case *b) {
    return a->dissimilarity != b->dissimilarity ? "its dissimilarity"
           : a->alarm != b->alarm               ? "whether there is an alarm"
           : a->reorganized != b->reorganized   ? "whether it reorganizes"
           : a->gray != b->gray                 ? "R-Solution"
           : a->black != b->black               ? "R-Distribution"
                                                : "its solution";
}

/* "case 3 (gray.agent_missing)", or that no case fails. */
static const char *end_text(const struct cor_test_result *result, char text[END_TEXT]) {
    char class[COR_FAILURE_CLASS_TEXT];
    if (result->case_ == 0)
        snprintf(text, END_TEXT, "no case that fails");
    else
        snprintf(text, END_TEXT, "case %u that fails (%s)", result->case_,
                 cor_failure_class_text(&result->class, class));
    return text;
}

enum cor_status sequence__shrink_said_flaky(struct cor_shrinker *s, const struct cor_test_result *first,
                                            const struct cor_test_result *second,
                                            const struct sequence__seen *seen,
                                            const struct sequence__seen *again, struct cor_error *error) {
    char one[END_TEXT], other[END_TEXT], *all = cor_strdup("");
    const struct cor_test_result *expected = &s->best->expected;
    if (first->case_ == 0 && second->case_ == 0)
        say(&all, "flaky: the failure does not repeat: no case fails.");
    else if (first->case_ != second->case_ || !cor_failure_class_equal(&first->class, &second->class))
        say(&all, "flaky: executed twice, it comes to %s, then to %s.", end_text(first, one),
            end_text(second, other));
    else if (first->hash != second->hash)
        say(&all, "flaky: executed twice, it fails in case %u each time, but rows of it differ.",
            first->case_);
    else
        say(&all, "flaky: it fails in case %u (%s), but %s is expected.", first->case_,
            cor_failure_class_text(&first->class, one), cor_failure_class_text(&expected->class, other));
    if (first->case_ != second->case_ || first->hash != second->hash) {
        /* Of both executions only cases up to the first that fails are there. */
        const uint32_t most = seen->count < again->count ? seen->count : again->count;
        uint32_t at = 0;
        while (at < most && !case_differs(&seen->cases[at], &again->cases[at]))
            at++;
        if (at < most)
            say(&all, "The first difference is in case %u: %s.", at + 1,
                what_differs(&seen->cases[at], &again->cases[at]));
        else
            say(&all, "It is not in what cases came to: %u of them are alike.", most);
    }
    s->report->said = all;
    return cor_made(all, error);
}
