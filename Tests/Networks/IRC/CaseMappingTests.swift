import Testing

@testable import IRCWire

struct CaseMappingTests {
    @Test(arguments: [
        (CaseMapping.ascii, "abz[]\\~{}|^"), (.rfc1459, "abz{}|^{}|^"), (.rfc1459Strict, "abz{}|~{}|^"),
    ])
    func `each mapping folds its letters`(mapping: CaseMapping, folded: String) {
        #expect(mapping.fold(Array("ABZ[]\\~{}|^")).text == folded)
    }

    @Test(arguments: CaseMapping.allCases)
    func `bytes outside ASCII stay unchanged, even in invalid UTF-8`(mapping: CaseMapping) {
        let name: [UInt8] = Array("#Ä가") + [0xC4, 0xE9]
        #expect(mapping.fold(name) == name)
    }

    @Test(arguments: [
        ("ascii", CaseMapping.ascii), ("rfc1459", .rfc1459), ("RFC1459", .rfc1459), ("strict-rfc1459", .rfc1459Strict),
        ("rfc1459-strict", .rfc1459Strict), ("rfc8265", .ascii), ("", .ascii),
    ])
    func `a token names a mapping, and an unknown one joins no two names`(
        token: String, mapping: CaseMapping
    ) {
        #expect(CaseMapping(token: Array(token)) == mapping)
    }
}
