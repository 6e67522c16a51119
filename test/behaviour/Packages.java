import one.Base;
import two.Derived;

/** Fields of other packages, protected and inherited, of the same name, and of classes that are not visible. */
public class Packages {
    static class Third extends Derived {
        protected int guarded = 1000;

        int third() { return guarded++ + super.guarded++ + change(2) + (int) guardedShared++; }

        @Override
        protected int change(int by) { return super.change(by) + guarded; }
    }

    public static void main(String[] arguments) {
        Derived derived = new Derived();
        System.out.println(derived.peek(new Derived()) + " " + ((Base) derived).open++ + " " + derived.hidden());
        Third third = new Third();
        for (int i = 0; i < 3; i++) {
            System.out.println(third.third() + " " + third.hidden() + " " + Base.openShared++ + " " + Derived.openShared
                    + " " + third.peek(third));
        }
        Base.Nested nested = new Base.Nested();
        System.out.println(nested.both() + " " + nested.both() + " " + nested.open++ + nested.open);
        Base.Revealed revealed = new Base.Revealed();
        revealed.visible += 3;
        Base.Revealed.visibleShared++;
        System.out.println(revealed.visible + " " + Base.Revealed.visibleShared + " " + revealed.next()
                + new Derived.Revealing().all());
        Base[] bases = {new Base(), derived, third, null};
        for (Base base : bases) {
            try {
                System.out.println(base.open += 5);
            } catch (NullPointerException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
