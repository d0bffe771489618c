/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which messages, draws and moves a failure needs: counterfactual executions of one change each, then sets of
 * changes by delta debugging.
 *
 * That a failure goes when a message is lost is not enough to name it: so it does when the messages are lost
 * of which that one is a consequence, and those before them. Those are told apart by holding all other mail
 * as it was: what then still makes the failure go does so itself */

#include <corridor/array.h>
#include <corridor/minimize.h>
#include <corridor/why.h>

#include <stdlib.h>
#include <string.h>

/* Something that can be changed. */
struct part {
    enum cor_why_part kind;
    uint32_t number;
    enum cor_why_manner manner; /* in which it is changed, or made the failure go */
    uint32_t choice;
    uint64_t time; /* when it happened, of the course */
    bool goes;     /* changed alone it makes the failure go; */
    bool direct;   /* also where all other mail is held, or no other does it */
};

struct why {
    const struct cor_why_definition *definition; /* borrowed, as the next ones */
    struct cor_tester *tester;
    struct cor_why_report *report;
    struct cor_test *test; /* owned; ends with the failing case; how its mail went is its schedule */
    uint64_t identity;     /* of that case */
    uint64_t *place;       /* owned; [message] in the order of delivery */
    struct part *parts;    /* owned; as they happened: messages when they came */
    size_t part_count, part_capacity;
    struct cor_redraw *redraws; /* owned; [part] scratch */
    bool can_hold;              /* with its mail held the test fails alike */
    bool is_stopped;
};

enum { COR_WHY_WAYS = 3, COR_WHY_WAYS_OF_MAIL = 4 }; /* of changing a part */

/* How changes are made together. */
struct together {
    const struct cor_course *held; /* mail is as it was there; NULL: as it comes */
    struct cor_course *told;       /* gets the course; NULL: nobody wants to know */
};
/* Is another execution within the budget, and wanted? */
static bool why_may_execute(struct why *w) {
    const uint64_t budget = w->definition->budget;
    const uint32_t cases = w->report->case_;
    if (budget > 0 && w->report->cases + cases > budget)
        w->is_stopped = true;
    if (w->definition->go_on && !w->definition->go_on(w->definition->self, w->report->executions))
        w->is_stopped = true;
    return !w->is_stopped;
}

static enum cor_status execute(struct why *w, const struct cor_test *test, struct cor_test_result *result,
                               struct cor_error *error) {
    const enum cor_status status = cor_tester_execute_to_failure(w->tester, test, result, error);
    w->report->executions++;
    w->report->cases += result->cases;
    return status;
}

/* Is the failure there? All that was wrong is wrong, in the same case, with the fault at work or not; what
 * else is wrong does not matter. */
static bool why_is_there(const struct why *w, const struct cor_test_result *result) {
    const struct cor_failure_class *was = &w->report->class, *now = &result->class;
    if (result->case_ != w->report->case_ || now->smoke != was->smoke || now->fault != was->fault)
        return false;
    for (int box = 0; box < COR_BOX_CODES; box++)
        if (was->killers.checks[box] & ~now->killers.checks[box])
            return false;
    return true;
}

/* ---- one execution with changes */

/* What the schedule says of a message that is changed. False: it cannot be changed so. */
static bool entry_of(const struct why *w, const struct part *part, uint32_t number,
                     struct cor_mail_entry *entry) {
    const struct cor_course *course = &w->report->course;
    const struct cor_course_message *it = &w->report->course.messages[part->number];
    const uint64_t place = w->place[part->number];
    *entry = (struct cor_mail_entry){.identity = w->identity, .deed = COR_MAIL_DEED_LOST, .of = number};
    if (part->manner == COR_WHY_CAME || it->received == 0)
        return part->manner == COR_WHY_CAME && it->received == 0;
    if (part->manner == COR_WHY_LOST)
        return true;
    if (cor_mail_is_one_by_one(w->test->schedule->mode)) {
        entry->deed = COR_MAIL_DEED_WAITS;
        entry->value = part->manner == COR_WHY_LATE ? place + 1 : course->order_count - 1;
        return place + 1 < course->order_count;
    }
    entry->deed = COR_MAIL_DEED_TRAVELS;
    entry->value = (part->manner == COR_WHY_LATE ? it->received + 1 : course->rounds) - it->sent;
    return it->received < course->rounds;
}

