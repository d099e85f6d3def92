// Finds the conformance of a type to a protocol by an index.
//
// For each new pair of a type and a protocol, Swift's runtime (6.3) reads all 12,700 conformances of the program. This took
// 60 % of the instructions of `scrollback search`: the parser of the command line asks for 100 pairs. With the linker's
// --wrap=FUNCTION, the functions below replace the runtime's. They answer for most pairs, and leave the others to the
// runtime: types of C, types without a name such as tuples, isolated conformances, types that conform twice, conditional
// conformances of classes, and other conditions than conformances. Unlike the runtime, they do not look whether the arguments of a
// generic type can be copied: a type with one that can't would seem to conform.
//
// The layouts are those of swift/ABI/Metadata.h and MetadataValues.h. With -DCHECK, every answer is compared with the
// runtime's.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// TargetProtocolConformanceDescriptor. The first three fields are distances to what they name, from their own place.
typedef struct {
    int32_t protocol, type, witnesses;
    uint32_t flags;
} Conformance;

// Bits of the flags. `indirectType` marks an indirect type, `otherType` a reference that is not a type of Swift. `retroactive`
// adds a field before the conditions; bits 8 to 15 are their number. With a bit of `special`, the index leaves the answer to the
// runtime: that is every bit but these, "synthesized", "resilient witnesses" and "generic witnesses".
enum { indirectType = 1 << 3, otherType = 6 << 3, retroactive = 1 << 6, special = ~0x3FFF8 };

// A condition of a conformance, TargetGenericRequirementDescriptor. With the flags `conforms`, a type must conform to a protocol,
// and its witnesses are an argument. The name is mangled: it is that of a generic parameter, or of an associated type of one.
typedef struct {
    uint32_t flags;
    int32_t name, protocol;
} Condition;

enum { conforms = 0x80, maximumConditions = 8 };

// A state of metadata: that which the runtime wants of a condition's type. To wait for more could be to wait for this thread.
enum { abstract = 0xFF };

// The distances to all conformances, each from its own place. Bit 0 marks an indirect one.
extern const int32_t first[] __asm__("__start_swift5_protocol_conformances") __attribute__((visibility("hidden")));
extern const int32_t end[] __asm__("__stop_swift5_protocol_conformances") __attribute__((visibility("hidden")));

extern const void *swift_getWitnessTable(const Conformance *, const void *type, const void *const *arguments);
extern const uintptr_t *swift_getTypeByMangledNameInContextInMetadataState(
    size_t state, const char *name, size_t length, const void *context, const void *const *arguments) __attribute__((swiftcall));

// The numbers of the conformances from 1, each in the first free slot after the hash of its pair. NULL without an index.
static uint16_t *slots;
static uint32_t mask;

static const void *target(const int32_t *place, int32_t distance, bool isIndirect) {
    const void *target = (const char *)place + distance;
    return isIndirect ? *(const void *const *)target : target;
}

static const void *relative(const int32_t *place) { return target(place, *place & ~1, *place & 1); }

static const void *typeOf(const Conformance *conformance) {
    if (conformance->flags & otherType) return NULL;
    return target(&conformance->type, conformance->type, conformance->flags & indirectType);
}

static uint32_t slotAfter(const void *type, const void *protocol) {
    return ((uintptr_t)type * 0x9E3779B97F4A7C15 ^ (uintptr_t)protocol * 0xC2B2AE3D27D4EB4F) >> 40;
}

static void makeIndex(void) {
    uint32_t count = end - first, size = 1024;
    while (size < 2 * count) size *= 2;
    uint16_t *table = count < UINT16_MAX ? calloc(size, sizeof *table) : NULL;
    if (!table) return;
    mask = size - 1;
    for (uint32_t number = 0; number < count; number++) {
        const Conformance *conformance = relative(first + number);
        uint32_t slot = slotAfter(typeOf(conformance), relative(&conformance->protocol)) & mask;
        while (table[slot]) slot = (slot + 1) & mask;
        table[slot] = number + 1;
    }
    slots = table;
}

