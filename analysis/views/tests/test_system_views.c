/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views, verdicts and exports of a small result file of the system layer, exactly; and files that cannot be
 * what the program wrote. */
#include "small_system.h"

#include <corridor/efsm_terms.h>
#include <corridor/export.h>
#include <corridor/sheet.h>
#include <corridor/system_result.h>
#include <corridor/verdicts.h>
#include <corridor/view.h>

#include <inttypes.h>
#include <stdlib.h>

static char *text_at_end(FILE *file, char **text) {
    assert_int_equal(fclose(file), 0);
    return *text;
}

/* A sheet of a view as CSV. */
static char *csv_of(struct cor_result *result, const char *view, const char *id, const char *arm,
                    uint32_t suite, struct cor_view_findings *found) {
    const struct cor_view_request request = {.result = result, .arm = arm, .suite = suite};
    const struct cor_view *it = cor_view_find(view);
    struct cor_error error = COR_NO_ERROR;
    struct cor_sheets *sheets;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    memset(found, 0, sizeof *found);
    OK(cor_sheets_create(it->schema, it->version, &sheets, &error));
    OK(it->make(&request, sheets, found, &error));
    OK(cor_sheets_status(sheets, &error));
    OK(cor_sheet_csv(cor_sheets_find(sheets, id), file, &error));
    cor_sheets_destroy(sheets);
    return text_at_end(file, &text);
}

