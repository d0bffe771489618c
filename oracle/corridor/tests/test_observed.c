/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is observed of a run, beside a corridor: events one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/condition_monitor.h>
#include <corridor/history.h>
#include <corridor/observed.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long texts = 3000; /* that are drawn */

static struct cor_corridor *corridor_of(const char *text) {
    struct cor_corridor *corridor;
    struct cor_error error = COR_NO_ERROR;
    if (cor_corridor_parse(text, "text", &corridor, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return corridor;
}

static const char election[] = "structure observed\n"
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
    assert_int_equal(cor_observed_verdict(run.observed, KNOWN), COR_TRUTH_UNKNOWN);
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
    for (uint32_t c = ONE_LEADER; c <= KNOWN; c++)
        assert_false(cor_observed_is_tested(run.observed, c)); /* by the first state alone */
    show_role(&run, 0, "leader", 2);
    assert_int_equal(event(&run), COR_NONE);
    assert_true(cor_observed_is_tested(run.observed, ONE_LEADER));
    assert_true(cor_observed_is_tested(run.observed, ON_MAJORITY));
    assert_true(cor_observed_is_tested(run.observed, GROWS));
    assert_false(cor_observed_is_tested(run.observed, KNOWN));
    assert_int_equal(cor_observed_case(run.observed, true, &violated, NULL), COR_OK);
    assert_int_equal(violated, COR_NONE);
    show_role(&run, 2, "leader", 2);
    assert_int_equal(event(&run), ONE_LEADER);
    expect_sentence(
        &run, ONE_LEADER,
        "For agent 0 (a), agent 2 (b): b == a does not hold. Agent 0 shows role 'leader', term 2; "
        "agent 2 shows role 'leader', term 2.");
    assert_int_equal(cor_observed_case(run.observed, true, &violated, NULL), COR_OK);
    assert_int_equal(violated, LED);
    assert_int_equal(cor_observed_verdict(run.observed, LED), COR_TRUTH_FALSE);
    show_role(&run, 2, "follower", 1);
    cor_observed_show(run.observed, 1, PEERS, cor_integer(2));
    assert_int_equal(event(&run), GROWS);
    expect_sentence(
        &run, GROWS,
        "For agent 2 (a): a.term >= a.term@before does not hold: a.term is 1, a.term@before is 2. "
        "Agent 2 shows term 1.");
    expect_sentence(
        &run, KNOWN,
        "For agent 0 (a), agent 1 (b): a in b.peers does not hold. Agent 0 shows peers {0, 1, 2}; "
        "agent 1 shows peers {1}.");
    end_run(&run);
}

/* What puts counters of what goes wrong to the test: what the text says, else that anything else changed. An
 * invariant that says more than that attributes are 0 is none of counters. */
static void counters_are_put_to_the_test(void **state) {
    static const char text[] = "structure observed\n"
                               "attribute stale: integer\n"
                               "attribute reads: integer\n"
                               "attribute term: integer\n"
                               "invariant usual: all(a in agents: a.stale == 0)\n"
                               "invariant two: all(a in agents: a.stale == 0 and 0 = a.stale)\n"
                               "invariant few: all(a in agents: a.stale <= 0)\n"
                               "invariant of_some: all(a in agents where a.reads > 0: a.stale == 0)\n"
                               "invariant beside: all(a in agents: a.stale == 0)\n"
                               "invariant by_reads: all(a in agents: a.stale == 0)\n"
                               "tested beside: any(a in agents: a.reads > 1)\n"
                               "tested by_reads by reads\n";
    enum { STALE = 4, READS, ITS_TERM, USUAL = 0, TWO, FEW, OF_SOME, BESIDE, BY_READS, ALL };
    static const struct {
        uint32_t attribute;
        int64_t value;
        bool tested[ALL];
    } steps[] = {{STALE, 0, {false, false, false, false, false, false}},
                 {READS, 7, {false, false, false, false, false, false}}, /* with the first event */
                 {READS, 7, {false, false, false, false, false, false}},
                 {ITS_TERM, 1, {true, true, false, false, true, false}},
                 {READS, 8, {true, true, false, true, true, true}},
                 {STALE, 1, {true, true, true, true, true, true}}};
    (void)state;
    struct run run = run_of(text, 2);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(cor_observed_restart(run.observed, NULL), COR_OK);
        for (uint32_t a = 0; a < 2; a++)
            for (uint32_t attribute = STALE; attribute <= ITS_TERM; attribute++)
                cor_observed_show(run.observed, a, attribute, cor_integer(0));
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            cor_observed_show(run.observed, 1, steps[s].attribute, cor_integer(steps[s].value));
            if (s == 0)
                continue;
            assert_int_equal(event(&run) != COR_NONE, steps[s].attribute == STALE);
            for (uint32_t c = 0; c < ALL; c++)
                if (cor_observed_is_tested(run.observed, c) != steps[s].tested[c])
                    fail_msg("step %zu, constraint %u", s, c);
        }
    }
    end_run(&run);
}

/* A channel of which nothing is told, and no history beside it, put no counter to the test. */
static void a_quiet_channel_puts_nothing_to_the_test(void **state) {
    static const char text[] = "structure observed\n"
                               "attribute stale: integer\n"
                               "channel applied\n"
                               "invariant usual: all(a in agents: a.stale == 0)\n";
    (void)state;
    struct run run = run_of(text, 2);
    for (uint32_t a = 0; a < 2; a++)
        cor_observed_show(run.observed, a, 4, cor_integer(0));
    assert_int_equal(event(&run), COR_NONE);
    assert_int_equal(event(&run), COR_NONE);
    assert_false(cor_observed_is_tested(run.observed, 0));
    for (uint32_t a = 0; a < 2; a++)
        assert_int_equal(cor_observed_tell(run.observed, a, 0, 1, 7, NULL), COR_OK);
    assert_int_equal(event(&run), COR_NONE);
    assert_true(cor_observed_is_tested(run.observed, 0));
    end_run(&run);
}

