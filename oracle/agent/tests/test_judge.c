/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces made by hand, a few letters an event, and what they must be found guilty of. */
#include <corridor/array.h>
#include <corridor/design_file.h>
#include <corridor/judge.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two plans with one trigger, a plan below them, and a ring of two. */
static const char design_text[] =
    "{\"format\": \"agent-unit/1\", \"agent\": \"Hand\", \"entry\": [\"Go\", \"Round\"],"
    "\"beliefs\": [{\"name\": \"store\", \"key\": [], \"fields\": {\"N\": \"int\"},"
    "  \"posts\": [{\"on\": \"update\", \"when\": \"N < 0\", \"event\": \"Low\"}]},"
    " {\"name\": \"log\", \"key\": [], \"fields\": {\"Word\": \"Colour\"}, \"posts\": []}],"
    "\"types\": {\"Colour\": [\"red\", \"blue\"]},"
    "\"events\": [{\"name\": \"Go\", \"kind\": \"percept\", \"params\": [{\"name\": \"x\", \"type\": "
    "\"int\", \"valid\": [\">=0\"]}],"
    "  \"coverage\": \"always\", \"overlap\": \"never\"},"
    " {\"name\": \"Sub\", \"kind\": \"internal\", \"params\": [{\"name\": \"y\", \"type\": \"int\", "
    "\"valid\": [\">=0\"]}]},"
    " {\"name\": \"Low\", \"kind\": \"belief\", \"params\": []},"
    " {\"name\": \"Round\", \"kind\": \"internal\", \"params\": []}, {\"name\": \"Back\", \"kind\": "
    "\"internal\", \"params\": [], \"coverage\": \"sometimes\", \"overlap\": \"allowed\"}],"
    "\"messages_out\": [{\"name\": \"M\"}, {\"name\": \"Other\"}], \"actions\": [{\"name\": \"A\"}, "
    "{\"name\": \"B\"}],"
    "\"plans\": ["
    " {\"name\": \"Much\", \"trigger\": \"Go\", \"context\": \"x >= 10\", \"posts\": [\"Sub\"], \"sends\": "
    "[\"M\"], \"does\": [\"A\"],"
    "  \"writes\": [\"store\"]},"
    " {\"name\": \"Little\", \"trigger\": \"Go\", \"context\": \"x < 10\"},"
    " {\"name\": \"Below\", \"trigger\": \"Sub\"},"
    " {\"name\": \"Forth\", \"trigger\": \"Round\", \"posts\": [\"Back\"]},"
    " {\"name\": \"Home\", \"trigger\": \"Back\", \"posts\": [\"Round\"]},"
    " {\"name\": \"Else\", \"trigger\": \"Back\", \"context\": \"N > 5\", \"posts\": [\"Round\"]}],"
    "\"test\": {\"strength\": 2, \"policy\": \"all\", \"seed\": 1}}";

static struct cor_design_file *file;

