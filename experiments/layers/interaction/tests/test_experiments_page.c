/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The examples of docs/look-up/experiments.md are read, and a suite of each arm is drawn. The words behind a
 * fence of JSON say what it is: json experiment        a whole experiment; the first one is the base of the
 * parts json experiment-part   members put in place of the base's json model NAME        a model, kept as the
 * file NAME for the parts that name it json model-part        members put in place of those of the base's
 * model json arm               the only arm of the base json suite             suite 0 of the base, as a file
 * Any other fence of JSON is an error: no example goes unread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/configurations.h>
#include <corridor/suite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXAMPLE_MAX 16384

struct example {
    char kind[80]; /* what stands behind "json " */
    char text[EXAMPLE_MAX];
    int line; /* of the page */
};

/* The next example; false at the end of the page. */
static bool next_example(FILE *page, int *line, struct example *example) {
    char text[1024];
    size_t used = 0;
    bool inside = false;
    while (fgets(text, sizeof text, page)) {
        ++*line;
        if (!inside && strncmp(text, "```json", 7) == 0) {
            inside = true;
            example->line = *line;
            example->text[0] = example->kind[0] = '\0';
            sscanf(text + 7, " %79[^\n]", example->kind);
        } else if (inside && strncmp(text, "```", 3) == 0) {
            return true;
        } else if (inside) {
            size_t length = strlen(text);
            assert_true(used + length < EXAMPLE_MAX);
            memcpy(example->text + used, text, length + 1);
            used += length;
        }
    }
    assert_false(inside);
    return false;
}

static FILE *open_page(void) {
    FILE *page = fopen(TEST_SOURCE_DIR "/docs/look-up/experiments.md", "r");
    assert_non_null(page);
    return page;
}

static void complain(const struct example *example, const struct cor_error *error) {
    fail_msg("docs/look-up/experiments.md:%d: %s: %s", example->line, error->place, error->cause);
}

static struct cor_json_document *parse(const struct example *example, const char *text) {
    struct cor_json_document *document;
    struct cor_error error = COR_NO_ERROR;
    if (cor_json_parse(text, "example", &document, &error) != COR_OK)
        complain(example, &error);
    return document;
}

static void put(struct cor_json_writer *writer, const struct cor_json *json) {
    cor_json_put_value(writer, json->key, json);
}

/* The members of `base`, those that `part` has too taken from there, and the rest of `part`. */
static void put_merged(struct cor_json_writer *writer, const struct cor_json *base,
                       const struct cor_json *part) {
    struct cor_json other;
    for (size_t i = 0; i < cor_json_size(base); i++) {
        struct cor_json child = cor_json_at(base, i);
        put(writer, cor_json_find(part, child.key, &other) ? &other : &child);
    }
    for (size_t i = 0; i < cor_json_size(part); i++) {
        struct cor_json child = cor_json_at(part, i);
        if (!cor_json_find(base, child.key, &other))
            put(writer, &child);
    }
}

/* The base with one of its members, "arms" or "model", made of the example. */
static void put_with(struct cor_json_writer *writer, const struct cor_json *base, const char *key,
                     const struct cor_json *part) {
    for (size_t i = 0; i < cor_json_size(base); i++) {
        struct cor_json child = cor_json_at(base, i), arm = *part;
        if (strcmp(child.key, key) != 0) {
            put(writer, &child);
        } else if (strcmp(key, "arms") == 0) {
            arm.key = NULL;
            cor_json_open_array(writer, key);
            put(writer, &arm);
            cor_json_close(writer);
        } else {
            cor_json_open_object(writer, key);
            put_merged(writer, &child, part);
            cor_json_close(writer);
        }
    }
}

/* The text of the experiment that a part makes of the base. */
static char *complete(const struct example *example, const char *base_text) {
    struct cor_json_document *base_document = parse(example, base_text),
                             *part_document = parse(example, example->text);
    struct cor_json base = cor_json_root(base_document), part = cor_json_root(part_document);
    struct cor_json_writer *writer;
    assert_int_equal(cor_json_writer_create(&writer, NULL), COR_OK);
    cor_json_open_object(writer, NULL);
    if (strcmp(example->kind, "experiment-part") == 0)
        put_merged(writer, &base, &part);
    else
        put_with(writer, &base, strcmp(example->kind, "arm") == 0 ? "arms" : "model", &part);
    cor_json_close(writer);
    char *text;
    assert_int_equal(cor_json_text_take(writer, 1, &text, NULL), COR_OK);
    cor_json_destroy(base_document);
    cor_json_destroy(part_document);
    return text;
}

