class A { int a; int = 3; void m( { } int c; } } enum { class B extends { "unended
 int x /* unended