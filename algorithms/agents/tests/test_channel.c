/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory shared with an agent: whatever lies in it, what is taken out of it is a trace of the design, or
 * garbled. */
#include "internal.h"
#include "tests/courier.h"

#include <corridor/rng.h>

/* Everything that readers of a trace rely on. Printing it reads every index. */
static void assert_is_a_trace(const struct cor_design *design, const struct cor_trace *trace) {
    assert_true(trace->event_count <= AGENTS__EVENTS_MOST);
    for (uint32_t i = 0; i < trace->event_count; i++) {
        const struct cor_trace_event *event = &trace->events[i];
        assert_true(event->parent == COR_NONE || event->parent < i);
        assert_true(event->plan == COR_NONE || event->plan < design->plan_count);
    }
    for (uint32_t i = 0; i < trace->value_count; i++)
        assert_true(trace->values[i].kind != COR_VALUE_WORD ||
                    trace->values[i].as.word < design->words.count);
    char *text = cor_trace_print(design, trace);
    assert_non_null(text);
    free(text);
}

/* A trace of the interpreter, in the slot as a module's process would leave it. */
static void fill(struct agents__channel *channel, const struct cor_trace *trace) {
    struct agents__slot *slot = &channel->slots[0];
    assert_true(agents__channel_open(channel, 0));
    memcpy(channel->events, trace->events, trace->event_count * sizeof *trace->events);
    memcpy(channel->values, trace->values, trace->value_count * sizeof *trace->values);
    slot->trace.event_count = trace->event_count;
    slot->trace.value_count = trace->value_count;
    slot->trace.end = trace->end;
    slot->trace.steps = trace->steps;
    memcpy(channel->text, "news", 5);
    slot->text_size = 5;
}

static void what_was_written_is_taken(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct agents__channel channel;
    struct cor_error error = COR_NO_ERROR;
    struct parcel parcel;
    struct cor_trace trace, taken;
    bool spoilt;
    cor_trace_init(&trace);
    cor_trace_init(&taken);
    sound(agents__channel_init(&channel, made.design, &error), &error);
    parcel_make(&made, 20, &parcel);
    run_into(made.interpreter, &parcel.asked, &trace);
    fill(&channel, &trace);
    uint32_t words = made.design->words.count;
    sound(agents__channel_take(&channel, 0, words, &made.design->words, &taken, &spoilt, &error), &error);
    assert_false(spoilt);
    assert_true(cor_trace_equal(&trace, &taken));
    for (uint32_t i = 0; i < trace.value_count; i++)
        if (channel.values[i].kind == COR_VALUE_WORD)
            channel.values[i].as.word = AGENTS__NEW_WORD;
    sound(agents__channel_take(&channel, 0, words, &made.design->words, &taken, &spoilt, &error), &error);
    assert_false(spoilt);
    assert_int_equal(made.design->words.count, words + 1);
    assert_string_equal(cor_words_text(&made.design->words, words), "news");
    agents__channel_fini(&channel);
    cor_trace_fini(&taken);
    cor_trace_fini(&trace);
    courier_free(&made);
}

/* Bytes of slot, events, values and texts changed at random, few or all. */
static void nothing_that_lies_there_leads_readers_astray(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct agents__channel channel;
    struct cor_error error = COR_NO_ERROR;
    struct parcel parcel;
    struct cor_trace trace, taken;
    uint32_t spoilt_count = 0, sound_count = 0;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 13, .purpose = COR_PURPOSE_TEST});
    cor_trace_init(&trace);
    cor_trace_init(&taken);
    sound(agents__channel_init(&channel, made.design, &error), &error);
    parcel_make(&made, 20, &parcel);
    run_into(made.interpreter, &parcel.asked, &trace);
    for (uint32_t round = 0; round < 20000; round++) {
        const struct {
            void *at;
            size_t size;
        } parts[] = {{&channel.slots[0], sizeof channel.slots[0]},
                     {channel.events, trace.event_count * sizeof *channel.events},
                     {channel.values, trace.value_count * sizeof *channel.values},
                     {channel.text, 16}};
        bool spoilt;
        fill(&channel, &trace);
        uint32_t changes = 1 + cor_rng_below(&rng, 8), part = cor_rng_below(&rng, 4);
        for (uint32_t i = 0; i < changes; i++) {
            uint32_t at = cor_rng_below(&rng, (uint32_t)parts[part].size);
            uint64_t byte = cor_rng_word(&rng);
            ((unsigned char *)parts[part].at)[at] = (unsigned char)(byte >> 32 & 1 ? 0xff : byte);
        }
        sound(agents__channel_take(&channel, 0, made.design->words.count, &made.design->words, &taken,
                                   &spoilt, &error),
              &error);
        assert_is_a_trace(made.design, &taken);
        spoilt_count += spoilt;
        sound_count += !spoilt;
    }
    assert_true(spoilt_count > 1000 && sound_count > 1000);
    agents__channel_fini(&channel);
    cor_trace_fini(&taken);
    cor_trace_fini(&trace);
    courier_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_taken),
        cmocka_unit_test(nothing_that_lies_there_leads_readers_astray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
