/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Designs for tests, filled in a few words. */
#ifndef CORRIDOR_SIM_AGENT_TESTS_DESIGNS_H
#define CORRIDOR_SIM_AGENT_TESTS_DESIGNS_H

#include <corridor/interpreter.h>
#include <corridor/unit.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MUST(call)                                                              \
    do {                                                                        \
        struct cor_error *error = &(struct cor_error){.status = COR_OK};        \
        if ((call) != COR_OK)                                                   \
            fail_msg("%s: %s (%s)", error->place, error->cause, error->remedy); \
    } while (0)

static inline struct cor_design *new_design(void) {
    struct cor_design *design = cor_design_create("Tested");
    assert_non_null(design);
    return design;
}

/* Adds "belief: field, field" of integers; a field that begins with * is a key. */
static inline void add_belief(struct cor_design *design, const char *name, const char *const *fields) {
    MUST(cor_design_add_belief(design, name, NULL, NULL, error));
    for (; *fields; fields++)
        MUST(cor_design_add_field(design, *fields + (**fields == '*'), COR_DOMAIN_INTEGER, **fields == '*',
                                  NULL, NULL, error));
}

/* An event whose parameters are integers. */
static inline uint32_t add_event(struct cor_design *design, const char *name, const char *const *parameters) {
    uint32_t event = 0;
    MUST(cor_design_add_event(design, name, COR_EVENT_KIND_INTERNAL, NULL, &event, error));
    for (; parameters && *parameters; parameters++)
        MUST(cor_design_add_parameter(design, *parameters, COR_DOMAIN_INTEGER, NULL, NULL, error));
    return event;
}

/* A line of a body: "set F to X", "send M", "do A", "post E", "try E" (optional), "with P = X" (an argument
 * of the post before), "aside E" (not waited for), "if X", "while X", "else", "parallel", "strand", "end",
 * "fail". */
static inline void add_line(struct cor_body *body, const char *line) {
    char text[400], *value;
    size_t word = strcspn(line, " ");
    const char *rest = line[word] ? line + word + 1 : "";
    snprintf(text, sizeof text, "%s", rest);
    if (strncmp(line, "set", word) == 0) {
        value = strstr(text, " to ");
        assert_non_null(value);
        *value = '\0';
        MUST(cor_body_add(body, COR_STATEMENT_SET, line, text, value + 4, false, error));
    } else if (strncmp(line, "send", word) == 0)
        MUST(cor_body_add(body, COR_STATEMENT_SEND, line, text, NULL, false, error));
    else if (strncmp(line, "do", word) == 0)
        MUST(cor_body_add(body, COR_STATEMENT_DO, line, text, NULL, false, error));
    else if (strncmp(line, "post", word) == 0 || strncmp(line, "try", word) == 0)
        MUST(cor_body_add(body, COR_STATEMENT_POST, line, text, NULL, *line == 't', error));
    else if (strncmp(line, "aside", word) == 0) {
        MUST(cor_body_add(body, COR_STATEMENT_POST, line, text, NULL, false, error));
        cor_body_set_aside(body);
    } else if (strcmp(line, "parallel") == 0 || strcmp(line, "strand") == 0)
        MUST(cor_body_add(body, *line == 'p' ? COR_STATEMENT_PARALLEL : COR_STATEMENT_STRAND, line, NULL,
                          NULL, false, error));
    else if (strncmp(line, "with", word) == 0) {
        value = strstr(text, " = ");
        assert_non_null(value);
        *value = '\0';
        MUST(cor_body_add_argument(body, text, value + 3, error));
    } else if (strncmp(line, "if", word) == 0)
        MUST(cor_body_add(body, COR_STATEMENT_IF, line, NULL, text, false, error));
    else if (strncmp(line, "while", word) == 0)
        MUST(cor_body_add(body, COR_STATEMENT_WHILE, line, NULL, text, false, error));
    else if (strcmp(line, "else") == 0)
        cor_body_else(body);
    else if (strcmp(line, "end") == 0)
        cor_body_close(body);
    else if (strcmp(line, "fail") == 0)
        MUST(cor_body_add(body, COR_STATEMENT_FAIL, line, NULL, NULL, false, error));
    else
        fail_msg("no statement: %s", line);
}

static inline struct cor_body make_body(const char *const *lines) {
    struct cor_body body;
    cor_body_init(&body);
    for (; lines && *lines; lines++)
        add_line(&body, *lines);
    return body;
}

/* A plan; `context` and `lines` may be NULL. */
static inline uint32_t add_plan(struct cor_design *design, const char *name, uint32_t trigger,
                                const char *context, const char *const *lines) {
    uint32_t plan = 0;
    struct cor_body body = make_body(lines);
    MUST(cor_design_add_plan(design, name, trigger, name, &plan, error));
    MUST(cor_design_set_code_take(design, plan, context, name, &body, error));
    return plan;
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
