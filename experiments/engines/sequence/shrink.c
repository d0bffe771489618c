/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking: passes in turn until a whole round of them took nothing, then every single step of all once
 * more. One test after another is executed, in this order and no other, so that the result is a function of
 * the test and the options. */
#include "shrinker.h"

#include <corridor/array.h>
#include <corridor/bounds.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

void cor_shrink_report_fini(struct cor_shrink_report *report) {
    free(report->said);
    report->said = NULL;
}

/* What is known of tests that were executed: open addressing, a hash of 0 is a free slot. */

static size_t seen_slot(const struct cor_shrinker *s, uint64_t hash) {
    size_t at = (size_t)hash & (s->seen_capacity - 1);
    while (s->seen[at] != 0 && s->seen[at] != hash)
        at = (at + 1) & (s->seen_capacity - 1);
    return at;
}

static enum cor_status grow_seen(struct cor_shrinker *s, struct cor_error *error) {
    uint64_t *before = s->seen;
    uint8_t *end_before = s->seen_end;
    const size_t capacity = s->seen_capacity;
    s->seen_capacity = capacity > 0 ? 2 * capacity : 1024;
    s->seen = cor_calloc(s->seen_capacity, sizeof *s->seen);
    s->seen_end = cor_calloc(s->seen_capacity, sizeof *s->seen_end);
    const bool made = s->seen && s->seen_end;
    for (size_t i = 0; made && i < capacity; i++)
        if (before[i] != 0) {
            const size_t slot = seen_slot(s, before[i]);
            s->seen[slot] = before[i];
            s->seen_end[slot] = end_before[i];
        }
    free(before);
    free(end_before);
    return made ? COR_OK : cor_fail_memory(error);
}

static enum cor_status remember(struct cor_shrinker *s, uint64_t hash, enum cor_step_end end,
                                struct cor_error *error) {
    if (2 * (s->seen_count + 1) > s->seen_capacity)
        COR_TRY(grow_seen(s, error));
    const size_t slot = seen_slot(s, hash);
    s->seen_count += s->seen[slot] == 0;
    s->seen[slot] = hash;
    s->seen_end[slot] = (uint8_t)end;
    return COR_OK;
}

static uint64_t hash_of(const struct cor_test *test) {
    const uint64_t hash = cor_test_hash(test);
    return hash != 0 ? hash : 1;
}

/* Trying. */

#define REPEATED 2  /* executions of the test as it is, to see whether it repeats */
#define EXPLAINED 3 /* executions that the explanation takes: with the fault, without, and of a property */

/* Of a budget that has room for it, what the explanation takes is kept. */
static bool may_execute(struct cor_shrinker *s) {
    const struct cor_shrink_definition *d = s->definition;
    struct cor_shrink_counts *counts = &s->report->counts;
    const struct cor_test_size size = cor_test_size(s->best);
    const uint64_t explained = s->best->property ? EXPLAINED : EXPLAINED - 1;
    counts->cases = size.cases;
    counts->agents = size.agents;
    s->used_up =
        !sequence__shrink_affords(s, s->checks || d->budget < REPEATED + explained ? 1 : 1 + explained);
    s->stopped = s->stopped || s->used_up || (d->go_on && !d->go_on(d->self, counts));
    return !s->stopped;
}

static enum cor_status execute(struct cor_shrinker *s, const struct cor_test *test,
                               struct cor_test_result *result, struct cor_error *error) {
    s->report->counts.executions++;
    return cor_tester_execute_to_failure(s->tester, test, result, error);
}

/* A formula that was open when no case was left, as "eventually inside", is violated by any shorter sequence:
 * that says nothing of this one, so no case goes. */
static bool is_long_enough(const struct cor_shrinker *s, const struct cor_test *test) {
    return s->best->expected.class.unmet != COR_UNMET_END || cor_test_cases(test) >= cor_test_cases(s->best);
}

/* Is everything kept that the test kept in the beginning? */
static bool is_inside(struct cor_shrinker *s, const struct cor_test *test) {
    const uint32_t lines = sequence__bounds_lines(s->bounds);
    bool inside = true;
    sequence__bounds_judge(s->bounds, test, s->judged);
    for (uint32_t i = 0; i < lines; i++)
        inside = inside && (s->judged[i] || !s->kept[i]);
    return inside;
}

/* Parameters follow the structure; limits that it does not meet any more are widened. */
static bool comes_inside(struct cor_shrinker *s, struct cor_test *test) {
    if (!s->bounds)
        return true;
    sequence__bounds_count(s->bounds, test);
    sequence__bounds_follow(s->bounds, test);
    if (is_inside(s, test))
        return true;
    sequence__bounds_relax(s->bounds, test);
    return is_inside(s, test);
}