/* Written down by hand from small_system.h: what is in the file decides, not what the views make of it. */
static const struct {
    const char *view, *id, *arm, *csv;
} sheets[] = {
    {"goals", "arms", NULL,
     "arm,tests,pass,fail,no_verdict,trouble,kills,cycles,entities,cells,policy,mutant\n"
     "none,2,2,0,0,0,0,3,2,3,,\n"
     "M1,2,1,1,0,0,1,3.5,2,3,,link b1-d1 removed\n"
     "M2,2,1,0,1,0,0,3,2,3,,\"wall at [2, 1]\"\n"
     "M3,2,2,0,0,0,0,3,2,3,,link b2-d9 added\n"
     "M4,2,0,0,1,1,0,3,2,3,,door d1 shut\n"
     "random,2,1,1,0,0,0,3.5,2,3,random,\n"
     "M1r,2,0,2,0,0,1,4,2,3,random,link b1-d1 removed\n"
     "program,2,1,0,0,1,0,3,2,3,program,\n"},
    {"goals", "scores", NULL,
     "chooser,mutants,equivalent,killed,alive,no_verdict,score_pct,score_pct_sd,score_pct_low,score_pct_high,"
     "score_pct_interval,score_pct_suites,score_pct_n,spent\n"
     "goals,4,1,1,2,0,33.33333333333333,,6.149194472039632,79.23403991979524,wilson_suites,3,3,25\n"
     "random,1,0,1,0,0,100,,20.654931437723747,100,wilson_suites,1,1,8\n"},
    {"goals", "kills", NULL,
     "mutant,arm,chooser,state,killed,tests,cycles,spent\n"
     "link b1-d1 removed,M1,goals,killed,1,2,3,7\n"
     "\"wall at [2, 1]\",M2,goals,alive,0,2,,6\n"
     "link b2-d9 added,M3,goals,equivalent,0,2,,6\n"
     "door d1 shut,M4,goals,alive,0,2,,6\n"
     "link b1-d1 removed,M1r,random,killed,1,2,4,8\n"},
    {"goals", "tests", "M1",
     "arm,suite,test,run,verdict,cycles,decided,judged,violated,unknown,trouble,ticks,entities,cells,why\n"
     "M1,0,key item [view = 2],0,fail,4,3,2,1,0,,4,2,3,answered is violated at cycle 3\n"
     "M1,1,key item [view = 4],0,pass,3,,2,0,0,,3,2,3,\n"},
    {"goals", "agents", "M1",
     "arm,suite,agent,end,cycles,actions,waited,budget_left,reward,why\n"
     "M1,0,t,failed,4,4,0,4,2,pressed(b1): budget used up\n"
     "M1,1,t,success,3,3,0,,1.5,\n"},
    {"goals", "goals", "M1",
     "arm,goal,begun,success,failed,open,stalled,actions,cycles\n"
     "M1,pressed(b1),2,1,1,0,0,3.5,3.5\n"},
    {"goals", "verdicts", "M1",
     "arm,judge,check,passed,failed,unknown,suite,cycle,why\n"
     "M1,invariant,alive,2,0,0,,,\n"
     "M1,formula,answered,1,1,0,0,3,\"b1.on is true, d1.open is false\"\n"},
    {"goals", "judged", "M1",
     "arm,suite,cycle,judge,check,agent,verdict,why\n"
     "M1,0,,invariant,alive,,passed,\n"
     "M1,0,3,formula,answered,t,failed,\"b1.on is true, d1.open is false\"\n"},
    {"goals", "reached", "M1",
     "arm,suite,begun,ended,agent,depth,goal,actions,end,why\n"
     "M1,0,1,4,t,1,pressed(b1),4,failed,\n"},
    {"goals", "ending", "M1",
     "arm,suite,cycle,agent,turn,goal,action,command,states,place,column,row,floor,tick,shown,reward,trouble,"
     "picture\n"
     "M1,0,1,t,acted,pressed(b1),move,\"{\"\"do\"\":\"\"move\"\",\"\"way\"\":\"\"right\"\"}\",alarm?,\"[1, "
     "1]\",1,1,0,1,3,0.5,,\n"
     "M1,0,2,t,acted,pressed(b1),move,\"{\"\"do\"\":\"\"move\"\",\"\"way\"\":\"\"right\"\"}\",inside,\"[2, "
     "1]\",2,1,0,2,3,0.5,,\n"
     "M1,0,3,t,acted,pressed(b1),move,\"{\"\"do\"\":\"\"move\"\",\"\"way\"\":\"\"right\"\"}\",inside,\"[3, "
     "1]\",3,1,0,3,3,0.5,,3.png\n"},
    {"goals", "trace", "M1",
     "arm,suite,cycle,agent,turn,goal,action,command,states,place,column,row,floor,tick,shown,reward,trouble,"
     "picture\n"
     "M1,0,1,t,acted,pressed(b1),move,\"{\"\"do\"\":\"\"move\"\",\"\"way\"\":\"\"right\"\"}\",alarm?,\"[1, "
     "1]\",1,1,0,1,3,0.5,,\n"
     "M1,0,2,t,acted,pressed(b1),move,\"{\"\"do\"\":\"\"move\"\",\"\"way\"\":\"\"right\"\"}\",inside,\"[2, "
     "1]\",2,1,0,2,3,0.5,,\n"
     "M1,0,3,t,acted,pressed(b1),move,\"{\"\"do\"\":\"\"move\"\",\"\"way\"\":\"\"right\"\"}\",inside,\"[3, "
     "1]\",3,1,0,3,3,0.5,,3.png\n"
     "M1,0,4,t,acted,pressed(b1),press,\"{\"\"do\"\":\"\"press\"\",\"\"on\"\":\"\"b1\"\"}\",inside,\"[3, "
     "1]\",3,1,0,4,3,0.5,,\n"},
    {"places", "arms", NULL,
     "arm,tests,entities,touched,cells,visited,visited_pct,steps,covered\n"
     "none,2,2,1,3,2,66.66666666666667,1,1\n"
     "M1,2,2,1,3,3,100,1,1\n"
     "M2,2,2,1,3,2,66.66666666666667,1,1\n"
     "M3,2,2,1,3,2,66.66666666666667,1,1\n"
     "M4,2,2,1,3,2,66.66666666666667,1,1\n"
     "random,2,2,1,3,3,100,1,1\n"
     "M1r,2,2,1,3,3,100,1,1\n"
     "program,2,2,1,3,2,66.66666666666667,1,1\n"},
    {"places", "cells", "M1",
     "arm,floor,row,column,free,tests,first,visits\n"
     "M1,0,1,0,false,2,1,0\n"
     "M1,0,1,1,true,2,1,2\n"
     "M1,0,1,2,true,2,1,3\n"
     "M1,0,1,3,true,2,1,2\n"},
    {"places", "entities", "M1",
     "arm,entity,type,tests,first,seen,touched\n"
     "M1,b1,button,2,1,7,2\n"
     "M1,d1,door,2,2,7,0\n"},
    {"places", "steps", "M1",
     "arm,from,action,to,tests,count\n"
     "M1,none,move,inside,2,5\n"},
    {"places", "covered", "M1",
     "arm,number,tests,first,count\n"
     "M1,17,2,2,5\n"},
};

