// SPDX-License-Identifier: CC0-1.0

import java.util.List;
import java.util.Map;

/**
 * my_process: a token goes round. Who holds it may do what only one may do. It has a number, which grows with each hop; it is passed on until the
 * next process says that it has it, and what a process knows of it is in a cell. So it is neither lost nor doubled, whatever messages and processes
 * do: make it yours from here. Corridor.java, beside this file, is what it stands over.
 */
public final class Ring extends Corridor.Process {
    private static final long WORK = 30, PATIENCE = 40; // ticks
    private static final int WORK_DONE = 0, AGAIN = 1; // alarms

    private String state;
    private long number;

    public String name() {
        return "my_process";
    }

    public Map<String, Object> attributes() {
        return Corridor.map("state", List.of("idle", "holding", "passing"), "number", "integer");
    }

    public Map<String, Object> channels() {
        return Corridor.map("turns", "who held the token of that number");
    }

    public Map<String, Object> messages() {
        return Corridor.map("token", "the receiver is to hold it", "got", "it does");
    }

    public Map<String, Object> alarms() {
        return Corridor.map("work_done", "the token goes on", "again", "nobody says that he has it");
    }

    public Map<String, Object> faults() {
        return Corridor.map("forgets", "what it knows of the token is in no cell");
    }

    /** First, and after each crash: what was kept is in the cells. */
    public void start(Map<Integer, Object> cells, List<Map<String, Object>> writes) {
        List<?> kept = (List<?>) cells.get(0);
        state = kept != null ? (String) kept.get(0) : me == 0 ? "holding" : "idle";
        number = kept != null ? (Long) kept.get(1) : me == 0 ? 0 : -1;
        if (state.equals("holding")) hold();
        else if (state.equals("passing")) passOn();
    }

    private void keep() {
        if (!"forgets".equals(fault)) cell(0, List.of(state, number));
    }

    private void hold() {
        state = "holding";
        keep();
        tell("turns", number, me); // this turn was mine
        setAlarm(WORK_DONE, WORK);
        setAlarm(AGAIN, null);
    }

    private void passOn() {
        state = "passing";
        keep();
        send((me + 1) % count, "token", number + 1);
        setAlarm(AGAIN, PATIENCE);
    }

    public void receive(int sender, String kind, Object value) {
        long told = (Long) value;
        if (kind.equals("token")) {
            send(sender, "got", told);
            if (told > number) {
                number = told;
                hold();
            }
        } else if (state.equals("passing") && told == number + 1) {
            state = "idle";
            keep();
            setAlarm(AGAIN, null);
        }
    }

    /** The work is done, or nobody has said that the token has come. */
    public void alarm(int which) {
        passOn();
    }

    /** What the corridor sees of a process. */
    public Map<String, Object> observe() {
        return Corridor.map("state", state, "number", Math.max(number, 0));
    }

    public static void main(String[] words) throws Exception {
        Corridor.run(Ring::new);
    }
}
