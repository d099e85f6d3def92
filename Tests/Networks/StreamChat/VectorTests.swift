import StreamChatWire
import Testing

/// The vectors of the protocol, from server to client.
struct VectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var known: [String] = []
        var said: UnitContent?
        var flags: UnitFlags = []

        init(_ text: String, known: [String] = [], _ said: UnitContent?, _ flags: UnitFlags = []) {
            (self.bytes, self.known, self.said, self.flags) = (Array(text.utf8), known, said, flags)
        }

        var testDescription: String { String(decoding: bytes, as: UTF8.self) }
        var expected: [Said] { said.map { [Said(content: $0, flags: flags)] } ?? [] }
    }

    static let vectors = [
        Vector("alice::hi", .message(name: "alice", text: "hi")),
        Vector("alice::a::b", .message(name: "alice", text: "a::b")),
        Vector("alice:::b", .message(name: "alice", text: ":b")),
        Vector("alice::", .message(name: "alice", text: "")),
        Vector("::hi", .message(name: "", text: "hi")),
        Vector("alice::\u{301}hi", .message(name: "alice", text: "\u{301}hi")),
        Vector("alice::\u{FE0F}x", .message(name: "alice", text: "\u{FE0F}x")),
        Vector("bob has joined", .joined("bob")),
        Vector("bob has joined\n", .joined("bob")),
        Vector("bob has left\r\n", .left("bob")),
        Vector("bob has joined::hello", .message(name: "bob has joined", text: "hello")),
        Vector("x has left has joined", .joined("x has left")),
        Vector(" has joined", .joined("")),
        Vector("", nil),
        Vector("\0\0", nil),
        Vector("alice has joinedbob has joined", .joined("alice has joinedbob"), .maybeCoalesced),
        Vector(
            "alice::hibob::yo", known: ["bob"], .message(name: "alice", text: "hibob::yo"), .maybeCoalesced),
        Vector("공지", .system("공지")),
    ]

    @Test(arguments: vectors)
    func `a whole read gives the result on the protocol's page`(vector: Vector) {
        #expect(parse([vector.bytes], known: vector.known).map(\.said) == vector.expected)
    }

    @Test(arguments: vectors)
    func `a read split anywhere gives the same`(vector: Vector) {
        for split in vector.bytes.splits where !Self.looksLikeTwo(split, vector) {
            #expect(parse(split, known: vector.known).map(\.said) == vector.expected, "\(split[0].count)")
        }
    }

    /// Split between what was glued, it is told apart, which is right as well.
    private static func looksLikeTwo(_ split: [[UInt8]], _ vector: Vector) -> Bool {
        let second = String(decoding: split[1], as: UTF8.self)
        return vector.flags.contains(.maybeCoalesced) && (second == "bob::yo" || second == "bob has joined")
    }

    @Test(arguments: vectors, [Framing.lf, .nul, .end])
    func `with a delimiter, splits and neighbours change nothing`(vector: Vector, framing: Framing) {
        let delimiter: [UInt8] = framing == .lf ? [10] : framing == .nul ? [0] : Array("::END")
        // NUL is a delimiter itself with `nul`, and what ends in a line feed is no other unit with `lf`.
        let whole = vector.bytes + delimiter + Array("zoe::fine") + delimiter
        let expected = vector.expected + [Said(content: .message(name: "zoe", text: "fine"))]
        for pieces in [[whole]] + whole.splits + [whole.pieces(of: 1)] {
            #expect(parse(pieces, framing, known: vector.known).map(\.said) == expected)
        }
    }

    @Test func `glued units that arrive separately are separated`() {
        let reads = ["alice has joined", "bob has joined", "alice::hi", "bob::yo"].map { Array($0.utf8) }
        let expected: [UnitContent] = [
            .joined("alice"), .joined("bob"), .message(name: "alice", text: "hi"), .message(name: "bob", text: "yo"),
        ]
        #expect(parse(reads).map(\.content) == expected)
        #expect(parse(reads).allSatisfy { $0.flags.isEmpty })
    }

    @Test(arguments: [2400, 1, 7, 4096])
    func `a long text arrives complete in reads that split its code points`(size: Int) {
        let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦"
        let text = String(repeating: family, count: 300)
        #expect(text.utf8.count == 7500 && text.count == 300)
        let reads = Array("alice::" + text).pieces(of: size)
        let parsed = parse(reads)
        #expect(parsed.map(\.said) == [Said(content: .message(name: "alice", text: text))])
        #expect(parsed.first?.unit.bytes == Array("alice::" + text))
    }

    @Test func `invalid UTF-8 is replaced, flagged and kept`() {
        let bytes = Array("alice::a") + [0xFF, 0xEC] + Array("b")
        let parsed = parse([bytes])
        #expect(
            parsed.map(\.said) == [
                Said(content: .message(name: "alice", text: "a\u{FFFD}\u{FFFD}b"), flags: .invalidUTF8)
            ])
        #expect(parsed.first?.unit.bytes == bytes)
    }

    @Test func `texts keep their bytes in any Unicode form`() {
        for text in ["\u{D55C}", "\u{1112}\u{1161}\u{11AB}", "e\u{301}", "\u{E9}"] {
            guard case .message(_, let received)? = parse([Array("a::" + text)]).first?.content else {
                Issue.record("no message")
                continue
            }
            #expect(Array(received.utf8) == Array(text.utf8))
        }
    }

    @Test(arguments: [
        "alice::hibob has joined", "alice::bob has left, carol::x", "alice has joinedbob::hi", "ok bob has left now",
    ])
    func `a unit with a known name and a notice's ending is flagged as glued`(unit: String) {
        #expect(parse([Array(unit)], known: ["bob"]).map(\.flags) == [.maybeCoalesced])
    }

    @Test(arguments: ["alice::hicarol has joined", "alice::see std::vector", "alice::bob: yes", "alice::bob has it"])
    func `other units are not flagged`(unit: String) {
        #expect(parse([Array(unit)], known: ["bob"]).map(\.flags) == [[]])
    }
}
