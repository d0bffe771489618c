/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure.h"

/* Through detection: the verdicts, and how the run ended. */
static void count_verdicts(struct cor_tally *tally, const struct cor_reorganization_row *row, bool gray,
                           bool black) {
    bool by_adoption = black && !gray && row->adoption_fault > 0;
    bool by_own_moves = black && !gray && !by_adoption && row->own_moves;
    bool by_values = black && !gray && cor_is_outrun(row);
    tally->reorganizations++;
    tally->gray += gray;
    tally->black += black;
    tally->black_only += black && !gray;
    tally->black_only_adoption += by_adoption;
    tally->black_only_own_moves += by_own_moves;
    tally->activated_black_only_aside += (by_adoption || by_own_moves || by_values) && cor_is_activated(row);
    tally->adoption_faults += row->adoption_fault > 0;
    tally->agreement_judged += row->agreement == COR_VERDICT_PASSED || row->agreement == COR_VERDICT_FAILED;
    tally->agreement_failed += row->agreement == COR_VERDICT_FAILED;
    tally->rounds += row->rounds;
    tally->messages += row->messages;
    tally->moved += row->moved;
    tally->inside_after += row->inside_after == COR_INSIDE_INSIDE;
    tally->outside_after += row->inside_after == COR_INSIDE_OUTSIDE;
    tally->smoke[cor_known_code(row->smoke, COR_ENDING_CODES)]++;
    tally->stop[cor_known_code(row->stop, COR_ENDING_CODES)]++;
}

void measure__tally_sequence(struct cor_tally *tally, const struct cor_sequence_rows *sequence) {
    for (size_t r = 0; r < sequence->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &sequence->reorganizations[r];
        bool gray = cor_is_detection(row->gray), black = cor_is_detection(row->black);
        /* Through injection: the fault's way into the solution. */
        bool activated = cor_is_activated(row);
        tally->reached += row->fault_reached > 0;
        tally->held += row->fault_held > 0;
        tally->activated += activated;
        tally->reached_times += row->fault_reached;
        tally->held_times += row->fault_held;
        tally->activated_times += row->fault_activated;
        tally->in_result += row->fault_in_result;
        tally->in_result_passed += row->fault_in_result && row->gray == COR_VERDICT_PASSED;
        tally->activated_gray += activated && gray;
        tally->activated_black += activated && black;
        tally->masked += cor_is_masked(row);
        tally->gray_unprovoked += gray && !activated;
        tally->black_unprovoked += black && !activated;
        tally->unprovoked += (gray || black) && !activated;
        count_verdicts(tally, row, gray, black);
    }
    for (size_t c = 0; c < sequence->case_count; c++) {
        const struct cor_case_row *row = &sequence->cases[c];
        tally->alarms += row->alarm != 0;
        tally->detect_judged += row->detect == COR_VERDICT_PASSED || row->detect == COR_VERDICT_FAILED;
        tally->alarms_false += row->detect == COR_VERDICT_FAILED && row->alarm;
        tally->alarms_missed += row->detect == COR_VERDICT_FAILED && !row->alarm;
        tally->monitor_smoke += row->detect == COR_VERDICT_SMOKE;
    }
    for (size_t v = 0; v < sequence->violation_count; v++) {
        const bool is_mechanism = sequence->violations[v].check == COR_CHECK_MECHANISM_SMOKE;
        tally->mechanism_smoke += is_mechanism;
        tally->time_failed += sequence->violations[v].box == COR_BOX_TIME && !is_mechanism;
        tally->moves_failed += sequence->violations[v].box == COR_BOX_MOVE;
    }
}

uint64_t cor_tally_smoke(const struct cor_tally *tally) {
    uint64_t count = 0;
    for (int code = 1; code < COR_ENDING_CODES; code++)
        count += code == COR_SMOKE_NONE ? 0 : tally->smoke[code];
    return count;
}

size_t cor_found_by(const struct cor_tally *tally, const char *words[COR_FOUND_BY]) {
    size_t count = 0;
    if (tally->mechanism_smoke > 0)
        words[count++] = "mechanism";
    if (tally->gray > 0)
        words[count++] = "gray";
    if (tally->black > 0)
        words[count++] = "black";
    if (tally->gray + tally->black > 0)
        return count;
    if (tally->agreement_failed > 0)
        words[count++] = "agreement";
    if (tally->alarms_missed + tally->alarms_false + tally->monitor_smoke > 0)
        words[count++] = "detect";
    if (tally->time_failed > 0)
        words[count++] = "time";
    if (tally->moves_failed > 0)
        words[count++] = "move";
    return count;
}
