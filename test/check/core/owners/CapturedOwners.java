import java.util.List;

/** What bodies capture has the owners that it has where they are made. */
final class CapturedOwners {
    static class Cell/*#<o>*/ {
        int value /*# guarded_by o */;
        Cell/*#<o>*/ next /*# guarded_by o */;

        void set(int v) /*# requires o */ {
            value = v;
        }
    }

    /** What it has is its own: o$this guards it. */
    static class Box/*#<o>*/ {
        final Cell/*#<o$this>*/ cell = new Cell/*#<o$this>*/();
    }

    interface Task {
        void go();
    }

    /** Another thread may run it. */
    static void later(Task task) {
    }

    static void lambdas(Cell/*#<self>*/ shared, Cell/*#<thisThread>*/ mine,
            Cell/*#<readonly>*/ fixed, List<String> names) {
        Task task = () -> {
            synchronized (shared) {
                shared.value++; // silent
                shared.set(1); // silent
            }
            shared.value++; // expect: guard-not-held
            shared.set(2); // expect: requires-not-held
            mine.value++; // expect: guard-not-held
            synchronized (mine) {
                mine.set(3); // expect: requires-not-held; it is another thread's
            }
        };
        later(task);
        names.forEach(name -> {
            mine.value++; // silent: called at once
            mine.set(4); // silent
            shared.value++; // expect: guard-not-held
        });
        names.forEach(name -> {
            Task inner = () -> {
                mine.value++; // expect: guard-not-held
                synchronized (shared) {
                    shared.value++; // silent
                }
            };
            names.forEach(other -> mine.set(5)); // silent
            later(inner);
        });
        Task twice = () -> {
            Task inner = () -> {
                synchronized (shared) {
                    shared.next = null; // silent
                    shared.value++; // silent
                }
                shared.value++; // expect: guard-not-held
            };
            later(inner);
        };
        later(twice);
    }

    static void objects(Cell/*#<self>*/ shared, Cell/*#<thisThread>*/ mine) {
        Cell unspoken = new Cell();
        Task task = new Task() {
            final Cell/*#<self>*/ kept = shared; // silent
            {
                mine.value++; // silent: the initializer runs at once
                synchronized (shared) {
                    shared.value++; // silent
                }
                shared.value++; // expect: guard-not-held
            }

            @Override
            public void go() {
                synchronized (shared) {
                    shared.value++; // silent
                }
                synchronized (kept) {
                    kept.value++; // silent
                }
                shared.value++; // expect: guard-not-held
                mine.value++; // expect: guard-not-held
                unspoken.value++; // expect: guard-not-held
                Task inner = () -> {
                    synchronized (shared) {
                        shared.value++; // silent
                    }
                    shared.value++; // expect: guard-not-held
                };
                later(inner);
                new Task() {
                    @Override
                    public void go() {
                        synchronized (shared) {
                            shared.value++; // silent
                        }
                        shared.value++; // expect: guard-not-held
                        mine.value++; // expect: guard-not-held
                    }
                }.go();
            }
        };
        unspoken.value++; // silent
        later(task);
    }

    /** A local class that makes objects of its own, and one that extends it. */
    static Task local(Cell/*#<self>*/ shared) {
        class Local implements Task {
            @Override
            public void go() {
                synchronized (shared) {
                    shared.value++; // silent
                }
                shared.value++; // expect: guard-not-held
                new Local().go();
                new Member().use();
            }

            class Member {
                void use() {
                    synchronized (shared) {
                        shared.value++; // silent
                    }
                    shared.value++; // expect: guard-not-held
                }
            }
        }
        class More extends Local {
            @Override
            public void go() {
                synchronized (shared) {
                    shared.value++; // silent
                }
                shared.value++; // expect: guard-not-held
            }
        }
        return new More();
    }

    /** A superclass's constructor gets what the anonymous class's gets. */
    static class Base {
        Base(Cell/*#<self>*/ cell) {
        }
    }

    static void superclass(Cell/*#<self>*/ shared, Cell/*#<thisThread>*/ mine) {
        new Base(shared) { // silent
        };
        new Base(mine) { // expect: owner-mismatch
        };
    }

    /** An owner that only the method has. */
    static void copy(Cell/*#<g>*/ from, Cell/*#<g>*/ to) {
    }

    static void methodFormal(Cell/*#<g>*/ one, Cell/*#<g>*/ other, Cell/*#<h>*/ third) {
        Task task = () -> {
            copy(one, other); // silent
            copy(one, third); // expect: owner-mismatch
            one.value++; // expect: guard-not-held
        };
        later(task);
    }

    /** The owner is an object that is captured too, or is not. */
    static void paths(Box/*#<self>*/ box) {
        Cell inBox = box.cell;
        Task both = () -> {
            synchronized (box) {
                inBox.value++; // silent
                box.cell.value++; // silent
                copy(inBox, box.cell); // silent
            }
            inBox.value++; // expect: guard-not-held
        };
        Task one = () -> inBox.value++; // expect: guard-not-held
        Task object = new Task() {
            @Override
            public void go() {
                synchronized (box) {
                    inBox.value++; // silent
                    copy(inBox, box.cell); // silent
                }
                inBox.value++; // expect: guard-not-held
            }
        };
        later(both);
        later(one);
        later(object);
    }

    /** Owners of the class around. */
    static class Holder/*#<o>*/ {
        final Cell/*#<o$this>*/ cell = new Cell/*#<o$this>*/();
        int count /*# guarded_by o */;

        Task tasks(List<String> names) /*# requires o */ {
            Cell here = cell;
            here.value++; // silent
            names.forEach(name -> count++); // silent
            names.forEach(name -> {
                here.value++; // silent
                cell.value++; // silent
            });
            Task lambda = () -> {
                copy(here, cell); // silent
                here.value++; // expect: guard-not-held
                count++; // expect: guard-not-held
            };
            later(lambda);
            return new Task() {
                @Override
                public void go() {
                    copy(here, cell); // silent
                    here.value++; // expect: guard-not-held
                    count++; // expect: guard-not-held
                }
            };
        }
    }

    /** Two threads may run the same task. */
    static void unique(Cell/*#<unique>*/ only, Cell/*#<unique>*/ passed, List<String> names) {
        Task task = () -> only.value++; // expect: guard-not-held
        later(task);
        names.forEach(name -> passed.value++); // silent
    }

    /** One body, made in two places: finally is there twice. */
    static void twice(Cell/*#<self>*/ shared, Cell/*#<thisThread>*/ mine) {
        try {
            shared.hashCode();
        } finally {
            later(() -> {
                synchronized (shared) {
                    shared.value++; // silent
                }
                mine.value++; // expect: guard-not-held
            });
        }
    }

    /** A class that stays with its thread keeps what is its thread's. */
    static void confined(Cell/*#<thisThread>*/ mine) {
        /*# thread_local */ class Confined {
            void go() {
                mine.value++; // silent
            }
        }
        new Confined().go();
    }

    /** One class, made with different owners: nothing is known. */
    static Object differing(Cell/*#<self>*/ shared, boolean first) {
        class Differing {
            final Cell cell;

            Differing(Cell cell) {
                this.cell = cell;
                cell.value++; // expect: guard-not-held
            }
        }
        return first ? new Differing(shared) : new Differing(new Cell/*#<thisThread>*/());
    }
}
