/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Letters of JUnit XML and of TAP 13. */
#ifndef CORRIDOR_VIEWS_TEST_FORMATS_H
#define CORRIDOR_VIEWS_TEST_FORMATS_H

#include <stdio.h>

/* XML: text between tags or within quotes; name="text"; a property of a test case. */
void cor__put_xml(const char *text, FILE *file);
void cor__put_attribute(const char *name, const char *text, FILE *file);
void cor__put_property(const char *name, const char *value, FILE *file);

/* TAP: the description of a test point; within a YAML block a quoted text, and "key: "text"" on a line. */
void cor__put_description(const char *text, FILE *file);
void cor__put_scalar(const char *text, FILE *file);
void cor__put_scalar_text(const char *indent, const char *key, const char *text, FILE *file);

#endif
