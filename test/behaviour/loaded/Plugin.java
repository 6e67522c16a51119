import java.util.function.Supplier;

/** Loaded by a loader of its own, several times. */
public class Plugin implements Supplier<String> {
    static int loads;
    int calls;
    private final int[] seen = new int[2];

    public Plugin() { loads++; }

    @Override
    public String get() {
        Loading.shared++;
        Loading.instance.field += ++calls;
        Loading.instance.array[1]++;
        seen[1] = calls;
        assert calls < 0 : "asserted " + calls;
        return "plugin " + loads + calls + Helper.help(seen) + Loading.shared + Loading.instance.field
                + Loading.instance.array[1];
    }
}

class Helper {
    static int helped;

    static String help(int[] seen) {
        helped += seen[1];
        return "helper" + helped;
    }
}
