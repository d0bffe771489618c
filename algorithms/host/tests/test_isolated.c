/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Algorithms in cells: they give what they give in process, and whatever a module does there instead is a
 * smoke code, after which everything works as before.
 *
 * test_isolated [in-full | CRASHES]: with who sleeps; with so many crashes in a row. */
#include "modules/deeds.h"
#include "remote.h"
#include "tasks.h"

#include <corridor/array.h>

#include <dirent.h>
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct cor_error error;
static struct test_task task;
static bool is_full;

static struct cor_session *opened(const struct cor_session_definition *definition) {
    struct cor_session *session;
    error = COR_NO_ERROR;
    if (cor_session_create(definition, &session, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return session;
}

static uint64_t run(struct cor_session *session, struct cor_outcome *outcome) {
    error = COR_NO_ERROR;
    if (cor_session_reorganize(session, &task.task, &task.name, outcome, &error) != COR_OK)
        fail_msg("%s", error.cause);
    uint64_t hash = cor_outcome_digest(outcome);
    for (size_t i = 0; i < outcome->interim_count; i++) {
        struct cor_outcome interim = {.solution = outcome->interims[i].solution};
        hash = cor_hash_word(hash, cor_outcome_digest(&interim) + outcome->interims[i].spent);
    }
    const struct cor_fault_counts *fault = &outcome->fault;
    hash = cor_hash_word(hash,
                         fault->reached * 31 + fault->held * 37 + fault->activated * 41 + fault->in_result);
    return cor_hash_word(hash, (uint64_t)outcome->has_moves);
}

static uint64_t digest_of_counters(struct cor_session *session, const struct cor_algorithm *algorithm) {
    const uint32_t *start;
    const uint64_t *cells = cor_session_counters(session, &start);
    return cor_hash_bytes(COR_HASH_SEED, cells,
                          start[cor_algorithm_counter_count(algorithm)] * sizeof *cells);
}

/* Several reorganizations, each upon what the one before kept: in process, and in a cell. */
static void same_in_a_cell(const struct cor_session_definition *definition, uint32_t fault, bool is_fresh) {
    struct cor_session_definition isolated = *definition;
    isolated.place = COR_SESSION_IN_CELL;
    isolated.is_fresh = is_fresh;
    struct cor_session *here = opened(definition), *there = opened(&isolated);
    struct cor_outcome one, other;
    cor_outcome_init(&one);
    cor_outcome_init(&other);
    for (uint32_t i = 0; i < 3; i++) {
        test_make(&task, definition->algorithm, 5 + 9 * i, 2 + i, 77 + i);
        task.rules.fault = fault;
        task.rules.budget = 300;
        assert_int_equal(run(here, &one), run(there, &other));
        assert_int_equal(digest_of_counters(here, definition->algorithm),
                         digest_of_counters(there, definition->algorithm));
    }
    cor_outcome_fini(&one);
    cor_outcome_fini(&other);
    cor_session_destroy(here);
    cor_session_destroy(there);
}

static struct cor_registry *made(enum cor_isolation isolation) {
    struct cor_registry *registry;
    error = COR_NO_ERROR;
    assert_int_equal(
        cor_registry_create(&(struct cor_isolation_definition){isolation, false}, &registry, &error), COR_OK);
    return registry;
}

static void each_algorithm_gives_the_same_in_a_cell(void **state) {
    (void)state;
    struct cor_registry *registry = made(COR_ISOLATION_NEVER);
    for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
        const struct cor_algorithm *algorithm = cor_registry_at(registry, i);
        struct cor_session_definition definition = cor_default_session(algorithm);
        for (uint32_t fault = 0; fault <= cor_algorithm_fault_count(algorithm); fault++)
            same_in_a_cell(&definition, fault, false);
        same_in_a_cell(&definition, 0, true);
        if (algorithm->capabilities & COR_ANYTIME) {
            definition.interim_units = 7;
            same_in_a_cell(&definition, 0, false);
        }
    }
    cor_registry_destroy(registry);
}

static void mail_and_crashes_are_the_same_in_a_cell(void **state) {
    (void)state;
    struct cor_registry *registry = made(COR_ISOLATION_NEVER);
    const struct cor_algorithm *spada;
    assert_int_equal(cor_registry_find(registry, "spada", &spada, &error), COR_OK);
    for (enum cor_mail mode = COR_MAIL_IN_ORDER; mode < (enum cor_mail)COR_MAIL_CODES; mode++) {
        struct cor_session_definition definition = cor_default_session(spada);
        definition.mail = (struct cor_mail_schedule){.mode = mode,
                                                     .delay_max = 3,
                                                     .loss_ratio = 0.2,
                                                     .duplicate_ratio = 0.2,
                                                     .depth = 3,
                                                     .bound = 2,
                                                     .messages = 50,
                                                     .index = -1};
        if (spada->restart)
            definition.agents = (struct cor_crash_definition){COR_CRASH_FAULT_CRASHED, 0.05, 2};
        same_in_a_cell(&definition, 0, false);
    }
    cor_registry_destroy(registry);
}

/* A session of deeds.so in a cell, and of its registry. */
struct guest {
    struct cor_registry *registry;
    const struct cor_algorithm *algorithm;
    struct cor_session *session;
    struct cor_outcome outcome;
};

static struct guest let_in(double cpu_seconds, bool is_fresh) {
    struct guest guest = {.registry = made(COR_ISOLATION_UNTRUSTED)};
    if (cor_registry_find(guest.registry, "./deeds.so", &guest.algorithm, &error) != COR_OK)
        fail_msg("%s", error.cause);
    struct cor_session_definition definition = cor_registry_session(guest.registry, guest.algorithm);
    assert_int_equal(definition.place, COR_SESSION_IN_CELL);
    definition.cpu_seconds = cpu_seconds;
    definition.is_fresh = is_fresh;
    guest.session = opened(&definition);
    cor_outcome_init(&guest.outcome);
    test_make(&task, guest.algorithm, 10, 3, 5);
    return guest;
}

static void send_off(struct guest *guest) {
    cor_outcome_fini(&guest->outcome);
    cor_session_destroy(guest->session);
    cor_registry_destroy(guest->registry);
}

static void ask_for(struct guest *guest, enum deed deed) {
    task.parameters[0] = deed;
    run(guest->session, &guest->outcome);
}

/* It did what it did, and the next one is as good as ever. */
static void expect(struct guest *guest, enum deed deed, enum cor_smoke smoke, const char *said) {
    ask_for(guest, deed);
    if (guest->outcome.smoke != smoke || !strstr(guest->outcome.complaint, said))
        fail_msg("deed %d: smoke %d, %s", deed, guest->outcome.smoke, guest->outcome.complaint);
    assert_int_equal(guest->outcome.stop == COR_STOP_FAILED, smoke != COR_SMOKE_NONE);
    ask_for(guest, GOOD);
    assert_int_equal(guest->outcome.smoke, COR_SMOKE_NONE);
    assert_int_equal(guest->outcome.solution.block_count, 10);
}

/* However little it may take for an answer: to begin takes as long as it takes. */
static void a_cell_has_time_to_begin(void **state) {
    (void)state;
    struct cor_session_definition definition = cor_default_session(NULL);
    struct host__remote remote;
    definition.cpu_seconds = 1e-9;
    assert_int_equal(host__remote_init(&remote, "./deeds.so", &definition, &error), COR_OK);
    assert_int_equal(host__remote_start(&remote, &error), HOST__NEWS_DONE);
    host__remote_fini(&remote);
}

static void each_misdeed_is_its_smoke(void **state) {
    (void)state;
    struct guest guest = let_in(10, false);
    mode_t mask = umask(022);
    expect(&guest, GOOD, COR_SMOKE_NONE, "");
    expect(&guest, CRASHES, COR_SMOKE_CRASHED, "signal 11");
    expect(&guest, ABORTS, COR_SMOKE_CRASHED, "signal 6");
    expect(&guest, EXITS, COR_SMOKE_EXITED, "code 0");
    expect(&guest, WRITES_TASK, COR_SMOKE_CRASHED, "signal 11");
    expect(&guest, CLOSES_ALL, COR_SMOKE_NONE, "");
    ask_for(&guest, ROUNDS_UP);
    expect(&guest, LOOKS_AROUND, COR_SMOKE_NONE, "");
    expect(&guest, MAKES_ABSURD, COR_SMOKE_OVERFLOW, "");
    expect(&guest, OVERFLOWS_STACK, COR_SMOKE_CRASHED, "signal 11");
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_int_equal(umask(mask), 022);
    send_off(&guest);
}

static void who_would_end_its_warden_cannot_or_has_crashed(void **state) {
    (void)state;
    struct guest guest = let_in(10, false);
    for (enum deed deed = ENDS_PARENT; deed <= ENDS_ALL; deed++) {
        ask_for(&guest, deed);
        if (guest.outcome.smoke != COR_SMOKE_NONE) /* the kernel knows no such wall */
            assert_int_equal(guest.outcome.smoke, COR_SMOKE_CRASHED);
        expect(&guest, GOOD, COR_SMOKE_NONE, "");
    }
    send_off(&guest);
}

static void what_outlives_a_call_is_leaked_and_ended(void **state) {
    (void)state;
    struct guest guest = let_in(10, false);
    expect(&guest, FORKS, COR_SMOKE_LEAKED, "processes");
    expect(&guest, DIES_LATER, COR_SMOKE_LEAKED, "threads");
    send_off(&guest);
}

static void what_never_ends_is_ended(void **state) {
    (void)state;
    /* The clock's net, 20 times that, is to be far behind the 3 s after which who idles is ended. */
    struct guest guest = let_in(0.5, false);
    expect(&guest, LOOPS, COR_SMOKE_HUNG, "CPU time");
    expect(&guest, STOPS, COR_SMOKE_HUNG, "");
    if (is_full) /* as who is stopped: for seconds it uses no time */
        expect(&guest, SLEEPS, COR_SMOKE_HUNG, "");
    send_off(&guest);
}

static void cpu_time_is_that_of_one_reorganization(void **state) {
    (void)state;
    struct guest guest = let_in(0.4, false);
    for (int i = 0; i < 7; i++) {
        ask_for(&guest, WORKS);
        assert_int_equal(guest.outcome.smoke, COR_SMOKE_NONE);
    }
    send_off(&guest);
}

static void an_answer_that_makes_no_sense_is_garbled(void **state) {
    (void)state;
    struct guest guest = let_in(10, false);
    expect(&guest, SCRIBBLES, COR_SMOKE_GARBLED, "");
    ask_for(&guest, SCRIBBLES);
    ask_for(&guest, COUNTS_CALLS); /* the first in its process */
    assert_int_equal(guest.outcome.solution.members[0], 1);
    send_off(&guest);
}

static void a_hoard_is_a_matter_of_memory(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* an address space cannot be limited there */
#endif
    struct guest guest = let_in(30, false);
    expect(&guest, HOARDS, COR_SMOKE_MEMORY, "");
    send_off(&guest);
}

static void a_fresh_process_has_done_nothing_before(void **state) {
    (void)state;
    struct guest persistent = let_in(10, false);
    ask_for(&persistent, COUNTS_CALLS);
    uint32_t first = persistent.outcome.solution.members[0];
    ask_for(&persistent, COUNTS_CALLS);
    assert_int_not_equal(persistent.outcome.solution.members[0], first);
    send_off(&persistent);
    struct guest fresh = let_in(10, true);
    for (int i = 0; i < 200; i++) { /* each begins when the one before has ended by itself */
        ask_for(&fresh, COUNTS_CALLS);
        assert_int_equal(fresh.outcome.solution.members[0], first);
    }
    send_off(&fresh);
}

static void what_is_kept_once_stays_whatever_process_is_asked(void **state) {
    (void)state;
    for (int is_fresh = 0; is_fresh < 2; is_fresh++) {
        struct guest guest = let_in(10, is_fresh);
        for (int i = 0; i < 3; i++) {
            ask_for(&guest, KEEPS);
            assert_int_equal(guest.outcome.solution.members[0], i == 0 ? 0 : 3);
        }
        send_off(&guest);
    }
}

/* Asks, and asks the same again. */
static enum cor_smoke doubted(struct guest *guest, enum deed deed) {
    struct cor_session_memory before = {0};
    assert_true(cor_session_can_confirm(guest->session));
    assert_int_equal(cor_session_save(guest->session, &before, &error), COR_OK);
    ask_for(guest, deed);
    enum cor_confirmation confirmation;
    assert_int_equal(cor_session_confirm(guest->session, &before, &task.task, &task.name, &guest->outcome,
                                         &confirmation, &error),
                     COR_OK);
    bool differs = guest->outcome.smoke == COR_SMOKE_LEAKED || guest->outcome.smoke == COR_SMOKE_FLAKY;
    assert_int_equal(confirmation == COR_CONFIRMATION_DIFFERENT, differs);
    cor_session_memory_fini(&before);
    return guest->outcome.smoke;
}

static void who_is_asked_again_gives_the_same_or_is_found_out(void **state) {
    (void)state;
    struct guest guest = let_in(10, false);
    const uint32_t *start;
    assert_int_equal(doubted(&guest, GOOD), COR_SMOKE_NONE);
    assert_int_equal(cor_session_counters(guest.session, &start)[1], 1);
    assert_int_equal(doubted(&guest, CRASHES), COR_SMOKE_CRASHED);
    assert_int_equal(doubted(&guest, COUNTS_CALLS), COR_SMOKE_NONE); /* its first call */
    ask_for(&guest, GOOD);
    assert_int_equal(doubted(&guest, COUNTS_CALLS), COR_SMOKE_LEAKED);
    assert_int_equal(guest.outcome.stop, COR_STOP_FAILED);
    assert_int_equal(guest.outcome.solution.block_count, 0);
    enum cor_smoke smoke = COR_SMOKE_NONE; /* now and then two clocks agree */
    for (int i = 0; i < 100 && smoke != COR_SMOKE_FLAKY; i++)
        smoke = doubted(&guest, READS_CLOCK);
    assert_int_equal(smoke, COR_SMOKE_FLAKY);
    send_off(&guest);
}

static void what_was_counted_before_a_crash_counts(void **state) {
    (void)state;
    struct guest guest = let_in(10, false);
    const uint32_t *start;
    task.rules.fault = 1;
    ask_for(&guest, CRASHES);
    assert_int_equal(guest.outcome.fault.reached, 1);
    assert_int_equal(guest.outcome.spent, 3);
    assert_int_equal(cor_session_counters(guest.session, &start)[1], 1);
    ask_for(&guest, GOOD);
    assert_int_equal(cor_session_counters(guest.session, &start)[1], 2);
    send_off(&guest);
}

static void a_module_that_fails_to_load_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *path, *said;
    } opens[] = {{"./opens_crash.so", "signal 11"},
                 {"./opens_abort.so", "signal 6"},
                 {"./opens_exit.so", "code 0"},
                 {"./opens_hang.so", "or waited for ever"},
                 {"./bad_major.so", "version 2"},
                 {"./bad_symbol.so", "exports no constant"},
                 {"./nobody.so", "cannot open: No such file"}};
    struct cor_registry *registry = made(COR_ISOLATION_UNTRUSTED);
    const struct cor_algorithm *found;
    uint32_t before = cor_registry_size(registry);
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        error = COR_NO_ERROR;
        const bool is_there = access(opens[i].path, F_OK) == 0;
        assert_int_equal(cor_registry_find(registry, opens[i].path, &found, &error),
                         is_there ? COR_STATUS_PLUGIN : COR_STATUS_FILE);
        if (!strstr(error.cause, opens[i].said))
            fail_msg("%s: %s", opens[i].path, error.cause);
    }
    assert_int_equal(cor_registry_size(registry), before);
    cor_registry_destroy(registry);
}

