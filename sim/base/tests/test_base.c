/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors, codes, arrays, lists and fingerprints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/kinds.h>
#include <corridor/letters.h>

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/hash.h>
#include <corridor/heap.h>
#include <corridor/lists.h>
#include <corridor/pool.h>
#include <corridor/terms.h>
#include <corridor/work_folder.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static void the_first_error_wins(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_fail(&error, COR_STATUS_INPUT, "a.json:3:4", "write 5", "is %d", 7),
                     COR_STATUS_INPUT);
    assert_int_equal(cor_fail(&error, COR_STATUS_FILE, "b", "c", "d"), COR_STATUS_FILE);
    assert_int_equal(cor_fail_memory(&error), COR_STATUS_MEMORY);
    assert_int_equal(error.status, COR_STATUS_INPUT);
    assert_string_equal(error.place, "a.json:3:4");
    assert_string_equal(error.cause, "is 7");
    assert_string_equal(error.remedy, "write 5");
    assert_int_equal(cor_fail(NULL, COR_STATUS_PLUGIN, NULL, NULL, "nobody listens"), COR_STATUS_PLUGIN);
}

struct told {
    char *into; /* borrowed */
    char letter;
};

static void told_fini(struct told *told) {
    *strchr(told->into, '\0') = told->letter;
}

static void told_destroy(struct told *told) {
    if (told)
        told_fini(told);
}
COR_DESTROYS(told, struct told)

/* Leaves its scope where `call` fails, and where nothing does. */
static enum cor_status hold(char *into, enum cor_status call, struct told **taken) {
    static struct told d;
    struct told c = {into, 'c'};
    d = (struct told){into, 'd'};
    COR_FREED char *text = cor_strdup("held");
    COR_FINISHED(told) struct told a = {into, 'a'}, b = {into, 'b'};
    COR_DESTROYED(told) struct told *destroyed = &c, *none = NULL;
    assert_non_null(text);
    assert_null(none);
    COR_TRY(call);
    COR_DESTROYED(told) struct told *kept = &d;
    *taken = cor_taken(&kept);
    assert_ptr_equal(destroyed, &c);
    assert_null(kept);
    return a.letter == 'a' && b.letter == 'b' ? COR_OK : COR_STATUS_INTERNAL;
}

/* In the opposite order, once, whichever way the scope is left; what is taken is not given back. */
static void what_is_held_goes_with_its_scope(void **unused) {
    (void)unused;
    char told[8] = "";
    struct told *taken = NULL;
    assert_int_equal(hold(told, COR_STATUS_FILE, &taken), COR_STATUS_FILE);
    assert_string_equal(told, "cba");
    assert_null(taken);
    memset(told, 0, sizeof told);
    assert_int_equal(hold(told, COR_OK, &taken), COR_OK);
    assert_string_equal(told, "cba");
    assert_non_null(taken);
    memset(told, 0, sizeof told);
    for (char letter = 'x'; letter <= 'z'; letter++) {
        COR_FINISHED(told) struct told each = {told, letter};
        if (letter == 'y')
            continue;
        assert_int_equal(each.letter, letter);
    }
    assert_string_equal(told, "xyz");
}

static void check_error_text(const char *place, const char *remedy, const char *expected) {
    struct cor_error error = COR_NO_ERROR;
    char text[64];
    assert_int_equal(cor_fail(&error, COR_STATUS_INPUT, place, remedy, "is bad"), COR_STATUS_INPUT);
    cor_error_text(&error, text, sizeof text);
    assert_string_equal(text, expected);
}

static void a_moment_that_was_not_opened_closes_nothing(void **state) {
    (void)state;
    struct cor_moment moment = {0};
    struct cor_error error = COR_NO_ERROR;
    assert_int_not_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
    cor_moment_close(&moment);
    assert_int_not_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
    assert_int_equal(cor_moment_open("test", &moment, &error), COR_OK);
    const int lock = moment.lock;
    char *folder = cor_strdup(moment.folder);
    assert_int_equal(access(folder, F_OK), 0);
    cor_moment_close(&moment);
    cor_moment_close(&moment);
    assert_int_equal(fcntl(lock, F_GETFD), -1);
    assert_int_equal(access(folder, F_OK), -1);
    free(folder);
}