static int read_design(void **state) {
    struct cor_error error = COR_NO_ERROR;
    (void)state;
    if (cor_design_file_parse(design_text, "hand", &file, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return 0;
}

static int free_design(void **state) {
    (void)state;
    cor_design_file_destroy(file);
    return 0;
}

static uint32_t find(enum cor_design_name what, const char *name) {
    uint32_t index = cor_design_find(file->design, what, name);
    if (index == COR_NONE)
        fail_msg("no %s", name);
    return index;
}

/* One event, as a sign and a name: c+P c-P context, >P started, .P completed, !P failed, ^E(v) posted by the
 * plan, ~E by a rule, #M sent, *A did, =set.Field(v) written; |end. */
static void add(struct cor_trace *trace, const char *token) {
    char name[64], *bracket;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_design *design = file->design;
    bool is_context = token[0] == 'c';
    char sign = token[is_context];
    enum cor_status status = COR_OK;
    snprintf(name, sizeof name, "%s", token + 1 + is_context);
    struct cor_value value = cor_null();
    if ((bracket = strchr(name, '('))) {
        value = strchr("0123456789-", bracket[1]) ? cor_integer(atoll(bracket + 1)) : cor_word(99);
        *bracket = '\0';
    }
    uint32_t plan = strchr(".!>+-", sign) && !is_context ? find(COR_NAME_PLAN, name) : COR_NONE;
    if (is_context) {
        plan = find(COR_NAME_PLAN, name);
        status = cor_trace_context(trace, plan, design->plans[plan].trigger, sign == '+', &error);
    } else if (sign == '>')
        status = cor_trace_started(trace, plan, design->plans[plan].trigger, &error);
    else if (sign == '.' || sign == '!')
        status = cor_trace_ended(trace, sign == '.', &error);
    else if (sign == '^' || sign == '~') {
        uint32_t event = find(COR_NAME_EVENT, name);
        status = cor_trace_posted(trace, event, &value, design->events[event].parameter_count,
                                  sign == '^' ? COR_POSTER_PLAN : COR_POSTER_RULE, &error);
    } else if (sign == '#')
        status = cor_trace_sent(trace, find(COR_NAME_MESSAGE, name), &value,
                                file->design->messages[find(COR_NAME_MESSAGE, name)].parameter_count, &error);
    else if (sign == '*')
        status = cor_trace_did(trace, find(COR_NAME_ACTION, name), &error);
    else if (sign == '=') {
        uint32_t field;
        assert_int_equal(cor_design_look_up_field(design, name, "test", &field, &error), COR_OK);
        status = cor_trace_wrote(trace, field, value, &error);
    } else if (sign == '|')
        trace->end = (enum cor_trace_end)cor_term_number(COR_FAMILY_TRACE_END, name);
    assert_int_equal(status, COR_OK);
}

struct hand {
    const char *event;
    int64_t argument;
    const char *trace;
};

static struct cor_unit_judgement judgement;
static struct cor_unit_judgement own; /* of the event's own cases */

/* Has a trace judged as case `index`; values below 0 are invalid. */
static void judge_one(struct cor_unit_judgement *into, uint32_t index, const struct hand *hand) {
    char text[512];
    struct cor_trace trace;
    struct cor_error error = COR_NO_ERROR;
    uint32_t event = find(COR_NAME_EVENT, hand->event);
    struct cor_value argument = cor_integer(hand->argument);
    struct cor_value beliefs[8];
    for (uint32_t f = 0; f < file->design->field_count; f++)
        beliefs[f] = file->design->fields[f].start;
    const struct cor_agent_case asked = {.event = event, .arguments = &argument, .beliefs = beliefs};
    cor_trace_init(&trace);
    assert_int_equal(cor_trace_posted(&trace, event, &argument, file->design->events[event].parameter_count,
                                      COR_POSTER_CASE, &error),
                     COR_OK);
    snprintf(text, sizeof text, "%s", hand->trace);
    for (char *token = strtok(text, " "); token; token = strtok(NULL, " "))
        add(&trace, token);
    if (!trace.end)
        trace.end = COR_TRACE_END_QUIET;
    const struct cor_judged_case judged = {.index = index, .valid = hand->argument >= 0, .asked = &asked};
    assert_int_equal(cor_judge_case(into, &judged, &trace, &error), COR_OK);
    cor_trace_fini(&trace);
}

static void begin(struct cor_unit_judgement *into, const char *unit_name, const struct hand *hands) {
    uint32_t unit;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_design_file_unit(file, unit_name, "test", &unit, &error), COR_OK);
    assert_int_equal(cor_unit_judgement_begin(file->design, &file->order.units, unit, into, &error), COR_OK);
    for (uint32_t i = 0; hands[i].event; i++)
        judge_one(into, i, &hands[i]);
}

static const char *finding_about(const struct cor_design *design, const struct cor_finding *finding) {
    uint32_t subject = finding->subject;
    if (subject == COR_NONE)
        return "";
    switch (cor_finding_subject(finding->check)) {
    case COR_SUBJECT_EVENT:
        return design->events[subject].name;
    case COR_SUBJECT_MESSAGE:
        return design->messages[subject].name;
    case COR_SUBJECT_ACTION:
        return design->actions[subject].name;
    case COR_SUBJECT_BELIEF:
        return design->beliefs[subject].name;
    case COR_SUBJECT_FIELD:
        return design->fields[subject].full_name;
    case COR_SUBJECT_PLAN:
        break;
    }
    return design->plans[subject].name;
}

/* "check about hit/run@smallest cause; ..." of the unit. */
static void expect_with(const struct cor_unit_judgement *const *events, const struct cor_findings *below,
                        const char *expected) {
    struct cor_findings findings = {0};
    struct cor_error error = COR_NO_ERROR;
    const struct cor_judge_context context = {.events = events, .below = below};
    char text[2048] = "";
    assert_int_equal(cor_judge_unit(&judgement, &context, &findings, &error), COR_OK);
    for (uint32_t f = 0; f < findings.count; f++) {
        const struct cor_finding *finding = &findings.items[f];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s %u/%u@%u%s", f > 0 ? "; " : "",
                 cor_term_word(COR_FAMILY_AUT_CHECK, (int)finding->check),
                 finding_about(file->design, finding), finding->hit, finding->run, finding->smallest,
                 finding->cause == COR_CAUSE_ROOT         ? ""
                 : finding->cause == COR_CAUSE_UNIT_BELOW ? " below"
                 : finding->cause == COR_CAUSE_EVENT_UNIT ? " event"
                                                          : " same");
    }
    assert_string_equal(text, expected);
    cor_findings_fini(&findings);
    cor_unit_judgement_fini(&judgement);
}

