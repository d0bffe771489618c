/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The examples of docs/look-up/agents.md are read: "json design" a design, whose cases are made, "json
 * faults" faults of the design before it. Any other fence of JSON is an error: no example goes unread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/agent_fault.h>
#include <corridor/unit_cases.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXAMPLE_MAX 16384
#define EXAMPLE "agents_page_example.json" /* in the folder of the build */

static void write_example(const char *text) {
    FILE *file = fopen(EXAMPLE, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void complain(int line, const struct cor_error *error) {
    fail_msg("docs/look-up/agents.md:%d: %s: %s", line, error->place, error->cause);
}

static struct cor_design_file *check_design(const char *text, int line) {
    struct cor_design_file *file;
    struct cor_error error = COR_NO_ERROR;
    if (cor_design_file_parse(text, "example", &file, &error) != COR_OK)
        complain(line, &error);
    for (uint32_t u = 0; u < file->order.units.count; u++) {
        struct cor_unit_cases cases;
        if (cor_unit_cases_init(&cases, file, u, NULL, &error) != COR_OK)
            complain(line, &error);
        assert_true(cases.count > 0);
        cor_unit_cases_fini(&cases);
    }
    return file;
}

static void check_faults(const char *text, struct cor_design_file *file, int line) {
    struct cor_agent_faults faults;
    struct cor_error error = COR_NO_ERROR;
    assert_non_null(file);
    write_example(text);
    if (cor_agent_faults_read(&faults, EXAMPLE, file->design, &error) != COR_OK)
        complain(line, &error);
    cor_agent_faults_fini(&faults);
    remove(EXAMPLE);
}

/* The text of a fence that has begun. */
static void read_fence(FILE *page, int *line, char *example) {
    char text[1024];
    size_t used = 0;
    while (fgets(text, sizeof text, page) && strncmp(text, "```", 3) != 0) {
        size_t length = strlen(text);
        ++*line;
        assert_true(used + length < EXAMPLE_MAX);
        memcpy(example + used, text, length + 1);
        used += length;
    }
    ++*line;
}

static void the_examples_of_the_page_are_read(void **state) {
    char text[1024], example[EXAMPLE_MAX];
    struct cor_design_file *file = NULL;
    int line = 0, designs = 0, faults = 0;
    (void)state;
    FILE *page = fopen(TEST_SOURCE_DIR "/docs/look-up/agents.md", "r");
    assert_non_null(page);
    while (fgets(text, sizeof text, page)) {
        line++;
        if (strncmp(text, "```json", 7) != 0)
            continue;
        const bool is_design = strcmp(text, "```json design\n") == 0;
        const int begin = line;
        assert_true(is_design || strcmp(text, "```json faults\n") == 0);
        read_fence(page, &line, example);
        if (is_design) {
            cor_design_file_destroy(file);
            file = check_design(example, begin);
            designs++;
        } else {
            check_faults(example, file, begin);
            faults++;
        }
    }
    assert_true(designs > 0 && faults > 0);
    cor_design_file_destroy(file);
    fclose(page);
}

/* The words of the page are those of the program. */
static void the_page_names_every_operator_and_policy(void **state) {
    static char text[1 << 17];
    (void)state;
    FILE *page = fopen(TEST_SOURCE_DIR "/docs/look-up/agents.md", "r");
    assert_non_null(page);
    text[fread(text, 1, sizeof text - 1, page)] = '\0';
    fclose(page);
    for (int o = 1; o < COR_FAULT_OPERATOR_CODES; o++) {
        char word[64];
        snprintf(word, sizeof word, "`%s`", cor_fault_operator_word((enum cor_fault_operator)o));
        if (!strstr(text, word))
            fail_msg("docs/look-up/agents.md lacks %s", word);
    }
    for (size_t p = 0; cor_case_policy_word(p); p++)
        if (!strstr(text, cor_case_policy_word(p)))
            fail_msg("docs/look-up/agents.md lacks %s", cor_case_policy_word(p));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_page_are_read),
        cmocka_unit_test(the_page_names_every_operator_and_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