/* Of who is not there nothing is said; who comes has nothing before it. */
static void who_is_absent_is_not_spoken_of(void **state) {
    static const char text[] = "structure observed\n"
                               "attribute term: integer\n"
                               "attribute peers: agents\n"
                               "invariant low: all(a in agents: a.term < 10)\n"
                               "invariant grows: all(a in agents: a.term >= a.term@before)\n"
                               "invariant some: count(agents) >= 2\n"
                               "invariant mutual: all(a in agents: all(b in a.peers: a in b.peers))\n";
    enum { ITS_TERM = 4, ITS_PEERS, LOW = 0, ITS_GROWS, SOME, MUTUAL };
    (void)state;
    struct run run = run_of(text, 3);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(cor_observed_restart(run.observed, NULL), COR_OK);
        cor_observed_attend(run.observed, 2,
                            false); /* comes later: it has shown nothing, and nothing is unknown */
        for (uint32_t a = 0; a < 2; a++) {
            cor_observed_show(run.observed, a, ITS_TERM, cor_integer(1 + (int64_t)a));
            cor_observed_show(run.observed, a, ITS_PEERS, cor_integer(7));
        }
        assert_int_equal(event(&run), COR_NONE);
        assert_int_equal(event(&run), COR_NONE);
        for (uint32_t c = LOW; c <= MUTUAL; c++)
            assert_int_equal(cor_observed_verdict(run.observed, c), COR_TRUTH_TRUE);
        cor_observed_attend(run.observed, 2, true);
        cor_observed_show(run.observed, 2, ITS_TERM, cor_integer(5));
        cor_observed_show(run.observed, 2, ITS_PEERS, cor_integer(7));
        assert_int_equal(event(&run), COR_NONE);
        cor_observed_attend(run.observed, 2, false);
        assert_int_equal(event(&run), COR_NONE);
        cor_observed_attend(run.observed, 2, true); /* a new one, with less than the old one had */
        cor_observed_show(run.observed, 2, ITS_TERM, cor_integer(0));
        assert_int_equal(event(&run), COR_NONE);
        for (uint32_t c = LOW; c <= MUTUAL; c++)
            assert_int_equal(cor_observed_verdict(run.observed, c), COR_TRUTH_TRUE);
        cor_observed_show(run.observed, 0, ITS_TERM, cor_integer(0)); /* but who was there goes back */
        assert_int_equal(event(&run), ITS_GROWS);
        cor_observed_show(run.observed, 2, ITS_TERM, cor_integer(12));
        assert_int_equal(event(&run), LOW);
        cor_observed_attend(run.observed, 2, false);
        assert_int_equal(event(&run), COR_NONE);
        cor_observed_attend(run.observed, 1, false);
        assert_int_equal(event(&run), SOME);
    }
    end_run(&run);
}

/* A lease: who crashed while it held counts by what it showed last, which is said; who asks for `up` leaves
 * it out. Crashes put to the test what asks for `up` alone, and nothing else. */
static void who_is_down_is_said(void **state) {
    static const char text[] = "structure observed\n"
                               "attribute state: words free, held\n"
                               "invariant shown: count(a in agents where a.state == 'held') <= 1\n"
                               "invariant working: count(a in agents where a.up and a.state == 'held') <= 1\n"
                               "invariant served: any(a in agents: a.up)\n"
                               "invariant keeps: all(a in agents: a.up or a.up@before)\n"
                               "invariant alone: one(a in agents: a.state == 'held')\n";
    enum { STATE = 1, SHOWN = 0, WORKING, SERVED, KEEPS, ALONE };
    (void)state;
    struct run run = run_of(text, 3);
    for (int again = 0; again < 2; again++) {
        const struct cor_value is_free = cor_word(cor_words_find(&run.corridor->words, "free")),
                               held = cor_word(cor_words_find(&run.corridor->words, "held"));
        assert_int_equal(cor_observed_restart(run.observed, NULL), COR_OK);
        for (uint32_t a = 0; a < 3; a++)
            cor_observed_show(run.observed, a, STATE, a == 1 ? held : is_free);
        assert_int_equal(event(&run), COR_NONE);
        assert_int_equal(event(&run), COR_NONE);
        assert_false(cor_observed_is_tested(run.observed, SERVED) ||
                     cor_observed_is_tested(run.observed, KEEPS));
        assert_int_equal(cor_observed_lost(run.observed, 1, 40, NULL), COR_OK);
        assert_int_equal(event(&run), COR_NONE);
        assert_false(cor_observed_is_tested(run.observed, WORKING));
        assert_true(cor_observed_is_tested(run.observed, SERVED) &&
                    cor_observed_is_tested(run.observed, KEEPS));
        cor_observed_show(run.observed, 2, STATE, held);
        assert_int_equal(event(&run), SHOWN);
        assert_true(cor_observed_is_tested(run.observed, WORKING));
        assert_int_equal(cor_observed_verdict(run.observed, WORKING), COR_TRUTH_TRUE);
        expect_sentence(
            &run, SHOWN,
            "count(a in agents where a.state == 'held') <= 1 does not hold: count(a in agents where "
            "a.state == 'held') is 2 (agent 1, agent 2). Agent 1 shows state 'held'; agent 2 shows "
            "state 'held'. Agent 1 is down since tick 40: who is down counts by what it showed last, "
            "unless the condition asks for a.up.");
        expect_sentence(
            &run, ALONE,
            "one(a in agents: a.state == 'held') does not hold: it is so of agent 1, agent 2. "
            "Agent 1 shows state 'held'; agent 2 shows state 'held'. Agent 1 is down since tick 40: "
            "who is down counts by what it showed last, unless the condition asks for a.up.");
        assert_int_equal(cor_observed_verdict(run.observed, KEEPS), COR_TRUTH_FALSE);
        cor_observed_up(run.observed, 1);
        assert_int_equal(event(&run), SHOWN); /* it says that it holds, as before */
        expect_sentence(
            &run, WORKING,
            "count(a in agents where a.up and a.state == 'held') <= 1 does not hold: count(a in "
            "agents where a.up and a.state == 'held') is 2 (agent 1, agent 2). Agent 1 shows state "
            "'held'; agent 2 shows state 'held'.");
        for (uint32_t a = 0; a < 3; a++)
            assert_int_equal(cor_observed_lost(run.observed, a, 50 + a, NULL), COR_OK);
        assert_int_equal(event(&run), SHOWN);
        expect_sentence(
            &run, SERVED,
            "any(a in agents: a.up) does not hold. Agent 0 is down since tick 50, agent 1 is down "
            "since tick 51, agent 2 is down since tick 52.");
    }
    end_run(&run);
}

/* Of two numbers there is room for whom the first counts, all of them, and for nobody more; of those that are
 * down, the first. */
static void numbers_say_whom_they_left_out(void **state) {
    (void)state;
    struct run run = run_of("structure observed\nattribute n: integer\n"
                            "invariant more: count(a in agents where a.n == 1) > count(b in agents where b.n "
                            "== 2) + 7\n"
                            "invariant few: count(a in agents where a.n > 0) < 9\n"
                            "invariant served: any(a in agents: a.up)\n",
                            10);
    char text[2000];
    for (uint32_t a = 0; a < 10; a++)
        cor_observed_show(run.observed, a, 4, cor_integer(a < 8 ? 1 : 2));
    assert_int_equal(event(&run), 0);
    cor_observed_sentence(run.observed, 0, text, sizeof text);
    assert_non_null(strstr(text,
                           "where a.n == 1) is 8 (agent 0, agent 1, agent 2, agent 3, agent 4, agent 5, "
                           "agent 6, agent 7), count(b in agents where b.n == 2) + 7 is 9. "));
    cor_observed_sentence(run.observed, 1, text, sizeof text);
    assert_non_null(strstr(text,
                           "where a.n > 0) is 10 (agent 0, agent 1, agent 2, agent 3, agent 4, agent 5, "
                           "agent 6, agent 7, ..). "));
    end_run(&run);
}

