/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is observed of a run, beside a corridor: events one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/observed.h>

#include <stdio.h>
#include <string.h>

static struct cor_corridor *corridor_of(const char *text) {
    struct cor_corridor *corridor;
    struct cor_error error = COR_NO_ERROR;
    if (cor_corridor_parse(text, "text", &corridor, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return corridor;
}

static const char election[] =
    "structure observed\n"
    "attribute role: words follower, candidate, leader\n"
    "attribute term: integer 0 .. 1000000\n"
    "attribute stored: integer\n"
    "attribute commit: integer\n"
    "attribute peers: agents\n"
    "channel applied\n"
    "invariant one_leader: all(a in agents where a.role == 'leader':\n"
    "  all(b in agents where b.role == 'leader' and b.term == a.term: b == a))\n"
    "invariant agreed: agree(applied)\n"
    "invariant on_majority: all(a in agents where a.role == 'leader':\n"
    "  2 * count(b in agents where b.stored >= a.commit) > count(agents))\n"
    "invariant grows: all(a in agents: a.term >= a.term@before)\n"
    "invariant known: all(a in agents: all(b in a.peers: a in b.peers))\n"
    "temporal led: always (stable implies (one_leader and inside))\n";

enum { ROLE = 4, TERM, STORED, COMMIT, PEERS };
enum { ONE_LEADER, AGREED, ON_MAJORITY, GROWS, KNOWN, LED };

struct run {
    struct cor_corridor *corridor;
    struct cor_observed *observed;
};

static struct run run_of(const char *text, uint32_t agents) {
    struct run run = {.corridor = corridor_of(text)};
    struct cor_error error = COR_NO_ERROR;
    if (cor_observed_create(run.corridor, agents, NULL, &run.observed, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return run;
}

static void end_run(struct run *run) {
    cor_observed_destroy(run->observed);
    cor_corridor_destroy(run->corridor);
}

static uint32_t event(const struct run *run) {
    uint32_t violated;
    struct cor_error error = COR_NO_ERROR;
    if (cor_observed_event(run->observed, &violated, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return violated;
}

static void show_role(const struct run *run, uint32_t agent, const char *role, int64_t term) {
    cor_observed_show(run->observed, agent, ROLE, cor_word(cor_words_find(&run->corridor->words, role)));
    cor_observed_show(run->observed, agent, TERM, cor_integer(term));
}

static void expect_sentence(const struct run *run, uint32_t constraint, const char *expected) {
    char text[2000];
    assert_int_equal(cor_observed_verdict(run->observed, constraint), COR_TRUTH_FALSE);
    cor_observed_sentence(run->observed, constraint, text, sizeof text);
    assert_string_equal(text, expected);
}

static void an_election_is_followed(void **state) {
    (void)state;
    struct run run = run_of(election, 3);
    uint32_t violated;
    assert_int_equal(event(&run), COR_NONE);
    assert_int_equal(cor_observed_verdict(run.observed, ONE_LEADER), COR_TRUTH_UNKNOWN);
    assert_int_equal(cor_observed_restart(run.observed, NULL), COR_OK);
    for (uint32_t a = 0; a < 3; a++) {
        show_role(&run, a, "follower", 1);
        cor_observed_show(run.observed, a, STORED, cor_integer(0));
        cor_observed_show(run.observed, a, COMMIT, cor_integer(0));
        cor_observed_show(run.observed, a, PEERS, cor_integer(7));
    }
    assert_int_equal(event(&run), COR_NONE);
    assert_int_equal(cor_observed_verdict(run.observed, ONE_LEADER), COR_TRUTH_TRUE);
    assert_int_equal(cor_observed_verdict(run.observed, KNOWN), COR_TRUTH_TRUE);
    assert_int_equal(cor_observed_verdict(run.observed, GROWS), COR_TRUTH_UNKNOWN);
    show_role(&run, 0, "leader", 2);
    assert_int_equal(event(&run), COR_NONE);
    assert_int_equal(cor_observed_case(run.observed, true, &violated, NULL), COR_OK);
    assert_int_equal(violated, COR_NONE);
    show_role(&run, 2, "leader", 2);
    assert_int_equal(event(&run), ONE_LEADER);
    expect_sentence(&run, ONE_LEADER,
                    "For agent 0 (a), agent 2 (b): b == a does not hold. Agent 0 shows role 'leader', term 2; "
                    "agent 2 shows role 'leader', term 2.");
    assert_int_equal(cor_observed_case(run.observed, true, &violated, NULL), COR_OK);
    assert_int_equal(violated, LED);
    assert_int_equal(cor_observed_verdict(run.observed, LED), COR_TRUTH_FALSE);
    show_role(&run, 2, "follower", 1);
    cor_observed_show(run.observed, 1, PEERS, cor_integer(2));
    assert_int_equal(event(&run), GROWS);
    expect_sentence(&run, GROWS,
                    "For agent 2 (a): a.term >= a.term@before does not hold: a.term is 1, a.term@before is 2. "
                    "Agent 2 shows term 1.");
    expect_sentence(&run, KNOWN,
                    "For agent 0 (a), agent 1 (b): a in b.peers does not hold. Agent 0 shows peers {0, 1, 2}; "
                    "agent 1 shows peers {1}.");
    end_run(&run);
}

static void channels_agree_for_ever(void **state) {
    (void)state;
    struct run run = run_of(election, 3);
    for (uint64_t i = 0; i < 1000; i++)
        for (uint32_t a = 0; a < 3; a++)
            assert_int_equal(cor_observed_tell(run.observed, a, 0, i, i * i, NULL), COR_OK);
    assert_int_equal(event(&run), COR_NONE);
    assert_int_equal(cor_observed_verdict(run.observed, AGREED), COR_TRUTH_TRUE);
    assert_int_equal(cor_observed_tell(run.observed, 1, 0, 17, 290, NULL), COR_OK);
    assert_int_equal(event(&run), AGREED);
    expect_sentence(&run, AGREED,
                    "Agent 0 told 0000000000000121 of index 17 of applied, and agent 1 tells "
                    "0000000000000122.");
    assert_int_equal(event(&run), AGREED);
    struct cor_breaches breaches;
    cor_observed_explain(run.observed, AGREED, &breaches);
    assert_int_equal(breaches.kept[0].bindings[1].element, 1);
    assert_int_equal(cor_observed_restart(run.observed, NULL), COR_OK);
    assert_int_equal(cor_observed_tell(run.observed, 1, 0, 17, 290, NULL), COR_OK);
    assert_int_equal(event(&run), COR_NONE);
    assert_int_equal(cor_observed_tell(run.observed, 1, 0, 17, 289, NULL), COR_OK);
    assert_int_equal(event(&run), AGREED);
    expect_sentence(&run, AGREED,
                    "Agent 1 told 0000000000000122 of index 17 of applied, and tells 0000000000000121 now.");
    end_run(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_election_is_followed),
        cmocka_unit_test(channels_agree_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
