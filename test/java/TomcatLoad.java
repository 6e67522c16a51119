import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/**
 * Tomcat in this process, a small servlet, and client threads that ask it and check what it answers.
 *
 *     TomcatLoad FOLDER REQUESTS [THREADS]
 */
public class TomcatLoad {
    /** Counts for each session and for all, and gives back what it got. */
    public static class Counting extends HttpServlet {
        private int all;
        private final long[] sizes = new long[2];

        private synchronized int next(int size) {
            sizes[size & 1] += size;
            return ++all;
        }

        synchronized String summary() {
            return all + " requests, " + (sizes[0] + sizes[1]) + " bytes";
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            next(body.length);
            int mine;
            synchronized (request.getSession().getId().intern()) {
                Integer before = (Integer) request.getSession().getAttribute("count");
                mine = before == null ? 1 : before + 1;
                request.getSession().setAttribute("count", mine);
            }
            response.setContentType("text/plain;charset=UTF-8");
            response.setHeader("X-Count", String.valueOf(mine));
            if (request.getParameter("flush") != null) {
                response.getOutputStream().flush();
            }
            response.getOutputStream().write(body);
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            next(0);
            if (request.getParameter("fail") != null) {
                response.sendError(418, "as asked");
                return;
            }
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().println("hello " + request.getParameter("name"));
        }
    }

    /** Loggers that nobody holds forget what they were told. */
    private static final Logger LOGGER = Logger.getLogger("org.apache");
    private final int port;
    private final int requests;
    private int wrong;

    TomcatLoad(int port, int requests) {
        this.port = port;
        this.requests = requests;
    }

    private synchronized void complain(String what) {
        if (wrong++ < 10) {
            System.out.println("wrong: " + what);
        }
    }

    private HttpURLConnection open(String path, String cookie) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL("http://localhost:" + port + path).openConnection();
        connection.setConnectTimeout(60_000);
        connection.setReadTimeout(60_000);
        if (cookie != null) {
            connection.setRequestProperty("Cookie", cookie);
        }
        return connection;
    }

    private static String read(InputStream in) throws IOException {
        try (InputStream closed = in) {
            return new String(closed.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** One client, with its own session. */
    private void client(int thread) throws IOException {
        String cookie = null;
        int posts = 0;
        for (int i = 0; i < requests; i++) {
            String name = "client" + thread + "x" + i;
            switch (i % 4) {
                case 0: {
                    String got = read(open("/count?name=" + name, cookie).getInputStream());
                    if (!got.equals("hello " + name + "\n") && !got.equals("hello " + name + "\r\n")) {
                        complain(name + " is greeted with " + got);
                    }
                    break;
                }
                case 3: {
                    int status = open("/count?fail=1", cookie).getResponseCode();
                    if (status != 418) {
                        complain(name + " fails with " + status);
                    }
                    break;
                }
                default: {
                    String body = name.repeat(1 + i % 50);
                    HttpURLConnection connection = open(i % 8 == 1 ? "/count?flush=1" : "/count", cookie);
                    connection.setDoOutput(true);
                    try (OutputStream out = connection.getOutputStream()) {
                        out.write(body.getBytes(StandardCharsets.UTF_8));
                    }
                    String got = read(connection.getInputStream());
                    posts++;
                    if (!got.equals(body) || !String.valueOf(posts).equals(connection.getHeaderField("X-Count"))) {
                        complain(name + " gets back " + got + ", " + connection.getHeaderField("X-Count") + " for the "
                                + posts + "th");
                    }
                    if (cookie == null) {
                        cookie = connection.getHeaderField("Set-Cookie").split(";")[0];
                    }
                    break;
                }
            }
        }
    }

    private void run(int threads) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            int thread = t;
            new Thread(() -> {
                try {
                    client(thread);
                } catch (Exception e) {
                    complain(e.toString());
                    e.printStackTrace();
                } finally {
                    done.countDown();
                }
            }, "client " + t).start();
        }
        done.await();
    }

    private synchronized int wrong() {
        return wrong;
    }

    public static void main(String[] arguments) throws LifecycleException, InterruptedException {
        LOGGER.setLevel(Level.WARNING);
        int requests = Integer.parseInt(arguments[1]);
        int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 8;
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[0]);
        tomcat.setPort(0);
        tomcat.getConnector();
        Context context = tomcat.addContext("", new File(arguments[0]).getAbsolutePath());
        Counting servlet = new Counting();
        Tomcat.addServlet(context, "count", servlet);
        context.addServletMappingDecoded("/count", "count");
        tomcat.start();
        TomcatLoad load = new TomcatLoad(tomcat.getConnector().getLocalPort(), requests);
        load.run(threads);
        tomcat.stop();
        tomcat.destroy();
        System.out.println(servlet.summary());
        System.out.println(load.wrong() + " wrong");
        System.exit(load.wrong() == 0 ? 0 : 1);
    }
}