static enum cor_step_end end_of(const struct cor_shrinker *s, const struct cor_test_result *result) {
    if (result->case_ == 0)
        return COR_STEP_PASSES;
    return cor_failure_class_equal(&result->class, &s->best->expected.class) ? COR_STEP_STAYS
                                                                             : COR_STEP_OTHER;
}

/* Which cases of the test just executed were without reorganization. */
static void note_quiet(struct cor_shrinker *s) {
    struct cor_record *record = cor_tester_record(s->tester);
    memset(s->quiet, 0, s->report->before.cases * sizeof *s->quiet);
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_CASES); i++) {
        const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, i);
        if (row->case_ <= s->report->before.cases)
            s->quiet[row->case_ - 1] = !row->reorganized;
    }
}

static enum cor_status execute_candidate(struct cor_shrinker *s, const struct cor_test *candidate,
                                         struct cor_test_result *result, enum cor_step_end *end,
                                         struct cor_error *error) {
    const uint64_t hash = hash_of(candidate);
    if (hash == s->best_hash) { /* nothing that matters is different */
        *result = s->best->expected;
        *end = COR_STEP_STAYS;
        return COR_OK;
    }
    if (s->seen_capacity > 0) {
        const size_t slot = seen_slot(s, hash);
        if (s->seen[slot] == hash) {
            s->report->counts.repeated++;
            *end = (enum cor_step_end)s->seen_end[slot];
            return COR_OK;
        }
    }
    if (!may_execute(s))
        return COR_OK;
    COR_TRY(execute(s, candidate, result, error));
    *end = end_of(s, result);
    return *end == COR_STEP_STAYS ? COR_OK : remember(s, hash, *end, error);
}

static enum cor_status judge(struct cor_shrinker *s, struct cor_test *candidate,
                             struct cor_test_result *result, enum cor_step_end *end,
                             struct cor_error *error) {
    enum cor_status status = COR_OK;
    *end = COR_STEP_OUTSIDE;
    if (!is_long_enough(s, candidate) || !comes_inside(s, candidate)) {
        s->report->counts.outside++;
        return COR_OK;
    }
    *end = COR_STEP_NO_SIMPLER;
    if (sequence__test_compare(s->bounds, candidate, s->best, &status, error) >= 0 || status != COR_OK)
        return status;
    *end = COR_STEP_UNTRIED;
    COR_TRY(execute_candidate(s, candidate, result, end, error));
    if (!s->reseeds || *end == COR_STEP_STAYS)
        return COR_OK;
    /* The same with other seeds of all its streams, until one does. */
    const uint64_t own = candidate->suite->name.seed;
    for (uint32_t i = 1; i <= s->definition->reseeds && *end != COR_STEP_STAYS && !s->stopped; i++) {
        enum cor_step_end again = COR_STEP_UNTRIED;
        candidate->suite->name.seed = cor_hash_word(s->seed_first, i);
        COR_TRY(execute_candidate(s, candidate, result, &again, error));
        if (again == COR_STEP_STAYS)
            *end = again;
    }
    if (*end != COR_STEP_STAYS)
        candidate->suite->name.seed = own;
    return COR_OK;
}

enum cor_status sequence__shrink_try(struct cor_shrinker *s, struct cor_test *candidate,
                                     enum cor_step_end *end, struct cor_error *error) {
    struct cor_test_result result;
    const enum cor_status status = judge(s, candidate, &result, end, error);
    if (status == COR_OK && *end == COR_STEP_STAYS && !s->looks) {
        /* The candidate is the best from now on, without what lies behind its failing case. */
        const bool executed = hash_of(candidate) != s->best_hash;
        candidate->expected = result;
        cor_test_truncate(candidate, result.case_);
        cor_test_destroy(s->best);
        s->best = candidate;
        s->best_hash = hash_of(candidate);
        if (executed)
            note_quiet(s);
    } else {
        cor_test_destroy(candidate);
    }
    return status;
}

#define ENTRIES_MAX 65536 /* of a schedule that is shrunk */

enum cor_status sequence__shrink_record_mail(struct cor_shrinker *s, struct cor_test *copy, bool *can,
                                             struct cor_error *error) {
    struct cor_mail_record *mail;
    struct cor_test_result result;
    *can = may_execute(s);
    if (!*can)
        return COR_OK;
    COR_TRY(cor_mail_record_create(copy->arm.session.mail.mode, &mail, error));
    cor_tester_record_mail(s->tester, mail);
    const enum cor_status status = execute(s, copy, &result, error);
    cor_tester_record_mail(s->tester, NULL);
    *can = status == COR_OK && mail->count <= ENTRIES_MAX;
    if (*can) {
        copy->schedule = mail;
        copy->arm.session.mail.mode = COR_MAIL_IN_ORDER; /* the schedule is what counts */
    } else {
        cor_mail_record_destroy(mail);
    }
    return status;
}

