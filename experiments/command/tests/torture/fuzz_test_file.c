/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of test files is given whatever bytes, a target of libFuzzer: it says why it does not read them,
 * or what it read is written, and the text read again and written is the same. Modules and programs are not
 * opened: what they do is not what is asked here. */
#include <corridor/json.h>
#include <corridor/test.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_test_file: %s\n", what);
        abort();
    }
}

/* Only algorithms that are built in have a name without a path. */
static bool is_built_in(const struct cor_json_document *document) {
    const struct cor_json root = cor_json_root(document);
    struct cor_error error = COR_NO_ERROR;
    struct cor_json arm, algorithm;
    const char *name;
    return cor_json_is_object(&root) && cor_json_find(&root, "arm", &arm) && cor_json_is_object(&arm) &&
           cor_json_find(&arm, "algorithm", &algorithm) &&
           cor_json_string(&algorithm, &name, &error) == COR_OK && !strchr(name, '/') && !strchr(name, '.');
}

/* NULL: it is refused. Else to be destroyed. */
static struct cor_test *read_text(const char *text) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_test *test = NULL;
    char *warnings = NULL;
    if (cor_json_parse(text, "input", &document, &error) != COR_OK) {
        check(error.cause[0] != '\0', "refused without a word");
        return NULL;
    }
    if (!is_built_in(document)) {
        cor_json_destroy(document);
        return NULL;
    }
    if (cor_test_take("input", document, NULL, &test, &warnings, &error) != COR_OK) {
        check(error.cause[0] != '\0' && !test, "refused without a word");
        return NULL;
    }
    free(warnings);
    return test;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct cor_error error = COR_NO_ERROR;
    char *text = malloc(size + 1), *once, *twice;
    check(text != NULL, "no memory");
    memcpy(text, data, size);
    text[size] = '\0';
    struct cor_test *test = read_text(text);
    free(text);
    if (!test)
        return 0;
    check(cor_test_text(test, &once, &error) == COR_OK, "what was read cannot be written");
    struct cor_test *again = read_text(once);
    check(again != NULL, "what was written cannot be read");
    check(cor_test_hash(again) == cor_test_hash(test), "read again it is another test");
    check(cor_test_text(again, &twice, &error) == COR_OK && strcmp(once, twice) == 0,
          "written again it is another text");
    free(once);
    free(twice);
    cor_test_destroy(again);
    cor_test_destroy(test);
    return 0;
}
