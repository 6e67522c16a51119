import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The shortest round trip through all cities, by branch and bound: threads take beginnings of trips from a queue that
 * they share, and give up those that cannot become shorter than the best one so far, which they share too.
 *
 *     Tour [CITIES] [THREADS]
 */
public class Tour {
    /** The beginning of a trip. */
    static final class Path {
        final int[] cities;
        int count;
        int length;
        int visited;

        Path(int cities) {
            this.cities = new int[cities];
        }

        Path(Path other) {
            cities = other.cities.clone();
            count = other.count;
            length = other.length;
            visited = other.visited;
        }

        int last() {
            return cities[count - 1];
        }

        void add(int city, int distance) {
            cities[count++] = city;
            visited |= 1 << city;
            length += distance;
        }

        void remove(int distance) {
            visited &= ~(1 << cities[--count]);
            length -= distance;
        }
    }

    /** What is left to do. Ends when it is empty and nobody works on something that could bring more. */
    static final class Work {
        private final Deque<Path> paths = new ArrayDeque<>();
        private int busy;

        synchronized void add(Path path) {
            paths.addLast(path);
            notify();
        }

        synchronized Path take(boolean wasBusy) throws InterruptedException {
            if (wasBusy) {
                busy--;
            }
            while (paths.isEmpty() && busy > 0) {
                wait();
            }
            Path path = paths.pollLast();
            if (path == null) {
                notifyAll();
            } else {
                busy++;
            }
            return path;
        }
    }

    static final class Best {
        private int length;
        private int[] cities;
        private int improvements;

        Best(int length) {
            this.length = length;
        }

        synchronized int length() {
            return length;
        }

        synchronized void offer(int[] given, int total) {
            if (total < length) {
                length = total;
                cities = given.clone();
                improvements++;
            }
        }
    }

    private static final int ALONE = 13;
    private static final int CLOSE = 5;
    private final int[][] distances;
    private final int[] nearest;
    private final Work work = new Work();
    private final Best best;

    Tour(int cities) {
        distances = new int[cities][cities];
        nearest = new int[cities];
        long seed = 20240229;
        int[] x = new int[cities];
        int[] y = new int[cities];
        for (int i = 0; i < cities; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            x[i] = (int) (seed >>> 40) % 1000;
            y[i] = (int) (seed >>> 20 & 0xffff) % 1000;
        }
        Arrays.fill(nearest, Integer.MAX_VALUE);
        for (int i = 0; i < cities; i++) {
            for (int j = 0; j < cities; j++) {
                distances[i][j] = (int) Math.hypot(x[i] - x[j], y[i] - y[j]);
                if (i != j) {
                    nearest[i] = Math.min(nearest[i], distances[i][j]);
                }
            }
        }
        best = new Best(Integer.MAX_VALUE);
    }

    /** No trip that begins so can be shorter. */
    private int least(Path path) {
        int sum = path.length + nearest[path.last()];
        for (int city = 0; city < distances.length; city++) {
            if ((path.visited & 1 << city) == 0) {
                sum += nearest[city];
            }
        }
        return sum;
    }

    /** Tries all that is left behind a beginning. Close to the end an older bound is good enough. */
    private void search(Path path, int bound) {
        if (path.count == distances.length) {
            best.offer(path.cities, path.length + distances[path.last()][path.cities[0]]);
            return;
        }
        int left = distances.length - path.count;
        int now = left > CLOSE ? best.length() : bound;
        if (least(path) >= now) {
            return;
        }
        int[] row = distances[path.last()];
        for (int city = 0; city < row.length; city++) {
            if ((path.visited & 1 << city) == 0) {
                path.add(city, row[city]);
                search(path, now);
                path.remove(row[city]);
            }
        }
    }

    private void expand(Path path) {
        if (distances.length - path.count <= ALONE) {
            search(path, best.length());
            return;
        }
        if (least(path) >= best.length()) {
            return;
        }
        for (int city = 0; city < distances.length; city++) {
            if ((path.visited & 1 << city) == 0) {
                Path longer = new Path(path);
                longer.add(city, distances[path.last()][city]);
                work.add(longer);
            }
        }
    }

    private void run(int count) throws InterruptedException {
        /* A first bound: always to the nearest. */
        Path greedy = new Path(distances.length);
        greedy.add(0, 0);
        while (greedy.count < distances.length) {
            int next = -1;
            for (int city = 0; city < distances.length; city++) {
                if ((greedy.visited & 1 << city) == 0
                        && (next < 0 || distances[greedy.last()][city] < distances[greedy.last()][next])) {
                    next = city;
                }
            }
            greedy.add(next, distances[greedy.last()][next]);
        }
        best.offer(greedy.cities, greedy.length + distances[greedy.last()][0]);
        Path start = new Path(distances.length);
        start.add(0, 0);
        work.add(start);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = new Thread(() -> {
                try {
                    for (Path path = work.take(false); path != null; path = work.take(true)) {
                        expand(path);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        /* Which of several shortest trips was found first is chance, and so is how often it got better. */
        System.out.println("shortest " + best.length() + " through " + best.cities.length + ", " + (best.improvements > 0));
    }

    public static void main(String[] arguments) throws InterruptedException {
        int cities = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 17;
        int threads = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        new Tour(cities).run(threads);
    }
}
