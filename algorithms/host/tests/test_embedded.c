/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Algorithms that whoever has loaded this code brings along: in every registry, in cells that are forks of
 * this process, and what they do there harms nobody. */
#include "tasks.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum deed { GOOD, CRASHES, EXITS, SPINS, COMPLAINS, REMEMBERS };

static struct cor_error error;
static struct test_task task;
static uint32_t *known;    /* memory of this process alone, that no program which is started has */
static uint32_t run_count; /* of calls, in whichever process */

static enum cor_progress result(void *state, const struct cor_task *asked, const struct cor_host *host) {
    (void)state;
    run_count++;
    switch ((enum deed)asked->rules->parameters[0]) {
    case GOOD:
        break;
    case CRASHES:
        raise(SIGSEGV);
        break;
    case EXITS:
        _exit(7);
    case SPINS:
        for (volatile uint32_t spins = 0;; spins++)
            ;
    case COMPLAINS:
        host->complain(host, "no");
        return COR_FAILED;
    case REMEMBERS:
        if (run_count % 2 == 0)
            return COR_DONE;
        break;
    }
    for (uint32_t agent = 0; agent < asked->agent_count; agent++) {
        const uint32_t member = (agent + *known) % asked->agent_count;
        host->put_block(host, &member, 1);
    }
    *host->spent = 1;
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {{"deed", "1", "what it does", 0, 0, 9, 1}, {0}};

static struct cor_algorithm named(const char *name) {
    return (struct cor_algorithm){COR_ALGORITHM,          .name = name,
                                  .version = "1",         .summary = "does as it is told",
                                  .budget_unit = "calls", .parameters = parameters,
                                  .result = result};
}

static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static void it_is_found_by_its_name_and_trusted_as_little_as_a_module(void **state) {
    (void)state;
    struct cor_registry *registry;
    const struct cor_algorithm *algorithm;
    const struct cor_isolation_definition untrusted = {COR_ISOLATION_UNTRUSTED, false};
    assert_int_equal(cor_registry_create(&untrusted, &registry, &error), COR_OK);
    assert_int_equal(cor_registry_find(registry, "told", &algorithm, &error), COR_OK);
    assert_true(cor_registry_is_foreign(registry, algorithm));
    assert_string_equal(cor_registry_digest(registry, algorithm), digest);
    assert_string_equal(cor_registry_origin(registry, cor_registry_size(registry) - 2), "embedded");
    assert_int_equal(cor_registry_session(registry, algorithm).place, COR_SESSION_IN_CELL);
    assert_int_equal(cor_registry_find(registry, "unknown_code", &algorithm, &error), COR_OK);
    assert_null(cor_registry_digest(registry, algorithm));
    cor_registry_destroy(registry);
    assert_int_equal(cor_registry_create(NULL, &registry, &error), COR_OK);
    assert_int_equal(cor_registry_find(registry, "told", &algorithm, &error), COR_OK);
    assert_int_equal(cor_registry_session(registry, algorithm).place, COR_SESSION_IN_PROCESS);
    cor_registry_destroy(registry);
}

static void refuse(const struct cor_algorithm *algorithm, const char *said_digest, const char *cause) {
    error = COR_NO_ERROR;
    assert_int_equal(cor_algorithm_embed(algorithm, said_digest, &error), COR_STATUS_PLUGIN);
    assert_string_equal(error.cause, cause);
}

static void what_cannot_be_used_is_refused(void **state) {
    (void)state;
    struct cor_algorithm one = named("told");
    refuse(&one, NULL, "there is an algorithm \"told\" already");
    one = named("spada");
    refuse(&one, NULL, "there is an algorithm \"spada\" already");
    one = named("A");
    refuse(&one, NULL, "algorithm \"A\" cannot be used");
    one = named("other");
    refuse(&one, "12", "the digest of the algorithm is \"12\"");
    one.minor = COR_PLUGIN_MINOR + 1;
    error = COR_NO_ERROR;
    assert_int_equal(cor_algorithm_embed(&one, NULL, &error), COR_STATUS_PLUGIN);
}

/* A session of it, and what came of its last reorganization. */
struct guest {
    struct cor_registry *registry;
    struct cor_session *session;
    struct cor_outcome outcome;
};

static struct guest let_in(enum cor_isolation isolation) {
    struct guest guest;
    const struct cor_algorithm *algorithm;
    const struct cor_isolation_definition definition = {isolation, false};
    assert_int_equal(cor_registry_create(&definition, &guest.registry, &error), COR_OK);
    assert_int_equal(cor_registry_find(guest.registry, "told", &algorithm, &error), COR_OK);
    struct cor_session_definition asked = cor_registry_session(guest.registry, algorithm);
    asked.cpu_seconds = 0.2;
    assert_int_equal(cor_session_create(&asked, &guest.session, &error), COR_OK);
    cor_outcome_init(&guest.outcome);
    test_make(&task, algorithm, 10, 3, 5);
    return guest;
}

static void send_off(struct guest *guest) {
    cor_outcome_fini(&guest->outcome);
    cor_session_destroy(guest->session);
    cor_registry_destroy(guest->registry);
}

static uint64_t ask_for(struct guest *guest, enum deed deed) {
    task.parameters[0] = deed;
    error = COR_NO_ERROR;
    if (cor_session_reorganize(guest->session, &task.task, &task.name, &guest->outcome, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return cor_outcome_digest(&guest->outcome);
}

static void a_cell_has_the_memory_of_this_process_and_gives_the_same(void **state) {
    (void)state;
    struct guest here = let_in(COR_ISOLATION_NEVER), there = let_in(COR_ISOLATION_UNTRUSTED);
    const uint32_t before = run_count;
    const uint64_t expected = ask_for(&here, GOOD);
    assert_int_equal(run_count, before + 1);
    assert_int_equal(ask_for(&there, GOOD), expected);
    assert_int_equal(run_count, before + 1); /* that was another process */
    assert_int_equal(there.outcome.solution.members[0], *known);
    send_off(&here);
    send_off(&there);
}

static void whatever_it_does_is_its_smoke_and_the_next_one_is_sound(void **state) {
    (void)state;
    static const struct {
        enum deed deed;
        enum cor_smoke smoke;
        const char *said;
    } rows[] = {{CRASHES, COR_SMOKE_CRASHED, "ended by signal 11"},
                {EXITS, COR_SMOKE_EXITED, "exited with code 7"},
                {SPINS, COR_SMOKE_HUNG, "used 0.2 s of CPU time, or waited for ever"},
                {COMPLAINS, COR_SMOKE_COMPLAINED, "no"}};
    struct guest guest = let_in(COR_ISOLATION_UNTRUSTED);
    const uint64_t expected = ask_for(&guest, GOOD);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ask_for(&guest, rows[i].deed);
        assert_int_equal(guest.outcome.smoke, rows[i].smoke);
        assert_memory_equal(guest.outcome.complaint, rows[i].said, strlen(rows[i].said));
        assert_int_equal(ask_for(&guest, GOOD), expected);
    }
    send_off(&guest);
}

static void what_it_remembers_is_told_by_a_fresh_process(void **state) {
    (void)state;
    struct guest guest = let_in(COR_ISOLATION_UNTRUSTED);
    struct cor_session_memory memory = {0};
    enum cor_confirmation confirmation;
    assert_true(cor_session_can_confirm(guest.session));
    ask_for(&guest, REMEMBERS);
    assert_int_equal(cor_session_save(guest.session, &memory, &error), COR_OK);
    ask_for(&guest, REMEMBERS);
    assert_int_equal(cor_session_confirm(guest.session, &memory, &task.task, &task.name, &guest.outcome,
                                         &confirmation, &error),
                     COR_OK);
    assert_int_equal(confirmation, COR_CONFIRMATION_DIFFERENT);
    assert_int_equal(guest.outcome.smoke, COR_SMOKE_LEAKED);
    cor_session_memory_fini(&memory);
    send_off(&guest);
}

static int embed(void **state) {
    (void)state;
    const struct cor_algorithm told = named("told"), unknown = named("unknown_code");
    known = malloc(sizeof *known);
    if (!known)
        return 1;
    *known = 4;
    return cor_algorithm_embed(&told, digest, &error) != COR_OK ||
           cor_algorithm_embed(&unknown, NULL, &error) != COR_OK;
}

static int forget(void **state) {
    (void)state;
    free(known);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_found_by_its_name_and_trusted_as_little_as_a_module),
        cmocka_unit_test(what_cannot_be_used_is_refused),
        cmocka_unit_test(a_cell_has_the_memory_of_this_process_and_gives_the_same),
        cmocka_unit_test(whatever_it_does_is_its_smoke_and_the_next_one_is_sound),
        cmocka_unit_test(what_it_remembers_is_told_by_a_fresh_process),
    };
    return cmocka_run_group_tests(tests, embed, forget);
}
