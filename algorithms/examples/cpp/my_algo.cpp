// SPDX-License-Identifier: CC0-1.0
//
// my_algo in C++, as a module: C++17 and C++20. No exception may leave a function that the host calls.
#include <corridor/plugin.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <numeric>
#include <vector>

namespace {

enum { EXTRA };
enum { FORGET = 1 };

void deal(const cor_task &task, const cor_host &host) {
    const cor_rules &rules = *task.rules;
    const double *values = task.values[0];
    std::vector<std::uint32_t> order(task.agent_count);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] > values[b]; });
    if (rules.fault == FORGET) {
        *host.fault = {1, 1, 1, 1};
        order.pop_back();
    }
    const auto extra = static_cast<std::uint32_t>(rules.parameters[EXTRA]);
    const std::uint32_t count = std::min(task.block_count + extra, task.agent_count);
    std::vector<std::vector<std::uint32_t>> blocks(count);
    for (std::uint32_t turn = 0; turn < order.size(); turn++) {
        const std::uint32_t place = turn % (2 * count);
        blocks[place < count ? place : 2 * count - 1 - place].push_back(order[turn]);
    }
    for (const auto &block : blocks)
        if (!block.empty())
            host.put_block(&host, block.data(), block.size());
    ++*host.spent;
}

cor_progress result(void *, const cor_task *task, const cor_host *host) {
    try {
        deal(*task, *host);
        return COR_DONE;
    } catch (const std::exception &trouble) {
        host->complain(host, trouble.what());
        return COR_FAILED;
    }
}

const cor_parameter parameters[] = {{"extra", "partitions", "so many partitions more than there are", 0, 0, 100, 1}, {}};
const cor_fault faults[] = {{"forget", "the agent of the least value is forgotten"}, {}};

// C++17 has no names in initializers.
cor_algorithm describe() {
    cor_algorithm it{};
    it.magic = COR_PLUGIN_MAGIC, it.major = COR_PLUGIN_MAJOR, it.minor = COR_PLUGIN_MINOR;
    it.struct_size = sizeof it;
    it.name = "my_algo";
    it.version = "1.0";
    it.summary = "highest first, dealt back and forth into the present number of partitions";
    it.budget_unit = "calls";
    it.parameters = parameters;
    it.faults = faults;
    it.result = result;
    return it;
}

} // namespace

extern "C" COR_EXPORT const cor_algorithm corridor_algorithm_1;
const cor_algorithm corridor_algorithm_1 = describe();