/* Is it said that the message is lost? */
static bool is_lost(const struct why *w, uint32_t number) {
    size_t count;
    const struct cor_mail_entry *entries = cor_mail_record_of(w->test->schedule, w->identity, &count);
    for (size_t i = 0; i < count; i++)
        if (entries[i].deed == COR_MAIL_DEED_LOST && entries[i].of == number)
            return true;
    return false;
}

/* The message comes as it was sent. */
static void drop_entry(struct cor_mail_record *schedule, const struct cor_mail_entry *entry) {
    for (size_t i = 0; i < schedule->count; i++) {
        const struct cor_mail_entry *it = &schedule->entries[i];
        if (it->identity != entry->identity || it->deed != entry->deed || it->of != entry->of)
            continue;
        cor_mail_record_drop(schedule, i, 1);
        return;
    }
}

static struct cor_redraw redraw_of(const struct why *w, const struct part *part) {
    const struct cor_course *course = &w->report->course;
    if (part->kind == COR_WHY_MOVE)
        return (struct cor_redraw){.is_move = true,
                                   .index = part->number,
                                   .end = course->moves[part->number].end,
                                   .choice = part->choice};
    const struct cor_course_draw *draw = &course->draws[part->number];
    return (struct cor_redraw){
        .purpose = draw->purpose, .entity = draw->entity, .index = draw->index, .choice = part->choice};
}

/* Executes the test with all parts changed that are marked; `marked` NULL: all `count`. numbers[i]: by which
 * part i is found among the messages, NULL: its own. */
static enum cor_status why_execute(struct why *w, const struct part *parts, size_t count, const bool *gone,
                                   const uint32_t *numbers, const struct together *how,
                                   struct cor_test_result *result, struct cor_error *error) {
    struct cor_course_change change = {w->identity, how->held, w->redraws, 0};
    COR_DESTROYED(cor_mail_record) struct cor_mail_record *schedule = NULL;
    struct cor_mail_record *was = w->test->schedule;
    enum cor_status status = COR_OK;
    COR_TRY(cor_mail_record_copy(was, &schedule, error));
    for (size_t i = 0; i < count; i++) {
        struct cor_mail_entry entry;
        if (gone && gone[i])
            continue;
        if (parts[i].kind != COR_WHY_MESSAGE)
            w->redraws[change.redraw_count++] = redraw_of(w, &parts[i]);
        else if (!entry_of(w, &parts[i], numbers ? numbers[i] : parts[i].number, &entry))
            continue;
        else if (parts[i].manner == COR_WHY_CAME)
            drop_entry(schedule, &entry);
        else
            COR_TRY(cor_mail_record_put(schedule, &entry, error));
    }
    w->test->schedule = schedule;
    cor_tester_change(w->tester, change.redraw_count > 0 || how->held ? &change : NULL);
    cor_tester_watch(w->tester, how->told);
    status = execute(w, w->test, result, error);
    cor_tester_watch(w->tester, NULL);
    cor_tester_change(w->tester, NULL);
    w->test->schedule = was;
    return status;
}

/* Are both said by the same agent to the same agent, and of the same kind? */
static bool why_is_same(const struct cor_course_message *one, const struct cor_course_message *other) {
    return one->from == other->from && one->to == other->to && one->kind == other->kind;
}

/* ---- what can be changed */

