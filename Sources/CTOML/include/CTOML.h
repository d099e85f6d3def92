#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The type of a value.
typedef enum __attribute__((enum_extensibility(closed))) {
    CTOMLKindTable,
    CTOMLKindArray,
    CTOMLKindString,
    CTOMLKindInteger,
    CTOMLKindNumber,
    CTOMLKindBoolean,
    CTOMLKindDate,
    CTOMLKindTime,
    CTOMLKindDateTime,
} CTOMLKind;

/// A value. The values in a table or an array follow it, each with its own: those of a table in the order of their keys' bytes.
typedef struct {
    CTOMLKind kind;
    bool boolean;
    int64_t integer;
    double number;
    /// The bytes of a string.
    const uint8_t *text;
    /// The number of the string's bytes, or of the values in the table or array.
    size_t count;
    /// The bytes of the key; NULL for the root and in an array.
    const uint8_t *key;
    size_t keySize;
    /// The place where the value or the table's header begins, from 1. A column is a code point; a byte order mark has none.
    uint32_t line, column;
} CTOMLNode;

/// A text that was read: its values, the root first, or else an error.
typedef struct {
    const CTOMLNode *nodes;
    /// NULL if the text is valid.
    const char *error;
    /// The place of the error, from 1.
    uint32_t line, column;
} CTOMLDocument;

/// Reads a text in UTF-8, which may contain NUL bytes. Returns NULL if memory is short.
const CTOMLDocument *ctoml_read(const uint8_t *text, size_t size);

void ctoml_free(const CTOMLDocument *document);

#ifdef __cplusplus
}
#endif