/* ---- who crashes, starts again, leaves and comes, drawn, beside a second account of it */

struct member {
    bool is_there, is_up, was_up, leads;
    uint64_t down_since;
};

enum { ALL_UP, SOME_UP, FEW_LEAD, LAST, COME_BACK, SHOWN_FEW, ASKED_OF_MEMBERS, MEMBERS = 4 };

static void expect_of_members(const struct run *run, const struct member *members, bool has_before,
                              long *found) {
    uint32_t up = 0, there = 0, leading = 0, shown = 0;
    bool last = true, come_back = true;
    char counted[200] = "", shows[400] = "", down[400] = "", all_down[400] = "", expected[2000];
    for (uint32_t a = 0; a < MEMBERS; a++) {
        const struct member *m = &members[a];
        if (!m->is_there)
            continue;
        there++;
        up += m->is_up;
        leading += m->is_up && m->leads;
        last = last && (m->is_up || m->was_up);
        come_back = come_back && (m->is_up || !m->was_up);
        char *const lists[] = {all_down, m->leads ? down : NULL};
        for (int l = 0; l < 2; l++)
            if (lists[l] && !m->is_up)
                snprintf(lists[l] + strlen(lists[l]), 400 - strlen(lists[l]), "%s %u is down since tick %llu",
                         lists[l][0] ? ", agent" : " Agent", a, (unsigned long long)m->down_since);
        if (m->leads) {
            snprintf(counted + strlen(counted), 200 - strlen(counted), "%sagent %u", shown ? ", " : "", a);
            snprintf(shows + strlen(shows), 400 - strlen(shows), "%s %u shows leads true",
                     shown ? "; agent" : " Agent", a);
            shown++;
        }
    }
    const bool holds[] = {up == there, up > 0, leading <= 1, last, come_back, shown <= 1};
    for (uint32_t c = 0; c < ASKED_OF_MEMBERS; c++) {
        const bool looks_back = c == LAST || c == COME_BACK;
        if (looks_back && !has_before)
            continue;
        assert_int_equal(cor_observed_truth(run->observed, c), holds[c] ? COR_TRUTH_TRUE : COR_TRUTH_FALSE);
        found[c] += !holds[c];
    }
    if (!holds[SOME_UP]) {
        snprintf(expected, sizeof expected, "any(a in agents: a.up) does not hold.%s%s", all_down,
                 all_down[0] ? "." : "");
        expect_sentence(run, SOME_UP, expected);
    }
    if (!holds[SHOWN_FEW]) {
        snprintf(
            expected, sizeof expected,
            "count(a in agents where a.leads) <= 1 does not hold: count(a in agents where a.leads) is %u "
            "(%s).%s.%s%s",
            shown, counted, shows, down,
            down[0] ? ": who is down counts by what it showed last, unless the condition asks for a.up."
                    : "");
        expect_sentence(run, SHOWN_FEW, expected);
    }
}

static void who_comes_and_goes_is_up_or_down(void **state) {
    static const char text[] = "structure observed\n"
                               "attribute leads: boolean\n"
                               "invariant all_up: all(a in agents: a.up)\n"
                               "invariant some_up: any(a in agents: a.up)\n"
                               "invariant few_lead: count(a in agents where a.up and a.leads) <= 1\n"
                               "invariant last: all(a in agents: a.up or a.up@before)\n"
                               "invariant come_back: all(a in agents: a.up@before implies a.up)\n"
                               "invariant shown_few: count(a in agents where a.leads) <= 1\n";
    long found[ASKED_OF_MEMBERS] = {0};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 20351, .purpose = COR_PURPOSE_TEST});
    (void)state;
    struct run run = run_of(text, MEMBERS);
    for (int round = 0; round < 300; round++) {
        struct member members[MEMBERS];
        assert_int_equal(cor_observed_restart(run.observed, NULL), COR_OK);
        for (uint32_t a = 0; a < MEMBERS; a++) {
            members[a] = (struct member){.is_there = a == 0 || cor_rng_below(&rng, 3) > 0, .is_up = true};
            if (members[a].is_there)
                cor_observed_show(run.observed, a, 4, cor_integer(false));
            else
                cor_observed_attend(run.observed, a, false);
        }
        for (uint64_t tick = 0; tick < 30; tick++) {
            const uint32_t a = (uint32_t)cor_rng_below(&rng, MEMBERS);
            struct member *m = &members[a];
            const uint64_t kind = cor_rng_below(&rng, 6);
            for (uint32_t b = 0; b < MEMBERS; b++)
                members[b].was_up = members[b].is_up;
            if (tick == 0 || kind == 0) { /* nothing happens */
            } else if (!m->is_there) {
                *m = (struct member){.is_there = true, .is_up = true, .was_up = true};
                cor_observed_attend(run.observed, a, true);
                cor_observed_show(run.observed, a, 4, cor_integer(false));
            } else if (kind == 1) {
                m->is_there = false;
                cor_observed_attend(run.observed, a, false);
                assert_int_equal(cor_observed_lost(run.observed, a, tick, NULL), COR_OK);
            } else if (!m->is_up) {
                m->is_up = true;
                cor_observed_up(run.observed, a);
            } else if (kind < 4) {
                m->is_up = false;
                m->down_since = tick;
                assert_int_equal(cor_observed_lost(run.observed, a, tick, NULL), COR_OK);
            } else {
                m->leads = !m->leads;
                cor_observed_show(run.observed, a, 4, cor_integer(m->leads));
            }
            (void)event(&run);
            expect_of_members(&run, members, tick > 0, found);
        }
    }
    for (int c = 0; c < ASKED_OF_MEMBERS; c++)
        assert_true(found[c] > 100);
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
    assert_false(cor_observed_is_tested(run.observed, AGREED)); /* nobody has told of anything before */
    assert_int_equal(cor_observed_tell(run.observed, 0, 0, 18, 290, NULL), COR_OK);
    assert_int_equal(event(&run), COR_NONE);
    assert_true(cor_observed_is_tested(run.observed, AGREED)); /* it could have been the same index */
    assert_int_equal(cor_observed_tell(run.observed, 1, 0, 17, 289, NULL), COR_OK);
    assert_int_equal(event(&run), AGREED);
    assert_true(cor_observed_is_tested(run.observed, AGREED));
    expect_sentence(&run, AGREED,
                    "Agent 1 told 0000000000000122 of index 17 of applied, and tells 0000000000000121 now.");
    end_run(&run);
}

/* ---- drawn texts and events against the evaluator that looks at all */