static void an_error_reads_as_place_cause_and_remedy(void **unused) {
    (void)unused;
    check_error_text(NULL, NULL, "is bad");
    check_error_text("f", NULL, "f: is bad");
    check_error_text(NULL, "be good", "is bad\n  be good");
    check_error_text("f: /a/0", "be good", "f: /a/0: is bad\n  be good");
    struct cor_error error = COR_NO_ERROR;
    char text[5];
    (void)cor_fail(&error, COR_STATUS_INPUT, "file", NULL, "is bad");
    cor_error_text(&error, text, sizeof text);
    assert_string_equal(text, "file");
}

static void only_valid_text_without_controls_is_printable(void **unused) {
    (void)unused;
    static const char *const good[] = {"", "a b", "\xc3\xa9", "\xc2\xa0", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    static const char *const bad[] = {"\n",
                                      "\x1b[31m",
                                      "\x7f",
                                      "a\xc2\x9b"
                                      "31m",
                                      "\x9b",
                                      "\xc3",
                                      "\xc3"
                                      "A",
                                      "\xe2\x82",
                                      "\xff",
                                      "\xc0\x80"};
    static const uint32_t turning[] = {0x61c,  0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
                                       0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069};
    size_t controls = 0;
    for (uint32_t code = 0xa0; code < 0x10000; code++) { /* all of two and three bytes */
        const char two[] = {(char)(0xc0 | code >> 6), (char)(0x80 | (code & 0x3f)), 0};
        const char three[] = {(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3f)),
                              (char)(0x80 | (code & 0x3f)), 0};
        bool turns = false;
        for (size_t i = 0; i < sizeof turning / sizeof *turning; i++)
            turns = turns || turning[i] == code;
        char shown[4];
        snprintf(shown, sizeof shown, "%s", code < 0x800 ? two : three);
        cor_make_printable(shown);
        assert_true((shown[0] != '?') == !turns);
        assert_true(cor_is_control(code) == turns);
        controls += turns;
    }
    assert_int_equal(controls, 14);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(cor_is_printable(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(cor_is_printable(bad[i]));
}

/* What a file says must not reach the terminal as a command. */
static void no_character_is_cut(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        size_t most, fits;
    } rows[] = {{"", 0, 0},
                {"", 9, 0},
                {"abc", 0, 0},
                {"abc", 2, 2},
                {"abc", 3, 3},
                {"abc", 9, 3},
                {"a\xc3\xa9z", 2, 1},
                {"a\xc3\xa9z", 3, 3},
                {"\xe2\x82\xac", 2, 0},
                {"\xf0\x9f\x98\x80!", 4, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(cor_text_fit(rows[i].text, rows[i].most), rows[i].fits);
}

static void the_text_of_an_error_is_printable(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    char text[100];
    (void)cor_fail(&error, COR_STATUS_INPUT, "a\x1b[2J: /\xc2\x9b", "say \xc3\xa9", "\"%s\"\nis bad",
                   "\a\xff\x7f");
    cor_error_text(&error, text, sizeof text);
    assert_string_equal(text, "a?[2J: /\?\?: \"\?\?\?\"\nis bad\n  say \xc3\xa9");
}

static void long_errors_are_cut(void **unused) {
    (void)unused;
    char big[5000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    struct cor_error error = COR_NO_ERROR;
    (void)cor_fail(&error, COR_STATUS_INPUT, big, big, "%s", big);
    assert_int_equal(strlen(error.place), sizeof error.place - 1);
    assert_int_equal(strlen(error.cause), sizeof error.cause - 1);
    assert_int_equal(strlen(error.remedy), sizeof error.remedy - 1);
}

static void failures_of_the_system_and_of_memory_say_their_cause(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR, other = COR_NO_ERROR;
    errno = ENOENT;
    assert_int_equal(cor_fail_errno(&error, COR_STATUS_FILE, "x", NULL, "cannot open"), COR_STATUS_FILE);
    assert_string_equal(error.cause, "cannot open: No such file or directory");
    assert_int_equal(cor_fail_memory(&other), COR_STATUS_MEMORY);
    assert_string_equal(other.cause, "out of memory");
    assert_string_equal(other.place, "");
}

static void every_status_has_its_text(void **unused) {
    (void)unused;
#define COR_STATUS_TEXT(name, text) assert_string_equal(cor_status_text(COR_STATUS_##name), text);
    COR_STATUSES(COR_STATUS_TEXT)
#undef COR_STATUS_TEXT
    assert_string_equal(cor_status_text((enum cor_status)1000), "?");
    assert_int_equal(COR_OK, 0);
}

static const char *const names[] = {"partition", "threshold", "size_min", "size_max", "idle", NULL};

static void check_meant(const char *word, const char *expected) {
    const char *found = cor_did_you_mean(word, names);
    if (expected)
        assert_string_equal(found ? found : "(none)", expected);
    else
        assert_null(found);
}

static void the_nearest_name_is_meant(void **unused) {
    (void)unused;
    check_meant("partition", "partition");
    check_meant("partiton", "partition");
    check_meant("prtition", "partition");
    check_meant("threshhold", "threshold");
    check_meant("treshold", "threshold");
    check_meant("size_mim", "size_min");
    check_meant("sizemax", "size_max");
    check_meant("size_mxa", "size_max"); /* a swap is one edit, so nearer than size_min */
    check_meant("idel", "idle");
    check_meant("size_m", "size_min"); /* the first on ties */
    check_meant("ilde", "idle");
    check_meant("", NULL);
    check_meant("x", NULL);
    check_meant("part", "partition"); /* a part of a name, as far as it is from it */
    check_meant("hold", "threshold");
    check_meant("SIZE-MAX", "size_max"); /* though size_min comes first, and is as far by letters */
    check_meant("Idle", "idle");
    check_meant("IDLE", "idle");
    check_meant("very-much-so.idle", "idle"); /* the end of what is too long to be one */
    check_meant("veryidle", NULL);
    check_meant("in", NULL); /* of two letters that says nothing */
    check_meant("environment", NULL);
}

/* "time" is two edits away as well, and comes first. */
static void a_part_of_a_name_is_nearer_than_another_name(void **unused) {
    (void)unused;
    const char *const columns[] = {"time", "temp_c", NULL};
    assert_string_equal(cor_did_you_mean("temp", columns), "temp_c");
}

static void check_kind(const char *text, int expected) {
    enum cor_kind kind;
    const bool found = cor_kind_of_text(text, &kind);
    assert_int_equal(found ? (int)kind : COR_KIND_COUNT, expected);
}

static void a_file_is_known_by_a_key_at_its_top(void **unused) {
    (void)unused;
    check_kind("{\"corridor_model\": 1}", COR_KIND_MODEL);
    check_kind("\xef\xbb\xbf\n { \"a\" : [1, {\"corridor_test\": 1}], \"corridor_model\" : 1",
               COR_KIND_MODEL);
    check_kind("{\"a\": \"\\\"corridor_test\", \"corridor_profile\":", COR_KIND_PROFILE);
    check_kind("{\"format\": \"efsm-json/7\"}", COR_KIND_EFSM);
    check_kind("{\"format\": \"agent-unit/1\"}", COR_KIND_DESIGN);
    check_kind("{\"format\": \"else\"}", COR_KIND_COUNT);
    check_kind("{\"design\": \"d.json\", \"version\": 1}", COR_KIND_AGENT_FAULTS);
    check_kind("{\"design\": \"d.json\"}", COR_KIND_AGENT_EXPERIMENT);
    check_kind("{\"design\": {}, \"agent_test\": {}}", COR_KIND_AGENT_TEST);
    check_kind("{\"process\": {}, \"process_test\": {}}", COR_KIND_PROCESS_TEST);
    check_kind("{\"process\": {}}", COR_KIND_PROCESS_EXPERIMENT);
    check_kind("{\"efsm\": {}, \"efsm_test\": {}}", COR_KIND_EFSM_TEST);
    check_kind("{\"system\": {}, \"system_test\": {}}", COR_KIND_SYSTEM_TEST);
    check_kind("{\"a\": {\"corridor_test\": 1}}", COR_KIND_COUNT);
    check_kind("[\"corridor_test\"]", COR_KIND_COUNT);
    check_kind("{\"corridor_test\"", COR_KIND_COUNT);
    check_kind("{]}}{,:\"", COR_KIND_COUNT);
    check_kind("", COR_KIND_COUNT);
}

/* A pipe is not opened: it would be waited for. */
static void what_a_file_is_is_read_off_its_first_bytes(void **unused) {
    static const struct {
        const char *begin;
        bool is_json, is_result;
    } files[] = {{"\xef\xbb\xbf\n {", true, false},
                 {"\x89HDF\r\n\x1a\n", false, true},
                 {"\x89HDF\r\n\x1a", false, false},
                 {"", false, false}};
    char folder[] = "/tmp/corridor-kinds-XXXXXX", path[64];
    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/it", folder);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(files[f].begin, file);
        fclose(file);
        assert_int_equal(cor_is_json_file(path), files[f].is_json);
        assert_int_equal(cor_is_result_file(path), files[f].is_result);
    }
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(cor_is_json_file(path) || cor_is_result_file(path));
    unlink(path);
    assert_false(cor_is_json_file(path) || cor_is_result_file(path));
    rmdir(folder);
}

/* One edit in each three letters begun: a word of six letters may have two, not three. */
static void a_word_may_differ_by_one_edit_in_three_letters(void **unused) {
    (void)unused;
    const char *const one[] = {"abcdef", NULL};
    assert_non_null(cor_did_you_mean("abcxyf", one));
    assert_null(cor_did_you_mean("abxyzf", one));
    assert_non_null(cor_did_you_mean("badcef", one)); /* two swaps */
    assert_null(cor_did_you_mean("badcfe", one));
}

/* A word as long as a file is like nothing, and nothing is written out of bounds. */
static void a_very_long_word_is_like_no_name(void **unused) {
    (void)unused;
    char word[2000];
    for (size_t length = 1; length < sizeof word; length += 7) {
        memset(word, 'q', length);
        word[length] = '\0';
        assert_null(cor_did_you_mean(word, names));
    }
    char exact[64] = {0};
    memset(exact, 'w', 63);
    const char *const one[] = {exact, NULL};
    assert_non_null(cor_did_you_mean(exact, one));
}

static void known_names_are_listed_after_the_one_meant(void **unused) {
    (void)unused;
    char text[200];
    cor_known_names("foo", names, text, sizeof text);
    assert_string_equal(text, "known: partition, threshold, size_min, size_max, idle");
    cor_known_names("idel", names, text, sizeof text);
    assert_string_equal(text, "did you mean \"idle\"? known: partition, threshold, size_min, size_max, idle");
    cor_known_names("idel", names, text, 60); /* no name is cut */
    assert_string_equal(text, "did you mean \"idle\"? known: partition, threshold and 3 more");
    cor_known_names("idel", names, text, 40);
    assert_string_equal(text, "did you mean \"idle\"? known: 5 more");
    cor_known_names("idel", names, text, 10);
    assert_string_equal(text, "did you m");
}

/* Within a family, names and numbers are unique and ascend, none is 0, and both directions agree. */
static void terms_are_unique_and_found_by_word_and_number(void **unused) {
    (void)unused;
    for (enum cor_family family = COR_FAMILY_NONE + 1; family < COR_FAMILY_COUNT; family++) {
        const struct cor_term *terms = cor_terms(family);
        const char *const *words = cor_term_words(family);
        size_t count = 0;
        for (; terms[count].word; count++) {
            const struct cor_term *term = &terms[count];
            assert_true(term->number > (count > 0 ? terms[count - 1].number : 0));
            assert_string_equal(words[count], term->word);
            assert_true(strlen(term->meaning) > 0);
            assert_int_equal(cor_term_number(family, term->word), term->number);
            assert_string_equal(cor_term_word(family, term->number), term->word);
            for (const char *c = term->word; *c; c++)
                assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
        }
        assert_true(count > 0);
        assert_null(words[count]);
        assert_string_equal(cor_term_word(family, 0), "?");
        assert_string_equal(cor_term_word(family, -1), "?");
        assert_string_equal(cor_term_word(family, terms[count - 1].number + 1), "?");
        assert_int_equal(cor_term_number(family, ""), 0);
        assert_int_equal(cor_term_number(family, "no such word"), 0);
    }
}

/* Numbers are in result files that exist: they may be added to, never changed. */
static void numbers_in_result_files_stay(void **unused) {
    (void)unused;
    assert_int_equal(COR_VERDICT_PASSED, 1);
    assert_int_equal(COR_VERDICT_SMOKE, 4);
    assert_int_equal(COR_CHECK_MISSING, 1);
    assert_int_equal(COR_CHECK_ALARM_FALSE, 11);
    assert_int_equal(COR_STOP_FAILED, 5);
    assert_int_equal(COR_PURPOSE_CONFIGURATION, 1);
    assert_int_equal(COR_PURPOSE_TEST, 18);
    assert_int_equal(COR_MAIL_LOSSY, 4);
    assert_int_equal(COR_ADOPTION_FAULT_HALFWAY, 5);
}

static void reserved_room_grows_by_half_and_keeps_its_items(void **unused) {
    (void)unused;
    uint64_t *items = NULL;
    size_t capacity = 0, grown = 0;
    for (size_t count = 0; count < 10000; count++) {
        size_t before = capacity;
        assert_int_equal(COR_RESERVE(&items, &capacity, count + 1, NULL), COR_OK);
        assert_true(capacity > count);
        grown += capacity != before;
        items[count] = count * count;
    }
    assert_true(grown < 25); /* growing by half, not by one */
    for (size_t i = 0; i < 10000; i++)
        assert_true(items[i] == i * i);
    free(items);
}

static void absurd_room_is_refused_and_nothing_changes(void **unused) {
    (void)unused;
    uint64_t *items = NULL;
    size_t capacity = 0;
    assert_int_equal(COR_RESERVE(&items, &capacity, 3, NULL), COR_OK);
    uint64_t *before = items;
    size_t capacity_before = capacity;
    static const size_t absurd[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof(uint64_t) + 1};
    for (size_t i = 0; i < 3; i++) {
        struct cor_error error = COR_NO_ERROR;
        assert_int_equal(COR_RESERVE(&items, &capacity, absurd[i], &error), COR_STATUS_MEMORY);
        assert_int_equal(error.status, COR_STATUS_MEMORY);
        assert_ptr_equal(items, before);
        assert_int_equal(capacity, capacity_before);
    }
    free(items);
}

static void allocations_are_zeroed_and_texts_are_copied(void **unused) {
    (void)unused;
    unsigned char *bytes = cor_calloc(100, 3);
    for (int i = 0; i < 300; i++)
        assert_int_equal(bytes[i], 0);
    free(bytes);
    void *nothing = cor_calloc(0, 8);
    assert_non_null(nothing);
    free(nothing);
    assert_null(cor_strdup(NULL));
    const char *text = "text";
    char *copy = cor_strdup(text);
    assert_string_equal(copy, "text");
    assert_ptr_not_equal(copy, text);
    free(copy);
    char *formatted = cor_format("%s-%0500d", "a", 7);
    assert_int_equal(strlen(formatted), 502);
    assert_string_equal(formatted + 498, "0007");
    free(formatted);
}

static void lists_hold_their_blocks_and_copies_are_their_own(void **unused) {
    (void)unused;
    static const uint32_t members[] = {4, 4, 99, 0, 7};
    struct cor_lists lists, copy;
    cor_lists_init(&lists);
    cor_lists_init(&copy);
    assert_int_equal(cor_lists_copy(&copy, &lists, NULL), COR_OK); /* of nothing */
    assert_int_equal(cor_lists_put(&lists, members, 3, NULL), COR_OK);
    assert_int_equal(cor_lists_put(&lists, NULL, 0, NULL), COR_OK);
    assert_int_equal(cor_lists_put(&lists, members + 3, 2, NULL), COR_OK);
    assert_int_equal(cor_lists_copy(&copy, &lists, NULL), COR_OK);
    cor_lists_clear(&lists);
    assert_int_equal(lists.block_count, 0);
    assert_int_equal(lists.member_count, 0);
    assert_int_equal(cor_lists_put(&lists, members + 4, 1, NULL), COR_OK);
    assert_int_equal(cor_lists_block(&lists, 0)[0], 7);
    assert_int_equal(copy.block_count, 3);
    assert_int_equal(copy.member_count, 5);
    assert_int_equal(cor_lists_size(&copy, 0), 3);
    assert_int_equal(cor_lists_size(&copy, 1), 0);
    assert_int_equal(cor_lists_size(&copy, 2), 2);
    assert_memory_equal(cor_lists_block(&copy, 0), members, sizeof members);
    cor_lists_fini(&copy);
    cor_lists_fini(&copy);
    assert_null(copy.members);
    cor_lists_fini(&lists);
}

static void lists_refuse_absurd_blocks(void **unused) {
    (void)unused;
    static const uint32_t member = 5;
    struct cor_lists lists;
    cor_lists_init(&lists);
    assert_int_equal(cor_lists_put(&lists, &member, 1, NULL), COR_OK);
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_lists_put(&lists, &member, UINT32_MAX - 1, &error), COR_STATUS_MEMORY);
    assert_int_equal(cor_lists_put(&lists, &member, SIZE_MAX, &error), COR_STATUS_MEMORY);
    assert_int_equal(lists.block_count, 1);
    assert_int_equal(lists.member_count, 1);
    cor_lists_fini(&lists);
}

/* From state 0 with an increment of the golden ratio: the first outputs of SplitMix64 for seed 0 and for seed
 * 1234567, as published with the generator (Vigna; also Rosetta Code). */
/* Item i of the pool's test: as many bytes as are wanted, or by i. */
static size_t make_item(uint32_t i, size_t wanted, unsigned char *item) {
    const size_t size = wanted ? wanted : i % 7;
    memset(item, 0, 8);
    for (size_t b = 0; b < size; b++)
        item[b] = (unsigned char)(b == 0 ? i / 7 % 200 : i % 3);
    return size;
}

/* Beside a list that is searched from its beginning. */
static void check_pool(size_t wanted) {
    static unsigned char items[3000][8];
    static size_t sizes[3000];
    struct cor_pool pool = {.size = wanted};
    uint32_t count = 0, number;
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t known = 0;
        sizes[count] = make_item(i * 7919 % 2500, wanted, items[count]);
        while (sizes[known] != sizes[count] || memcmp(items[known], items[count], 8) != 0)
            known++;
        assert_int_equal(cor_pool_find(&pool, items[count], sizes[count]),
                         known < count ? known : UINT32_MAX);
        assert_int_equal(cor_pool_add(&pool, items[count], sizes[count], &number, NULL), COR_OK);
        assert_int_equal(number, known);
        count += known == count;
        assert_int_equal(pool.count, count);
    }
    assert_true(count > 500 && count < 3000);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(cor_pool_item_size(&pool, i), sizes[i]);
        assert_memory_equal(cor_pool_item(&pool, i), items[i], sizes[i]);
    }
    assert_true(cor_pool_memory(&pool) >= count * (wanted + 2 * sizeof(uint32_t)));
    cor_pool_fini(&pool);
    assert_int_equal(pool.size, wanted);
    assert_int_equal(cor_pool_find(&pool, items[0], sizes[0]), UINT32_MAX);
    cor_pool_fini(&pool);
}