static void expect(const char *unit, const struct hand *hands, const char *expected) {
    begin(&judgement, unit, hands);
    expect_with(NULL, NULL, expected);
}

#define CASES(...) ((const struct hand[]){__VA_ARGS__, {0}})
#define RIGHT \
    { "Go", 12, "c+Much c-Little >Much ^Sub(1) c+Below >Below .Below #M *A =store.N(3) .Much" }
#define IDLE \
    { "Go", -5, "c-Much c+Little >Little .Little" }

static void an_agent_that_does_as_designed_is_not_accused(void **state) {
    (void)state;
    expect("PT(Much)", CASES(RIGHT, IDLE), "");
    expect("PT(Below)", CASES({"Sub", 1, "c+Below >Below .Below"}, {"Sub", -1, "c+Below >Below .Below"}), "");
    expect("ET(Go)", CASES(RIGHT, IDLE, {"Go", 5, "c-Much c+Little >Little .Little"}), "");
    expect("CT(Forth,Home,Else)",
           CASES({"Round", 0,
                  "c+Forth >Forth ^Back c+Home c-Else >Home ^Round c+Forth >Forth ^Back |quiet .Forth .Home "
                  ".Forth"},
                 {"Back", 0, "c+Home c-Else >Home ^Round c+Forth >Forth ^Back .Forth .Home"}),
           "context_never_true Else 2/2@1");
}

static void a_plan_that_is_never_looked_at_is_not_wired(void **state) {
    (void)state;
    expect("PT(Below)", CASES({"Sub", 1, ""}, {"Sub", 2, "c+Much"}), "plan_not_wired Below 2/2@0");
}

static void an_applicable_plan_that_is_never_started_is_never_chosen_if_the_event_agrees(void **state) {
    const struct hand *hands = CASES({"Go", 12, "c+Much c-Little"}, IDLE);
    const struct cor_unit_judgement *events[8] = {NULL};
    (void)state;
    begin(&own, "ET(Go)", CASES(RIGHT));
    events[find(COR_NAME_EVENT, "Go")] = &own;
    begin(&judgement, "PT(Much)", hands);
    assert_true(cor_unit_judgement_asks(&judgement, find(COR_NAME_EVENT, "Go")));
    expect_with(events, NULL, "");
    cor_unit_judgement_fini(&own);
    begin(&own, "ET(Go)", CASES({"Go", 12, "c+Much c-Little"}));
    begin(&judgement, "PT(Much)", hands);
    expect_with(events, NULL, "plan_never_chosen Much 1/1@0");
    cor_unit_judgement_fini(&own);
}

static void a_context_is_judged_over_all_cases(void **state) {
    (void)state;
    expect("PT(Little)", CASES({"Go", 12, "c-Much c-Little"}, {"Go", 5, "c-Much c-Little"}),
           "context_never_true Little 1/2@1");
    expect("PT(Little)", CASES({"Go", 5, "c+Little >Little .Little"}, {"Go", 20, "c+Little >Little .Little"}),
           "context_never_false Little 1/2@1");
    expect("PT(Little)", CASES({"Go", 5, "c-Little"}, {"Go", 20, "c+Little >Little .Little"}),
           "context_differs Little 2/2@0");
    expect("PT(Little)", CASES({"Go", 5, "c+Little >Little .Little"}, {"Go", -1, "c+Little >Little .Little"}),
           "context_never_false Little 2/2@0");
}

