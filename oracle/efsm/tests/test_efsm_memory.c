/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation made to fail in turn while a model is read, looked at and searched. What fails are
 * Corridor's own allocations. There is no crash, no leak under ASan, and nothing half-done passes for
 * success. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"

#include <corridor/efsm_export.h>
#include <corridor/efsm_lint.h>
#include <corridor/efsm_reach.h>

#include <stdlib.h>

#define MODEL TEST_SOURCE_DIR "/oracle/efsm/tests/invalid/valid.json"

static enum cor_status read_and_draw(struct cor_error *error) {
    struct cor_efsm *model;
    COR_TRY(cor_efsm_read(MODEL, &model, error));
    char *text = cor_efsm_dot(model);
    enum cor_status status = cor_made(text, error);
    for (int language = COR_EFSM_PROMELA; language <= COR_EFSM_UPPAAL && status == COR_OK; language++) {
        free(text);
        text = NULL;
        status = cor_efsm_export(model, &model->goals[0], (enum cor_efsm_language)language, &text, error);
    }
    cor_efsm_destroy(model);
    free(text);
    return status;
}

/* Two parts, one location within another. */
static enum cor_status read_parts(struct cor_error *error) {
    static const char text[] =
        "{'format':'efsm-json/1','name':'w','parts':[{'name':'a','model':{'format':'efsm-json/1','name':'a',"
        "'vars':[{'name':'x','kind':'state','lo':0,'hi':1,'init':0},{'name':'o','kind':'out','lo':0,'hi':2}],"
        "'locations':[{'name':'l','initial':'m','locations':['m','n']}],'initial':'l','inputs':[{'label':'A',"
        "'params':[]}],"
        "'outputs':[{'label':'M','params':['o']}],'transitions':[{'id':'t','src':'l','dst':'l.n','input':'A',"
        "'guard':'x == 0','update':{'x':'1'},'outputs':[{'label':'M','args':['x + "
        "1']}]}]}},{'name':'b','model':"
        "{'format':'efsm-json/"
        "1','name':'b','vars':[{'name':'p','kind':'param','lo':0,'hi':2}],'locations':['l'],"
        "'initial':'l','inputs':[{'label':'M','params':['p']}],'outputs':[],'transitions':[{'id':'u','src':'"
        "l',"
        "'dst':'l','input':'M','guard':'p > 0','update':{},'outputs':[]}]}}]}";
    char copy[sizeof text];
    struct cor_efsm *model;
    for (size_t i = 0; i < sizeof text; i++)
        copy[i] = text[i] == '\'' ? '"' : text[i];
    COR_TRY(cor_efsm_parse(copy, "parts", &model, error));
    assert_int_equal(model->transition_count, 2);
    cor_efsm_destroy(model);
    return COR_OK;
}

static struct cor_efsm *small;

static enum cor_status find_goals(struct cor_error *error) {
    for (size_t i = 0; cor_efsm_cover_word(i); i++) {
        struct cor_efsm_goal goal;
        const struct cor_efsm_goal *found;
        enum cor_status status = cor_efsm_goal_find(small, cor_efsm_cover_word(i), &goal, &found, error);
        cor_efsm_goal_fini(&goal);
        COR_TRY(status);
    }
    return COR_OK;
}

static enum cor_status print_rings(const struct cor_efsm_reach *reach, struct cor_error *error) {
    char *text;
    for (uint32_t ring = 0; ring <= cor_efsm_reach_summary(reach).rings; ring++) {
        COR_TRY(cor_efsm_reach_location_text(reach, 0, ring, &text, error));
        free(text);
        COR_TRY(cor_efsm_reach_guard_text(reach, 0, ring ? ring : 1, &text, error));
        free(text);
    }
    return COR_OK;
}

static enum cor_status search(enum cor_efsm_backend backend, struct cor_error *error) {
    for (uint32_t i = 0; i < 2 * small->goals[0].trap_count; i++) {
        struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(small, &small->goals[0].traps[i / 2], backend);
        definition.from_start = i % 2 == 1;
        struct cor_efsm_reach *reach;
        COR_TRY(cor_efsm_reach_create(&definition, &reach, error));
        enum cor_status status = print_rings(reach, error);
        cor_efsm_reach_destroy(reach);
        COR_TRY(status);
    }
    return COR_OK;
}

static enum cor_status search_explicit(struct cor_error *error) {
    return search(COR_EFSM_EXPLICIT, error);
}

static enum cor_status search_symbolic(struct cor_error *error) {
    return search(COR_EFSM_SYMBOLIC, error);
}

static enum cor_status lint(struct cor_error *error) {
    struct cor_efsm_findings findings;
    enum cor_status status = cor_efsm_lint(small, cor_default_efsm_lint_limits(), &findings, error);
    cor_efsm_findings_fini(&findings);
    return status;
}

/* Runs it once whole, then once for each allocation, or for some of them. */
static void fail_each(enum cor_status (*run)(struct cor_error *error), long most) {
    struct cor_error error = COR_NO_ERROR;
    cor_allocations_begin(0, false);
    enum cor_status status = run(&error);
    const long count = cor_allocations_end();
    if (status != COR_OK)
        fail_msg("%s", error.cause);
    const long step = 1 + count / most;
    for (long k = 1; k <= count; k += step)
        for (int for_good = 0; for_good < 2; for_good++) {
            error = COR_NO_ERROR;
            cor_allocations_begin(k, for_good);
            status = run(&error);
            cor_allocations_end();
            if (status != COR_STATUS_MEMORY || error.status != COR_STATUS_MEMORY)
                fail_msg("allocation %ld of %ld: status %d, \"%s\"", k, count, (int)status, error.cause);
        }
}

static void models_are_read_or_memory_is_out(void **unused) {
    (void)unused;
    fail_each(read_and_draw, 1000);
    fail_each(find_goals, 1000);
    fail_each(read_parts, 1000);
}

static void rings_are_found_or_memory_is_out(void **unused) {
    (void)unused;
    fail_each(search_explicit, 1000);
    fail_each(search_symbolic, 1000);
}

static void findings_are_made_or_memory_is_out(void **unused) {
    (void)unused;
    fail_each(lint, 1000);
}

static int read_small(void **unused) {
    (void)unused;
    return cor_efsm_read(MODEL, &small, NULL) == COR_OK ? 0 : -1;
}

static int free_small(void **unused) {
    (void)unused;
    cor_efsm_destroy(small);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_read_or_memory_is_out),
        cmocka_unit_test(rings_are_found_or_memory_is_out),
        cmocka_unit_test(findings_are_made_or_memory_is_out),
    };
    return cmocka_run_group_tests(tests, read_small, free_small);
}