static void a_pool_keeps_each_item_once_in_the_order_they_came(void **unused) {
    (void)unused;
    check_pool(0);
    check_pool(5);
    check_pool(8);
}

static void the_hash_is_splitmix(void **unused) {
    (void)unused;
    assert_true(cor_hash_word(0, 0) == UINT64_C(0xE220A8397B1DCDAF));
    assert_true(cor_hash_word(1234567, 0) == UINT64_C(6457827717110365317));
    assert_true(cor_hash_word(0, 1234567) == UINT64_C(6457827717110365317));
}

static void the_hash_of_bytes_covers_length_and_words(void **unused) {
    (void)unused;
    uint64_t ab_c = cor_hash_bytes(cor_hash_bytes(COR_HASH_SEED, "ab", 2), "c", 1);
    uint64_t a_bc = cor_hash_bytes(cor_hash_bytes(COR_HASH_SEED, "a", 1), "bc", 2);
    assert_true(ab_c != a_bc);
    /* By hand: the length, then words of eight bytes, the last filled up with zeroes. */
    const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
    for (size_t size = 0; size <= sizeof bytes; size++) {
        uint64_t words[3] = {0, 0, 0}, hash = cor_hash_word(7, size);
        memcpy(words, bytes, size);
        for (size_t w = 0; w < (size + 7) / 8; w++)
            hash = cor_hash_word(hash, words[w]);
        assert_true(cor_hash_bytes(7, bytes, size) == hash);
    }
    assert_true(cor_hash_bytes(7, NULL, 0) == cor_hash_word(7, 0));
}