static void save(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct cor_experiment *read_experiment(const struct example *example, const char *text) {
    struct cor_experiment *experiment;
    struct cor_error error = COR_NO_ERROR;
    save("experiment.json", text);
    if (cor_experiment_read("experiment.json", &experiment, &error) != COR_OK ||
        cor_experiment_combine(experiment, &error) != COR_OK)
        complain(example, &error);
    remove("experiment.json");
    return experiment;
}

static void try_experiment(const struct example *example, const char *text) {
    struct cor_experiment *experiment = read_experiment(example, text);
    struct cor_error error = COR_NO_ERROR;
    char note[2048];
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_suite *suite = NULL;
        if (cor_parameter_laws_analyse(experiment->arms[a].laws, note, sizeof note, &error) != COR_OK ||
            cor_suite_generate(experiment, a, 0, &suite, &error) != COR_OK)
            complain(example, &error);
        cor_suite_destroy(suite);
    }
    cor_experiment_destroy(experiment);
}

/* The suite is what the base generates, not only what it would accept. */
static void try_suite(const struct example *example, const char *base) {
    struct cor_experiment *experiment = read_experiment(example, base);
    struct cor_error error = COR_NO_ERROR;
    struct cor_suite *read, *generated;
    struct cor_walk mine, theirs;
    save("suite.json", example->text);
    if (cor_suite_read(experiment, "suite.json", &read, &error) != COR_OK)
        complain(example, &error);
    remove("suite.json");
    cor_walk_init(&mine);
    cor_walk_init(&theirs);
    assert_int_equal(cor_suite_generate(experiment, read->arm_index, read->index, &generated, NULL), COR_OK);
    assert_true(cor_configuration_hash(read->configuration) ==
                cor_configuration_hash(generated->configuration));
    assert_int_equal(cor_suite_walk(read, 0, &mine, NULL), COR_OK);
    assert_int_equal(cor_suite_walk(generated, 0, &theirs, NULL), COR_OK);
    assert_int_equal(mine.case_count, theirs.case_count);
    assert_memory_equal(mine.states, theirs.states, ((size_t)mine.case_count + 1) * mine.chain_count);
    cor_walk_fini(&mine);
    cor_walk_fini(&theirs);
    cor_suite_destroy(read);
    cor_suite_destroy(generated);
    cor_experiment_destroy(experiment);
}

static bool is_part(const char *kind) {
    return strcmp(kind, "experiment-part") == 0 || strcmp(kind, "model-part") == 0 ||
           strcmp(kind, "arm") == 0;
}

/* A part may name a model that stands further down. */
static void save_models(char model[64]) {
    static struct example example;
    int line = 0;
    FILE *page = open_page();
    while (next_example(page, &line, &example))
        if (strncmp(example.kind, "model ", 6) == 0) {
            snprintf(model, 64, "%.63s", example.kind + 6);
            save(model, example.text);
        }
    fclose(page);
}

static void examples_can_be_run(void **state) {
    (void)state;
    static struct example base, example;
    char model[64] = "";
    int line = 0, count = 0;
    save_models(model);
    FILE *page = open_page();
    for (; next_example(page, &line, &example); count++) {
        if (strcmp(example.kind, "experiment") == 0) {
            try_experiment(&example, example.text);
            base = base.line == 0 ? example : base;
        } else if (strncmp(example.kind, "model ", 6) == 0) {
            continue;
        } else if (is_part(example.kind)) {
            char *text = complete(&example, base.text);
            try_experiment(&example, text);
            free(text);
        } else if (strcmp(example.kind, "suite") == 0) {
            try_suite(&example, base.text);
        } else {
            fail_msg("docs/look-up/experiments.md:%d: \"json %s\" says not what it is", example.line,
                     example.kind);
        }
    }
    fclose(page);
    remove(model);
    assert_true(base.line > 0 && count >= 10);
}

/* Every word that a reader of the program could meet in a message stands on the page. */
static void the_page_has_all_words(void **state) {
    (void)state;
    static char text[100000];
    FILE *page = open_page();
    size_t length = fread(text, 1, sizeof text - 1, page);
    fclose(page);
    text[length] = '\0';
    static const enum cor_family families[] = {COR_FAMILY_MAIL, COR_FAMILY_MONITOR_FAULT,
                                               COR_FAMILY_ADOPTION_FAULT, COR_FAMILY_MEASURE};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const char *const *word = cor_term_words(families[f]); *word; word++) {
            char quoted[80];
            snprintf(quoted, sizeof quoted, "\"%s\"", *word);
            if (!strstr(text, quoted))
                fail_msg("docs/look-up/experiments.md does not explain %s", quoted);
        }
}

static char folder[] = "/tmp/corridor_page_XXXXXX";

static int enter_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state) {
    (void)state;
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_can_be_run),
        cmocka_unit_test(the_page_has_all_words),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