enum cor_status sequence__shrink_step(struct cor_shrinker *s, const struct cor_pass *pass, uint32_t index,
                                      struct cor_step *step, enum cor_step_end *end,
                                      struct cor_error *error) {
    struct cor_test *copy;
    *end = COR_STEP_UNTRIED;
    COR_TRY(cor_test_copy(s->best, &copy, error));
    const enum cor_status status = pass->step(s, pass, copy, index, step, error);
    if (status == COR_OK && step->can)
        return sequence__shrink_try(s, copy, end, error);
    cor_test_destroy(copy);
    return status;
}

/* Looking at every single step. */

static enum cor_status keep_text(char **text, const char *words, struct cor_error *error) {
    free(*text);
    *text = cor_strdup(words);
    return cor_made(*text, error);
}

static enum cor_status look_at_pass(struct cor_shrinker *s, uint32_t pass, struct cor_error *error) {
    uint32_t count;
    if (!sequence__passes[pass].count)
        return COR_OK;
    s->report->counts.pass = sequence__passes[pass].name;
    COR_TRY(sequence__passes[pass].count(s, &count, error));
    for (uint32_t i = 0; i < count && !s->stopped; i++) {
        struct cor_step step = {0};
        enum cor_step_end end;
        COR_TRY(sequence__shrink_step(s, &sequence__passes[pass], i, &step, &end, error));
        s->report->steps += step.can && end != COR_STEP_NO_SIMPLER;
        if (end == COR_STEP_PASSES) {
            /* The nearest test that passes: of the last pass, with the number that differs least. */
            struct nearest *n = &s->nearest;
            if (!(n->text && (pass < n->pass || (pass == n->pass && step.distance >= n->distance)))) {
                n->pass = pass;
                n->distance = step.distance;
                n->is_value = step.is_value;
                COR_TRY(keep_text(&n->text, step.text, error));
            }
        }
        if (end == COR_STEP_STAYS && s->stayed++ == 0)
            COR_TRY(keep_text(&s->stayed_text, step.text, error));
    }
    return COR_OK;
}

static enum cor_status look(struct cor_shrinker *s, struct cor_error *error) {
    s->looks = true;
    s->stayed = 0;
    s->report->steps = 0;
    enum cor_status status = COR_OK;
    for (uint32_t pass = 0; pass < sequence__pass_count && status == COR_OK; pass++)
        status = look_at_pass(s, pass, error);
    s->looks = false;
    return status;
}

/* Passes in turn until none takes anything. */
static enum cor_status run_passes(struct cor_shrinker *s, struct cor_error *error) {
    bool some = true;
    while (some && !s->stopped) {
        some = false;
        for (uint32_t i = 0; i < sequence__pass_count && !s->stopped; i++) {
            bool moved = false;
            if (sequence__passes[i].last && some)
                continue;
            s->report->counts.pass = sequence__passes[i].name;
            COR_TRY(sequence__passes[i].run(s, &sequence__passes[i], &moved, error));
            some = some || moved;
        }
    }
    return COR_OK;
}

/* The failure, twice: each time the same, and the one that is expected. */
static enum cor_status repeat(struct cor_shrinker *s, bool *repeats, struct cor_error *error) {
    struct cor_test_result first, second;
    struct sequence__seen *seen = NULL, *again = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(execute(s, s->best, &first, error));
    COR_TRY_OUT(sequence__shrink_see(s, &seen, error));
    COR_TRY_OUT(execute(s, s->best, &second, error));
    *repeats =
        first.case_ != 0 && first.case_ == second.case_ && first.hash == second.hash &&
        cor_failure_class_equal(&first.class, &second.class) &&
        (s->best->expected.case_ == 0 || cor_failure_class_equal(&first.class, &s->best->expected.class));
    if (!*repeats) {
        COR_TRY_OUT(sequence__shrink_see(s, &again, error));
        COR_TRY_OUT(sequence__shrink_said_flaky(s, &first, &second, seen, again, error));
        goto out;
    }
    s->best->expected = first;
    note_quiet(s);
    if (first.case_ < cor_test_cases(s->best) && !s->looks)
        cor_test_truncate(s->best, first.case_);
    s->best_hash = hash_of(s->best);
out:
    sequence__seen_destroy(seen);
    sequence__seen_destroy(again);
    return status;
}