/* Parts of all lengths in all orders of lengths, more and fewer than go side by side, with what lies beside
 * them untouched. */
static void parts_have_the_hash_of_their_bytes(void **unused) {
    (void)unused;
    enum { PARTS = 13, LONGEST = 100 };
    unsigned char bytes[PARTS][LONGEST];
    struct cor_hash_part parts[PARTS + 1];
    uint64_t drawn = 1;
    for (unsigned round = 0; round < 2000; round++) {
        const size_t count = round % (PARTS + 1);
        for (size_t p = 0; p <= PARTS; p++) {
            drawn = cor_hash_word(drawn, p);
            parts[p] = (struct cor_hash_part){drawn, bytes[p % PARTS], drawn % 3 == 0 ? 0 : drawn % LONGEST};
            for (size_t i = 0; p < PARTS && i < LONGEST; i++)
                bytes[p][i] = (unsigned char)(drawn >> (i % 57));
        }
        struct cor_hash_part expected[PARTS + 1];
        for (size_t p = 0; p <= PARTS; p++) {
            expected[p] = parts[p];
            if (p < count)
                expected[p].hash = cor_hash_bytes(parts[p].hash, parts[p].bytes, parts[p].size);
        }
        cor_hash_parts(parts, count);
        for (size_t p = 0; p <= PARTS; p++)
            assert_true(parts[p].hash == expected[p].hash);
    }
}