/* The one finding of a unit after one case. */
static void expect_one(const char *unit, const struct hand *hand, enum cor_aut_check check,
                       enum cor_severity severity) {
    struct cor_findings findings = {0};
    const struct cor_judge_context context = {0};
    begin(&judgement, unit, (const struct hand[]){*hand, {0}});
    assert_int_equal(cor_judge_unit(&judgement, &context, &findings, NULL), COR_OK);
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.items[0].check, check);
    assert_int_equal(findings.items[0].severity, severity);
    cor_findings_fini(&findings);
    cor_unit_judgement_fini(&judgement);
}

static void what_no_case_could_show_of_a_context_is_a_note(void **state) {
    (void)state;
    const struct hand always = {"Go", 5, "c+Little >Little .Little"}, never = {"Go", 20, "c-Little"};
    const struct hand wrong = {"Go", 5, "c-Little"}, wide = {"Go", 20, "c+Little >Little .Little"};
    expect_one("PT(Little)", &always, COR_AUT_CHECK_CONTEXT_NEVER_FALSE, COR_SEVERITY_NOTE);
    expect_one("PT(Little)", &never, COR_AUT_CHECK_CONTEXT_NEVER_TRUE, COR_SEVERITY_NOTE);
    expect_one("PT(Little)", &wide, COR_AUT_CHECK_CONTEXT_NEVER_FALSE, COR_SEVERITY_ERROR);
    expect_one("PT(Little)", &wrong, COR_AUT_CHECK_CONTEXT_NEVER_TRUE, COR_SEVERITY_ERROR);
}

/* What is written down is held against the design as an error, what is its silence as a warning. */
static void an_event_is_judged_as_severely_as_the_design_speaks_of_it(void **state) {
    (void)state;
    const struct hand gap = {"Go", 5, "c-Much c-Little"}, both = {"Go", 5, "c+Much c+Little >Much .Much"};
    expect_one("ET(Go)", &gap, COR_AUT_CHECK_EVENT_NOT_COVERED, COR_SEVERITY_ERROR);
    expect_one("ET(Go)", &both, COR_AUT_CHECK_EVENT_OVERLAP, COR_SEVERITY_ERROR);
    file->design->events[find(COR_NAME_EVENT, "Go")].coverage_said = false;
    file->design->events[find(COR_NAME_EVENT, "Go")].overlap_said = false;
    expect_one("ET(Go)", &gap, COR_AUT_CHECK_EVENT_NOT_COVERED, COR_SEVERITY_WARNING);
    expect_one("ET(Go)", &both, COR_AUT_CHECK_EVENT_OVERLAP, COR_SEVERITY_WARNING);
    file->design->events[find(COR_NAME_EVENT, "Go")].coverage_said = true;
    file->design->events[find(COR_NAME_EVENT, "Go")].overlap_said = true;
}

/* A plan is the one handler of its event: a gap shows in its own unit, and its context explains it. */
static void an_event_with_one_handler_is_asked_in_the_unit_of_that(void **state) {
    (void)state;
    expect("PT(Below)", CASES({"Sub", 1, "c-Below"}, {"Sub", 2, "c+Below >Below .Below"}),
           "context_differs Below 1/2@0; event_not_covered Sub 1/2@0 same");
    expect("PT(Below)", CASES({"Sub", -1, "c-Below"}, {"Sub", 2, "c+Below >Below .Below"}),
           "context_differs Below 1/2@0");
    file->design->events[find(COR_NAME_EVENT, "Sub")].always_covered = false;
    expect("PT(Below)", CASES({"Sub", 1, "c+Below >Below .Below"}), "declaration_too_weak Sub 1/1@0");
    expect("PT(Below)", CASES({"Sub", 1, "c+Below >Below .Below"}, {"Sub", -2, "c-Below"}),
           "context_differs Below 1/2@1");
    file->design->events[find(COR_NAME_EVENT, "Sub")].always_covered = true;
}

