/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of fields: what each kind of row reads, what is left as it is, and the words of complaints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/terms.h>

#include <stdlib.h>
#include <string.h>

struct inner {
    enum cor_mail mode;
    uint32_t delay;
};

struct thing {
    uint8_t small;
    int16_t below;
    uint32_t count;
    uint64_t most, seed;
    double share;
    bool open;
    const char *text;
    char *copy;
    enum { NOTHING, RED, BLUE } colour;
    struct inner mail;
    size_t items;
    struct cor_json text_at;
};

static const char *const colours[] = {"red", "blue", NULL};

static const struct cor_field inner_fields[] = {
    {"mode", COR_REQUIRED, COR_TERM_FIELD(struct inner, mode, COR_FAMILY_MAIL)},
    {"delay", COR_OPTIONAL, COR_INTEGER_FIELD(struct inner, delay, 1, 10),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_DELAYED) | COR_BIT(COR_MAIL_LOSSY))},
    {0}};
static const struct inner inner_default = {COR_MAIL_IN_ORDER, 3};

static enum cor_status count_items(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, 3, error));
    ((struct thing *)into)->items = cor_json_size(json);
    return COR_OK;
}

static const struct cor_field numbers[] = {
    {"small", COR_OPTIONAL, COR_INTEGER_FIELD(struct thing, small, 0, 255)},
    {"below", COR_OPTIONAL, COR_INTEGER_FIELD(struct thing, below, -300, 300)},
    {"count", COR_REQUIRED, COR_INTEGER_FIELD(struct thing, count, 0, UINT32_MAX)},
    {"most", COR_OPTIONAL, COR_INTEGER_FIELD(struct thing, most, 0, INT64_MAX)},
    {"share", COR_OPTIONAL, COR_REAL_FIELD(struct thing, share, 0, 1)},
    {0}};

static const struct cor_field fields[] = {
    COR_ROWS_OF(numbers),
    {"remark", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"seed", COR_OPTIONAL, COR_SEED_FIELD(struct thing, seed)},
    {"open", COR_OPTIONAL, COR_BOOL_FIELD(struct thing, open)},
    {"text", COR_OPTIONAL, COR_STRING_FIELD(struct thing, text), COR_PLACE_AT(struct thing, text_at)},
    {"copy", COR_OPTIONAL, COR_COPY_FIELD(struct thing, copy)},
    {"colour", COR_OPTIONAL, COR_ONE_OF_FIELD(struct thing, colour, colours, RED, "colour")},
    {"mail", COR_OPTIONAL, COR_OBJECT_FIELD(struct thing, mail, inner_fields, &inner_default)},
    {"items", COR_OPTIONAL, COR_READ_FIELD(count_items)},
    {0}};

static enum cor_status read_text(const char *text, struct cor_json_document **document, struct cor_json *root,
                                 struct thing *thing, struct cor_error *error) {
    assert_int_equal(cor_json_parse(text, "t", document, error), COR_OK);
    *root = cor_json_root(*document);
    return cor_json_fields(root, fields, thing, error);
}

static void every_kind_of_row_reads_its_member(void **state) {
    (void)state;
    struct cor_json_document *document;
    struct cor_json root;
    struct cor_error error = COR_NO_ERROR;
    struct thing thing = {.copy = cor_strdup("old")};
    enum cor_status status =
        read_text("{\"small\": 255, \"below\": -300, \"count\": 4294967295, \"most\": 9223372036854775807,"
                  " \"share\": 0.25, \"remark\": [], \"seed\": \"0xfedcba9876543210\", \"open\": true,"
                  " \"text\": \"here\", \"copy\": \"new\", \"colour\": \"blue\","
                  " \"mail\": {\"mode\": \"delayed\", \"delay\": 10}, \"items\": [1, 2]}",
                  &document, &root, &thing, &error);
    assert_int_equal(status, COR_OK);
    assert_int_equal(thing.small, 255);
    assert_int_equal(thing.below, -300);
    assert_int_equal(thing.count, UINT32_MAX);
    assert_true(thing.most == INT64_MAX);
    assert_true(thing.share == 0.25);
    assert_true(thing.seed == UINT64_C(0xfedcba9876543210));
    assert_true(thing.open);
    assert_string_equal(thing.text, "here");
    char place[64];
    cor_json_place(&thing.text_at, place, sizeof place);
    assert_string_equal(place, "t: /text");
    assert_string_equal(thing.copy, "new");
    assert_int_equal(thing.colour, BLUE);
    assert_int_equal(thing.mail.mode, COR_MAIL_DELAYED);
    assert_int_equal(thing.mail.delay, 10);
    assert_int_equal(thing.items, 2);
    free(thing.copy);
    cor_json_destroy(document);
}

