/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a sequence must be: time to the first detection. */
#include "page.h"

#include "html.h"

#include <corridor/cells.h>

#include <math.h>

/* A share in per cent with its interval as title. */
static void put_estimate(const struct cor_old_estimate *estimate, FILE *file) {
    char exact[COR_CELL];
    double share = 100 * (1 - estimate->mean);
    cor_real_text(share, exact);
    fprintf(file, "<td data-v=\"%s\"", isnan(share) ? "" : exact);
    if (!isnan(estimate->low) && !isnan(estimate->high))
        fprintf(file, " title=\"%.1f to %.1f %%, %s\"", 100 * (1 - estimate->high), 100 * (1 - estimate->low),
                estimate->method);
    fputc('>', file);
    cor__html_real(file, share, 1);
    fputs("</td>", file);
}

static void put_interval(double low, double high, int decimals, FILE *file) {
    fputs("<td class=dim>", file);
    if (isnan(low))
        fputs("<span class=na>\xe2\x80\x93</span>", file);
    else if (isnan(high))
        fprintf(file, "%.*f or more", decimals, low);
    else
        fprintf(file, "%.*f\xe2\x80\x93%.*f", decimals, low, decimals, high);
    fputs("</td>", file);
}

static void put_line(const struct cor_report *report, size_t a, FILE *file) {
    const struct cor_depth_arm *arm = &report->depths->arm[a];
    fputs("<tr>", file);
    cor__head_name(file, report->tables->arm[a].name, report->arm[a].what);
    cor__cell_count(file, arm->sequences);
    cor__cell_count(file, arm->detected);
    for (int p = 0; p < COR_DEPTH_POINTS; p++)
        put_estimate(&arm->survival[p], file);
    cor__cell_real(file, arm->median.cases, 0);
    put_interval(arm->median.low, arm->median.high, 0, file);
    cor__cell_real(file, arm->restricted_mean.mean, 1);
    put_interval(arm->restricted_mean.low, arm->restricted_mean.high, 1, file);
    fputs("</tr>\n", file);
}

static void put_p(double p, FILE *file) {
    if (isnan(p))
        fputs("<td class=na>\xe2\x80\x93</td>", file);
    else if (p < 0.001)
        fputs("<td class=\"heat strong\" style=\"--v:.35\">&lt; 0.001</td>", file);
    else
        fprintf(file, "<td%s>%.3f</td>", p < 0.05 ? " class=heat style=\"--v:.15\"" : "", p);
}

/* p of each pair of arms, below the diagonal. */
static void put_pairs(const struct cor_report *report, FILE *file) {
    const struct cor_depths *depths = report->depths;
    fputs("<details><summary><h3>Do arms differ? Log-rank tests</h3></summary>\n", file);
    if (isnan(depths->all.chi_square)) {
        fputs("<p>There is nothing to compare.</p></details>\n", file);
        return;
    }
    fprintf(
        file,
        "<p>All arms: \xcf\x87\xc2\xb2 = %.1f, %u degrees of freedom, p %s %.3g. Below: p of each pair after "
        "Holm. Sequences of one suite are alike and the test takes them as independent, so small p are too "
        "small.</p>\n",
        depths->all.chi_square, depths->all.df, depths->all.p < 1e-15 ? "&lt;" : "=",
        fmax(depths->all.p, 1e-15));
    fputs("<div class=wide><table><thead><tr><td></td>", file);
    for (size_t a = 0; a + 1 < depths->arm_count; a++) {
        fputs("<th scope=col class=n>", file);
        cor_html_short(file, report->tables->arm[a].name, 24);
        fputs("</th>", file);
    }
    fputs("</tr></thead><tbody>\n", file);
    for (size_t b = 1; b < depths->arm_count; b++) {
        fputs("<tr>", file);
        cor__head_name(file, report->tables->arm[b].name, report->arm[b].what);
        for (size_t a = 0; a + 1 < depths->arm_count; a++)
            if (a < b)
                put_p(depths->p_holm[b * (b - 1) / 2 + a], file);
            else
                fputs("<td></td>", file);
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div></details>\n", file);
}

void cor__page_survival(const struct cor_report *report, FILE *file) {
    char name[COR__FIGURE_NAME];
    fprintf(file,
            "<p>Share of sequences still without a detection after so many test cases "
            "(Kaplan\xe2\x80\x93Meier; the "
            "band is pointwise at %g %%, as if sequences were independent). In grey: the other arms. "
            "An arm without a detection has no picture.</p>\n"
            "<div class=multiples>\n",
            100 * report->options.level);
    for (size_t a = 0; a < report->depths->arm_count && a < COR__ARMS_MAX; a++) {
        cor__figure_name(name, "survival", a);
        cor__figure_html(&report->figures, file, name, report->tables->arm[a].name);
    }
    fputs("</div>\n<div class=wide><table class=sorts data-table=survival>\n<thead><tr>", file);
    cor__head(file, "Arm");
    cor__head_number(file, "Sequences");
    cor__head_number(file, "Detecting");
    for (int p = 0; p < COR_DEPTH_POINTS; p++)
        fprintf(file, "<th scope=col class=n>%s%u%s</th>", p == 0 ? "Detected by case " : "",
                cor_depth_point[p], p == 0 ? ", %" : "");
    cor__head_number(file, "Median case");
    cor__head_number(file, "interval");
    fprintf(file, "<th scope=col class=n>Mean of depth, at most %.0f</th>", report->depths->horizon);
    cor__head_number(file, "interval");
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t a = 0; a < report->depths->arm_count; a++)
        put_line(report, a, file);
    fprintf(file,
            "</tbody></table></div>\n<p class=legend>Depth: the test case of the first detection by either "
            "box; a "
            "sequence without one only says that its depth exceeds its length. Intervals at %g %% by "
            "bootstrap over "
            "suites; no median where fewer than half of the sequences detect.",
            100 * report->options.level);
    if (report->depths->left_out > 0)
        fprintf(file, " %llu sequences that continue failed ones are left out.",
                (unsigned long long)report->depths->left_out);
    fputs(" More: <code>corridor survival</code>.</p>\n", file);
    if (report->depths->pair)
        put_pairs(report, file);
}
