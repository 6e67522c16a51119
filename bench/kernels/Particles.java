import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Particles that attract and repel each other in a box. In each step every thread computes the forces on its share of
 * the particles, from the places of all, and then moves its share; barriers lie between.
 *
 *     Particles [PARTICLES] [STEPS] [THREADS]
 */
public class Particles {
    static final double BOX = 12.0;
    static final double CUT_OFF = 9.0;
    static final double STEP = 0.0005;

    static final class Particle {
        double x;
        double y;
        double z;
        double speedX;
        double speedY;
        double speedZ;
        double forceX;
        double forceY;
        double forceZ;

        Particle(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        double kinetic() {
            return (speedX * speedX + speedY * speedY + speedZ * speedZ) / 2;
        }

        void move() {
            speedX += forceX * STEP;
            speedY += forceY * STEP;
            speedZ += forceZ * STEP;
            x = wrapped(x + speedX * STEP);
            y = wrapped(y + speedY * STEP);
            z = wrapped(z + speedZ * STEP);
        }

        private static double wrapped(double at) {
            return at < 0 ? at + BOX : at >= BOX ? at - BOX : at;
        }
    }

    private final Particle[] particles;
    private final int steps;
    private final CyclicBarrier barrier;
    /** One row for each thread. */
    private final double[][] energies;

    Particles(int count, int steps, int threads) {
        this.steps = steps;
        barrier = new CyclicBarrier(threads);
        energies = new double[threads][2];
        particles = new Particle[count];
        int side = (int) Math.ceil(Math.cbrt(count));
        double distance = BOX / side;
        for (int i = 0; i < count; i++) {
            particles[i] = new Particle(i % side * distance, i / side % side * distance, i / side / side * distance);
            particles[i].speedX = (i * 7919 % 101 - 50) / 25.0;
            particles[i].speedY = (i * 104729 % 97 - 48) / 25.0;
            particles[i].speedZ = (i * 1299709 % 89 - 44) / 25.0;
        }
    }

    private static double nearest(double difference) {
        if (difference > BOX / 2) {
            return difference - BOX;
        }
        return difference < -BOX / 2 ? difference + BOX : difference;
    }

    /** The forces of all others on one; returns its potential energy. */
    private double attract(int index) {
        Particle one = particles[index];
        double potential = 0;
        one.forceX = 0;
        one.forceY = 0;
        one.forceZ = 0;
        for (int i = 0; i < particles.length; i++) {
            if (i == index) {
                continue;
            }
            Particle other = particles[i];
            double x = nearest(one.x - other.x);
            double y = nearest(one.y - other.y);
            double z = nearest(one.z - other.z);
            double square = x * x + y * y + z * z;
            if (square < CUT_OFF) {
                double inverse = 1 / square;
                double third = inverse * inverse * inverse;
                double force = 48 * inverse * third * (third - 0.5);
                one.forceX += force * x;
                one.forceY += force * y;
                one.forceZ += force * z;
                potential += 4 * third * (third - 1);
            }
        }
        return potential;
    }

    private void work(int thread) throws InterruptedException, BrokenBarrierException {
        int share = (particles.length + energies.length - 1) / energies.length;
        int first = thread * share;
        int end = Math.min(first + share, particles.length);
        double[] mine = energies[thread];
        for (int step = 0; step < steps; step++) {
            mine[0] = 0;
            mine[1] = 0;
            for (int i = first; i < end; i++) {
                mine[0] += attract(i);
            }
            barrier.await();
            for (int i = first; i < end; i++) {
                particles[i].move();
                mine[1] += particles[i].kinetic();
            }
            barrier.await();
        }
    }

    void run() throws InterruptedException {
        Thread[] threads = new Thread[energies.length];
        for (int t = 0; t < threads.length; t++) {
            int thread = t;
            threads[t] = new Thread(() -> {
                try {
                    work(thread);
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new IllegalStateException(e);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        double potential = 0;
        double kinetic = 0;
        for (double[] row : energies) {
            potential += row[0];
            kinetic += row[1];
        }
        System.out.println("potential " + potential / 2 + ", kinetic " + kinetic + ", first at " + particles[0].x);
    }

    public static void main(String[] arguments) throws InterruptedException {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        int steps = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 450;
        int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 2;
        new Particles(count, steps, threads).run();
    }
}