#define AGENTS_MAX 6
#define LETTERS "abcdefgh"

/* A text that is being drawn, and how many names are bound in it. */
struct drawing {
    struct cor_rng *rng;
    char text[20000];
    uint32_t bound, depth;
};

static void put(struct drawing *d, const char *format, ...) COR_PRINTF(2, 3);

static void put(struct drawing *d, const char *format, ...) {
    const size_t length = strlen(d->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(d->text + length, sizeof d->text - length, format, arguments);
    va_end(arguments);
}

static uint32_t below(struct drawing *d, uint32_t count) {
    return (uint32_t)cor_rng_below(d->rng, count);
}

static char bound_name(struct drawing *d) {
    return LETTERS[below(d, d->bound)];
}

static void put_condition(struct drawing *d);
static void put_number(struct drawing *d);

/* "x in COLLECTION [where condition]"; x is bound from there on. */
static void put_range(struct drawing *d) {
    put(d, "%c in ", LETTERS[d->bound]);
    if (d->bound > 0 && below(d, 4) == 0)
        put(d, "%c.peers", bound_name(d));
    else
        put(d, "agents");
    d->bound++;
    if (below(d, 2) == 0) {
        put(d, " where ");
        put_condition(d);
    }
}

static void put_query_of_numbers(struct drawing *d) {
    static const char *const words[] = {"sum", "min", "max"};
    const uint32_t w = below(d, 6);
    put(d, "%s(", w < 3 ? words[w] : "count");
    put_range(d);
    if (w < 3) {
        put(d, ": ");
        put_number(d);
    }
    d->bound--;
    put(d, ")");
}

static void put_number(struct drawing *d) {
    d->depth++;
    const uint32_t kind = below(d, d->depth > 7 || d->bound > 3 ? 6 : 10);
    if (kind == 0 || d->bound == 0)
        put(d, kind < 5 ? "%u" : "count(agents)", below(d, 4));
    else if (kind < 4)
        put(d, "%c.n", bound_name(d));
    else if (kind == 4)
        put(d, "%c.n@before", bound_name(d));
    else if (kind == 5)
        put(d, "count(%c.peers)", bound_name(d));
    else if (kind == 6) {
        put_number(d);
        put(d, " + ");
        put_number(d);
    } else if (kind == 7) { /* an argument may hang on more than what is bound around it */
        put(d, "fewer(");
        put_number(d);
        put(d, ")");
    } else
        put_query_of_numbers(d);
    d->depth--;
}

static void put_query(struct drawing *d) {
    static const char *const words[] = {"all", "any", "one"};
    put(d, "%s(", words[below(d, 5) % 3]);
    put_range(d);
    put(d, ": ");
    put_condition(d);
    d->bound--;
    put(d, ")");
}

static void put_condition(struct drawing *d) {
    static const char *const relations[] = {"<", "<=", "==", "!=", ">", ">="};
    static const char *const words[] = {"and", "or", "implies"};
    d->depth++;
    const bool is_leaf = d->depth > 6 || d->bound > 3;
    const uint32_t kind = d->bound == 0 ? 8 + below(d, 4) : below(d, is_leaf ? 6 : 13);
    if (kind == 0)
        put(d, "%c.up", bound_name(d));
    else if (kind == 1)
        put(d, "%c.role == 'leader'", bound_name(d));
    else if (kind == 2)
        put(d, "%c == %c", bound_name(d), bound_name(d));
    else if (kind == 3)
        put(d, "%c in %c.peers", bound_name(d), bound_name(d));
    else if (kind < 7) {
        put_number(d);
        put(d, " %s ", relations[below(d, 6)]);
        put_number(d);
    } else if (kind == 7) {
        put(d, "not (");
        put_condition(d);
        put(d, ")");
    } else if (kind == 8) {
        put(d, "(");
        put_condition(d);
        put(d, " %s ", words[below(d, 3)]);
        put_condition(d);
        put(d, ")");
    } else if (d->bound == 0 && kind == 9) {
        put_number(d);
        put(d, " <= ");
        put_query_of_numbers(d);
    } else
        put_query(d);
    d->depth--;
}

/* The world as the test keeps it. */
struct plain_world {
    uint32_t agents;
    uint32_t at[4];                                    /* of each of these, its number in the corridor */
    int64_t now[4][AGENTS_MAX], before[4][AGENTS_MAX]; /* role, up, n, peers */
    uint8_t unknown[4][AGENTS_MAX], unknown_before[4][AGENTS_MAX];
    struct cor_attribute_values columns[8], columns_before[8];
    uint32_t start[AGENTS_MAX + 1], items[AGENTS_MAX * AGENTS_MAX];
    struct cor_memberships peers;
    struct cor_population population, population_before;
    struct cor_world world;
};

/* `up` is the last attribute where the text does not declare it, and known from the start. */
static void make_world(struct plain_world *w, uint32_t agents, bool declares_up) {
    memset(w, 0, sizeof *w);
    w->agents = agents;
    memcpy(w->at, declares_up ? (uint32_t[]){4, 5, 6, 7} : (uint32_t[]){4, 7, 5, 6}, sizeof w->at);
    memset(w->unknown, 1, sizeof w->unknown);
    memset(w->unknown_before, 1, sizeof w->unknown_before);
    for (int a = 0; a < 4; a++) {
        w->columns[w->at[a]] = (struct cor_attribute_values){NULL, w->now[a], w->unknown[a]};
        w->columns_before[w->at[a]] = (struct cor_attribute_values){NULL, w->before[a], w->unknown_before[a]};
    }
    for (uint32_t e = 0; e < agents && !declares_up; e++) {
        w->now[1][e] = w->before[1][e] = true;
        w->unknown[1][e] = w->unknown_before[1][e] = false;
    }
    w->peers = (struct cor_memberships){w->start, w->items, w->unknown[3]};
    w->population = (struct cor_population){agents, w->columns, &w->peers, NULL};
    w->population_before = (struct cor_population){agents, w->columns_before, NULL, NULL};
    w->world = (struct cor_world){&w->population, NULL, true};
}

static void put_peers(struct plain_world *w) {
    uint32_t count = 0;
    for (uint32_t a = 0; a < w->agents; a++) {
        w->start[a] = count;
        for (uint32_t b = 0; b < 64 && !w->unknown[3][a]; b++)
            if ((w->now[3][a] >> b) & 1)
                w->items[count++] = b;
    }
    w->start[w->agents] = count;
}

static enum cor_truth worse_of(enum cor_truth a, enum cor_truth b) {
    return a == COR_TRUTH_FALSE || b == COR_TRUTH_FALSE       ? COR_TRUTH_FALSE
           : a == COR_TRUTH_UNKNOWN || b == COR_TRUTH_UNKNOWN ? COR_TRUTH_UNKNOWN
                                                              : COR_TRUTH_TRUE;
}

/* One text, several runs of some events. */
struct trial {
    struct cor_rng rng;
    struct cor_corridor *corridor;
    struct cor_observed *observed;
    struct cor_monitor *monitors[3];
    struct plain_world w;
    enum cor_truth run[3], cases[3];
    bool looks_back[3];
    long found[3];
};

static void change(struct trial *t, uint32_t attribute, uint32_t agent) {
    struct plain_world *w = &t->w;
    const bool is_built_in = attribute == 1 && t->corridor->up != COR_NONE,
               is_known = cor_rng_below(&t->rng, 12) > 0 || is_built_in;
    int64_t value = (int64_t)cor_rng_below(&t->rng, attribute == 2 ? 3 : 2);
    if (attribute == 0)
        value = cor_words_find(&t->corridor->words, value ? "leader" : "follower");
    if (attribute == 3)
        value = (int64_t)cor_rng_below(&t->rng, 1u << w->agents);
    w->now[attribute][agent] = is_known ? value : 0;
    w->unknown[attribute][agent] = !is_known;
    if (is_built_in && value)
        cor_observed_up(t->observed, agent);
    else if (is_built_in)
        assert_int_equal(cor_observed_lost(t->observed, agent, 0, NULL), COR_OK);
    else
        cor_observed_show(t->observed, agent, w->at[attribute],
                          !is_known        ? cor_null()
                          : attribute == 0 ? cor_word((uint32_t)value)
                                           : cor_integer(value));
    for (int m = 0; m < 3; m++)
        cor_monitor_change(t->monitors[m],
                           attribute == 3 ? COR_MONITORED_COLLECTION : COR_MONITORED_ATTRIBUTE,
                           attribute == 3 ? 0 : w->at[attribute], agent);
}

static void roll(struct trial *t) {
    struct plain_world *w = &t->w;
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t e = 0; e < w->agents; e++) {
            if (w->before[a][e] == w->now[a][e] && w->unknown_before[a][e] == w->unknown[a][e])
                continue;
            for (int m = 0; m < 3; m++)
                cor_monitor_change(t->monitors[m], COR_MONITORED_BEFORE, w->at[a], e);
        }
    memcpy(w->before, w->now, sizeof w->now);
    memcpy(w->unknown_before, w->unknown, sizeof w->unknown);
    if (!w->world.before)
        for (int m = 0; m < 3; m++)
            cor_monitor_forget(t->monitors[m]);
    w->world.before = &w->population_before;
}