/* Any one bit of a text changes about half of the bits of its hash. */
static void one_bit_changes_about_half_of_the_hash(void **unused) {
    (void)unused;
    unsigned char bytes[40] = "a text whose bits are turned one by one";
    uint64_t whole = cor_hash_bytes(COR_HASH_SEED, bytes, sizeof bytes);
    unsigned turned = 0;
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        uint64_t difference = whole ^ cor_hash_bytes(COR_HASH_SEED, bytes, sizeof bytes);
        assert_true(difference != 0);
        for (; difference; difference &= difference - 1)
            turned++;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    /* 320 hashes of 64 bits: mean 10240, standard deviation 72 */
    assert_in_range(turned, 10240 - 360, 10240 + 360);
}

/* How many KB of the heap may be large pages, as the kernel tells. */
static unsigned long large_heap(void) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    unsigned long size = 0, sum = 0;
    char line[512];
    int is_heap = 0;
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        if (strchr(line, '-') && strchr(line, '-') < strchr(line, ' '))
            is_heap = strstr(line, "[heap]") != NULL;
        (void)sscanf(line, "Size: %lu", &size);
        if (is_heap && strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " hg"))
            sum += size;
    }
    fclose(maps);
    return sum;
}

static void the_heap_begins_with_large_pages(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* its heap is another */
#endif
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) != 0)
        skip();
    assert_int_equal(large_heap(), 0);
    cor_heap_begin();
    assert_in_range(large_heap(), 30 << 10, 40 << 10);
}