static void a_description_is_the_algorithm_without_its_code(void **state) {
    (void)state;
    struct cor_registry *here = made(COR_ISOLATION_NEVER), *there = made(COR_ISOLATION_UNTRUSTED);
    static const char *const paths[] = {"./deeds.so", "./good.so", "./spada.so", "./old.so"};
    for (size_t m = 0; m < sizeof paths / sizeof *paths; m++) {
        const struct cor_algorithm *one, *other;
        assert_int_equal(cor_registry_find(here, paths[m], &one, &error), COR_OK);
        assert_int_equal(cor_registry_find(there, paths[m], &other, &error), COR_OK);
        assert_string_equal(one->name, other->name);
        assert_string_equal(one->version, other->version);
        assert_string_equal(one->summary, other->summary);
        assert_string_equal(one->budget_unit, other->budget_unit);
        assert_int_equal(one->capabilities, other->capabilities);
        assert_int_equal(one->state_size, other->state_size);
        assert_int_equal(one->agent_size, other->agent_size);
        assert_int_equal(!one->adopt, !other->adopt);
        assert_int_equal(!one->restart, !other->restart);
        assert_int_equal(!one->wake, !other->wake);
        assert_int_equal(!one->step, !other->step);
        assert_true(other->result != one->result);
        assert_int_equal(cor_algorithm_parameter_count(one), cor_algorithm_parameter_count(other));
        for (uint32_t i = 0; i < cor_algorithm_parameter_count(one); i++) {
            const struct cor_parameter *p = &one->parameters[i], *q = &other->parameters[i];
            assert_string_equal(p->name, q->name);
            assert_string_equal(p->meaning, q->meaning);
            assert_true(p->value == q->value && p->min == q->min && p->max == q->max);
            assert_int_equal(p->is_integer == COR_OPTION ? COR_OPTION : p->is_integer != 0, q->is_integer);
        }
        assert_int_equal(cor_algorithm_counter_count(one), cor_algorithm_counter_count(other));
        for (uint32_t i = 0; i < cor_algorithm_counter_count(one); i++) {
            assert_string_equal(one->counters[i].name, other->counters[i].name);
            assert_int_equal(one->counters[i].bucket_count, other->counters[i].bucket_count);
        }
        assert_int_equal(cor_algorithm_fault_count(one), cor_algorithm_fault_count(other));
        for (uint32_t i = 0; i < cor_algorithm_fault_count(one); i++)
            assert_string_equal(one->faults[i].name, other->faults[i].name);
    }
    cor_registry_destroy(here);
    cor_registry_destroy(there);
}