static void each_sheet_is_what_the_rows_say(void **state) {
    struct small_system small;
    struct cor_view_findings found;
    (void)state;
    struct cor_result *result = small_system_make(&small, "sheets", NULL);
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        char *text = csv_of(result, sheets[i].view, sheets[i].id, sheets[i].arm, COR_ANY_SUITE, &found);
        assert_string_equal(text, sheets[i].csv);
        free(text);
    }
    small_system_close(&small, result);
}

/* The number of times that `word` is in a text. */
static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        count++;
    return count;
}

/* Of the two tests of an arm the one that is asked for; without a question one that failed without a mutant.
 */
static void the_test_that_is_asked_for_is_shown(void **state) {
    struct small_system small;
    struct cor_view_findings found;
    (void)state;
    struct cor_result *result = small_system_make(&small, "asked", NULL);
    char *other = csv_of(result, "goals", "judged", "M1", 1, &found),
         *first = csv_of(result, "goals", "judged", NULL, COR_ANY_SUITE, &found),
         *cells = csv_of(result, "places", "cells", "M1", 1, &found);
    assert_int_equal(count_of(other, "M1,1,"), 2);
    assert_int_equal(count_of(other, ",passed,"), 2);
    assert_int_equal(count_of(first, "random,0,"), 2);
    assert_int_equal(count_of(first, "failed"), 1);
    assert_string_equal(
        cells, "arm,floor,row,column,free,tests,first,visits\n"
               "M1,0,1,0,false,1,1,0\nM1,0,1,1,true,1,1,1\nM1,0,1,2,true,1,1,2\nM1,0,1,3,true,1,1,0\n");
    free(cells);
    free(first);
    free(other);
    small_system_close(&small, result);
}

/* What an exit code may be made of: mutants that live, arms that fail, tests that failed, such without
 * verdict.
 */
static void tests_without_a_verdict_are_counted_and_never_pass(void **state) {
    struct small_system small;
    struct cor_view_findings found;
    struct cor_error error = COR_NO_ERROR;
    char *junit = NULL, *tap = NULL;
    size_t size;
    (void)state;
    struct cor_result *result = small_system_make(&small, "verdicts", NULL);
    OK(cor_result_findings(result, &found, &error));
    assert_int_equal(found.undetected, 2);
    assert_int_equal(found.unexpected, 1);
    assert_int_equal(found.failed, 4);
    assert_int_equal(found.undecided, 4);
    FILE *file = open_memstream(&junit, &size);
    OK(cor_result_junit(result, file, &error));
    fclose(file);
    file = open_memstream(&tap, &size);
    OK(cor_result_tap(result, file, &error));
    fclose(file);
    assert_non_null(strstr(
        junit, "<testsuites name=\"corridor\" tests=\"16\" failures=\"4\" errors=\"2\" skipped=\"2\">"));
    assert_int_equal(count_of(junit, "<failure type=\"fail\" message=\"answered is violated at cycle "), 4);
    assert_int_equal(count_of(junit, "<error type=\"trouble\" message=\"the world hung at cycle 3\"/>"), 2);
    assert_int_equal(count_of(junit, "<skipped message=\"cycles are used up\"/>"), 2);
    assert_non_null(strstr(tap, "TAP version 13\n1..16\nok 1 - none key item [view = 2]\n"));
    assert_int_equal(count_of(tap, "\nnot ok "), 6);
    assert_int_equal(count_of(tap, "\nok "), 10);
    assert_int_equal(count_of(tap, "# SKIP inconclusive\n"), 2);
    free(junit);
    free(tap);
    small_system_close(&small, result);
}