static void one_event(struct trial *t, int event, bool begins_case, const char *text) {
    const bool is_first = event == 0;
    const uint32_t changes = (uint32_t)cor_rng_below(&t->rng, is_first ? 4 * t->w.agents : 4);
    uint32_t violated, expected = COR_NONE;
    struct cor_error error = COR_NO_ERROR;
    if (!is_first)
        roll(t);
    for (uint32_t i = 0; i < changes; i++) {
        const uint32_t attribute = (uint32_t)cor_rng_below(&t->rng, 4);
        change(t, attribute, (uint32_t)cor_rng_below(&t->rng, t->w.agents));
    }
    put_peers(&t->w);
    assert_int_equal(cor_observed_event(t->observed, &violated, &error), COR_OK);
    for (uint32_t c = 0; c < 3; c++) {
        const enum cor_truth truth =
            cor_expression_ask(&t->corridor->constraints[c].condition, NULL, &t->w.world, NULL);
        t->found[truth]++;
        if (truth != cor_monitor_ask(t->monitors[c]))
            fail_msg("a monitor says otherwise than %d of constraint %u of\n%s", truth, c, text);
        expected = truth == COR_TRUTH_FALSE && expected == COR_NONE ? c : expected;
        const bool counts_first = event == (t->looks_back[c] ? 1 : 0);
        t->run[c] = counts_first ? truth : worse_of(t->run[c], truth);
        t->cases[c] = counts_first || begins_case ? truth : worse_of(t->cases[c], truth);
        if (cor_observed_verdict(t->observed, c) != t->run[c])
            fail_msg("of the run it is %d, not %d, of constraint %u of\n%s", t->run[c],
                     cor_observed_verdict(t->observed, c), c, text);
    }
    if (violated != expected)
        fail_msg("violated is %u, not %u, of\n%s", violated, expected, text);
    if (violated != COR_NONE) {
        struct cor_breaches breaches;
        cor_observed_explain(t->observed, violated, &breaches);
        assert_true(breaches.count > 0);
    }
}

static enum cor_truth better_of(enum cor_truth a, enum cor_truth b) {
    return a == COR_TRUTH_TRUE || b == COR_TRUTH_TRUE         ? COR_TRUTH_TRUE
           : a == COR_TRUTH_UNKNOWN || b == COR_TRUTH_UNKNOWN ? COR_TRUTH_UNKNOWN
                                                              : COR_TRUTH_FALSE;
}

/* Formula 3 + c is "eventually constraint c", the last "eventually inside": what they are so far. */
static void one_case(struct trial *t, enum cor_truth so_far[4]) {
    uint32_t violated;
    enum cor_truth now[4] = {t->cases[0], t->cases[1], t->cases[2],
                             worse_of(t->cases[0], worse_of(t->cases[1], t->cases[2]))};
    assert_int_equal(cor_observed_case(t->observed, true, &violated, NULL), COR_OK);
    assert_int_equal(violated, COR_NONE);
    for (uint32_t f = 0; f < 4; f++) {
        so_far[f] = better_of(so_far[f], now[f]);
        assert_int_equal(cor_observed_verdict(t->observed, 3 + f), so_far[f]);
    }
}

static void one_run(struct trial *t, const char *text) {
    for (int c = 0; c < 3; c++)
        t->run[c] = COR_TRUTH_UNKNOWN;
    enum cor_truth so_far[4] = {COR_TRUTH_FALSE, COR_TRUTH_FALSE, COR_TRUTH_FALSE, COR_TRUTH_FALSE};
    bool begins_case = true;
    make_world(&t->w, t->w.agents, t->corridor->up == COR_NONE);
    assert_int_equal(cor_observed_restart(t->observed, NULL), COR_OK);
    for (int m = 0; m < 3; m++)
        cor_monitor_forget(t->monitors[m]);
    for (int e = 0; e < 12; e++) {
        one_event(t, e, begins_case, text);
        begins_case = cor_rng_below(&t->rng, 3) == 0;
        if (begins_case)
            one_case(t, so_far);
    }
}

