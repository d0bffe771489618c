/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generators there are, and what they share. */
#include <corridor/generator.h>
#include <corridor/test.h>

#include <string.h>

static const struct cor_generator *const generators[] = {
#define COR_GENERATOR(name) &cor_generator_##name,
    COR_GENERATORS(COR_GENERATOR)
#undef COR_GENERATOR
};

#define GENERATORS (sizeof generators / sizeof *generators)

const char *cor_generator_word(size_t index) {
    return index < GENERATORS ? generators[index]->name : NULL;
}

const char *cor_generator_option_key(size_t option) {
    static const char *const keys[] = {
#define COR_GENERATOR_OPTION(NAME, key) #key,
        COR_GENERATOR_OPTIONS(COR_GENERATOR_OPTION)
#undef COR_GENERATOR_OPTION
    };
    return option < COR_GENERATOR_OPTION_COUNT ? keys[option] : NULL;
}

const char *cor_generator_option_text(const struct cor_generator_options *options, size_t option) {
    const char *const texts[] = {
#define COR_GENERATOR_OPTION(NAME, key) options->key,
        COR_GENERATOR_OPTIONS(COR_GENERATOR_OPTION)
#undef COR_GENERATOR_OPTION
    };
    COR_ASSERT(option < COR_GENERATOR_OPTION_COUNT);
    return texts[option];
}

enum cor_status cor_generator_find(const char *name, const char *place,
                                   const struct cor_generator **generator, struct cor_error *error) {
    const char *names[GENERATORS + 1] = {NULL};
    char known[512];
    for (size_t i = 0; i < GENERATORS; i++) {
        names[i] = generators[i]->name;
        if (strcmp(names[i], name) == 0) {
            *generator = generators[i];
            return COR_OK;
        }
    }
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, place, known, "there is no generator \"%s\"", name);
}

enum cor_status cor_generator_check_walks(const struct cor_generator_definition *definition,
                                          struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    if (!arm->traps)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, arm->name, "search the arm without its traps",
                    "its walks answer to what the system does, and cannot be drawn beforehand");
}

enum cor_status cor_suite_test(const struct cor_suite *suite, uint32_t sequence, struct cor_test **test,
                               struct cor_error *error) {
    struct cor_walk walk;
    COR_ASSERT(!suite->steering);
    cor_walk_init(&walk);
    enum cor_status status = cor_suite_walk(suite, sequence, &walk, error);
    COR_ASSERT(status != COR_OK || walk.known == walk.case_count);
    if (status == COR_OK)
        status = cor_test_of_sequence(suite, sequence, NULL, &walk, test, error);
    cor_walk_fini(&walk);
    return status;
}
