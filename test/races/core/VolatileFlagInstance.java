/** Right: volatile instance fields hand an object to and fro: each side writes it only when it is its turn. */
public class VolatileFlagInstance {
    static class Game {
        volatile int turn;
        int ball;
        final int[] score = new int[2];
    }

    static void play(Game game, int me) {
        for (int round = 0; round < 50; round++) {
            while (game.turn != me) {
                Thread.yield();
            }
            game.ball++;
            game.score[0] += me;
            game.turn = 1 - me;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Game game = new Game();
        Thread first = new Thread(() -> play(game, 0));
        Thread second = new Thread(() -> play(game, 1));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(game.ball == 100 && game.score[0] == 50 ? "ok" : "lost a ball");
    }
}