/* A value that the text excludes is said with the event; what is null is unknown, never violated. */
static void what_agents_cannot_show_is_said(void **state) {
    (void)state;
    struct run run = run_of(election, 3);
    uint32_t violated;
    struct cor_error error = COR_NO_ERROR;
    cor_observed_show(run.observed, 1, TERM, cor_integer(-1));
    assert_int_equal(cor_observed_event(run.observed, &violated, &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "text:3:11");
    assert_string_equal(error.cause, "agent 1 shows -1 as its term, which is no value of it");
    assert_string_equal(error.remedy, "declare all that agents show");
    assert_int_equal(cor_observed_excluded(run.observed), 1);
    assert_int_equal(cor_observed_restart(run.observed, NULL), COR_OK);
    assert_int_equal(cor_observed_excluded(run.observed), COR_NONE);
    show_role(&run, 0, "leader", 1);
    show_role(&run, 1, "leader", 1);
    assert_int_equal(event(&run), ONE_LEADER);
    cor_observed_show(run.observed, 1, ROLE, cor_null());
    assert_int_equal(event(&run), COR_NONE);
    end_run(&run);
    struct cor_corridor *corridor = corridor_of(election);
    struct cor_observed *observed;
    error = COR_NO_ERROR;
    assert_int_equal(cor_observed_create(corridor, 65, NULL, &observed, &error), COR_STATUS_INPUT);
    assert_null(observed);
    assert_string_equal(error.cause, "sets of agents are of at most 64 agents, and here are 65");
    cor_corridor_destroy(corridor);
    corridor =
        corridor_of("structure observed\nattribute n: integer\ninvariant small: all(a in agents: a.n < 3)\n"
                    "temporal t: always (alarm implies small)\n");
    error = COR_NO_ERROR;
    assert_int_equal(cor_observed_create(corridor, 3, NULL, &observed, &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "text:4:13: t");
    assert_string_equal(error.remedy, "known: stable, inside, small");
    cor_corridor_destroy(corridor);
}

/* A case without events is what the event before left; formulas look back. */
static void cases_follow_events(void **state) {
    (void)state;
    struct run run = run_of("structure observed\nattribute n: integer\n"
                            "invariant small: all(a in agents: a.n < 3)\n"
                            "temporal calm: always (stable implies small)\n"
                            "temporal back: always (not small implies once stable)\n"
                            "temporal run: always (small since stable)\n"
                            "temporal never: always historically small\n",
                            2);
    static const struct {
        int events[3]; /* agent 0 shows these; -1: no event */
        bool stable;
        enum cor_truth verdicts[4];
        uint32_t violated;
    } cases[] = {
        {{1, 2, -1}, true, {COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_TRUE}, COR_NONE},
        {{-1, -1, -1}, true, {COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_TRUE}, COR_NONE},
        {{5, 1, -1}, false, {COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_FALSE, COR_TRUTH_FALSE}, 3},
        {{1, 7, -1}, true, {COR_TRUTH_FALSE, COR_TRUTH_TRUE, COR_TRUTH_FALSE, COR_TRUTH_FALSE}, 1},
        {{-1, -1, -1}, true, {COR_TRUTH_FALSE, COR_TRUTH_TRUE, COR_TRUTH_FALSE, COR_TRUTH_FALSE}, 1},
    };
    cor_observed_show(run.observed, 1, 4, cor_integer(0));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint32_t violated;
        for (int e = 0; e < 3 && cases[c].events[e] >= 0; e++) {
            cor_observed_show(run.observed, 0, 4, cor_integer(cases[c].events[e]));
            event(&run);
        }
        assert_int_equal(cor_observed_case(run.observed, cases[c].stable, &violated, NULL), COR_OK);
        assert_int_equal(violated, cases[c].violated);
        for (uint32_t f = 0; f < 4; f++)
            if (cor_observed_verdict(run.observed, 1 + f) != cases[c].verdicts[f])
                fail_msg("case %zu, formula %u: %d", c, f, cor_observed_verdict(run.observed, 1 + f));
    }
    end_run(&run);
}

/* Where a run is stopped, nobody is accused of what there was no time for. */
static void bounds_reach_behind_the_end(void **state) {
    (void)state;
    struct run run =
        run_of("structure observed\nattribute n: integer\n"
               "invariant small: all(a in agents: a.n < 3)\n"
               "temporal soon: always (not stable implies eventually[0, 2] stable)\n"
               "temporal ever: always (not stable implies eventually stable)\n"
               "temporal then: always (not stable implies next stable)\n"
               "temporal calm: always (always[0, 1] stable implies eventually[0, 1] not small)\n",
               2);
    static const struct {
        bool stable;
        enum cor_truth verdicts[4];
        uint32_t violated;
    } cases[] = {
        {true, {COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_UNKNOWN}, COR_NONE},
        {false, {COR_TRUTH_UNKNOWN, COR_TRUTH_FALSE, COR_TRUTH_UNKNOWN, COR_TRUTH_TRUE}, COR_NONE},
        {true, {COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_TRUE, COR_TRUTH_UNKNOWN}, COR_NONE},
        {false, {COR_TRUTH_UNKNOWN, COR_TRUTH_FALSE, COR_TRUTH_UNKNOWN, COR_TRUTH_TRUE}, COR_NONE},
        {false, {COR_TRUTH_UNKNOWN, COR_TRUTH_FALSE, COR_TRUTH_FALSE, COR_TRUTH_TRUE}, 3},
        {false, {COR_TRUTH_FALSE, COR_TRUTH_FALSE, COR_TRUTH_FALSE, COR_TRUTH_TRUE}, 1},
    };
    for (uint32_t agent = 0; agent < 2; agent++)
        cor_observed_show(run.observed, agent, 4, cor_integer(0));
    event(&run);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint32_t violated;
        assert_int_equal(cor_observed_case(run.observed, cases[c].stable, &violated, NULL), COR_OK);
        assert_int_equal(violated, cases[c].violated);
        for (uint32_t f = 0; f < 4; f++)
            if (cor_observed_verdict(run.observed, 1 + f) != cases[c].verdicts[f])
                fail_msg("case %zu, formula %u: %d", c, f, cor_observed_verdict(run.observed, 1 + f));
    }
    end_run(&run);
}

