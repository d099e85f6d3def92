import Testing

@testable import StreamChatWire

struct OutgoingTests {
    private func code(_ check: () throws(OutgoingError) -> Void) -> OutgoingError.Code? {
        do {
            try check()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a text has at most 300 Characters, whatever their bytes`() {
        let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦"
        #expect(
            code { () throws(OutgoingError) in try Outgoing.validate(text: String(repeating: family, count: 300)) }
                == nil)
        #expect(
            code { () throws(OutgoingError) in try Outgoing.validate(text: String(repeating: "a", count: 301)) }
                == .textTooLong)
        #expect(code { () throws(OutgoingError) in try Outgoing.validate(text: "") } == nil)
    }

    @Test(arguments: ["a::END", "::END\u{301}", "USR_NAME::", "xLEAVE::\u{FE0F}", ":MSG::x", ":::END"])
    func `a text with reserved parts is refused, even before a combining mark`(text: String) {
        #expect(code { () throws(OutgoingError) in try Outgoing.validate(text: text) } == .textReserved)
    }

    @Test(arguments: ["END", "::", "::EN", "MSG", "MSG:", "msg::", "std::vector", "::end"])
    func `a text can contain parts that are nearly reserved`(text: String) {
        #expect(code { () throws(OutgoingError) in try Outgoing.validate(text: text) } == nil)
    }

    @Test func `a name has 1 to 10 Characters without a separator`() {
        let expected: [(String, OutgoingError.Code?)] = [
            ("archiver", nil), ("👨\u{200D}👩\u{200D}👧\u{200D}👦", nil), ("0123456789", nil), ("", .nameEmpty),
            ("01234567890", .nameTooLong), ("a::b", .nameReserved), ("a::\u{301}", .nameReserved), ("a:b", nil),
        ]
        for (name, expected) in expected {
            #expect(code { () throws(OutgoingError) in try Outgoing.validate(name: name) } == expected, "\(name)")
        }
    }

    @Test func `an error has the found and the allowed values`() {
        #expect(
            throws: OutgoingError(code: .nameTooLong, detail: "the name has 12 characters; StreamChat allows 1 to 10")
        ) {
            try Outgoing.validate(name: "abcdefghijkl")
        }
    }

    @Test(arguments: [
        ("hi", nil), (":b", nil), ("a:b", nil), ("a::b", "b"), ("a::b::c", "c"), ("a::", ""), ("::", ""),
        (":::b", ":b"),
        ("a:::b", ":b"), ("a::\u{301}b", "\u{301}b"),
    ])
    func `clients of 2021-04 show only the part after the last ::`(text: String, shown: String?) {
        #expect(Outgoing.shownPart(of: text, by: "alice") == shown)
    }
}
