// SPDX-License-Identifier: MIT
// A distributed hash table (OpenDHT, libopendht-dev of Debian 12, unchanged) as processes under test: nodes that find each other by a bootstrap
// node, keep in touch, put values and listen for them. Ticks are milliseconds. Its clocks and random numbers are those of its host: an executable's
// own definitions come before those of libstdc++. Built by make subjects. docs/look-up/process-programs.md has the lines that are said.
#include <json/json.h>
#include <opendht/dht.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <set>

namespace dht {
const char *version();
}

namespace {
constexpr const char *STATUS[] = {"disconnected", "connecting", "connected"}; // as dht::NodeStatus has them
constexpr const char *TESTED = "2.4.12";
constexpr std::int64_t EPOCH = 1000000000; // milliseconds of the steady clock at tick 0
constexpr in_port_t PORT = 4222;
constexpr const char *KEY = "what all listen for";
constexpr std::uint64_t OF_A_PROCESS = 1000000; // numbers of values, so many for each
constexpr std::size_t LINE_MOST = 1 << 20;

std::int64_t now;                    // tick of the process that is called
std::mt19937_64 *randomness;         // of that process; null while none is called
} // namespace

namespace std {
namespace chrono { inline namespace _V2 {
steady_clock::time_point steady_clock::now() noexcept { return time_point(milliseconds(EPOCH + ::now)); }
system_clock::time_point system_clock::now() noexcept { return time_point(milliseconds(1700 * EPOCH + ::now)); }
} } // namespace chrono::_V2
unsigned int random_device::_M_getval() { return randomness ? static_cast<unsigned int>((*randomness)()) : 1; }
} // namespace std