/* Each is told of the other's event: the overlap is the root. */
static void an_overlap_explains_a_plan_that_is_never_chosen(void **state) {
    const struct cor_unit_judgement *events[8] = {NULL};
    const uint32_t go = find(COR_NAME_EVENT, "Go");
    (void)state;
    events[go] = &own;
    begin(&own, "ET(Go)", CASES({"Go", 5, "c+Much c+Little >Much .Much"}));
    begin(&judgement, "PT(Little)", CASES({"Go", 5, "c+Much c+Little >Much .Much"}, {"Go", 20, "c-Little"}));
    expect_with(events, NULL, "plan_never_chosen Little 1/1@0 event");
    file->design->events[go].never_overlaps = false;
    begin(&judgement, "PT(Little)", CASES({"Go", 5, "c+Much c+Little >Much .Much"}, {"Go", 20, "c-Little"}));
    expect_with(events, NULL, "plan_never_chosen Little 1/1@0");
    file->design->events[go].never_overlaps = true;
    judgement = own;
    expect_with(NULL, NULL, "event_overlap Go 1/1@0");
}

static void a_difference_that_gap_or_overlap_shows_is_said_of_the_event(void **state) {
    const struct cor_unit_judgement *events[8] = {NULL};
    (void)state;
    events[find(COR_NAME_EVENT, "Go")] = &own;
    begin(&own, "ET(Go)", CASES({"Go", 5, "c-Much c-Little"}, RIGHT));
    begin(&judgement, "PT(Little)",
          CASES({"Go", 5, "c-Much c-Little"}, {"Go", 6, "c-Much c+Little >Little .Little"}, RIGHT));
    expect_with(events, NULL, "");
    judgement = own;
    expect_with(NULL, NULL, "event_not_covered Go 1/2@0");
}

static void what_a_completed_plan_never_did_is_missed_and_the_first_stands_for_the_rest(void **state) {
    (void)state;
    expect("PT(Much)",
           CASES({"Go", 12, "c+Much c-Little >Much ^Sub(1) c+Below >Below .Below #M *A .Much"}, IDLE),
           "belief_never_written store 1/1@0");
    expect(
        "PT(Much)",
        CASES({"Go", 12, "c+Much c-Little >Much ^Sub(1) c+Below >Below .Below *A =store.N(1) .Much"}, IDLE),
        "message_never_sent M 1/1@0");
    expect(
        "PT(Much)",
        CASES({"Go", 12, "c+Much c-Little >Much ^Sub(1) c+Below >Below .Below #M =store.N(1) .Much"}, IDLE),
        "action_never_done A 1/1@0");
    expect("PT(Much)", CASES({"Go", 12, "c+Much c-Little >Much .Much"}, IDLE),
           "event_never_posted Sub 1/1@0; message_never_sent M 1/1@0 same; action_never_done A 1/1@0 same; "
           "belief_never_written store 1/1@0 same");
}

static void what_the_design_does_not_list_is_odd_wherever_it_happens(void **state) {
    (void)state;
    expect("PT(Little)",
           CASES({"Go", 12, "c+Much c-Little"},
                 {"Go", -5, "c+Little >Little ^Low #Other *B =log.Word(1) .Little"},
                 {"Go", 5, "c+Little >Little ^Low .Little"}),
           "post_not_in_design Low 2/3@2; message_not_in_design Other 1/3@1; action_not_in_design B 1/3@1; "
           "write_not_in_design log 1/3@1; belief_outside log.Word 1/3@1");
}

static void arguments_outside_count_where_the_case_is_valid(void **state) {
    (void)state;
    expect(
        "PT(Much)",
        CASES({"Go", 12, "c+Much >Much ^Sub(-1) c+Below >Below .Below #M *A =store.N(3) .Much"}, RIGHT, IDLE),
        "argument_outside Sub 1/3@0");
    expect(
        "PT(Much)",
        CASES(RIGHT, IDLE, {"Go", -2, "c-Much >Much ^Sub(-1) c+Below >Below .Below #M *A =store.N(3) .Much"}),
        "");
}

static void a_limit_blames_the_innermost_plan_of_the_unit(void **state) {
    (void)state;
    expect("PT(Much)", CASES({"Go", 12, "c+Much >Much ^Sub(1) c+Below >Below |steps"}, IDLE),
           "plan_not_completed Much 1/2@0");
    expect("PT(Below)", CASES({"Sub", 1, "c+Below >Below |steps"}), "plan_not_completed Below 1/1@0");
}

