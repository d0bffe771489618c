// SPDX-License-Identifier: MIT

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Programs under test in Java, for `corridor run`: this file is all that it takes, with a JDK of 11 or later.
 *
 * <p>A distributed program is a class that derives from Corridor.Process; its main() is
 * {@code Corridor.run(Mine::new)}. An algorithm is a function: {@code Corridor.run(hello, task -> answer)}, where hello is what
 * corridor-protocol(7) says of it, and the answer is {@code Corridor.map("blocks", blocks)}.
 *
 * <p>An object is a process; after a crash it is another one, which knows what is stored and nothing else: keep nothing in static
 * fields. What is told has to come in the same order each time: Map.of() and Set.of() have another order in each run, so take
 * Corridor.map(), lists, and tree or linked maps. Time is now, chance is random. docs/look-up/process-programs.md has the lines.
 */
public final class Corridor {
    private Corridor() {}

    /** A process of a distributed program. */
    public abstract static class Process {
        /** Number of this process, and how many there are. */
        public int me, count = 1;

        /** Who is there as it starts; who comes and goes later is found out. */
        public final Set<Integer> there = new TreeSet<>();

        /** The fault that it has; null: none. */
        public String fault;
        /** Ticks, by this process's clock. */
        public long now;
        /** Random numbers of this process. */
        public Random random;

        private List<Object> did = new ArrayList<>();

        public String name() {
            return getClass().getSimpleName().toLowerCase();
        }

        public String version() {
            return "1";
        }

        /** What processes show: name to "integer", "real", "agents", or a list of words; Corridor.map(). */
        public Map<String, Object> attributes() {
            return map();
        }

        /** Names to their meanings; of inputs a meaning, or a map of meaning, weight, bytes. */
        public Map<String, Object> channels() {
            return map();
        }

        public Map<String, Object> messages() {
            return map();
        }

        public Map<String, Object> inputs() {
            return map();
        }

        public Map<String, Object> alarms() {
            return map();
        }

        public Map<String, Object> faults() {
            return map();
        }

        /** First, and again after each crash: cells by number, writes oldest first, as they are stored. */
        public void start(Map<Integer, Object> cells, List<Map<String, Object>> writes) {}

        /** A message has come. */
        public void receive(int sender, String kind, Object value) {
            throw new UnsupportedOperationException("a message has come, and the class has no method receive()");
        }

        /** An alarm that was set is due. */
        public void alarm(int which) {
            throw new UnsupportedOperationException("an alarm is due, and the class has no method alarm()");
        }

        /** A write is durable, or has failed. */
        public void completed(long ticket, boolean ok) {}

        /** Somebody outside asks for something; data are its random bytes, in hexadecimal digits. */
        public void input(String which, String data) {
            throw new UnsupportedOperationException("an input comes, and the class has no method input()");
        }

        /** The values of all attributes. */
        public Map<String, Object> observe() {
            return map();
        }

        protected final void send(int to, String kind, Object value) {
            did.add(map("send", to, "kind", kind, "value", value));
        }

        /** Alarm `which`, 0 to 7, is due in so many ticks, once; null takes it back. */
        protected final void setAlarm(int which, Long ticks) {
            did.add(map("alarm", which, "in", ticks));
        }

        /** Cell `which`, 0 to 15, holds the value from now on, durably. */
        protected final void cell(int which, Object value) {
            did.add(map("cell", which, "value", value));
        }

        /** Begins a write: completed() is called with the ticket. One that forgets takes the place of all before it. */
        protected final void write(long ticket, Object value, int operation, boolean forgets) {
            did.add(map("write", ticket, "operation", operation, "value", value, "forgets", forgets));
        }

        /** What stands at an index of a channel. */
        protected final void tell(String channel, long index, Object value) {
            did.add(map("tell", channel, "index", index, "value", value));
        }

        /** A client calls an operation on the object of a history; no other open call of this process has the id. Key, value: or null. */
        protected final void call(String history, long id, String operation, Object key, Object value) {
            Map<String, Object> one = map("call", history, "op", operation, "id", id);
            if (key != null) one.put("key", key);
            if (value != null) one.put("value", value);
            did.add(one);
        }

        /** That call returned the value, or null. One that neither returns nor fails took effect at any time after it was made, or never. */
        protected final void returns(long id, Object value) {
            did.add(value == null ? map("return", id) : map("return", id, "value", value));
        }

