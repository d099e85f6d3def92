// expat, which reads XML piece by piece.

#include <expat.h>

// Makes a parser report an element as soon as its last byte is there. Versions since 2.6.0 may otherwise wait for more bytes.
static inline void XML_ReportAtOnce(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 6)
    XML_SetReparseDeferralEnabled(parser, XML_FALSE);
#else
    (void)parser;
#endif
}
