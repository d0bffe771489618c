/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/trust.h>

enum cor_status cor_trust_check(const struct cor_trust *trust, const char *program, struct cor_error *error) {
    if (!trust->file)
        return COR_OK;
    if (!trust->is_given)
        return cor_fail(error, COR_STATUS_INPUT, trust->file,
                        "look at it, and where the file is from; with --trust it is started",
                        "the file names a program, and nothing was started: %s", program);
    if (trust->show)
        trust->show(trust->file, program);
    return COR_OK;
}

const char *cor_isolation_word(size_t isolation) {
    static const char *const words[] = {"untrusted", "always", "never"};
    return isolation < sizeof words / sizeof *words ? words[isolation] : NULL;
}
