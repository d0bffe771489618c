/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a design a line and prints a line each: the order, and the paper's four lists. With --cases it makes
 * the cases of all units and the mutants instead, and prints how many; what is refused is a line as well. */
#include <corridor/agent_fault.h>
#include <corridor/array.h>
#include <corridor/unit_cases.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put_list(const struct cor_design *design, const struct cor_units *units) {
    putchar('[');
    for (uint32_t u = 0; u < units->count; u++) {
        char *name = cor_unit_name(design, units, u);
        if (!name)
            return 1;
        printf("%s\"%s\"", u > 0 ? "," : "", name);
        free(name);
    }
    putchar(']');
    return 0;
}

/* What each unit depends on, and its depth. */
static void put_dependencies(const struct cor_unit_order *order) {
    fputs(",\"depends\":[", stdout);
    for (uint32_t u = 0; u < order->units.count; u++) {
        printf("%s[%u", u > 0 ? "," : "", order->units.units[u].depth);
        for (uint32_t d = order->dependency_start[u]; d < order->dependency_start[u + 1]; d++)
            printf(",%u", order->dependencies[d]);
        putchar(']');
    }
    putchar(']');
}

static int print_orders(const char *line) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file;
    struct cor_units steps[COR_PAPER_STEPS];
    if (cor_design_file_parse(line, "line", &file, &error) != COR_OK ||
        cor_paper_order_init(steps, file->design, &error) != COR_OK) {
        fprintf(stderr, "%s: %s\n", error.place, error.cause);
        return 1;
    }
    fputs("{\"units\":", stdout);
    int failed = put_list(file->design, &file->order.units);
    put_dependencies(&file->order);
    for (int s = 0; s < COR_PAPER_STEPS && !failed; s++) {
        printf(",\"step%d\":", s + 1);
        failed = put_list(file->design, &steps[s]);
    }
    puts("}");
    cor_paper_order_fini(steps);
    cor_design_file_destroy(file);
    return failed;
}

/* Sums up, so that every value is looked at. */
static uint64_t look_at_cases(const struct cor_unit_cases *cases, struct cor_case_values *values) {
    uint64_t applicable = 0;
    for (uint64_t i = 0; i < cases->count && i < 1000; i++) {
        cor_unit_case_make(cases, cases->count - 1 - i, values);
        applicable += cor_unit_case_applicable(cases, values);
    }
    return applicable;
}

static enum cor_status make_cases(struct cor_design_file *file, uint64_t *count, struct cor_error *error) {
    struct cor_agent_faults mutants;
    struct cor_case_values values;
    enum cor_status status = COR_OK;
    COR_TRY(cor_agent_mutants(&mutants, file->design, error));
    *count = mutants.count;
    cor_agent_faults_fini(&mutants);
    COR_TRY(cor_case_values_init(&values, file->design, error));
    for (uint32_t u = 0; u < file->order.units.count && status == COR_OK; u++) {
        struct cor_unit_cases cases;
        status = cor_unit_cases_init(&cases, file, u, NULL, error);
        *count += status == COR_OK ? cases.count + look_at_cases(&cases, &values) : 0;
        cor_unit_cases_fini(&cases);
    }
    cor_case_values_fini(&values);
    return status;
}

static int print_cases(const char *line) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file;
    uint64_t count = 0;
    enum cor_status status = cor_design_file_parse(line, "line", &file, &error);
    if (status == COR_OK)
        status = make_cases(file, &count, &error);
    if (status == COR_OK)
        printf("{\"cases\":%llu}\n", (unsigned long long)count);
    else
        printf("{\"error\":%d}\n", (int)status);
    cor_design_file_destroy(file);
    return status != COR_OK && (error.cause[0] == '\0' || error.status != status);
}

int main(int argument_count, char **arguments) {
    int (*print)(const char *line) =
        argument_count > 1 && strcmp(arguments[1], "--cases") == 0 ? print_cases : print_orders;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    int failed = 0;
    while (!failed && (length = getline(&line, &size, stdin)) > 0)
        failed = print(line);
    free(line);
    return failed;
}