static void monitors_say_what_the_evaluator_says(void **state) {
    (void)state;
    struct trial t = {.found = {0}};
    t.rng = cor_rng_named(&(struct cor_stream_name){.seed = 20331, .purpose = COR_PURPOSE_TEST});
    long read = 0;
    for (long i = 0; i < texts; i++) {
        struct drawing d = {.rng = &t.rng};
        put(&d,
            "structure observed\nattribute role: words follower, leader\n%s"
            "attribute n: integer 0 .. 9\nattribute peers: agents\n"
            "define fewer(k): count(z in agents where z.n < k)\n",
            i % 2 == 0 ? "attribute up: boolean\n" : "");
        for (int c = 0; c < 3; c++) {
            put(&d, "invariant c%d: ", c);
            put_condition(&d);
            put(&d, "\n");
        }
        put(&d, "temporal t0: eventually c0\ntemporal t1: eventually c1\ntemporal t2: eventually c2\n"
                "temporal all_of_them: eventually inside\n");
        struct cor_error error = COR_NO_ERROR;
        if (cor_corridor_parse(d.text, "text", &t.corridor, &error) != COR_OK)
            continue;
        read++;
        make_world(&t.w, 1 + (uint32_t)cor_rng_below(&t.rng, AGENTS_MAX), t.corridor->up == COR_NONE);
        assert_int_equal(cor_observed_create(t.corridor, t.w.agents, NULL, &t.observed, &error), COR_OK);
        for (int m = 0; m < 3; m++)
            assert_int_equal(cor_monitor_create(&t.corridor->constraints[m].condition,
                                                t.corridor->scope.shape, NULL, &t.w.world, &t.monitors[m],
                                                &error),
                             COR_OK);
        for (int c = 0; c < 3; c++) {
            const struct cor_expression *condition = &t.corridor->constraints[c].condition;
            t.looks_back[c] = false;
            for (uint32_t n = 0; n < condition->node_count; n++)
                t.looks_back[c] = t.looks_back[c] || condition->nodes[n].operator== COR_OPERATOR_BEFORE;
        }
        for (int r = 0; r < 3; r++)
            one_run(&t, d.text);
        for (int m = 0; m < 3; m++)
            cor_monitor_destroy(t.monitors[m]);
        cor_observed_destroy(t.observed);
        cor_corridor_destroy(t.corridor);
    }
    if (read < texts * 8 / 10 || t.found[0] < texts || t.found[1] < texts || t.found[2] < texts)
        fail_msg("the texts are dull: %ld read, %ld %ld %ld", read, t.found[0], t.found[1], t.found[2]);
}

/* Two leaders of a term, a term that shrinks; with `watched` of the constraints of the election. */
static uint32_t first_violated_of(const bool watched[6], uint32_t *of_case) {
    struct run run = run_of(election, 3);
    cor_observed_watch(run.observed, watched);
    for (uint32_t a = 0; a < 3; a++) {
        show_role(&run, a, "follower", 2);
        cor_observed_show(run.observed, a, STORED, cor_integer(0));
        cor_observed_show(run.observed, a, COMMIT, cor_integer(0));
        cor_observed_show(run.observed, a, PEERS, cor_integer(7));
    }
    assert_int_equal(event(&run), COR_NONE);
    show_role(&run, 0, "leader", 2);
    show_role(&run, 1, "follower", 1);
    show_role(&run, 2, "leader", 2);
    const uint32_t first = event(&run);
    assert_int_equal(cor_observed_case(run.observed, true, of_case, NULL), COR_OK);
    end_run(&run);
    return first;
}

static void what_is_not_watched_is_never_violated(void **state) {
    (void)state;
    uint32_t of_case;
    assert_int_equal(first_violated_of((bool[6]){[ONE_LEADER] = true, [GROWS] = true}, &of_case), ONE_LEADER);
    assert_int_equal(of_case, COR_NONE);
    assert_int_equal(first_violated_of((bool[6]){[GROWS] = true}, &of_case), GROWS);
    assert_int_equal(first_violated_of((bool[6]){[AGREED] = true, [KNOWN] = true}, &of_case), COR_NONE);
    /* A formula still knows what it names. */
    assert_int_equal(first_violated_of((bool[6]){[LED] = true}, &of_case), COR_NONE);
    assert_int_equal(of_case, LED);
}

/* ---- histories */

static const char store[] = "structure observed\n"
                            "attribute busy: integer\n"
                            "channel other\n"
                            "history store: cas_register by key\n"
                            "invariant atomic: linearizable(store)\n"
                            "invariant in_order: sequential(store)\n";

#define MUST(call)                                        \
    do {                                                  \
        if ((call) != COR_OK)                             \
            fail_msg("%s: %s", error.place, error.cause); \
    } while (0)

/* Runs of three clients of two keys, which crash now and then and see old values now and then: each event has
 * the verdict that the history up to it has by itself. */
static void histories_are_judged_as_they_come(void **state) {
    struct cor_corridor *corridor = corridor_of(store);
    struct cor_observed *observed;
    struct cor_error error = COR_NO_ERROR;
    uint64_t random = 1;
    unsigned violated_runs = 0, orders = 0;
    (void)state;
    MUST(cor_observed_create(corridor, 3, NULL, &observed, &error));
    for (long run = 0; run < texts / 10; run++) {
        struct cor_history record;
        struct cor_history_verdict verdict;
        size_t numbers[3] = {0};
        int held[2] = {0, 0}, ticket[3] = {0}, results[3], keys[3];
        enum { IDLE, READS, WRITES } does[3] = {IDLE, IDLE, IDLE};
        bool is_over = false;
        MUST(cor_history_init(&record, COR_OBJECT_CAS_REGISTER, true, &error));
        MUST(cor_observed_restart(observed, &error));
        for (int event = 0; event < 60 && !is_over; event++) {
            uint32_t value, key, violated;
            char text[8], of_key[8];
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const uint32_t agent = (uint32_t)(random >> 33) % 3;
            const unsigned chance = (unsigned)(random >> 40) % 20;
            if (does[agent] == IDLE) {
                keys[agent] = (int)(random >> 50 & 1);
                does[agent] = chance < 10 ? READS : WRITES;
                snprintf(of_key, sizeof of_key, "\"%c\"", "xy"[keys[agent]]);
                snprintf(text, sizeof text, "%d", event);
                MUST(cor_call_values_word(&record.values, &"xy"[keys[agent]], 1, &key, &error));
                MUST(cor_call_values_integer(&record.values, event, &value, &error));
                const char *word = does[agent] == READS ? "read" : "write";
                MUST(cor_history_call(&record, agent, word, key, does[agent] == READS ? COR_CALL_NIL : value,
                                      "", &numbers[agent], &error));
                MUST(cor_observed_call(observed, agent, 1, (uint64_t)ticket[agent], word, of_key,
                                       does[agent] == READS ? NULL : text, &error));
                results[agent] = held[keys[agent]];
                if (does[agent] == WRITES)
                    held[keys[agent]] = event;
            } else if (chance == 0) { /* it crashes */
                MUST(cor_observed_lost(observed, agent, 0, &error));
                does[agent] = IDLE;
                ticket[agent] = 0;
            } else {
                const int result = chance == 1 ? held[keys[agent]] : results[agent];
                snprintf(text, sizeof text, "%d", result);
                MUST(cor_call_values_integer(&record.values, result, &value, &error));
                value = does[agent] == WRITES || result == 0 ? COR_CALL_NIL : value;
                if (chance == 2)
                    MUST(cor_history_failed(&record, numbers[agent], "", &error));
                else
                    MUST(cor_history_return(&record, numbers[agent], value, "", &error));
                MUST(cor_observed_answer(observed, agent, (uint64_t)ticket[agent],
                                         value == COR_CALL_NIL ? NULL : text, chance == 2, &error));
                does[agent] = IDLE;
                ticket[agent]++;
            }
            MUST(cor_observed_event(observed, &violated, &error));
            MUST(cor_history_linearizable(&record, NULL, COR_HISTORY_STEPS, &verdict, &error));
            is_over = verdict.possible == COR_IMPOSSIBLE;
            assert_int_equal(violated, is_over ? 0 : COR_NONE);
            assert_int_equal(cor_observed_truth(observed, 1), COR_TRUTH_UNKNOWN);
        }
        assert_int_equal(cor_observed_verdict(observed, 0), is_over ? COR_TRUTH_FALSE : COR_TRUTH_TRUE);
        assert_int_equal(cor_observed_is_fixed(observed, 0), is_over);
        if (is_over) {
            struct cor_breaches breaches;
            char sentence[400];
            struct cor_history_verdict seen;
            cor_observed_explain(observed, 0, &breaches);
            assert_int_equal(breaches.kept[0].bindings[0].element, record.calls[verdict.call].process);
            cor_observed_sentence(observed, 0, sentence, sizeof sentence);
            assert_memory_equal(sentence, "The calls on store have no order any more after agent ", 54);
            assert_int_equal(cor_observed_history(observed, 0, &seen)->count, record.count);
            assert_int_equal(seen.call, verdict.call);
            violated_runs++;
        }
        MUST(cor_history_sequential(&record, NULL, COR_HISTORY_STEPS, &verdict, &error));
        assert_int_equal(cor_observed_verdict(observed, 1), verdict.possible == COR_POSSIBLE ? COR_TRUTH_TRUE
                                                            : verdict.possible == COR_IMPOSSIBLE
                                                                ? COR_TRUTH_FALSE
                                                                : COR_TRUTH_UNKNOWN);
        orders += verdict.possible == COR_POSSIBLE;
        cor_history_fini(&record);
    }
    assert_true(violated_runs > texts / 60 && orders > texts / 60);
    cor_observed_destroy(observed);
    cor_corridor_destroy(corridor);
}

