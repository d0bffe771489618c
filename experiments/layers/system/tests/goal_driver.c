/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pursues goals in the world of goal_world.h, for a second evaluator to compare with: reads a list of tests
 * {"goals", "goal", "budget", "cycles"} and prints of each a line a cycle: action and its argument, budget
 * left ("-": no end), status, whether it is stalled; at the end of a test what became of each goal. */
#include "goal_world.h"
#include "line_travel.h"

static const char *argument_text(const struct goal_run *run, const struct cor_world_command *command) {
    return run->world.actions[command->action].parameter_count == 1
               ? cor_words_text(&run->world.words, command->arguments[0].as.word)
               : "";
}

static void print_report(void *context, const struct cor_goal_report *report) {
    (void)context;
    printf("  goal %u %llu %llu %llu %s\n", report->depth, (unsigned long long)report->begun,
           (unsigned long long)report->ended, (unsigned long long)report->cost,
           cor_term_word(COR_FAMILY_GOAL, (int)report->end));
}

static void print_verdict(void *context, const struct cor_goal_verdict *verdict) {
    (void)context;
    printf("  %s %s %d\n", cor_term_word(COR_FAMILY_JUDGE, (int)verdict->judge), verdict->text,
           verdict->truth);
}

static enum cor_status pursue(struct goal_run *run, const struct cor_json *test, struct cor_error *error) {
    struct cor_json member;
    int64_t budget = -1, cycles = 50;
    if (cor_json_find(test, "budget", &member) && !cor_json_is_null(&member))
        COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &budget, error));
    COR_TRY(cor_json_need(test, "cycles", &member, error));
    COR_TRY(cor_json_integer(&member, 0, 1000000, &cycles, error));
    COR_TRY(goal_run_read(run, test, error));
    COR_TRY(goal_run_begin(run, budget < 0 ? COR_BUDGET_INFINITE : (uint64_t)budget, NULL, error));
    cor_pursuit_watch_goals(run->pursuit, print_report, NULL);
    cor_pursuit_watch_asserts(run->pursuit, print_verdict, NULL);
    for (int64_t cycle = 0; cycle < cycles; cycle++) {
        enum cor_pursuit_choice choice;
        struct cor_world_command command;
        COR_TRY(goal_run_cycle(run, &choice, &command, error));
        if (choice == COR_PURSUIT_ENDED)
            break;
        const uint64_t left = cor_pursuit_budget_left(run->pursuit);
        char number[24] = "-";
        if (left != COR_BUDGET_INFINITE)
            snprintf(number, sizeof number, "%llu", (unsigned long long)left);
        printf("%s(%s) %s %s%s\n", run->world.actions[command.action].name, argument_text(run, &command),
               number, cor_term_word(COR_FAMILY_GOAL, (int)cor_pursuit_status(run->pursuit)),
               cor_pursuit_is_stalled(run->pursuit) ? " stalled" : "");
    }
    printf("end\n");
    return COR_OK;
}

int main(int argc, char **argv) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document = NULL;
    char text[2048];
    enum cor_status status = cor_json_read(argc > 1 ? argv[1] : "-", &document, &error);
    const struct cor_json tests = document ? cor_json_root(document) : (struct cor_json){0};
    for (size_t i = 0; status == COR_OK && i < cor_json_size(&tests); i++) {
        const struct cor_json test = cor_json_at(&tests, i);
        struct goal_run run = {.document = NULL};
        status = pursue(&run, &test, &error);
        goal_run_fini(&run);
    }
    cor_json_destroy(document);
    if (status == COR_OK)
        return 0;
    cor_error_text(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}