static void a_limit_of_rounds_is_held_against_the_ring_and_nobody_around_it(void **state) {
    (void)state;
    expect("PT(Much)",
           CASES({"Go", 12,
                  "c+Much >Much ^Round c+Forth >Forth ^Back c+Home >Home ^Round c+Forth >Forth |rounds"},
                 RIGHT, IDLE),
           "post_not_in_design Round 1/3@0");
    expect("PT(Below)", CASES({"Sub", 1, "c+Below >Below ^Sub(1) c+Below >Below |rounds"}),
           "post_not_in_design Sub 1/1@0; plan_not_completed Below 1/1@0"); /* no ring of the design */
}

static void a_plan_whose_turn_it_never_is_is_noted(void **state) {
    (void)state;
    const struct hand in_turn = {"Go", 5, "c+Little c+Much >Much .Much"};
    const struct hand behind = {"Go", 20, "c+Much c+Little >Much .Much"};
    struct cor_findings findings = {0};
    const struct cor_judge_context context = {0};
    for (int i = 0; i < 2; i++) {
        begin(&judgement, "PT(Little)", (const struct hand[]){i == 0 ? in_turn : behind, {0}});
        assert_int_equal(cor_judge_unit(&judgement, &context, &findings, NULL), COR_OK);
        assert_int_equal(findings.items[0].check, COR_AUT_CHECK_PLAN_NEVER_CHOSEN);
        assert_int_equal(findings.items[0].severity, i == 0 ? COR_SEVERITY_WARNING : COR_SEVERITY_NOTE);
        cor_findings_fini(&findings);
        cor_unit_judgement_fini(&judgement);
    }
}

/* What an event finds follows from the contexts of its own plans, and of a case that the agent did not end
 * nothing is said. */
static void no_cause_runs_from_one_event_to_another_nor_from_a_hang_to_a_gap(void **state) {
    (void)state;
    struct cor_finding root = {.check = COR_AUT_CHECK_CONTEXT_DIFFERS,
                               .severity = COR_SEVERITY_ERROR,
                               .cause = COR_CAUSE_ROOT,
                               .plan = find(COR_NAME_PLAN, "Below")};
    const struct cor_findings below = {.items = &root, .count = 1};
    const struct hand *gap = CASES({"Go", 5, "c-Much c-Little"}, RIGHT);
    begin(&judgement, "ET(Go)", gap);
    expect_with(NULL, &below, "event_not_covered Go 1/2@0");
    root.plan = find(COR_NAME_PLAN, "Little");
    begin(&judgement, "ET(Go)", gap);
    expect_with(NULL, &below, "event_not_covered Go 1/2@0 below");
    root.check = COR_AUT_CHECK_AGENT_HUNG;
    root.plan = COR_NONE;
    begin(&judgement, "ET(Go)", gap);
    expect_with(NULL, &below, "event_not_covered Go 1/2@0");
    root.check = COR_AUT_CHECK_PLAN_NEVER_CHOSEN;
    root.plan = find(COR_NAME_PLAN, "Below");
    begin(&judgement, "PT(Much)", CASES({"Go", 12, "c+Much >Much ^Sub(1) c+Below !Much"}, IDLE));
    expect_with(NULL, &below, "plan_failed Much 1/1@0");
    expect("ET(Go)", CASES({"Go", 5, "|hung"}, RIGHT), "agent_hung  1/2@0");
    expect("ET(Go)", CASES({"Go", 5, "c-Much c-Little"}, {"Go", 6, "c-Much |hung"}, RIGHT),
           "event_not_covered Go 1/3@0; agent_hung  1/3@1");
}

static void a_plan_that_fails_on_valid_values_is_told_and_what_it_left_out_is_not(void **state) {
    (void)state;
    expect("PT(Much)", CASES({"Go", 12, "c+Much >Much !Much"}, IDLE), "plan_failed Much 1/1@0");
    expect("PT(Below)", CASES({"Sub", -1, "c+Below >Below !Below"}, {"Sub", 1, "c+Below >Below .Below"}), "");
}