static enum cor_status begin(struct cor_shrinker *s, const struct cor_test *test, struct cor_error *error) {
    char *text = NULL;
    COR_TRY(cor_test_copy(test, &s->best, error));
    s->report->before = s->report->after = cor_test_size(test);
    s->seed_first = test->suite->name.seed;
    s->quiet = cor_calloc(s->report->before.cases, sizeof *s->quiet);
    COR_TRY(cor_made(s->quiet, error));
    s->report->free = s->definition->free || (test->own && !test->bounds);
    if (s->report->free)
        return COR_OK;
    if (test->bounds)
        COR_TRY(sequence__bounds_parse(test->bounds, test, &s->bounds, error));
    else {
        COR_TRY(cor_bounds_text(test->suite->experiment->model, &test->arm, &text, error));
        const enum cor_status status = sequence__bounds_parse(text, test, &s->bounds, error);
        s->best->bounds = text; /* taken over */
        COR_TRY(status);
    }
    s->kept = cor_calloc(sequence__bounds_lines(s->bounds), sizeof *s->kept);
    s->judged = cor_calloc(sequence__bounds_lines(s->bounds), sizeof *s->judged);
    if (!s->kept || !s->judged)
        return cor_fail_memory(error);
    sequence__bounds_judge(s->bounds, test, s->kept);
    return COR_OK;
}

static void end_shrinker(struct cor_shrinker *s) {
    sequence__bounds_destroy(s->bounds);
    free(s->kept);
    free(s->judged);
    cor_test_destroy(s->best);
    free(s->quiet);
    free(s->seen);
    free(s->seen_end);
    free(s->stayed_text);
    free(s->nearest.text);
    free(s->slots.items);
}

enum cor_status cor_shrink(const struct cor_test *test, const struct cor_shrink_definition *definition,
                           struct cor_tester *tester, struct cor_test **smaller,
                           struct cor_shrink_report *report, struct cor_error *error) {
    struct cor_shrinker s = {.definition = definition, .tester = tester, .report = report};
    bool repeats = false;
    enum cor_status status = COR_OK;
    *smaller = NULL;
    *report = (struct cor_shrink_report){.end = COR_SHRINK_FLAKY};
    COR_TRY_OUT(begin(&s, test, error));
    COR_TRY_OUT(repeat(&s, &repeats, error));
    if (repeats) {
        do {
            COR_TRY_OUT(run_passes(&s, error));
            if (s.definition->reseeds > 0) {
                s.reseeds = true;
                COR_TRY_OUT(run_passes(&s, error));
                s.reseeds = false;
            }
            COR_TRY_OUT(look(&s, error));
        } while (s.stayed > 0 && !s.stopped);
        s.report->end = s.stopped ? COR_SHRINK_STOPPED : COR_SHRINK_MINIMAL;
        s.report->after = cor_test_size(s.best);
        s.report->counts.pass = NULL;
        COR_TRY_OUT(sequence__shrink_said(&s, error));
        free(s.best->said);
        s.best->said = cor_strdup(s.report->said);
        COR_TRY_OUT(cor_made(s.best->said, error));
    }
    *smaller = s.best;
    s.best = NULL;
out:
    end_shrinker(&s);
    if (status != COR_OK)
        cor_shrink_report_fini(report);
    return status;
}

enum cor_status cor_shrink_check(const struct cor_test *test, const struct cor_shrink_definition *definition,
                                 struct cor_tester *tester, struct cor_shrink_report *report,
                                 struct cor_error *error) {
    struct cor_shrinker s = {
        .definition = definition, .tester = tester, .report = report, .checks = true, .looks = true};
    bool repeats = false;
    enum cor_status status = COR_OK;
    *report = (struct cor_shrink_report){.end = COR_SHRINK_FLAKY};
    COR_TRY_OUT(begin(&s, test, error));
    COR_TRY_OUT(repeat(&s, &repeats, error));
    if (repeats) {
        COR_TRY_OUT(look(&s, error));
        report->counts.pass = NULL;
        const bool longer = cor_test_cases(test) > s.best->expected.case_;
        report->end = s.stopped                ? COR_SHRINK_STOPPED
                      : s.stayed > 0 || longer ? COR_SHRINK_LARGER
                                               : COR_SHRINK_MINIMAL;
        COR_TRY_OUT(sequence__shrink_said(&s, error));
    }
out:
    end_shrinker(&s);
    if (status != COR_OK)
        cor_shrink_report_fini(report);
    return status;
}