static enum cor_status put_part(struct why *w, enum cor_why_part kind, uint32_t number,
                                struct cor_error *error) {
    COR_TRY(COR_RESERVE(&w->parts, &w->part_capacity, w->part_count + 1, error));
    w->parts[w->part_count++] = (struct part){.kind = kind, .number = number};
    w->report->there[kind]++;
    return COR_OK;
}

/* Behind all messages that came up to a round. */
static uint64_t end_of_round(const struct cor_course *course, uint64_t round) {
    uint64_t last = 0;
    for (size_t i = 0; i < course->order_count; i++)
        if (course->messages[course->order[i]].received <= round)
            last = i + 1;
    return 4 * last + 2;
}

/* When a part happened: by round, in a round what is drawn where. */
static uint64_t time_of(const struct why *w, const struct part *part) {
    const struct cor_course *course = &w->report->course;
    if (part->kind == COR_WHY_MESSAGE && course->messages[part->number].received == 0)
        return end_of_round(course, course->messages[part->number].sent);
    if (part->kind == COR_WHY_MESSAGE)
        return 4 * (w->place[part->number] + 1);
    if (part->kind == COR_WHY_MOVE)
        return 4 * ((uint64_t)part->number + 1);
    const struct cor_course_draw *draw = &course->draws[part->number];
    if (draw->message != COR_COURSE_NONE)
        return 4 * (w->place[draw->message] + 1) + 1;
    if (draw->move != COR_COURSE_NONE)
        return 4 * ((uint64_t)draw->move + 1) + 1;
    if (draw->round == 0)
        return part->number > 0 && course->moves && course->draws[part->number - 1].move != COR_COURSE_NONE
                   ? UINT64_MAX
                   : 0;
    return end_of_round(course, draw->round); /* in a turn */
}