static void absent_members_keep_what_the_struct_held_but_objects_begin_with_their_defaults(void **state) {
    (void)state;
    struct cor_json_document *document;
    struct cor_json root;
    struct cor_error error = COR_NO_ERROR;
    struct thing thing = {.small = 7, .share = 0.5, .colour = RED, .mail = {COR_MAIL_LOSSY, 9}};
    assert_int_equal(read_text("{\"count\": 1}", &document, &root, &thing, &error), COR_OK);
    assert_int_equal(thing.small, 7);
    assert_true(thing.share == 0.5);
    assert_int_equal(thing.colour, RED);
    assert_int_equal(thing.mail.delay, 9);
    cor_json_destroy(document);
    assert_int_equal(
        read_text("{\"count\": 1, \"mail\": {\"mode\": \"shuffled\"}}", &document, &root, &thing, &error),
        COR_OK);
    assert_int_equal(thing.mail.delay, 3);
    cor_json_destroy(document);
}

static void complaints_have_place_cause_and_remedy(void **state) {
    (void)state;
    static const char known[] =
        "known: small, below, count, most, share, remark, seed, open, text, copy, colour, "
        "mail, items";
    const struct {
        const char *text, *place, *cause, *remedy;
    } cases[] = {
        {"[]", "t: /", "is an array, expected an object", ""},
        {"{}", "t: /", "lacks the key \"count\"", ""},
        {"{\"count\": 1, \"xyzxyz\": 1}", "t: /xyzxyz", "unknown key \"xyzxyz\"", known},
        {"{\"count\": 4294967296}", "t: /count", "is 4294967296, expected 0 to 4294967295", ""},
        {"{\"count\": 1, \"small\": 256}", "t: /small", "is 256, expected 0 to 255", ""},
        {"{\"count\": 1, \"below\": -301}", "t: /below", "is -301, expected -300 to 300", ""},
        {"{\"count\": 1, \"share\": 1.5}", "t: /share", "is 1.5, expected 0 to 1", ""},
        {"{\"count\": 1, \"open\": 1}", "t: /open", "is an integer, expected true or false", ""},
        {"{\"count\": 1, \"copy\": 1}", "t: /copy", "is an integer, expected a string", ""},
        {"{\"count\": 1, \"colour\": \"bleu\"}", "t: /colour", "unknown colour \"bleu\"",
         "did you mean \"blue\"? known: red, blue"},
        {"{\"count\": 1, \"mail\": {}}", "t: /mail", "lacks the key \"mode\"", ""},
        {"{\"count\": 1, \"mail\": {\"mode\": \"by_pigeon\"}}", "t: /mail/mode", "unknown word \"by_pigeon\"",
         "known: in_order, shuffled, delayed, lossy, duplicated, pct, bounded, recorded"},
        {"{\"count\": 1, \"mail\": {\"mode\": \"shuffled\", \"delay\": 2}}", "t: /mail/delay",
         "has no meaning with \"mode\": \"shuffled\"", "leave it out"},
        {"{\"count\": 1, \"items\": [1, 2, 3, 4]}", "t: /items", "has 4 items, expected 0 to 3", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_json_document *document;
        struct cor_json root;
        struct cor_error error = COR_NO_ERROR;
        struct thing thing = {0};
        assert_int_equal(read_text(cases[i].text, &document, &root, &thing, &error), COR_STATUS_INPUT);
        assert_string_equal(error.place, cases[i].place);
        assert_string_equal(error.cause, cases[i].cause);
        assert_string_equal(error.remedy, cases[i].remedy);
        cor_json_destroy(document);
    }
}

static void members_alone_let_other_keys_be(void **state) {
    (void)state;
    struct cor_json_document *document;
    struct cor_error error = COR_NO_ERROR;
    struct thing thing = {0};
    assert_int_equal(cor_json_parse("{\"count\": 5, \"other\": 1}", "t", &document, &error), COR_OK);
    struct cor_json root = cor_json_root(document);
    assert_int_equal(cor_json_members(&root, numbers, &thing, &error), COR_OK);
    assert_int_equal(thing.count, 5);
    assert_int_equal(cor_json_expect_fields(&root, numbers, &error), COR_STATUS_INPUT);
    cor_json_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_row_reads_its_member),
        cmocka_unit_test(absent_members_keep_what_the_struct_held_but_objects_begin_with_their_defaults),
        cmocka_unit_test(complaints_have_place_cause_and_remedy),
        cmocka_unit_test(members_alone_let_other_keys_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