/* A trace for other programs: texts in the place of where they lie, and as they lie where codes are raw. */
static void texts_of_rows_are_exported(void **state) {
    static const char *const asked[] = {"cycle", "command", "picture", "command_bytes", NULL},
                             *const unknown[] = {"comand", NULL};
    struct small_system small;
    struct cor_error error = COR_NO_ERROR;
    char *text = NULL;
    size_t size;
    (void)state;
    struct cor_result *result = small_system_make(&small, "texts", NULL);
    FILE *file = open_memstream(&text, &size);
    OK(cor_export_table(result, COR_SYSTEM_TABLE_CYCLES, &(struct cor_export){0}, file, &error));
    fclose(file);
    assert_non_null(
        strstr(text, "arm,suite,cycle,test_agent,turn,action,goal,tick,column,row,floor,state,state_unknown,"
                     "shown,reward,trouble,command,picture,inside,alarm\n"
                     "none,0,1,t,acted,move,pressed(b1),1,1,1,0,0,2,3,0.5,0,"
                     "\"{\"\"do\"\":\"\"move\"\",\"\"way\"\":\"\"right\"\"}\",,false,?\n"));
    free(text);
    file = open_memstream(&text, &size);
    OK(cor_export_table(result, COR_SYSTEM_TABLE_CYCLES,
                        &(struct cor_export){.columns = asked, .format = COR_EXPORT_JSON_LINES}, file,
                        &error));
    fclose(file);
    assert_non_null(strstr(text,
                           "{\"cycle\":3,\"command\":\"{\\\"do\\\":\\\"press\\\",\\\"on\\\":\\\"b1\\\"}\","
                           "\"picture\":\"3.png\",\"command_bytes\":24}\n"));
    free(text);
    file = open_memstream(&text, &size);
    OK(cor_export_table(result, COR_SYSTEM_TABLE_ENTITIES, &(struct cor_export){.raw_codes = true}, file,
                        &error));
    assert_int_equal(cor_export_table(result, COR_SYSTEM_TABLE_CYCLES,
                                      &(struct cor_export){.columns = unknown}, file, &error),
                     COR_STATUS_INPUT);
    assert_non_null(strstr(error.remedy, "command"));
    fclose(file);
    assert_int_equal(strncmp(text, "arm,suite,type,first,seen,touched,identity_start,identity_bytes\n", 64),
                     0);
    free(text);
    small_system_close(&small, result);
}

/* ---- files that cannot be what the program wrote */

static int edit; /* which of the cases below is done */

