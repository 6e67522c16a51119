import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.util.CheckClassAdapter;

/**
 * The other side of the class-file benchmark: ASM does what bench/classes.c does, one round for each line on
 * standard input, and answers with nanoseconds, those of all processors (the garbage collector's too), and a
 * count that keeps the work alive. "read" makes a ClassNode, in which everything is decoded, as it is on our
 * side; "rewrite" streams the class through an inserter of nops.
 *
 * ASM believes what it reads, where our reader looks at every name, descriptor, flag and index and cannot be
 * told not to. "checked read" and "checked rewrite" are as careful: ASM's own check of much the same stands
 * behind its reader.
 */
public final class AsmBench {
    /** A nop before every instruction, which puts one at the entry and before every return too. */
    private static final class NopInserter extends MethodVisitor {
        NopInserter(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        private void nop() {
            super.visitInsn(Opcodes.NOP);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            nop();
        }

        @Override
        public void visitInsn(int opcode) {
            nop();
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                nop();
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            nop();
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            nop();
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            nop();
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            nop();
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            nop();
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            nop();
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            nop();
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitLdcInsn(Object value) {
            nop();
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            nop();
            super.visitIincInsn(variable, increment);
        }

        @Override
        public void visitTableSwitchInsn(int least, int most, Label other, Label... labels) {
            nop();
            super.visitTableSwitchInsn(least, most, other, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
            nop();
            super.visitLookupSwitchInsn(other, keys, labels);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            nop();
            super.visitMultiANewArrayInsn(descriptor, dimensions);
        }
    }

    private static long read(List<byte[]> classes, boolean checked) {
        long work = 0;
        for (byte[] bytes : classes) {
            ClassNode node = new ClassNode();
            new ClassReader(bytes).accept(checked ? new CheckClassAdapter(node, false) : node, 0);
            work += node.methods.size();
        }
        return work;
    }

    private static long rewrite(List<byte[]> classes, boolean checked) {
        long work = 0;
        for (byte[] bytes : classes) {
            ClassReader reader = new ClassReader(bytes);
            // With the reader, ASM copies the constant pool instead of building a new one: its faster way.
            ClassWriter writer = new ClassWriter(reader, 0);
            ClassVisitor inserter = new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                        String[] exceptions) {
                    return new NopInserter(super.visitMethod(access, name, descriptor, signature, exceptions));
                }
            };
            reader.accept(checked ? new CheckClassAdapter(inserter, false) : inserter, 0);
            try {
                work += writer.toByteArray().length;
            } catch (org.objectweb.asm.MethodTooLargeException tooLarge) {
                work += bytes.length;
            }
        }
        return work;
    }

    private static List<byte[]> load(String[] jars) throws IOException {
        List<byte[]> classes = new ArrayList<>();
        for (String path : jars) {
            try (JarFile jar = new JarFile(path)) {
                for (JarEntry entry : java.util.Collections.list(jar.entries())) {
                    if (entry.getName().endsWith(".class")) {
                        try (InputStream stream = jar.getInputStream(entry)) {
                            classes.add(stream.readAllBytes());
                        }
                    }
                }
            }
        }
        return classes;
    }

    public static void main(String[] jars) throws IOException {
        List<byte[]> classes = load(jars);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready " + classes.size());
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            long time = System.nanoTime();
            long processor = process.getProcessCpuTime();
            boolean checked = request.startsWith("checked ");
            long work = request.endsWith("rewrite") ? rewrite(classes, checked) : read(classes, checked);
            processor = process.getProcessCpuTime() - processor;
            System.out.println(System.nanoTime() - time + " " + processor + " " + work);
        }
    }
}
