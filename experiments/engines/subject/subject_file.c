/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/subject_file.h>

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cor_status cor_subject_file_read(const char *text, const char *path, enum cor_kind kind,
                                      struct cor_subject_file *file, struct cor_error *error) {
    const struct cor_json *root = &file->root; /* which members point to as long as they are used */
    struct cor_json_writer *writer;
    COR_TRY(cor_json_parse(text, path, &file->document, error));
    file->root = cor_json_root(file->document);
    COR_TRY(cor_json_expect_kind(root, kind, error));
    COR_TRY(cor_json_expect_object(root, NULL, error));
    COR_TRY(cor_json_need(root, cor_kind_key(kind), &file->own, error));
    COR_TRY(cor_json_need(root, "schedule", &file->schedule, error));
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(item, root) {
        if (strcmp(item.key, cor_kind_key(kind)) != 0 && strcmp(item.key, "schedule") != 0)
            cor_json_put_value(writer, item.key, &item);
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &file->experiment, error);
}

void cor_subject_file_fini(struct cor_subject_file *file) {
    free(file->experiment);
    cor_json_destroy(file->document);
    *file = (struct cor_subject_file){0};
}

enum cor_status cor_subject_file_check_arms(const struct cor_subject_file *file,
                                            const struct cor_experiment_head *experiment,
                                            struct cor_error *error) {
    return experiment->arm_count == 1
               ? COR_OK
               : cor_json_fail(&file->root, error, "leave one in \"arms\"", "a test has one arm, this one %u",
                               experiment->arm_count);
}

void cor_subject_put_changes(char *why, size_t size, const char *first, bool first_changed,
                             const char *second, bool second_changed) {
    const size_t length = strlen(why);
    if (first_changed || second_changed)
        snprintf(why + length, size - length, "; %s%s%s %s changed since the test was made",
                 first_changed ? first : second, first_changed && second_changed ? " and " : "",
                 first_changed && second_changed ? second : "",
                 first_changed && second_changed ? "were" : "was");
}

enum cor_status cor_subject_file_text(const struct cor_subject_file_form *form,
                                      const struct cor_subject_test *test, char **text,
                                      struct cor_error *error) {
    const struct cor_experiment_head *experiment = test->experiment;
    const struct cor_choices *choices = &test->choices;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_DESTROYED(cor_json_writer) struct cor_json_writer *writer = NULL;
    struct cor_json arms;
    enum cor_status status = COR_OK;
    *text = NULL;
    COR_TRY(cor_json_parse(experiment->text, experiment->path, &document, error));
    COR_TRY(cor_json_writer_create(&writer, error));
    const struct cor_json root = cor_json_root(document);
    cor_json_open_object(writer, NULL);
    cor_json_open_object(writer, cor_kind_key(form->kind));
    form->put(test, writer);
    cor_json_close(writer);
    COR_JSON_CHILDREN(item, &root) {
        if (strcmp(item.key, "arms") != 0 && !cor_is_among(form->left_out, item.key) &&
            !(form->put_member && form->put_member(test, item.key, writer)))
            cor_json_put_value(writer, item.key, &item);
    }
    if (cor_json_find(&root, "arms", &arms) && !(form->put_member && form->put_member(test, "arms", writer)))
        (void)cor_experiment_put_arms(writer, &arms,
                                      (const char *const[]){experiment->arms[test->arm].name, NULL}, NULL);
    cor_json_close(writer);
    status = cor_json_text_take(writer, 2, text, error);
    writer = NULL;
    COR_TRY(status);
    char *end = strrchr(*text, '}'); /* of the whole: choices follow, one a line */
    while (end > *text && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    *end = '\0';
    *text = cor_join_take(*text, ",\n  ", cor_strdup("\"schedule\": [\n    "));
    for (size_t c = 0; c < choices->count; c++)
        *text = cor_join_take(*text, c > 0 ? ",\n    " : "", form->line(test, &choices->items[c]));
    *text = cor_join_take(*text, "", cor_strdup("\n  ]\n}\n"));
    return cor_made(*text, error);
}