/* How the child of this argument ends. */
enum ending { ENDING_WELL, ENDING_BADLY, ENDING_LATE, ENDING_KILLED, ENDING_CRASHED };

static enum cor_status end_so(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)size;
    switch (*(const enum ending *)argument) {
    case ENDING_WELL:
        memcpy(answer, "yes", 4);
        return COR_OK;
    case ENDING_BADLY:
        return cor_fail(error, COR_STATUS_INPUT, "a.h5", NULL, "is none");
    case ENDING_LATE:
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_usec = 1000}, NULL);
        for (volatile int i = 0;; i++)
            ;
    case ENDING_KILLED:
        raise(SIGKILL);
        break;
    case ENDING_CRASHED:
        signal(SIGSEGV, SIG_DFL); /* sanitizers have a handler of their own */
        raise(SIGSEGV);
        break;
    }
    return COR_OK;
}

static void how_a_child_ends_is_told(void **unused) {
    static const struct {
        enum ending ending;
        enum cor_status status;
        const char *cause;
    } cases[] = {
        {ENDING_WELL, COR_OK, ""},
        {ENDING_BADLY, COR_STATUS_INPUT, "is none"},
        {ENDING_LATE, COR_STATUS_INTERRUPTED, "a child process used up the time that it had"},
        {ENDING_KILLED, COR_STATUS_MEMORY, "a child process was killed from outside"},
        {ENDING_CRASHED, COR_STATUS_INTERNAL, "a child process was ended by signal 11 (Segmentation fault)"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_error error = COR_NO_ERROR;
        enum ending ending = cases[i].ending;
        char answer[4] = "";
        assert_int_equal(cor_in_child(end_so, &ending, answer, sizeof answer, &error), cases[i].status);
        assert_string_equal(error.cause, cases[i].cause);
        assert_string_equal(answer, cases[i].status == COR_OK ? "yes" : "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heap_begins_with_large_pages),

        cmocka_unit_test(how_a_child_ends_is_told),
        cmocka_unit_test(the_first_error_wins),
        cmocka_unit_test(what_is_held_goes_with_its_scope),
        cmocka_unit_test(a_moment_that_was_not_opened_closes_nothing),
        cmocka_unit_test(an_error_reads_as_place_cause_and_remedy),
        cmocka_unit_test(only_valid_text_without_controls_is_printable),
        cmocka_unit_test(no_character_is_cut),
        cmocka_unit_test(the_text_of_an_error_is_printable),
        cmocka_unit_test(long_errors_are_cut),
        cmocka_unit_test(failures_of_the_system_and_of_memory_say_their_cause),
        cmocka_unit_test(every_status_has_its_text),
        cmocka_unit_test(the_nearest_name_is_meant),
        cmocka_unit_test(a_part_of_a_name_is_nearer_than_another_name),
        cmocka_unit_test(a_file_is_known_by_a_key_at_its_top),
        cmocka_unit_test(what_a_file_is_is_read_off_its_first_bytes),
        cmocka_unit_test(a_word_may_differ_by_one_edit_in_three_letters),
        cmocka_unit_test(a_very_long_word_is_like_no_name),
        cmocka_unit_test(known_names_are_listed_after_the_one_meant),
        cmocka_unit_test(terms_are_unique_and_found_by_word_and_number),
        cmocka_unit_test(numbers_in_result_files_stay),
        cmocka_unit_test(reserved_room_grows_by_half_and_keeps_its_items),
        cmocka_unit_test(absurd_room_is_refused_and_nothing_changes),
        cmocka_unit_test(allocations_are_zeroed_and_texts_are_copied),
        cmocka_unit_test(a_pool_keeps_each_item_once_in_the_order_they_came),
        cmocka_unit_test(lists_hold_their_blocks_and_copies_are_their_own),
        cmocka_unit_test(lists_refuse_absurd_blocks),

        cmocka_unit_test(the_hash_is_splitmix),
        cmocka_unit_test(the_hash_of_bytes_covers_length_and_words),
        cmocka_unit_test(parts_have_the_hash_of_their_bytes),
        cmocka_unit_test(one_bit_changes_about_half_of_the_hash),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
