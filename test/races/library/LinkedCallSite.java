import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import quiet.Order;

/** Right: what bootstrap methods make is complete for everybody who comes to the call site or the constant; not so later. */
//! needs: 24
public class LinkedCallSite {
    public static final class Box {
        int value;
        int changed;

        Box() {
            value = 1;
        }
    }

    public static CallSite site(MethodHandles.Lookup lookup, String name, MethodType type) {
        Box box = new Box();
        box.value++;
        return new ConstantCallSite(MethodHandles.constant(Box.class, box));
    }

    public static Box constant(MethodHandles.Lookup lookup, String name, Class<?> type) {
        Box box = new Box();
        box.value++;
        return box;
    }

    /** A method with an invokedynamic, or one that loads a dynamic constant. */
    static MethodHandle linking(boolean site) throws ReflectiveOperationException {
        ClassDesc here = ClassDesc.of("LinkedCallSite");
        ClassDesc box = here.nested("Box");
        MethodTypeDesc type = MethodTypeDesc.of(box);
        DirectMethodHandleDesc bootstrap = site
                ? ConstantDescs.ofCallsiteBootstrap(here, "site", ConstantDescs.CD_CallSite)
                : ConstantDescs.ofConstantBootstrap(here, "constant", box);
        byte[] bytes = ClassFile.of().build(ClassDesc.of(site ? "Site" : "Constant"), made -> made.withMethodBody(
                "get", type, ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> {
                    if (site) {
                        code.invokedynamic(DynamicCallSiteDesc.of(bootstrap, "get", type));
                    } else {
                        code.loadConstant(DynamicConstantDesc.ofNamed(bootstrap, "get", box));
                    }
                    code.areturn();
                }));
        return MethodHandles.lookup().findStatic(
                MethodHandles.lookup().defineClass(bytes), "get", MethodType.methodType(Box.class));
    }

    public static void main(String[] arguments) throws Throwable {
        MethodHandle site = linking(true);
        MethodHandle constant = linking(false);
        Thread first = new Thread(() -> {
            try {
                Box one = (Box) site.invokeExact();
                Box other = (Box) constant.invokeExact();
                one.changed = 1; //! race observed LinkedCallSite$Box.changed
                other.changed = 1; //! race observed LinkedCallSite$Box.changed
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            Order.reach("linked");
        });
        first.start();
        Order.await("linked");
        int sum = ((Box) site.invokeExact()).value + ((Box) constant.invokeExact()).value;
        sum += ((Box) site.invokeExact()).changed; //! race observed LinkedCallSite$Box.changed
        sum += ((Box) constant.invokeExact()).changed; //! race observed LinkedCallSite$Box.changed
        first.join();
        System.out.println(sum == 6 ? "ok" : "another");
    }
}
