/* Any bytes as Java source: the index must be whole, whatever they are. */
#include <stdlib.h>

#include "source/java_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_tokens(const struct java_source *source)
{
    const struct java_token *tokens = source->tokens.tokens.items;
    size_t count = source->tokens.tokens.count;
    check(count > 0 && tokens[count - 1].kind == JAVA_END);
    for (size_t i = 0; i + 1 < count; i++) {
        check(tokens[i].start < tokens[i].end && tokens[i].end <= tokens[i + 1].start);
        check(tokens[i].line == java_tokens_line(&source->tokens, tokens[i].start));
        uint32_t match = source->matches[i];
        check(match == JAVA_NONE || (match < count && match != i));
    }
    for (size_t i = 0; i < source->tokens.comments.count; i++) {
        const struct java_comment *comment = &source->tokens.comments.items[i];
        check(comment->start < comment->end && comment->end <= source->tokens.text.length);
        check(comment->before < count && comment->end <= tokens[comment->before].start);
        check(comment->before == 0 || tokens[comment->before - 1].end <= comment->start);
        if (comment->marked)
            check(java_comment_body(&source->tokens, comment).length > 0);
    }
}

static void check_owners(const struct java_source *source)
{
    for (size_t i = 0; i < source->tokens.tokens.count; i++) {
        struct java_owner owner = source->owners[i];
        switch ((enum java_owner_kind)owner.kind) {
        case JAVA_OWNER_CLASS:
        case JAVA_OWNER_CLASS_END:
            check(owner.number < source->classes.count);
            break;
        case JAVA_OWNER_FIELD:
        case JAVA_OWNER_FIELD_TYPE:
            check(owner.number < source->fields.count);
            break;
        case JAVA_OWNER_METHOD:
        case JAVA_OWNER_METHOD_END:
            check(owner.number < source->methods.count);
            break;
        case JAVA_OWNER_CODE:
        case JAVA_OWNER_NONE:
            break;
        }
        uint32_t block = java_source_block_at(source, (uint32_t)i);
        check(block == JAVA_NONE ||
              (source->blocks.items[block].open < i && i <= source->blocks.items[block].close));
    }
}

static void check_declarations(const struct java_source *source)
{
    size_t count = source->tokens.tokens.count;
    for (uint32_t i = 0; i < source->classes.count; i++) {
        const struct java_class *class = &source->classes.items[i];
        check(class->kind == JAVA_IMPLICIT ||
              (class->first <= class->open && class->open < class->close && class->close < count));
        check(class->outer == JAVA_NONE || class->outer < source->classes.count);
    }
    for (uint32_t i = 0; i < source->fields.count; i++) {
        const struct java_field *field = &source->fields.items[i];
        check(field->class_number < source->classes.count && field->name.length > 0);
        check(field->first < field->name_token && field->name_token < field->end &&
              field->end < count);
        check(i == 0 || source->fields.items[i - 1].name_token < field->name_token);
    }
    for (uint32_t i = 0; i < source->methods.count; i++) {
        const struct java_method *method = &source->methods.items[i];
        check(method->class_number < source->classes.count);
        check(method->first <= method->name_token && method->name_token < method->end &&
              method->end < count);
        for (uint32_t j = 0; j < method->parameter_count; j++)
            check(
                java_source_erase(source, method->class_number, i, method->parameters[j].type.name)
                    .length > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct java_source source;
    if (java_source_read(&source, text_of(bytes, size), TEXT("File.java"))) {
        check_tokens(&source);
        check_owners(&source);
        check_declarations(&source);
    }
    java_source_release(&source);
    return 0;
}