static int compare_parts(const void *one, const void *other) {
    const struct part *a = one, *b = other;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* ---- each alone */

/* Can the part be changed in its manner? */
static bool why_can_be(const struct why *w, const struct part *part) {
    struct cor_mail_entry entry;
    return part->kind != COR_WHY_MESSAGE || entry_of(w, part, part->number, &entry);
}

/* The next way to change a part: false behind the last. */
static bool why_next_way(struct part *part, uint32_t way) {
    const bool is_message = part->kind == COR_WHY_MESSAGE;
    part->manner = is_message ? (enum cor_why_manner)(COR_WHY_LOST + way) : COR_WHY_REDRAWN;
    part->choice = is_message ? 0 : part->kind == COR_WHY_MOVE ? way + 2 : way;
    return way < (is_message ? COR_WHY_WAYS_OF_MAIL : COR_WHY_WAYS);
}

/* Does the failure go when this part alone is changed? Told of the first way that makes it. */
static enum cor_status try_alone(struct why *w, struct part *part, struct cor_error *error) {
    struct cor_test_result result = {0};
    for (uint32_t way = 0; why_next_way(part, way) && !part->goes; way++) {
        if (!why_can_be(w, part))
            continue;
        if (!why_may_execute(w))
            return COR_OK;
        COR_TRY(why_execute(w, part, 1, NULL, NULL, &(struct together){0}, &result, error));
        part->goes = !why_is_there(w, &result);
        if (part->goes && w->can_hold) {
            struct cor_test_result held;
            if (!why_may_execute(w))
                return COR_OK;
            COR_TRY(why_execute(w, part, 1, NULL, NULL, &(struct together){.held = &w->report->course}, &held,
                                error));
            part->direct = !why_is_there(w, &held);
        }
        if (part->goes)
            break;
    }
    w->report->alone[part->kind] += part->goes;
    w->report->otherwise += part->goes && result.case_ > 0;
    return COR_OK;
}

/* ---- naming */

/* The first message in which the course of the cause's own execution is another one. */
static enum cor_status find_next(struct why *w, const struct cor_course *other, struct cor_why_cause *cause,
                                 struct cor_error *error) {
    const struct cor_course *course = &w->report->course;
    for (size_t i = 0; i < other->message_count; i++) {
        const struct cor_course_message *now = &other->messages[i];
        const struct cor_course_message *was = i < course->message_count ? &course->messages[i] : NULL;
        if (was && why_is_same(was, now) && was->sent == now->sent && was->size == now->size &&
            memcmp(course->words + was->payload, other->words + now->payload, was->size) == 0)
            continue;
        cause->next_words = cor_calloc((size_t)now->size / 8 + 1, sizeof *cause->next_words);
        COR_TRY(cor_made(cause->next_words, error));
        memcpy(cause->next_words, other->words + now->payload, now->size);
        cause->next = *now;
        cause->next.payload = 0;
        cause->has_next = true;
        return COR_OK;
    }
    return COR_OK;
}

/* Tells a part as a cause, and what happens when it alone is changed, by an execution of its own. */
static enum cor_status why_name(struct why *w, const struct part *part, struct cor_error *error) {
    struct cor_why_report *report = w->report;
    struct cor_course course = {.identity = w->identity};
    struct cor_why_cause cause = {
        .part = part->kind, .number = part->number, .manner = part->manner, .choice = part->choice};
    enum cor_status status =
        why_execute(w, part, 1, NULL, NULL, &(struct together){.told = &course}, &cause.instead, error);
    if (status == COR_OK)
        status = find_next(w, &course, &cause, error);
    cor_course_fini(&course);
    struct part late = *part;
    late.manner = COR_WHY_LATE;
    if (status == COR_OK && part->manner == COR_WHY_LOST && why_can_be(w, &late)) {
        struct cor_test_result result;
        status = why_execute(w, &late, 1, NULL, NULL, &(struct together){0}, &result, error);
        cause.is_late_enough = status == COR_OK && !why_is_there(w, &result);
    }
    struct cor_why_cause *causes =
        status == COR_OK ? realloc(report->causes, (report->cause_count + 1) * sizeof *causes) : NULL;
    if (!causes) {
        free(cause.next_words);
        return status != COR_OK ? status : cor_fail_memory(error);
    }
    report->causes = causes;
    report->causes[report->cause_count++] = cause;
    return COR_OK;
}

/* ---- sets: changes that make a failure go only together, as few as do it, by delta debugging */

#define TOLD_MOST 64 /* causes of a set */

/* The number, in another course, of the message that is the same: from and to the same agents, of the same
 * kind, the so-many-th such. COR_COURSE_NONE: it is not sent there. */
static uint32_t find_again(const struct cor_course *course, uint32_t number, const struct cor_course *other) {
    const struct cor_course_message *it = &course->messages[number];
    uint32_t before = 0;
    for (uint32_t i = 0; i < number; i++)
        before += why_is_same(&course->messages[i], it);
    for (uint32_t i = 0; i < other->message_count; i++)
        if (why_is_same(&other->messages[i], it) && before-- == 0)
            return i;
    return COR_COURSE_NONE;
}

/* The same of several parts where mail comes as it comes: what is changed first changes how later messages
 * are counted, so each is looked for in the course of all before it. */
static enum cor_status execute_set(struct why *w, const struct part *parts, size_t count, const bool *gone,
                                   struct cor_test_result *result, struct cor_error *error) {
    COR_FINISHED(cor_course) struct cor_course course = {.identity = w->identity};
    COR_FREED uint32_t *numbers = cor_calloc(count, sizeof *numbers);
    COR_FREED bool *left = cor_calloc(count, sizeof *left);
    size_t changed = 0;
    if (!numbers || !left)
        return cor_fail_memory(error);
    memset(left, true, count);
    for (size_t i = 0; i < count; i++) {
        if (gone && gone[i])
            continue;
        numbers[i] = parts[i].number;
        if (changed++ > 0 && parts[i].kind == COR_WHY_MESSAGE) {
            if (!why_may_execute(w))
                return COR_OK;
            COR_TRY(
                why_execute(w, parts, i, left, numbers, &(struct together){.told = &course}, result, error));
            numbers[i] = find_again(&w->report->course, parts[i].number, &course);
        }
        left[i] = numbers[i] == COR_COURSE_NONE; /* what is not sent any more cannot be lost */
    }
    if (why_may_execute(w))
        COR_TRY(why_execute(w, parts, count, left, numbers, &(struct together){0}, result, error));
    return COR_OK;
}

struct search {
    struct why *why;
    struct part *parts;
    bool is_held;
};

/* Does the failure stay away without the changes that are marked? */
static enum cor_status try_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct search *search = self;
    struct why *w = search->why;
    struct cor_test_result result;
    *stays = false;
    if (!why_may_execute(w))
        return COR_OK;
    const struct together how = {.held = search->is_held ? &w->report->course : NULL};
    COR_TRY(why_execute(w, search->parts, w->part_count, gone, NULL, &how, &result, error));
    *stays = !why_is_there(w, &result);
    return COR_OK;
}