static void damage(uint32_t table, void *with) {
    struct cor_system_test_row *test = with;
    struct cor_system_cycle_row *cycle = with;
    struct cor_system_verdict_row *verdict = with;
    switch (edit * 100 + (int)table) {
    case 100 + COR_SYSTEM_TABLE_TESTS:
        test->why_bytes = 100000;
        break;
    case 200 + COR_SYSTEM_TABLE_CYCLES:
        cycle->command_bytes = cycle->cycle == 2 ? 4000000000U : cycle->command_bytes;
        break;
    case 300 + COR_SYSTEM_TABLE_CYCLES:
        cycle->state |= cycle->cycle == 4 ? UINT64_C(1) << 2 : 0;
        break;
    case 400 + COR_SYSTEM_TABLE_CYCLES:
        cycle->state_unknown |= cycle->cycle == 2 ? UINT64_C(1) << 63 : 0;
        break;
    case 500 + COR_SYSTEM_TABLE_CYCLES:
        cycle->state_unknown |= cycle->cycle == 3;
        break;
    case 600 + COR_SYSTEM_TABLE_STEPS:
        ((struct cor_system_step_row *)with)->from = 4;
        break;
    case 700 + COR_SYSTEM_TABLE_CYCLES:
        cycle->cycle = cycle->cycle == 3 ? 1 : cycle->cycle;
        break;
    case 800 + COR_SYSTEM_TABLE_CYCLES:
        cycle->cycle += cycle->cycle == 4;
        break;
    case 900 + COR_SYSTEM_TABLE_VERDICTS:
        verdict->verdict = COR_VERDICT_PASSED;
        break;
    case 1000 + COR_SYSTEM_TABLE_TESTS:
        test->verdict = COR_TEST_PASS;
        break;
    case 1100 + COR_SYSTEM_TABLE_TESTS:
        test->verdict = COR_TEST_PASS;
        test->trouble = COR_SYSTEM_DIED;
        break;
    case 1200 + COR_SYSTEM_TABLE_TESTS:
        test->decided = 5;
        break;
    case 1300 + COR_SYSTEM_TABLE_CYCLES:
        cycle->action = 4;
        break;
    case 1400 + COR_SYSTEM_TABLE_GOALS:
        ((struct cor_system_goal_row *)with)->goal = 9;
        break;
    case 1500 + COR_SYSTEM_TABLE_CELLS:
        ((struct cor_system_cell_row *)with)->free = 2;
        break;
    case 1600 + COR_SYSTEM_TABLE_AGENTS:
        ((struct cor_system_agent_row *)with)->end = 0;
        break;
    case 1700 + COR_SYSTEM_TABLE_TESTS:
        test->verdict = 0;
        break;
    default:
        break;
    }
}

static void files_that_contradict_themselves_are_refused(void **state) {
    static const struct {
        const char *place, *cause;
    } refused[] = {
        {"table tests",
         "row 2: why_start and why_bytes name bytes 174 to 100174 of vectors/text, which has 1942"},
        {"table cycles", "row 7: command_start and command_bytes name bytes 290 to 4000000290 of "
                         "vectors/text, which has 1942"},
        {"table cycles", "row 9 has a state beyond the 2 of catalog/state"},
        {"table cycles", "row 7 has a state beyond the 2 of catalog/state"},
        {"table cycles", "row 8: a state holds and is unknown"},
        {"table steps", "row 2 has a state beyond the 2 of catalog/state"},
        {"table cycles", "arm 1, suite 0: cycle 1 behind 2, in a test of 4"},
        {"table cycles", "arm 1, suite 0: cycle 5 behind 3, in a test of 4"},
        {"table tests", "arm 1, suite 0: 2 verdicts, 1 violated, 0 unknown, in table verdicts 2, 0, 0"},
        {"table tests", "arm 1, suite 0: its verdict contradicts what judges and test agents said"},
        {"table tests", "arm 1, suite 0: its verdict contradicts what judges and test agents said"},
        {"table tests", "arm 1, suite 0: its verdict contradicts what judges and test agents said"},
        {"table cycles", "row 6: action is 4, which means nothing"},
        {"table goals", "row 2: goal is 9, which means nothing"},
        {"table cells", "row 8: free is 2, which means nothing"},
        {"table test_agents", "row 2: end is 0, which means nothing"},
        {"table tests", "row 2: verdict is 0, which means nothing"},
    };
    (void)state;
    for (edit = 1; edit <= (int)(sizeof refused / sizeof *refused); edit++) {
        struct small_system small;
        struct cor_layer_tables system;
        struct cor_error error = COR_NO_ERROR;
        struct cor_result *result = small_system_make(&small, "damaged", damage);
        assert_int_equal(cor_system_result_init(result, &system, &error), COR_STATUS_INPUT);
        assert_string_equal(error.place, refused[edit - 1].place);
        assert_string_equal(error.cause, refused[edit - 1].cause);
        small_system_close(&small, result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sheet_is_what_the_rows_say),
        cmocka_unit_test(the_test_that_is_asked_for_is_shown),
        cmocka_unit_test(tests_without_a_verdict_are_counted_and_never_pass),
        cmocka_unit_test(texts_of_rows_are_exported),
        cmocka_unit_test(files_that_contradict_themselves_are_refused),
    };
    return cmocka_run_group_tests_name("system_views", tests, NULL, NULL);
}