// Sets `key` to the descriptor by which conformances name this type; for an existential type, to its protocol.
// Returns false for a type that the runtime must look up.
static bool getKey(const uintptr_t *type, const void **key) {
    const uint32_t *descriptor;
    switch (type[0]) {
    case 0x200 ... 0x202:  // a structure, an enumeration, an optional
        descriptor = (const uint32_t *)type[1];
        break;
    case 0x303: {  // an existential type, with its number of protocols in the upper half of the word
        bool hasSuperclass = type[1] & 1 << 30;
        *key = type[1] >> 32 == 1 && !hasSuperclass ? (const void *)type[2] : NULL;
        return true;
    }
    case 0:  // a class
        descriptor = (const uint32_t *)type[5];
        // The distance to the superclass's name. Until the metadata is complete, the pointer to the superclass may be NULL.
        if (!descriptor || (descriptor[5] && !type[1])) return false;
        break;
    default:
        return false;
    }
    *key = descriptor;
    bool isUnique = *descriptor & 1 << 6;
    return isUnique;
}

static bool find(const uintptr_t *type, const void *protocol, const void **witnesses);

// The length of a mangled name. A byte below 32 is followed by the distance to a symbol, or from 24 on by its address.
static size_t lengthOf(const char *name) {
    const char *end = name;
    for (; *end; end++) {
        if ((uint8_t)*end < 24) end += 4;
        else if ((uint8_t)*end < 32) end += sizeof(void *);
    }
    return end - name;
}

// Sets `witnesses` to the answer of one conformance of this type, and returns, as `find` does.
static bool answer(const Conformance *conformance, const uintptr_t *type, const void **witnesses) {
    const void *arguments[maximumConditions];
    uint32_t count = conformance->flags >> 8 & 0xFF;
    // A class has its arguments elsewhere.
    if (count && (type[0] == 0 || count > maximumConditions)) return false;
    const int32_t *conditions = (const int32_t *)(conformance + 1) + (conformance->flags & retroactive ? 1 : 0);
    for (uint32_t number = 0; number < count; number++) {
        const Condition *condition = (const Condition *)conditions + number;
        if (condition->flags != conforms) return false;
        const char *name = target(&condition->name, condition->name, false);
        // After the first two words, a type that is no class has its arguments.
        const void *const *own = (const void *const *)(type + 2);
        const void *context = (const void *)type[1];
        const uintptr_t *subject =
            swift_getTypeByMangledNameInContextInMetadataState(abstract, name, lengthOf(name), context, own);
        if (!subject || !find(subject, relative(&condition->protocol), &arguments[number])) return false;
        if (!arguments[number]) return true;
    }
    *witnesses = swift_getWitnessTable(conformance, type, arguments);
    return true;
}

// Sets `witnesses` to the answer, NULL for a type that does not conform. Returns false if only the runtime knows.
static bool find(const uintptr_t *type, const void *protocol, const void **witnesses) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, makeIndex);
    *witnesses = NULL;
    for (; type; type = type[0] == 0 ? (const uintptr_t *)type[1] : NULL) {
        const void *key;
        if (!slots || !getKey(type, &key)) return false;
        if (!key) return true;
        const Conformance *found = NULL;
        for (uint32_t slot = slotAfter(key, protocol) & mask; slots[slot]; slot = (slot + 1) & mask) {
            const Conformance *conformance = relative(first + slots[slot] - 1);
            if (typeOf(conformance) != key || relative(&conformance->protocol) != protocol) continue;
            if (found || conformance->flags & special) return false;
            found = conformance;
        }
        if (found) return answer(found, type, witnesses);
    }
    return true;
}

#ifdef CHECK
#define DIFFERS(expected) (witnesses != (expected))
#else
#define DIFFERS(expected) false
#endif

#define WRAP(function, parameters, ...)                                                          \
    extern const void *__real_##function parameters __attribute__((swiftcall));                  \
    __attribute__((swiftcall)) const void *__wrap_##function parameters {                        \
        const void *witnesses;                                                                   \
        if (!find(type, protocol, &witnesses)) return __real_##function(__VA_ARGS__);            \
        if (DIFFERS(__real_##function(__VA_ARGS__))) abort();                                    \
        return witnesses;                                                                        \
    }

WRAP(swift_conformsToProtocol, (const uintptr_t *type, const void *protocol), type, protocol)
WRAP(swift_conformsToProtocolCommon, (const uintptr_t *type, const void *protocol), type, protocol)
WRAP(swift_conformsToProtocolWithExecutionContext, (const uintptr_t *type, const void *protocol, void *context), type,
     protocol, context)
