import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.H_INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.H_INVOKESTATIC;
import static org.objectweb.asm.Opcodes.H_INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.RETURN;

import java.io.IOException;
import java.lang.invoke.LambdaMetafactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/** Writes a program's classes. Each of its methods returns its own name; what calls or makes a lambda is given an object. */
final class ClassFiles {
    private static final String OBJECT = "java/lang/Object";
    private static final String METHOD = "()Ljava/lang/String;";
    private static final Type METHOD_TYPE = Type.getMethodType(METHOD);
    private static final String CALL = "(Ljava/lang/Object;)Ljava/lang/String;";
    private static final String MAKE = "(Ljava/lang/Object;)Ljava/lang/Object;";
    private static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";
    private static final Handle PLAIN_METAFACTORY = new Handle(H_INVOKESTATIC, METAFACTORY, "metafactory",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;"
                    + "Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;", false);
    private static final Handle MARKER_METAFACTORY = new Handle(H_INVOKESTATIC, METAFACTORY, "altMetafactory",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)"
                    + "Ljava/lang/invoke/CallSite;", false);

    private final RandomProgram.Type type;
    private final ClassWriter writer = new ClassWriter(0);

    private ClassFiles(RandomProgram.Type type) {
        this.type = type;
    }

    static void write(RandomProgram program, Path folder) throws IOException {
        for (RandomProgram.Type type : program.all()) {
            Path path = folder.resolve(type.name + ".class");
            Files.createDirectories(path.getParent());
            Files.write(path, new ClassFiles(type).bytes());
        }
    }

    private byte[] bytes() {
        String[] interfaces = type.interfaces.stream().map(each -> each.name).toArray(String[]::new);
        writer.visit(type.version, type.access, type.name, null, superclass(), interfaces);
        if (type.nestHost != null) {
            writer.visitNestHost(type.nestHost.name);
        }
        type.nestMembers.forEach(member -> writer.visitNestMember(member.name));
        if (!type.isInterface()) {
            addConstructor();
        }
        type.methods.forEach(this::addMethod);
        type.lambdas.forEach(this::addLambda);
        type.calls.forEach(this::addCall);
        writer.visitEnd();
        return writer.toByteArray();
    }

    private String superclass() {
        return type.superclass == null ? OBJECT : type.superclass.name;
    }

    private void addConstructor() {
        MethodVisitor code = begin(ACC_PUBLIC, "<init>", "()V");
        code.visitVarInsn(ALOAD, 0);
        code.visitMethodInsn(INVOKESPECIAL, superclass(), "<init>", "()V", false);
        end(code, RETURN);
    }

    private void addMethod(String name, int access) {
        if ((access & ACC_ABSTRACT) != 0) {
            writer.visitMethod(access, name, METHOD, null, null).visitEnd();
            return;
        }
        MethodVisitor code = begin(access, name, METHOD);
        code.visitLdcInsn(type.name + "." + name);
        end(code, ARETURN);
    }

    private void addCall(RandomProgram.Call call) {
        MethodVisitor code = begin(ACC_PUBLIC | ACC_STATIC, call.name(), CALL);
        if (call.kind() != RandomProgram.Kind.STATIC) {
            code.visitVarInsn(ALOAD, 0);
        }
        code.visitMethodInsn(instruction(call), call.owner().name, call.method(), METHOD, call.owner().isInterface());
        end(code, ARETURN);
    }

    private static int instruction(RandomProgram.Call call) {
        return switch (call.kind()) {
            case STATIC -> INVOKESTATIC;
            case SPECIAL -> INVOKESPECIAL;
            case VIRTUAL -> call.owner().isInterface() ? INVOKEINTERFACE : INVOKEVIRTUAL;
        };
    }

    private void addLambda(RandomProgram.Lambda lambda) {
        if (lambda.owner() == null) {
            addMethod(lambda.body(), ACC_PUBLIC | ACC_STATIC);
        }
        MethodVisitor code = begin(ACC_PUBLIC | ACC_STATIC, lambda.name(), MAKE);
        String captured = "";
        if (lambda.owner() != null) {
            captured = "L" + lambda.owner().name + ";";
            code.visitVarInsn(ALOAD, 0);
        }
        String descriptor = "(" + captured + ")L" + lambda.implemented().name + ";";
        if (lambda.marker() == null) {
            code.visitInvokeDynamicInsn(lambda.method(), descriptor, PLAIN_METAFACTORY, METHOD_TYPE, target(lambda), METHOD_TYPE);
        } else {
            code.visitInvokeDynamicInsn(lambda.method(), descriptor, MARKER_METAFACTORY, METHOD_TYPE, target(lambda), METHOD_TYPE,
                    LambdaMetafactory.FLAG_MARKERS, 1, Type.getObjectType(lambda.marker().name));
        }
        end(code, ARETURN);
    }

    private Handle target(RandomProgram.Lambda lambda) {
        if (lambda.owner() == null) {
            return new Handle(H_INVOKESTATIC, type.name, lambda.body(), METHOD, false);
        }
        boolean inInterface = lambda.owner().isInterface();
        int tag = inInterface ? H_INVOKEINTERFACE : H_INVOKEVIRTUAL;
        return new Handle(tag, lambda.owner().name, lambda.target(), METHOD, inInterface);
    }

    private MethodVisitor begin(int access, String name, String descriptor) {
        MethodVisitor code = writer.visitMethod(access, name, descriptor, null, null);
        code.visitCode();
        return code;
    }

    private static void end(MethodVisitor code, int instruction) {
        code.visitInsn(instruction);
        code.visitMaxs(1, 1);
        code.visitEnd();
    }
}