static void failing_at_a_post_is_a_consequence_of_a_root_below_and_failing_by_itself_is_not(void **state) {
    struct cor_finding root = {
        .check = COR_AUT_CHECK_PLAN_FAILED, .severity = COR_SEVERITY_ERROR, .cause = COR_CAUSE_ROOT};
    const struct cor_findings below = {.items = &root, .count = 1};
    (void)state;
    begin(&judgement, "PT(Much)",
          CASES({"Go", 12, "c+Much >Much ^Sub(1) c+Below >Below !Below !Much"}, IDLE));
    expect_with(NULL, &below, "plan_failed Much 1/1@0 below");
    begin(&judgement, "PT(Much)",
          CASES({"Go", 12, "c+Much >Much ^Sub(1) c+Below >Below .Below !Much"}, IDLE));
    expect_with(NULL, &below, "plan_failed Much 1/1@0");
    begin(&judgement, "PT(Much)",
          CASES({"Go", 12, "c+Much >Much ^Sub(1) c+Below >Below !Below #M !Much"}, IDLE));
    expect_with(NULL, &below, "plan_failed Much 1/1@0 below"); /* it gives up, and says so */
    root.check = COR_AUT_CHECK_CYCLE_ENDLESS;                  /* what it waited for goes on without end */
    root.severity = COR_SEVERITY_WARNING;
    begin(&judgement, "PT(Much)",
          CASES({"Go", 12, "c+Much >Much ^Sub(1) c+Below >Below !Below #M !Much"}, IDLE));
    expect_with(NULL, &below, "plan_failed Much 1/1@0 below");
    root.severity = COR_SEVERITY_NOTE; /* notes explain nothing */
    begin(&judgement, "PT(Much)",
          CASES({"Go", 12, "c+Much >Much ^Sub(1) c+Below >Below !Below #M !Much"}, IDLE));
    expect_with(NULL, &below, "plan_failed Much 1/1@0");
}

static void a_ring_is_seen_to_close_to_go_on_and_to_leave_ways_unused(void **state) {
    (void)state;
    expect("CT(Forth,Home,Else)",
           CASES({"Round", 0, "c+Forth >Forth ^Back c-Home c-Else .Forth"},
                 {"Back", 0, "c+Home c-Else >Home ^Round .Home"},
                 {"Back", 0, "c-Home c+Else >Else ^Round .Else"}),
           "context_differs Home 2/3@2; context_differs Else 1/3@2; cycle_never_occurs  3/3@1 same");
    expect("CT(Forth,Home,Else)",
           CASES({"Round", 0, "c+Forth >Forth ^Back c+Home c-Else >Home ^Round c+Forth >Forth |rounds"},
                 {"Back", 0, "c+Home c+Else >Else ^Round .Else"}),
           "context_differs Else 1/2@1 same; cycle_endless  1/2@0; cycle_arc_unused Round 2/2@1 same; "
           "cycle_arc_unused Back 2/2@1 same");
}

static void an_event_is_judged_by_its_own_valid_cases(void **state) {
    (void)state;
    expect("ET(Go)",
           CASES({"Go", 12, "c+Much c+Little"}, {"Go", -3, "c+Much c+Little"}, {"Go", 3, "c-Much c-Little"},
                 {"Go", -3, "c-Much c-Little"}),
           "event_not_covered Go 1/2@2; event_overlap Go 1/2@0");
    expect("ET(Go)", CASES({"Go", 12, ""}), "event_never_raised Go 1/1@0");
    expect("ET(Back)", CASES({"Back", 0, "c+Home c-Else"}), "declaration_too_weak Back 1/1@0");
}

static void a_rule_owes_its_event_until_the_writer_ends(void **state) {
    (void)state;
    expect(
        "PT(Much)",
        CASES({"Go", 12, "c+Much >Much =store.N(-3) ~Low ^Sub(1) c+Below >Below .Below #M *A .Much"}, IDLE),
        "");
    expect("PT(Much)",
           CASES({"Go", 12, "c+Much >Much =store.N(-3) ^Sub(1) c+Below >Below .Below #M *A .Much"}, IDLE),
           "belief_rule_silent Low 1/2@0");
}

static void what_an_agent_begins_with_otherwise_is_told_once_and_contexts_see_it(void **state) {
    (void)state;
    expect("CT(Forth,Home,Else)",
           CASES({"Back", 0, "=store.N(9) c+Home c+Else >Else ^Round c+Forth >Forth ^Back .Forth .Else"},
                 {"Back", 0, "c+Home c-Else >Home ^Round .Home"}),
           "cycle_never_occurs  2/2@1 same; belief_start_differs store.N 1/2@0");
}

static void how_an_agent_ended_explains_what_was_not_seen(void **state) {
    (void)state;
    expect("PT(Below)",
           CASES({"Sub", 1, "|crashed"}, {"Sub", 2, "|hung"}, {"Sub", 3, "|exited"}, {"Sub", 4, "|garbled"}),
           "plan_not_wired Below 4/4@0 same; agent_crashed  1/4@0; agent_hung  1/4@1; agent_exited  1/4@2; "
           "agent_garbled  1/4@3");
}

