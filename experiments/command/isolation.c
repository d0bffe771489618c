/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation.h"

const char *cor_required_isolation_word(size_t index) {
    return index == 0 ? "full" : NULL;
}