/* The failure goes with all parts changed where mail comes as it comes, and comes back with any of them as it
 * was. Where mail was held when the set was found, it is held for that, too: what comes of one change may
 * else stand in for another. */
static enum cor_status confirm_set(struct why *w, const struct part *parts, size_t count, bool is_held,
                                   bool *is_confirmed, struct cor_test_result *instead,
                                   struct cor_error *error) {
    const struct together held = {.held = &w->report->course};
    struct cor_test_result result;
    COR_FREED bool *gone = cor_calloc(count, sizeof *gone);
    COR_TRY(cor_made(gone, error));
    *is_confirmed = false;
    COR_TRY(execute_set(w, parts, count, NULL, &result, error));
    if (w->is_stopped || why_is_there(w, &result))
        return COR_OK;
    for (size_t i = 0; i < count; i++) {
        gone[i] = true;
        if (!is_held)
            COR_TRY(execute_set(w, parts, count, gone, &instead[i], error));
        else if (why_may_execute(w))
            COR_TRY(why_execute(w, parts, count, gone, NULL, &held, &instead[i], error));
        gone[i] = false;
        if (w->is_stopped || !why_is_there(w, &instead[i]))
            return COR_OK;
    }
    *is_confirmed = true;
    return COR_OK;
}

static enum cor_status name_set(struct why *w, const struct part *parts, const bool *gone, bool is_held,
                                bool *is_confirmed, struct cor_error *error) {
    struct part set[TOLD_MOST];
    struct cor_test_result instead[TOLD_MOST];
    size_t count = 0;
    *is_confirmed = false;
    for (size_t i = 0; i < w->part_count; i++) {
        if (gone[i])
            continue;
        if (count == TOLD_MOST)
            return COR_OK;
        set[count++] = parts[i];
    }
    COR_TRY(confirm_set(w, set, count, is_held, is_confirmed, instead, error));
    for (size_t i = 0; i < count && *is_confirmed; i++) {
        COR_TRY(why_name(w, &set[i], error));
        w->report->causes[w->report->cause_count - 1].instead = instead[i];
    }
    w->report->is_set = *is_confirmed;
    return COR_OK;
}

/* A smallest set of parts that have to be changed together, if all of them together make the failure go. */
static enum cor_status search_set(struct why *w, bool is_held, uint32_t way, bool *is_found,
                                  struct cor_error *error) {
    struct cor_test_result result;
    struct search search = {w, cor_calloc(w->part_count, sizeof *search.parts), is_held};
    bool *gone = cor_calloc(w->part_count, sizeof *gone), moved;
    enum cor_status status = COR_OK;
    *is_found = false;
    if (!search.parts || !gone) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < w->part_count; i++) {
        search.parts[i] = w->parts[i];
        (void)why_next_way(&search.parts[i], way);
        gone[i] = !why_can_be(w, &search.parts[i]);
    }
    if (!why_may_execute(w))
        goto out;
    const struct together how = {.held = is_held ? &w->report->course : NULL};
    COR_TRY_OUT(why_execute(w, search.parts, w->part_count, gone, NULL, &how, &result, error));
    if (why_is_there(w, &result))
        goto out;
    COR_TRY_OUT(cor_minimize(
        &(struct cor_minimizing){
            .count = (uint32_t)w->part_count, .try = try_without, .self = &search, .gone = gone},
        COR_MINIMIZE_SET, &moved, error));
    if (!w->is_stopped)
        COR_TRY_OUT(name_set(w, search.parts, gone, is_held, is_found, error));