static void a_case_that_gives_another_trace_again_is_not_repeatable(void **state) {
    (void)state;
    begin(&judgement, "PT(Below)", CASES({"Sub", 1, "c+Below >Below .Below"}));
    cor_judge_repetition(&judgement, 0, 3, true);
    cor_judge_repetition(&judgement, 0, 3, false);
    expect_with(NULL, NULL, "agent_not_repeatable  1/2@0");
}

static void the_smallest_case_has_the_shortest_trace_and_is_the_first_of_these(void **state) {
    (void)state;
    expect("PT(Below)",
           CASES({"Sub", 1, "c+Below >Below #M !Below"}, {"Sub", 2, "c+Below >Below !Below"},
                 {"Sub", 3, "c+Below >Below !Below"}),
           "message_not_in_design M 1/3@0; plan_failed Below 3/3@1");
}

static void every_check_has_severity_sentence_and_what_to_look_at(void **state) {
    (void)state;
    for (const struct cor_term *term = cor_terms(COR_FAMILY_AUT_CHECK); term->word; term++) {
        const struct cor_aut_said said = {
            .check = (enum cor_aut_check)term->number, .about = "X", .plan = "P", .hit = 1, .run = 2};
        char text[512];
        assert_true(cor_term_number(COR_FAMILY_SEVERITY, term->rule) > 0);
        cor_aut_said_text(&said, text, sizeof text);
        assert_null(strchr(text, '{'));
        assert_int_equal(text[strlen(text) - 1], '.');
        assert_non_null(term->look);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_that_does_as_designed_is_not_accused),
        cmocka_unit_test(a_plan_that_is_never_looked_at_is_not_wired),
        cmocka_unit_test(an_applicable_plan_that_is_never_started_is_never_chosen_if_the_event_agrees),
        cmocka_unit_test(a_context_is_judged_over_all_cases),
        cmocka_unit_test(what_no_case_could_show_of_a_context_is_a_note),
        cmocka_unit_test(an_event_is_judged_as_severely_as_the_design_speaks_of_it),
        cmocka_unit_test(an_event_with_one_handler_is_asked_in_the_unit_of_that),
        cmocka_unit_test(an_overlap_explains_a_plan_that_is_never_chosen),
        cmocka_unit_test(a_difference_that_gap_or_overlap_shows_is_said_of_the_event),
        cmocka_unit_test(what_a_completed_plan_never_did_is_missed_and_the_first_stands_for_the_rest),
        cmocka_unit_test(what_the_design_does_not_list_is_odd_wherever_it_happens),
        cmocka_unit_test(arguments_outside_count_where_the_case_is_valid),
        cmocka_unit_test(a_limit_blames_the_innermost_plan_of_the_unit),
        cmocka_unit_test(a_limit_of_rounds_is_held_against_the_ring_and_nobody_around_it),
        cmocka_unit_test(a_plan_whose_turn_it_never_is_is_noted),
        cmocka_unit_test(no_cause_runs_from_one_event_to_another_nor_from_a_hang_to_a_gap),
        cmocka_unit_test(a_plan_that_fails_on_valid_values_is_told_and_what_it_left_out_is_not),
        cmocka_unit_test(failing_at_a_post_is_a_consequence_of_a_root_below_and_failing_by_itself_is_not),
        cmocka_unit_test(a_ring_is_seen_to_close_to_go_on_and_to_leave_ways_unused),
        cmocka_unit_test(an_event_is_judged_by_its_own_valid_cases),
        cmocka_unit_test(a_rule_owes_its_event_until_the_writer_ends),
        cmocka_unit_test(what_an_agent_begins_with_otherwise_is_told_once_and_contexts_see_it),
        cmocka_unit_test(how_an_agent_ended_explains_what_was_not_seen),
        cmocka_unit_test(a_case_that_gives_another_trace_again_is_not_repeatable),
        cmocka_unit_test(the_smallest_case_has_the_shortest_trace_and_is_the_first_of_these),
        cmocka_unit_test(every_check_has_severity_sentence_and_what_to_look_at),
    };
    return cmocka_run_group_tests(tests, read_design, free_design);
}
