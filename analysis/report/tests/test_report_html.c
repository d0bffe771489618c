/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "figure.h"
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a function writes; freed by the caller. */
#define WRITTEN(name, call)                      \
    struct report__text name##_text;             \
    report__text_begin(&name##_text);            \
    FILE *file = name##_text.file;               \
    assert_non_null(file);                       \
    call;                                        \
    char *name = report__text_end(&name##_text); \
    assert_non_null(name)

static void expect_text(const char *text, const char *expected) {
    WRITTEN(said, cor_html_text(file, text));
    assert_string_equal(said, expected);
    free(said);
}

static void text_is_escaped_and_controls_become_blanks(void **state) {
    (void)state;
    expect_text("", "");
    expect_text("plain", "plain");
    expect_text("<a href=\"x\" b='y'> & </a>", "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt; &amp; &lt;/a&gt;");
    expect_text("Stra\xc3\x9f"
                "e \xe2\x82\xac \xf0\x9f\x98\x80",
                "Stra\xc3\x9f"
                "e \xe2\x82\xac \xf0\x9f\x98\x80");
    expect_text("a\tb\nc\x1b[31m\x7f\xc2\x85", "a b c [31m  ");
}

/* Table 3-7 of the Unicode standard says which bytes are well-formed. */
static void bytes_that_are_no_utf8_are_replaced(void **state) {
    (void)state;
    expect_text("\xff", "\xef\xbf\xbd");
    expect_text("\x80 a", "\xef\xbf\xbd a");
    expect_text("\xc3", "\xef\xbf\xbd");
    expect_text("\xc3(", "\xef\xbf\xbd(");
    expect_text("\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd");                                 /* '<', overlong */
    expect_text("\xe0\x80\xbc", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");                 /* the same */
    expect_text("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");                 /* a surrogate */
    expect_text("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* U+110000 */
    expect_text("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf");                                 /* U+10FFFF */
}

static void expect_short(const char *text, size_t characters, const char *expected) {
    WRITTEN(said, cor_html_short(file, text, characters));
    assert_string_equal(said, expected);
    free(said);
}

static void long_text_is_cut_with_an_ellipsis(void **state) {
    (void)state;
    expect_short("\xc3\xa4<b", 3, "\xc3\xa4&lt;b");
    expect_short("\xc3\xa4<b", 2, "\xc3\xa4&lt;\xe2\x80\xa6");
    expect_short("a", 0, "\xe2\x80\xa6");
    expect_short("", 0, "");
}

static void expect_lines(const char *text, size_t bytes, const char *expected) {
    WRITTEN(said, cor_html_lines(file, text, bytes));
    assert_string_equal(said, expected);
    free(said);
}

static void lines_stay_lines(void **state) {
    (void)state;
    expect_lines("", 9, "");
    expect_lines("<a\n\n  b\t&", 99, "&lt;a\n\n  b &amp;\n");
    expect_lines("a\n", 99, "a\n");
    expect_lines("ab\ncd", 4, "ab\nc\n");
    expect_lines("\xc3\xa4z", 1, "\xc3\xa4\n"); /* a character that begins within */
}

static void expect_count(uint64_t value, const char *expected) {
    WRITTEN(said, report__html_count(file, value));
    assert_string_equal(said, expected);
    free(said);
}

static void expect_real(double value, int decimals, const char *expected) {
    WRITTEN(said, report__html_real(file, value, decimals));
    assert_string_equal(said, expected);
    free(said);
}

#define BLANK "\xe2\x80\xaf"

static void numbers_are_grouped_and_rounded(void **state) {
    (void)state;
    expect_count(0, "0");
    expect_count(9999, "9999");
    expect_count(12345, "12" BLANK "345");
    expect_count(UINT64_MAX, "18" BLANK "446" BLANK "744" BLANK "073" BLANK "709" BLANK "551" BLANK "615");
    expect_real(1.005, 2, "1.00"); /* the double lies below */
    expect_real(-0.001, 2, "0.00");
    expect_real(-0.01, 2, "-0.01");
    expect_real(99.996, 2, "100.00");
    expect_real(NAN, 2, "<span class=na>n/a</span>");
    expect_real(INFINITY, 2, "\xe2\x88\x9e");
    expect_real(1e300, 2, "1e+300");
}

static char title[] = "A < B", description[] = "rises";
static struct report__figure figure = {.name = "one", .title = title, .description = description};

#define HEAD                                                                                                 \
    "<svg class=plot viewBox=\"0 0 10 20\" role=img aria-labelledby=\"one-t one-d\"><title id=one-t>A &lt; " \
    "B"                                                                                                      \
    "</title><desc id=one-d>rises</desc>"

static void expect_inlined(const char *body, const char *expected) {
    char svg[2048], wanted[2048];
    snprintf(svg, sizeof svg,
             "<?xml version=\"1.0\"?>\n<svg width='1'\n viewBox=\"0 0 10 20\" xmlns='x'>\n%s</svg>\n", body);
    snprintf(wanted, sizeof wanted, "%s%s</svg>", HEAD, expected);
    char *inlined = report__svg_inline(svg, &figure);
    assert_non_null(inlined);
    assert_string_equal(inlined, wanted);
    free(inlined);
}

static void a_drawing_is_inlined_with_title_and_description(void **state) {
    (void)state;
    expect_inlined("", "");
    expect_inlined("<title>Graphviz</title>\n<defs><circle id='p'/></defs><!-- note -->\n<g>\n</g>\n",
                   "<g></g>");
}

static void attributes_are_cleaned_and_colours_are_the_pages(void **state) {
    (void)state;
    expect_inlined("<g id=\"c\" color=\"black\" >\n\t<path  stroke='#0b5cad' d='M1,1 L2,2'/>\n</g>",
                   "<g><path stroke=\"var(--s1)\" d=\"M1,1 L2,2\"/></g>");
    expect_inlined("<text fill=\"black\" font-family=\"sans\"><tspan font-family='x'>5 &lt; 6</tspan></text>",
                   "<text fill=\"currentColor\">5 &lt; 6</text>");
    expect_inlined("<polygon fill = '#dbe9f6' stroke=\"#8b949e\" points=\"1,2 3,4\"/>",
                   "<polygon fill=\"var(--h1)\" stroke=\"var(--axis)\" points=\"1,2 3,4\"/>");
    expect_inlined("<path d='M12.50,3.00 L100,0.05 0.10'/>", "<path d=\"M12.5,3 L100,0.05 0.1\"/>");
    expect_inlined("<rect fill='rgb(1,2,3)'/>", "<rect fill=\"rgb(1,2,3)\"/>");
}

/* Whatever a program writes, only shapes come into the page. */
static void nothing_but_shapes_comes_into_the_page(void **state) {
    (void)state;
    expect_inlined(
        "<script>alert(1)</script><style>g{}</style><image href='x'/><a xlink:href=\"http://x\"><rect "
        "onload='x()' href='y' x='1'/></a><foreignObject><g/></foreignObject>",
        "<rect x=\"1\"/><g/>");
}

static void what_is_no_drawing_is_not_inlined(void **state) {
    (void)state;
    assert_null(report__svg_inline("", &figure));
    assert_null(report__svg_inline("<svg", &figure));
    assert_null(report__svg_inline("<svg viewBox=\"0 0 1 1\">", &figure));
    assert_null(report__svg_inline("<svg></svg>", &figure));
    assert_null(report__svg_inline("<svg viewBox=\"a\"></svg>", &figure));
    /* Cut anywhere, a drawing ends in nothing or in a page; never behind its end. */
    const char *whole = "<svg viewBox=\"0 0 1 1\"><g a='b' c=\"d\"><path d='M1'/></g></svg>";
    for (size_t size = 0; size < strlen(whole); size++) {
        char *cut = strndup(whole, size);
        assert_non_null(cut);
        assert_null(report__svg_inline(cut, &figure));
        free(cut);
    }
}

static void a_program_ends_with_its_code_or_its_signal(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    int code = -1;
    char name[] = "x", option[] = "-c", ends[] = "exit 7", dies[] = "kill -9 $$";
    char *const ending[] = {name, option, ends, NULL}, *const dying[] = {name, option, dies, NULL};
    assert_int_equal(report__run_program("no such program", ending, ".", &code, &error), COR_OK);
    assert_int_equal(code, 127);
    assert_int_equal(report__run_program("sh", ending, ".", &code, &error), COR_OK);
    assert_int_equal(code, 7);
    assert_int_equal(report__run_program("sh", dying, ".", &code, &error), COR_OK);
    assert_int_equal(code, 128 + 9);
    remove("drawing.log");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped_and_controls_become_blanks),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
        cmocka_unit_test(long_text_is_cut_with_an_ellipsis),
        cmocka_unit_test(lines_stay_lines),
        cmocka_unit_test(numbers_are_grouped_and_rounded),
        cmocka_unit_test(a_drawing_is_inlined_with_title_and_description),
        cmocka_unit_test(attributes_are_cleaned_and_colours_are_the_pages),
        cmocka_unit_test(nothing_but_shapes_comes_into_the_page),
        cmocka_unit_test(what_is_no_drawing_is_not_inlined),
        cmocka_unit_test(a_program_ends_with_its_code_or_its_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
