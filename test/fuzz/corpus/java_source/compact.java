int count /*# guarded_by this */; // a compact source file
void main() { IO.println(count); /*# no_warn */ }
record R(int a) {}
