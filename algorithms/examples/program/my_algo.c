/* SPDX-License-Identifier: CC0-1.0
 *
 * my_algo as a program in C, without a library for JSON: requests have their members in one order, so what is
 * wanted is found by its key. A module (../c) is shorter and faster; this is for algorithms that must be
 * programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct agent {
    double value;
    unsigned number;
};

/* Descending; equal ones by their number. */
static int compare(const void *left, const void *right) {
    const struct agent *a = left, *b = right;
    if (a->value < b->value || a->value > b->value)
        return a->value < b->value ? 1 : -1;
    return a->number < b->number ? -1 : 1;
}

/* What follows `key` in the line. */
static char *after(char *line, const char *key) {
    char *found = strstr(line, key);
    if (!found) {
        fprintf(stderr, "no %s in the request\n", key);
        exit(1);
    }
    return found + strlen(key);
}

/* Blocks of the present structure: its opening brackets, less the outer one. */
static unsigned count_blocks(const char *structure, const char *end) {
    unsigned count = 0;
    for (; structure < end; structure++)
        count += *structure == '[';
    return count - 1;
}

/* How many there are; 0: one is null, which stands for what is infinite or no number. */
static unsigned read_values(char *text, struct agent *agents) {
    unsigned count = 0;
    for (char *end = text; *end != ']'; count++) {
        agents[count].value = strtod(text, &end);
        if (end == text)
            return 0;
        agents[count].number = count;
        text = end + 1;
    }
    return count;
}

static void answer_task(const char *id, char *line) {
    struct agent *agents = malloc((strlen(line) / 2 + 1) * sizeof *agents);
    if (!agents)
        exit(1);
    char *structure = after(line, "\"structure\":"), *values = after(structure, "\"values\":[[");
    unsigned n = read_values(values, agents);
    if (n == 0) {
        printf("{\"id\":%s,\"failed\":\"a value is not finite\"}\n", id);
        free(agents);
        return;
    }
    unsigned count = count_blocks(structure, values - strlen("\"values\":[["));
    count += (unsigned)strtoul(after(values, "\"extra\":"), NULL, 10);
    count = count < n ? count : n;
    qsort(agents, n, sizeof *agents, compare);
    printf("{\"id\":%s,\"spent\":1", id);
    if (strstr(values, "\"fault\":\"forget\"")) {
        fputs(",\"fault\":{\"reached\":1,\"held\":1,\"activated\":1,\"in_result\":true}", stdout);
        n--;
    }
    fputs(",\"blocks\":[", stdout);
    for (unsigned b = 0; b < count && b < n; b++) { /* 0 1 2 2 1 0 0 1 2 ... */
        printf(b > 0 ? ",[%u" : "[%u", agents[b].number);
        for (unsigned first = 2 * count; first - 1 - b < n; first += 2 * count) {
            printf(",%u", agents[first - 1 - b].number);
            if (first + b < n)
                printf(",%u", agents[first + b].number);
        }
        putchar(']');
    }
    puts("]}");
    free(agents);
}

static void answer_hello(const char *id) {
    printf("{\"id\":%s,\"protocol\":1,\"name\":\"my_algo\",\"version\":\"1.0\","
           "\"summary\":\"highest first, dealt back and forth into the present number of partitions\","
           "\"parameters\":[{\"name\":\"extra\",\"unit\":\"partitions\",\"meaning\":\"so many partitions "
           "more than "
           "there are\",\"default\":0,\"min\":0,\"max\":100,\"integer\":true}],"
           "\"faults\":{\"forget\":\"the agent of the least value is forgotten\"}}\n",
           id);
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        char id[24] = "";
        sscanf(line, "{\"id\":%23[0-9]", id);
        if (strstr(line, "\"hello\":"))
            answer_hello(id);
        else if (strstr(line, "\"task\":"))
            answer_task(id, line);
        else
            break; /* bye */
        fflush(stdout);
    }
    free(line);
    return 0;
}