        /** That call surely did nothing. */
        protected final void failed(long id) {
            did.add(map("failed", id));
        }

        /** What the present call is about, for people: the story of a schedule says it beside the event. */
        protected final void said(String sentence) {
            did.add(map("said", sentence));
        }

        /** The process finds itself broken: the run ends. */
        protected final void complain(String sentence) {
            did.add(map("complain", sentence));
        }
    }

    /** Keys and values in turn, in this order. */
    public static Map<String, Object> map(Object... pairs) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) made.put((String) pairs[i], pairs[i + 1]);
        return made;
    }

    /** Answers the host until it says bye, for a distributed program. */
    public static void run(Supplier<? extends Process> maker) throws IOException {
        Host host = new Host(maker);
        converse(host::answer);
    }

    /** The same for an algorithm: hello says what it is, solve answers a task, both as corridor-protocol(7) has it. */
    public static void run(Map<String, Object> hello, Function<Map<String, Object>, Map<String, Object>> solve) throws IOException {
        converse(line -> line.containsKey("hello") ? hello : solve.apply(object(line.get("task"))));
    }

    private static void converse(Function<Map<String, Object>, Map<String, Object>> answer) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err); // the other is the conversation's
        for (String text; (text = lines.readLine()) != null; ) {
            Map<String, Object> line = object(new Reader(text).whole());
            if (line.containsKey("bye")) break;
            Map<String, Object> said = map("id", line.get("id"));
            StringBuilder told = new StringBuilder();
            try {
                said.putAll(answer.apply(line));
                put(said, told);
            } catch (RuntimeException | Error problem) { // whatever a program throws
                told.setLength(0);
                put(map("id", line.get("id"), "failed", where(problem)), told);
            }
            out.write(told.append('\n').toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /** What was thrown, with the line of the program that threw it. */
    private static String where(Throwable problem) {
        String place = "";
        for (StackTraceElement frame : problem.getStackTrace()) {
            String of = frame.getClassName();
            if (of.startsWith("java.") || of.startsWith("jdk.") || of.equals("Corridor") || of.startsWith("Corridor$")) continue;
            place = " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
            break;
        }
        return problem.getClass().getSimpleName() + (problem.getMessage() == null ? "" : ": " + problem.getMessage()) + place;
    }

    /** All processes of a cluster. */
    private static final class Host {
        private final Supplier<? extends Process> maker;
        private final Map<Integer, Process> processes = new TreeMap<>();
        private final Map<Integer, Map<String, Object>> shown = new TreeMap<>();
        private int count = 1;
        private String fault;

        Host(Supplier<? extends Process> maker) {
            this.maker = maker;
        }

        private Map<String, Object> greet(Map<String, Object> asked) {
            if (asked.get("count") != null) count = number(asked.get("count"));
            fault = (String) asked.get("fault");
            Process one = maker.get();
            return map("process", one.name(), "version", one.version(), "attributes", one.attributes(), "channels", one.channels(),
                    "messages", one.messages(), "inputs", one.inputs(), "alarms", one.alarms(), "faults", one.faults());
        }

        private Process begin(Map<String, Object> line) {
            int me = number(line.get("start"));
            Process process = maker.get();
            process.me = me;
            process.count = count;
            for (int other = 0; other < count; other++)
                if (line.get("there") == null || ((List<?>) line.get("there")).contains((long) other)) process.there.add(other);
            process.fault = fault;
            process.random = new Random(Long.parseUnsignedLong(((String) line.get("seed")).substring(2), 16));
            processes.put(me, process);
            shown.put(me, map());
            return process;
        }

        Map<String, Object> answer(Map<String, Object> line) {
            if (line.containsKey("hello")) return greet(object(line.get("hello")));
            String verb = null;
            for (String known : new String[] {"start", "receive", "alarm", "completed", "input"})
                if (line.containsKey(known)) verb = known;
            if (verb == null) throw new IllegalArgumentException("a request that this file does not know: " + line.keySet());
            Process process = verb.equals("start") ? begin(line) : processes.get(number(line.get(verb)));
            process.did = new ArrayList<>();
            process.now = ((Number) line.get("now")).longValue();
            if (verb.equals("start")) {
                Map<Integer, Object> cells = new TreeMap<>();
                for (Object cell : (List<?>) line.get("cells")) cells.put(number(object(cell).get("cell")), object(cell).get("value"));
                List<Map<String, Object>> writes = new ArrayList<>();
                for (Object write : (List<?>) line.get("writes")) writes.add(object(write));
                process.start(cells, writes);
            } else if (verb.equals("receive")) {
                process.receive(number(line.get("from")), (String) line.get("kind"), line.get("value"));
            } else if (verb.equals("alarm")) {
                process.alarm(number(line.get("which")));
            } else if (verb.equals("completed")) {
                process.completed(((Number) line.get("ticket")).longValue(), (Boolean) line.get("ok"));
            } else {
                process.input((String) line.get("which"), line.get("bytes") == null ? "" : (String) line.get("bytes"));
            }
            Map<String, Object> before = shown.get(process.me), news = map(), answer = map();
            for (Map.Entry<String, Object> entry : process.observe().entrySet()) {
                StringBuilder is = new StringBuilder();
                put(entry.getValue(), is);
                if (is.toString().equals(before.put(entry.getKey(), is.toString()))) continue;
                news.put(entry.getKey(), entry.getValue());
            }
            if (!process.did.isEmpty()) answer.put("did", process.did);
            if (!news.isEmpty()) answer.put("shows", news);
            return answer;
        }
    }

    private static int number(Object value) {
        return ((Number) value).intValue();
    }

    /** A value of JSON as an object. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    private static void put(Object value, StringBuilder to) {
        if (value instanceof String) {
            to.append('"');
            for (char c : ((String) value).toCharArray())
                if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) to.append(String.format("\\u%04x", (int) c));
                else to.append(c);
            to.append('"');
        } else if (value instanceof Map) {
            String between = "{";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                to.append(between);
                put(entry.getKey(), to);
                to.append(':');
                put(entry.getValue(), to);
                between = ",";
            }
            to.append(between.equals("{") ? "{}" : "}");
        } else if (value instanceof Iterable) {
            String between = "[";
            for (Object item : (Iterable<?>) value) {
                to.append(between);
                put(item, to);
                between = ",";
            }
            to.append(between.equals("[") ? "[]" : "]");
        } else if ((value instanceof Double || value instanceof Float) && !Double.isFinite(((Number) value).doubleValue())) {
            throw new IllegalArgumentException(value + " cannot be said in JSON");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            to.append(value);
        } else {
            throw new IllegalArgumentException("a value that JSON cannot say: " + value.getClass().getName());
        }
    }

    /** JSON: maps, lists, String, Long, Double, Boolean, null. */
    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Object whole() {
            Object value = value();
            if (next() != '\0') throw bad();
            return value;
        }

        private IllegalArgumentException bad() {
            return new IllegalArgumentException("no JSON at " + at + ": " + text);
        }

        private char next() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
            return at < text.length() ? text.charAt(at) : '\0';
        }

        private boolean take(char wanted) {
            if (next() != wanted) return false;
            at++;
            return true;
        }

        private Object value() {
            if (take('{')) {
                Map<String, Object> made = new LinkedHashMap<>();
                if (take('}')) return made;
                do {
                    if (next() != '"') throw bad();
                    String key = string();
                    if (!take(':')) throw bad();
                    made.put(key, value());
                } while (take(','));
                if (!take('}')) throw bad();
                return made;
            }
            if (take('[')) {
                List<Object> made = new ArrayList<>();
                if (take(']')) return made;
                do made.add(value());
                while (take(','));
                if (!take(']')) throw bad();
                return made;
            }
            if (next() == '"') return string();
            int from = at;
            while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(from, at);
            if (word.equals("null")) return null;
            if (word.equals("true") || word.equals("false")) return word.equals("true");
            if (word.matches("-?\\d+")) return Long.parseLong(word);
            return Double.parseDouble(word);
        }

        private String string() {
            StringBuilder made = new StringBuilder();
            at++;
            for (; ; at++) {
                if (at >= text.length()) throw bad();
                char c = text.charAt(at);
                if (c == '"') break;
                if (c == '\\') {
                    c = text.charAt(++at);
                    int special = "bfnrt".indexOf(c);
                    if (special >= 0) c = "\b\f\n\r\t".charAt(special);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    }
                }
                made.append(c);
            }
            at++;
            return made.toString();
        }
    }
}