out:
    free(search.parts);
    free(gone);
    return status;
}

static enum cor_status search_causes(struct why *w, struct cor_error *error) {
    bool is_found = false, direct = false;
    size_t some = 0, one = 0;
    w->report->end = COR_WHY_NEEDS_NONE;
    for (size_t i = w->part_count; i-- > 0 && !w->is_stopped;) {
        COR_TRY(try_alone(w, &w->parts[i], error));
        some += w->parts[i].goes;
        one = w->parts[i].goes ? i : one;
        direct = direct || w->parts[i].direct;
    }
    if (some == 1 && !w->can_hold) /* through what else should it act? */
        w->parts[one].direct = direct = true;
    if (!w->is_stopped && !direct && (some == 0 || w->can_hold)) {
        /* A smallest set of parts that make the failure go together, named if there is one. */
        for (int held = w->can_hold ? 1 : 0; held >= 0 && !is_found && !w->is_stopped; held--)
            for (uint32_t way = 0; way < COR_WHY_WAYS_OF_MAIL && !is_found && !w->is_stopped; way++) {
                COR_TRY(search_set(w, held == 1, way, &is_found, error));
                w->report->is_held = is_found && held == 1;
            }
    }
    if (!w->is_stopped && !is_found) {
        /* Those that act by themselves; if none does, told are the last, and the last where the fault struck.
         */
        size_t last = w->part_count, struck = w->part_count;
        for (size_t i = 0; i < w->part_count; i++) {
            last = w->parts[i].goes ? i : last;
            const struct part *part = &w->parts[i];
            const struct cor_course *course = &w->report->course;
            const bool strikes = part->kind == COR_WHY_MESSAGE
                                     ? course->messages[part->number].effect.fault
                                     : part->kind == COR_WHY_MOVE && course->moves[part->number].effect.fault;
            struck = part->goes && strikes ? i : struck;
            if (w->parts[i].direct)
                COR_TRY(why_name(w, &w->parts[i], error));
        }
        w->report->is_held = w->report->cause_count > 0 && w->can_hold;
        if (w->report->cause_count == 0 && last != w->part_count) {
            w->report->end = COR_WHY_TOLD_LAST;
            if (struck < last)
                COR_TRY(why_name(w, &w->parts[struck], error));
            COR_TRY(why_name(w, &w->parts[last], error));
        }
    }
    if (w->is_stopped)
        w->report->end = COR_WHY_STOPPED;
    else if (w->report->cause_count > 0 && w->report->end != COR_WHY_TOLD_LAST)
        w->report->end = COR_WHY_NAMED;
    return COR_OK;
}

/* ---- the failure itself */

/* Executes it twice, and takes its course and how its mail went. */
static enum cor_status repeat(struct why *w, bool *repeats, struct cor_error *error) {
    struct cor_why_report *report = w->report;
    struct cor_test_result first, second;
    struct cor_mail_record *mail;
    *repeats = false;
    COR_TRY(execute(w, w->test, &first, error));
    report->case_ = first.case_;
    report->class = first.class;
    if (first.case_ == 0) {
        report->end = COR_WHY_PASSES;
        return COR_OK;
    }
    cor_test_truncate(w->test, first.case_);
    w->identity = w->test->case_identity ? w->test->case_identity[first.case_ - 1] : first.case_;
    report->course.identity = w->identity;
    COR_TRY(cor_mail_record_create(w->test->arm.session.mail.mode, &mail, error));
    cor_tester_record_mail(w->tester, mail);
    cor_tester_watch(w->tester, &report->course);
    const enum cor_status status = execute(w, w->test, &second, error);
    cor_tester_watch(w->tester, NULL);
    cor_tester_record_mail(w->tester, NULL);
    cor_mail_record_destroy(w->test->schedule);
    w->test->schedule = mail;
    COR_TRY(status);
    *repeats = first.case_ == second.case_ && first.hash == second.hash &&
               cor_failure_class_equal(&first.class, &second.class);
    report->second = second;
    report->end = COR_WHY_FLAKY;
    return COR_OK;
}

