/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a design a line and prints a line each: the order, and the paper's four lists. */
#include <corridor/array.h>
#include <corridor/design_file.h>

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

int main(void) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    int failed = 0;
    while (!failed && (length = getline(&line, &size, stdin)) > 0)
        failed = print_orders(line);
    free(line);
    return failed;
}
