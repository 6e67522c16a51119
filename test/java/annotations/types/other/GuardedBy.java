package other;

/** A name that means locks elsewhere; in this package it means nothing. */
public @interface GuardedBy {
    String value();
}
