/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold in every result file, whatever was tested. Rows and attributes that contradict each other
 * make all figures doubtful, whoever shows them: so this is judged once, here, before anything is shown. */
#ifndef CORRIDOR_IDENTITIES_H
#define CORRIDOR_IDENTITIES_H

#include <corridor/suite_reader.h>

/* X(NAME, id, sentence): what must hold in every result file, whatever was tested. */
#define COR_IDENTITIES(X)                                                                               \
    X(SEQUENCES_COMPLETE, "sequences_complete", "every sequence that a suite announces has one row")    \
    X(CASES_COMPLETE, "cases_complete",                                                                 \
      "a sequence has a row for each executed case, and no more than generated")                        \
    X(REORGANIZATIONS_COMPLETE, "reorganizations_complete",                                             \
      "a sequence has a reorganization for each case marked as reorganized, with the same verdicts")    \
    X(FAILURES_KEPT, "failures_kept",                                                                   \
      "failures that a box saw or a fault caused are in table failures, with the same verdicts")        \
    X(STOPPED_BY_BLACK, "stopped_by_black",                                                             \
      "a sequence ends early only at a failure of the black box or smoke")                              \
    X(BLACK_ONCE, "black_once", "a sequence has at most one detection of the black box (A7)")           \
    X(BLACK_ALSO_GRAY, "black_also_gray",                                                               \
      "what the black box sees the gray box sees, unless adoption was corrupted, own or slow (A8)")     \
    X(BLACK_AT_MOST_FAILING, "black_at_most_failing",                                                   \
      "there are no more black box detections than sequences with a detected failure")                  \
    X(FAILURES_PER_SEQUENCE, "failures_per_sequence", "failures / sequences = failures per sequence")   \
    X(UNDETECTED_PLUS_GRAY, "undetected_plus_gray",                                                     \
      "undetected + gray = 100 %, but for failures that only adoption shows, as above")                 \
    X(ONLY_SHARES, "only_shares", "gray only + black only + both = sequences with a detected failure")  \
    X(ALARM_JUDGED, "alarm_judged",                                                                     \
      "R-Detect failed if and only if the alarm and the oracle's look contradict each other")           \
    X(SUITES_COUNTED, "suites_counted", "a suite has the groups, agents and chains that it says")       \
    X(SEQUENCES_ANNOUNCED, "sequences_announced",                                                       \
      "a suite has the sequences that the experiment asks for, and those that continue others")         \
    X(STEERING_ANNOUNCED, "steering_announced",                                                         \
      "sequences are steered in the arms whose walks are steered to traps, and in no others")           \
    X(FAULT_NESTED, "fault_nested", "activated only where the condition held, held only where reached") \
    X(VERDICTS_COUNTED, "verdicts_counted", "a box failed if and only if it counted violations")        \
    X(VIOLATIONS_LISTED, "violations_listed",                                                           \
      "a box, R-Detect or C7 failed if and only if violations of it are listed")                        \
    X(VISITS_ADD_UP, "visits_add_up",                                                                   \
      "visits of states = chains x (cases + 1), transitions = chains x cases")                          \
    X(ARCS_LISTED, "arcs_listed", "a profile has as many transitions of positive probability as it says")

/* Identities in the order of COR_IDENTITIES; COR_IDENTITY_COUNT is the length of arrays by identity. */
enum cor_identity {
#define COR_IDENTITY(NAME, id, sentence) COR_IDENTITY_##NAME,
    COR_IDENTITIES(COR_IDENTITY)
#undef COR_IDENTITY
        COR_IDENTITY_COUNT
};

/* Id and sentence of an identity. */
const char *cor_identity_id(enum cor_identity identity);
const char *cor_identity_sentence(enum cor_identity identity);

/* How an identity came out in one arm. It holds if broken is 0. */
struct cor_identity_tally {
    uint64_t checked, broken; /* suites, sequences, reorganizations or figures: what the sentence is about */
    char values[160];         /* the figures, or where it was broken first */
};

/* What the texts of a file say that its rows must be. */
struct cor_announced {
    uint64_t suites; /* of each arm; 0 = endless, or not said */
    bool asks;       /* something of its arms: one of which all is decided may have ended before the others */
    uint32_t sequences;    /* of each suite, without those that continue others; 0 = not said */
    unsigned char *steers; /* owned; [arm in catalog/arm]: enum cor_steers */
};

/* Whether the walks of an arm are steered to traps, by the "environment" of its description. */
enum cor_steers { COR_STEERS_NOT_SAID, COR_STEERS_NOT, COR_STEERS };

/* Reads them; a text that is no JSON says nothing. COR_STATUS_MEMORY. */
enum cor_status cor_announced_init(struct cor_announced *announced, const struct cor_result_header *head,
                                   struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_announced_fini(struct cor_announced *announced);

/* Would a replay of the file start programs or modules, and so need --trust? By what its provenance says. */
bool cor_names_programs(const struct cor_result_header *head);

/* Adds what the rows of a suite must satisfy to the tallies of its arm. Read have to be GROUPS, PROFILES,
 * TRANSITIONS, CHAINS and VISITS, of SEQUENCES "cases" and "executed", of CASES the flags and verdicts, of
 * REORGANIZATIONS verdicts, violations and faults, of FAILURES the verdicts, and VIOLATIONS.
 * COR_STATUS_MEMORY. */
enum cor_status cor_identities_of_suite(const struct cor_suite_rows *suite,
                                        const struct cor_announced *announced,
                                        struct cor_identity_tally tally[COR_IDENTITY_COUNT],
                                        struct cor_error *error) COR_MUST_USE;

/* Does the file contradict itself? Looks at what is said of it as a whole (arms of one name, planned suites,
 * completeness), at the codes and keys of every row of every table, and at the identities; of any layer.
 * COR_STATUS_INPUT with the first contradiction; cor_result_open has succeeded before. */
enum cor_status cor_identities_check(struct cor_result *result, struct cor_error *error) COR_MUST_USE;

#endif