namespace {

// Members of Dht that are private, for the arm `mended` alone: an explicit instantiation may name them.
template <auto JOB> struct Private {
    friend auto &bootstrap_job(dht::Dht &it) { return it.*JOB; }
};
auto &bootstrap_job(dht::Dht &it);
template struct Private<&dht::Dht::bootstrapJob>;

dht::time_point instant(std::int64_t tick) { return dht::time_point(std::chrono::milliseconds(EPOCH + tick)); }
std::int64_t tick_of(dht::time_point t) { return std::chrono::ceil<std::chrono::milliseconds>(t.time_since_epoch()).count() - EPOCH; }

std::vector<std::uint8_t> bytes_of(const std::string &text)
{
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

// What a node has in the place of a UDP socket. Process i is at 10.0.i.1.
class Wire : public dht::net::DatagramSocket {
public:
    using Send = std::function<void(int to, const std::uint8_t *, std::size_t)>;

    Wire(int me, Send send) : bound(address(me)), send(std::move(send)) {}
    static dht::SockAddr address(int process)
    {
        dht::SockAddr there;
        there.setFamily(AF_INET);
        there.setAddress(("10.0." + std::to_string(process) + ".1").c_str());
        there.setPort(PORT);
        return there;
    }
    int sendTo(const dht::SockAddr &to, const std::uint8_t *data, std::size_t size, bool) override
    {
        send(reinterpret_cast<const std::uint8_t *>(&to.getIPv4().sin_addr)[2], data, size);
        return 0;
    }
    bool hasIPv4() const override { return true; }
    bool hasIPv6() const override { return false; }
    const dht::SockAddr &getBoundRef(sa_family_t) const override { return bound; }
    std::vector<dht::SockAddr> resolve(const std::string &host, const std::string &) override { return {address(std::stoi(host))}; }
    void stop() override {}

private:
    const dht::SockAddr bound;
    const Send send;
};

class Process {
public:
    Process(int me, int count, std::uint64_t seed, bool is_mended) : random(seed), me(me), count(count), is_mended(is_mended) { randomness = &random; }

    void start()
    {
        dht::Config config;
        config.node_id = dht::InfoHash::get("node " + std::to_string(me));
        const auto send = [this](int to, const std::uint8_t *data, std::size_t size) {
            Json::Value mail;
            mail["send"] = to;
            mail["kind"] = "packet";
            mail["value"] = dht::toHex(data, size);
            if (to < count)
                did.append(mail);
        };
        node = std::make_unique<dht::Dht>(std::make_unique<Wire>(me, send), config, dht::Sp<dht::Logger>{});
        if (count > 1)
            node->addBootstrap(std::to_string(me ? 0 : 1), std::to_string(PORT)); // all by the first, and it by the second
        step({}, 0);
    }

    void listen()
    {
        if (!listens)
            node->listen(dht::InfoHash::get(KEY), [this](const std::vector<dht::Sp<dht::Value>> &values, bool is_expired) {
                for (const auto &value : values)
                    is_expired ? (void)heard.erase(value->id) : (void)heard.insert(value->id);
                return true;
            });
        listens = 1;
        step({}, 0);
    }

    void put()
    {
        auto value = std::make_shared<dht::Value>(dht::ValueType::USER_DATA.id, dht::Blob{0}, OF_A_PROCESS * static_cast<unsigned>(me + 1) + ++puts);
        node->put(dht::InfoHash::get(KEY), value, dht::DoneCallback{}, dht::time_point::max(), true); // for good: it is put again when it gets old
        step({}, 0);
    }

    // What its thread does: it hands over what has come, and does what is due. DhtRunner looks at the status behind each step, too.
    void step(const std::vector<std::uint8_t> &data, int from)
    {
        const dht::time_point next = node->periodic(data.data(), data.size(), data.empty() ? dht::SockAddr() : Wire::address(from), instant(now));
        if (is_mended)
            mend();
        node->updateStatus(AF_INET);
        node->updateStatus(AF_INET6);
        spins = data.empty() && tick_of(next) <= now ? spins + 1 : 0;
        wind(next == dht::time_point::max() ? -1 : std::max(tick_of(next), now + 1));
    }

    std::mt19937_64 random;

    // What changed of what it shows, and what it did.
    Json::Value answer()
    {
        const dht::NodeStats nodes = node->getNodesStats(AF_INET);
        Json::Value values, said;
        values["status"] = STATUS[static_cast<int>(node->getStatus(AF_INET))];
        values["good"] = nodes.good_nodes;
        values["dubious"] = nodes.dubious_nodes;
        values["listens"] = listens;
        values["puts"] = Json::UInt64(puts);
        values["heard"] = Json::UInt64(heard.size());
        values["spins"] = spins;
        said["did"] = did;
        said["shows"] = Json::Value(Json::objectValue);
        for (const auto &name : values.getMemberNames())
            if (shown[name] != values[name])
                said["shows"][name] = shown[name] = values[name];
        did = Json::Value(Json::arrayValue);
        return said;
    }

private:
    // Commit 2caa21d6 of OpenDHT: that a job of bootstrap() is over is known, so that onDisconnected() makes another one.
    void mend()
    {
        auto &job = bootstrap_job(*node);
        if (job && job->t_ <= instant(now)) // periodic() has run all that were due, and runs them last
            job.reset();
    }

    void wind(std::int64_t tick)
    {
        if (tick != due || due <= now) {
            Json::Value alarm;
            alarm["alarm"] = 0;
            alarm["in"] = tick < 0 ? Json::Value() : Json::Value(Json::Int64(tick - now));
            did.append(alarm);
        }
        due = tick;
    }

    const int me, count;
    const bool is_mended;
    std::unique_ptr<dht::Dht> node;
    Json::Value did{Json::arrayValue}, shown;
    std::set<dht::Value::Id> heard;
    std::uint64_t puts{0};
    std::int64_t due{-1};
    int listens{0};
    int spins{0}; // steps in a row that were to be followed by one at the same instant
};

Json::Value hello()
{
    Json::Value said;
    said["process"] = "opendht";
    said["version"] = TESTED;
    said["meaning"] = "nodes of a distributed hash table";
    for (const char *word : STATUS) said["attributes"]["status"].append(word);
    for (const char *name : {"good", "dubious", "listens", "puts", "heard", "spins"}) said["attributes"][name] = "integer";
    said["messages"]["packet"] = "a datagram";
    said["alarms"]["timer"] = "of its scheduler";
    said["inputs"]["put"] = "it puts a value for all who listen";
    said["inputs"]["listen"] = "it listens from now on";
    said["faults"]["mended"] = "no fault but a mend: the published change 2caa21d6";
    return said;
}

Json::Value parsed(const char *line)
{
    Json::Value asked;
    const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
    if (!reader->parse(line, line + std::strlen(line), &asked, nullptr))
        std::abort();
    return asked;
}

void say(Json::Value said, const Json::Value &asked)
{
    Json::StreamWriterBuilder writer;
    writer["indentation"] = "";
    said["id"] = asked["id"];
    std::cout << Json::writeString(writer, said) << std::endl;
}

// One schedule, which begins with this line: until another one begins, with the line that is left then, or all ends, with none.
void play(char *line, int count, bool is_mended)
{
    std::vector<std::unique_ptr<Process>> all(static_cast<std::size_t>(count));
    do {
        const Json::Value asked = parsed(line);
        const bool is_start = asked.isMember("start");
        const char *what = is_start ? "start" : asked.isMember("receive") ? "receive" : asked.isMember("alarm") ? "alarm" : "input";
        if (asked.isMember("bye"))
            break;
        const int me = asked[what].asInt();
        auto &process = all.at(static_cast<std::size_t>(me));
        if (is_start && process && asked["now"].asInt64() == 0)
            return;
        now = asked["now"].asInt64();
        if (is_start) {
            process = std::make_unique<Process>(me, count, std::stoull(asked["seed"].asString(), nullptr, 16), is_mended);
            process->start();
        } else {
            randomness = &process->random;
            if (*what == 'i')
                asked["which"] == "put" ? process->put() : process->listen();
            else
                process->step(*what == 'r' ? bytes_of(asked["value"].asString()) : std::vector<std::uint8_t>(), asked.get("from", 0).asInt());
        }
        say(process->answer(), asked);
    } while (std::fgets(line, LINE_MOST, stdin));
    *line = '\0';
}

} // namespace

// The library orders some of what it keeps by addresses, which hang on all that was there before. So each schedule has a process of its own,
// forked from this one, which allocates nothing behind its hello.
int main()
{
    if (std::string(dht::version()) != TESTED) {
        std::cerr << "opendht " << dht::version() << " is installed, and " << TESTED << " is what is tested here: libopendht-dev of Debian 12\n";
        return 1;
    }
    static char line[LINE_MOST];
    if (!std::fgets(line, sizeof line, stdin))
        return 0;
    const Json::Value asked = parsed(line);
    const int count = asked["hello"].get("count", 1).asInt();
    const bool is_mended = asked["hello"].get("fault", "").asString() == "mended";
    say(hello(), asked);
    for (bool has_line = std::fgets(line, sizeof line, stdin); has_line && !std::strstr(line, "\"bye\""); has_line = *line) {
        int ends[2], status = 0;
        const pid_t child = pipe(ends) ? -1 : fork();
        if (child < 0)
            return 1;
        if (child == 0) {
            play(line, count, is_mended);
            const std::size_t size = std::strlen(line) + 1;
            std::_Exit(write(ends[1], line, size) == static_cast<ssize_t>(size) ? 0 : 1);
        }
        close(ends[1]);
        *line = '\0';
        for (ssize_t size = 0, got = 1; got > 0; size += got)
            got = read(ends[0], line + size, sizeof line - static_cast<std::size_t>(size));
        close(ends[0]);
        waitpid(child, &status, 0);
        if (status)
            return WIFSIGNALED(status) ? raise(WTERMSIG(status)) : 1;
    }
}