enum cor_status cor_why(const struct cor_test *test, const struct cor_why_definition *definition,
                        struct cor_tester *tester, struct cor_why_report *report, struct cor_error *error) {
    struct why w = {.definition = definition, .tester = tester, .report = report};
    bool repeats = false;
    enum cor_status status = COR_OK;
    *report = (struct cor_why_report){.end = COR_WHY_STOPPED};
    COR_TRY(cor_test_copy(test, &w.test, error));
    w.test->arm.session.strict = false; /* the outcome is the same, and what is closed could not be watched */
    COR_TRY_OUT(repeat(&w, &repeats, error));
    if (!repeats)
        goto out;
    /* All parts in the order of happening. Of messages that never came those that were lost count. */
    const struct cor_course *course = &w.report->course;
    COR_TRY_OUT(cor_made(w.place = cor_calloc(course->message_count, sizeof *w.place), error));
    for (size_t i = course->order_count; i-- > 0;)
        w.place[course->order[i]] = i;
    for (uint32_t i = 0; i < course->message_count; i++)
        if (course->messages[i].received > 0 || is_lost(&w, i))
            COR_TRY_OUT(put_part(&w, COR_WHY_MESSAGE, i, error));
    for (uint32_t i = 0; i < course->draw_count; i++)
        /* Draws that are made within a move are changed with it; those of the fault, and what agents draw,
         * alone. */
        if (course->draws[i].move == COR_COURSE_NONE || course->draws[i].purpose != COR_PURPOSE_ALGORITHM)
            COR_TRY_OUT(put_part(&w, COR_WHY_DRAW, i, error));
    for (uint32_t i = 0; i < course->move_count; i++)
        COR_TRY_OUT(put_part(&w, COR_WHY_MOVE, i, error));
    COR_TRY_OUT(cor_made(w.redraws = cor_calloc(w.part_count, sizeof *w.redraws), error));
    for (size_t i = 0; i < w.part_count; i++)
        w.parts[i].time = time_of(&w, &w.parts[i]);
    if (w.part_count > 0)
        qsort(w.parts, w.part_count, sizeof *w.parts, compare_parts);
    /* Does it fail alike by the mail that was recorded, and with all of it held? */
    struct cor_test_result result;
    COR_TRY_OUT(why_execute(&w, NULL, 0, NULL, NULL, &(struct together){0}, &result, error));
    report->second = result;
    if (!why_is_there(&w, &result))
        goto out;
    if (course->message_count > 0) {
        COR_TRY_OUT(why_execute(&w, NULL, 0, NULL, NULL, &(struct together){.held = course}, &result, error));
        w.can_hold = why_is_there(&w, &result);
    }
    report->end = COR_WHY_NOTHING;
    if (w.part_count > 0)
        COR_TRY_OUT(search_causes(&w, error));
out:
    cor_test_destroy(w.test);
    free(w.place);
    free(w.parts);
    free(w.redraws);
    return status;
}

void cor_why_report_fini(struct cor_why_report *report) {
    for (size_t i = 0; i < report->cause_count; i++)
        free(report->causes[i].next_words);
    free(report->causes);
    cor_course_fini(&report->course);
    report->causes = NULL;
    report->cause_count = 0;
}