static void calls_that_cannot_be_are_said(void **state) {
    static const struct {
        const char *operation, *key, *value, *said;
    } rows[] = {
        {"enqueue", "\"x\"", "1", "a cas_register has no operation \"enqueue\""},
        {"read", NULL, NULL, "nothing says of which key"},
        {"write", "\"x\"", "1.5", "1.5 is no integer of 64 bits"},
        {"write", "\"x\"", "1 2", "something stands behind a value"},
        {"write", "\"x\"", NULL, "write of a cas_register is called with a value, and here with nothing"},
        {NULL, NULL, NULL, "agent 2 returns from call 7, and none of that number is open"},
    };
    struct cor_corridor *corridor = corridor_of(store);
    struct cor_observed *observed;
    struct cor_error error = COR_NO_ERROR;
    uint32_t violated;
    (void)state;
    MUST(cor_observed_create(corridor, 3, NULL, &observed, &error));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        MUST(cor_observed_restart(observed, &error));
        assert_false(cor_observed_is_tested(observed, 0));
        if (rows[r].operation)
            MUST(cor_observed_call(observed, 2, 1, 7, rows[r].operation, rows[r].key, rows[r].value, &error));
        else
            MUST(cor_observed_answer(observed, 2, 7, NULL, false, &error));
        assert_int_equal(cor_observed_excluded(observed), 2);
        struct cor_error said = COR_NO_ERROR;
        assert_int_equal(cor_observed_event(observed, &violated, &said), COR_STATUS_INPUT);
        assert_string_equal(said.cause, rows[r].said);
    }
    /* A number is used again once its call has ended, and not before. */
    MUST(cor_observed_restart(observed, &error));
    for (int twice = 0; twice < 2; twice++) {
        MUST(cor_observed_call(observed, 1, 1, 7, "read", "\"x\"", NULL, &error));
        MUST(cor_observed_answer(observed, 1, 7, NULL, false, &error));
    }
    assert_int_equal(cor_observed_excluded(observed), COR_NONE);
    assert_true(cor_observed_is_tested(observed, 0));
    /* A call on what the corridor has no history of: its answers are not of others, its number is in use. */
    MUST(cor_observed_restart(observed, &error));
    MUST(cor_observed_call(observed, 1, COR_NONE, 7, "pop", NULL, "1.5", &error));
    MUST(cor_observed_call(observed, 1, COR_NONE, 8, "pop", NULL, NULL, &error));
    MUST(cor_observed_call(observed, 0, COR_NONE, 7, "pop", NULL, NULL, &error));
    MUST(cor_observed_answer(observed, 1, 7, "1.5", false, &error));
    MUST(cor_observed_lost(observed, 1, 0, &error));
    MUST(cor_observed_call(observed, 1, 1, 8, "read", "\"x\"", NULL, &error));
    MUST(cor_observed_answer(observed, 0, 7, NULL, true, &error));
    assert_int_equal(cor_observed_excluded(observed), COR_NONE);
    assert_false(cor_observed_is_tested(observed, 0));
    MUST(cor_observed_answer(observed, 1, 7, NULL, false, &error));
    assert_int_equal(cor_observed_excluded(observed), 1);
    MUST(cor_observed_restart(observed, &error));
    for (int twice = 0; twice < 2; twice++)
        MUST(cor_observed_call(observed, 1, 1, 7, "read", "\"x\"", NULL, &error));
    assert_int_equal(cor_observed_excluded(observed), 1);
    MUST(cor_observed_restart(observed, &error));
    for (int twice = 0; twice < 2; twice++)
        MUST(cor_observed_call(observed, 1, 1, 7, "read", "\"x\"", NULL, &error));
    assert_int_equal(cor_observed_excluded(observed), 1);
    cor_observed_destroy(observed);
    cor_corridor_destroy(corridor);
}

int main(int argc, char **argv) {
    texts = argc > 1 ? strtol(argv[1], NULL, 10) : texts;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_election_is_followed),
        cmocka_unit_test(channels_agree_for_ever),
        cmocka_unit_test(counters_are_put_to_the_test),
        cmocka_unit_test(a_quiet_channel_puts_nothing_to_the_test),
        cmocka_unit_test(who_is_absent_is_not_spoken_of),
        cmocka_unit_test(who_is_down_is_said),
        cmocka_unit_test(numbers_say_whom_they_left_out),
        cmocka_unit_test(who_comes_and_goes_is_up_or_down),
        cmocka_unit_test(what_agents_cannot_show_is_said),
        cmocka_unit_test(cases_follow_events),
        cmocka_unit_test(bounds_reach_behind_the_end),
        cmocka_unit_test(what_is_not_watched_is_never_violated),
        cmocka_unit_test(monitors_say_what_the_evaluator_says),
        cmocka_unit_test(histories_are_judged_as_they_come),
        cmocka_unit_test(calls_that_cannot_be_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
