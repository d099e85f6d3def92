// Finds the conformance of a type to a protocol by an index.
//
// For each new pair of a type and a protocol, Swift's runtime (6.3) reads all 12,700 conformances of the program. This took
// 60 % of the instructions of `scrollback search`: the parser of the command line asks for 100 pairs. With the linker's
// --wrap=FUNCTION, the functions below replace the runtime's. They answer for most pairs, and leave the others to the
// runtime: subclasses, types of C, conditional and isolated conformances, and types that conform twice.
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

// Bits of the flags. `indirectType` marks an indirect type, `otherType` a reference that is not a type of Swift. With a bit of
// `special`, the index leaves the answer to the runtime: that is every bit but those of the kind of type, "retroactive",
// "synthesized", "resilient witnesses" and "generic witnesses".
enum { indirectType = 1 << 3, otherType = 6 << 3, special = ~0x300F8 };

// The distances to all conformances, each from its own place. Bit 0 marks an indirect one.
extern const int32_t first[] __asm__("__start_swift5_protocol_conformances") __attribute__((visibility("hidden")));
extern const int32_t end[] __asm__("__stop_swift5_protocol_conformances") __attribute__((visibility("hidden")));

extern const void *swift_getWitnessTable(const Conformance *, const void *type, const void *const *arguments);

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
        // The distance to the name of its superclass.
        if (!descriptor || descriptor[5]) return false;
        break;
    default:
        return false;
    }
    *key = descriptor;
    bool isUnique = *descriptor & 1 << 6;
    return isUnique;
}

// Sets `witnesses` to the answer, NULL for a type that does not conform. Returns false if only the runtime knows.
static bool find(const uintptr_t *type, const void *protocol, const void **witnesses) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, makeIndex);
    const void *key;
    if (!slots || !getKey(type, &key)) return false;
    *witnesses = NULL;
    if (!key) return true;
    const Conformance *found = NULL;
    for (uint32_t slot = slotAfter(key, protocol) & mask; slots[slot]; slot = (slot + 1) & mask) {
        const Conformance *conformance = relative(first + slots[slot] - 1);
        if (typeOf(conformance) != key || relative(&conformance->protocol) != protocol) continue;
        if (found || conformance->flags & special) return false;
        found = conformance;
    }
    if (found) *witnesses = swift_getWitnessTable(found, type, NULL);
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
