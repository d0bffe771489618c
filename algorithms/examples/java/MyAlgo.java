// SPDX-License-Identifier: CC0-1.0

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * my_algo: an algorithm under test for Corridor, in Java. Corridor.java (experiments/library/processes) lies beside it: javac *.java,
 * and an arm's "algorithm": {"command": "java @java.options -cp . MyAlgo"}. The protocol is in corridor-protocol(7).
 */
public final class MyAlgo {
    private static final Map<String, Object> HELLO = Corridor.map("protocol", 1, "name", "my_algo", "version", "1.0",
            "summary", "highest first, dealt back and forth into the present number of partitions",
            "parameters", List.of(Corridor.map("name", "extra", "unit", "partitions", "meaning", "so many partitions more than there are",
                    "default", 0, "min", 0, "max", 100, "integer", true)),
            "faults", Corridor.map("forget", "the agent of the least value is forgotten"));

    /** One reorganization, a function of the task alone: no clock, and random numbers only from its seed. */
    private static Map<String, Object> solve(Map<String, Object> task) {
        List<Double> values = new ArrayList<>();
        for (Object value : (List<?>) ((List<?>) task.get("values")).get(0)) { // column 0 is what the invariant measures
            if (value == null) return Corridor.map("failed", "a value is not finite");
            values.add(((Number) value).doubleValue());
        }
        long extra = ((Number) Corridor.object(task.get("parameters")).get("extra")).longValue();
        int count = (int) Math.min(((List<?>) task.get("structure")).size() + extra, values.size());
        List<Integer> order = new ArrayList<>();
        for (int agent = 0; agent < values.size(); agent++) order.add(agent);
        order.sort((a, b) -> Double.compare(values.get(b), values.get(a)));
        Map<String, Object> answer = Corridor.map("spent", 1);
        if ("forget".equals(task.get("fault"))) {
            order.remove(order.size() - 1);
            answer.put("fault", Corridor.map("reached", 1, "held", 1, "activated", 1, "in_result", true));
        }
        List<List<Integer>> blocks = new ArrayList<>();
        for (int place = 0; place < count; place++) blocks.add(new ArrayList<>());
        for (int turn = 0; turn < order.size(); turn++) { // 0 1 2 2 1 0 0 1 2 ...
            int place = turn % (2 * count);
            blocks.get(place < count ? place : 2 * count - 1 - place).add(order.get(turn));
        }
        blocks.removeIf(List::isEmpty);
        answer.put("blocks", blocks);
        return answer;
    }

    public static void main(String[] words) throws Exception {
        Corridor.run(HELLO, MyAlgo::solve);
    }
}
