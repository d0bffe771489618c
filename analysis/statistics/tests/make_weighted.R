#!/usr/bin/env Rscript
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make_weighted.R > weighted.h: numbers for test_weighted.c. Made with R 4.2.2 (Debian 12: r-base-core). Means and their
# intervals are t.test's; bounds of shares of clustered sequences are Korn's and Graubard's in the form of svyciprop(method = "beta")
# of the package survey, with the design effect taken as at least 1.
number <- function(x) ifelse(is.na(x), "NAN", sprintf("%.15g", x))
list_of <- function(x) paste0("{", paste(number(x), collapse = ", "), "}")

set.seed(9)
samples <- list(few = c(0.1, 0.02, 0.4), rare = c(rep(0, 37), 1e-9, 3e-7, 2e-12), halves = rep(c(0, 0.5), 15), alike = rep(0.25, 6),
  skewed = signif(rexp(64)^4 / 1000, 6), tiny = signif(runif(30) * 1e-200, 6), none = rep(0, 5), high = c(0.9, 1, 1, 0.95, 0.4))
cat("/* SPDX-License-Identifier: GPL-3.0-or-later\n *\n * Made by make_weighted.R; do not edit. */\n",
    "/* clang-format off */\n#include <math.h>\n\n", sep = "")
cat("/* Values; mean, standard error, effective; level, added variance, low, high. */\n")
cat("static const struct {\n    unsigned count;\n    double value[64], mean, error, effective, level, extra, low, high;\n} weighted[] = {\n")
for (x in samples) for (setting in list(c(0.95, 0), c(0.9, 1e-4))) {
  level <- setting[1]; extra <- setting[2]; n <- length(x)
  unit <- if (any(x > 0)) max(x) else 1 # squares of what is tiny would be nothing
  error <- sd(x / unit) * unit / sqrt(n)
  bounds <- if (extra == 0 && error > 1e-150) t.test(x, conf.level = level)$conf.int
            else mean(x) + c(-1, 1) * qt(0.5 + level / 2, n - 1) * if (extra == 0) error else sqrt(error^2 + extra)
  u <- x / unit
  cat("    {", n, ", ", list_of(x), ", ", paste(number(c(mean(x), error, if (any(x > 0)) sum(u)^2 / sum(u^2) else 0,
      level, extra, pmin(pmax(bounds, 0), 1))), collapse = ", "), "},\n", sep = "")
}
cat("};\n")

clustered <- function(x, size, level) {
  suites <- length(x); n <- suites * size; p <- mean(x)
  if (p == 0 || p == 1) return(binom.test(if (p == 0) 0 else suites, suites, conf.level = level)$conf.int)
  n.eff <- min(p * (1 - p) / (var(x) / suites), n)
  n.eff <- n.eff * (qt((1 - level) / 2, n - 1) / qt((1 - level) / 2, suites - 1))^2
  c(qbeta((1 - level) / 2, n.eff * p, n.eff * (1 - p) + 1), qbeta((1 + level) / 2, n.eff * p + 1, n.eff * (1 - p)))
}
shares <- list(list(c(0, 0, 0.1, 0, 1, 1, 0, 0.5), 10), list(rep(c(0.1, 0.2), 10), 10), list(c(rep(0, 60), rep(1, 10)), 10),
  list(rbinom(70, 10, 0.3) / 10, 10), list(rep(0, 12), 10), list(rep(1, 9), 4), list(c(1, 0), 1), list(c(1, 1, 1, 0.75), 4))
cat("/* Shares of suites; sequences in each; level, low, high. */\n")
cat("static const struct {\n    unsigned count;\n    double share[70];\n    unsigned size;\n    double level, low, high;\n} clustered[] = {\n")
for (s in shares) for (level in c(0.95, 0.8))
  cat("    {", length(s[[1]]), ", ", list_of(s[[1]]), ", ", s[[2]], ", ",
      paste(number(c(level, clustered(s[[1]], s[[2]], level))), collapse = ", "), "},\n", sep = "")
cat("};\n")