static int descriptor_count(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static long resident_pages(void) {
    long size, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &size, &resident), 2);
    fclose(file);
    return resident;
}

static int crash_count = 200;

static void crashes_in_a_row_lose_nothing(void **state) {
    (void)state;
    struct guest guest = let_in(10, false);
    static const enum deed ways[] = {CRASHES, ABORTS, EXITS, OVERFLOWS_STACK};
    static const enum cor_smoke smokes[] = {COR_SMOKE_CRASHED, COR_SMOKE_CRASHED, COR_SMOKE_EXITED,
                                            COR_SMOKE_CRASHED};
    for (int i = 0; i < 20; i++)
        ask_for(&guest, ways[i % 4]);
    int descriptors = descriptor_count();
    long pages = resident_pages();
    for (int i = 0; i < crash_count; i++) {
        ask_for(&guest, ways[i % 4]);
        assert_int_equal(guest.outcome.smoke, smokes[i % 4]);
    }
    assert_int_equal(descriptor_count(), descriptors);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed */
    assert_true(resident_pages() <= pages + 64);
#endif
    printf("%d crashes in a row: %d descriptors, %ld pages before, %ld after\n", crash_count, descriptors,
           pages, resident_pages());
    send_off(&guest);
}

int main(int count, char **words) {
    is_full = count > 1 && strcmp(words[1], "in-full") == 0;
    if (count > 1 && !is_full)
        crash_count = atoi(words[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_algorithm_gives_the_same_in_a_cell),
        cmocka_unit_test(mail_and_crashes_are_the_same_in_a_cell),
        cmocka_unit_test(a_cell_has_time_to_begin),
        cmocka_unit_test(each_misdeed_is_its_smoke),
        cmocka_unit_test(who_would_end_its_warden_cannot_or_has_crashed),
        cmocka_unit_test(what_outlives_a_call_is_leaked_and_ended),
        cmocka_unit_test(what_never_ends_is_ended),
        cmocka_unit_test(cpu_time_is_that_of_one_reorganization),
        cmocka_unit_test(an_answer_that_makes_no_sense_is_garbled),
        cmocka_unit_test(a_hoard_is_a_matter_of_memory),
        cmocka_unit_test(a_fresh_process_has_done_nothing_before),
        cmocka_unit_test(what_is_kept_once_stays_whatever_process_is_asked),
        cmocka_unit_test(who_is_asked_again_gives_the_same_or_is_found_out),
        cmocka_unit_test(what_was_counted_before_a_crash_counts),
        cmocka_unit_test(a_module_that_fails_to_load_is_refused),
        cmocka_unit_test(a_description_is_the_algorithm_without_its_code),
        cmocka_unit_test(crashes_in_a_row_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
