import Foundation
import Testing

@testable import LogFormats

struct JSONPieceCutterTests {
    static let places = ["name", "messages[]", "chats.list[]", "chats.list[].name", "chats.list[].messages[]"]

    private func cut(_ text: String, by size: Int? = nil, places: [String] = places, maximum: Int = 64) -> [LogLine] {
        JSONPieces.cut(Array(text.utf8), by: size, JSONPieceCutter(places: places, maximumPiece: maximum))
    }

    private func told(_ lines: [LogLine]) -> [String] {
        lines.map { "\($0.number) \($0.place) \(String(decoding: $0.bytes, as: UTF8.self))\($0.isCut ? "…" : "")" }
    }

    /// Each way in two, and byte by byte.
    private func expect(
        _ text: String, _ pieces: [String], places: [String] = places, maximum: Int = 64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(told(cut(text, places: places, maximum: maximum)) == pieces, sourceLocation: sourceLocation)
        for size in 1..<max(2, min(40, text.utf8.count)) {
            let pieces = pieces
            #expect(
                told(cut(text, by: size, places: places, maximum: maximum)) == pieces, "\(size)",
                sourceLocation: sourceLocation)
        }
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            var cutter = JSONPieceCutter(places: places, maximumPiece: maximum)
            let lines = JSONPieces.cut([bytes[..<split], bytes[split...]], &cutter)
            #expect(told(lines) == pieces, "\(split)", sourceLocation: sourceLocation)
        }
    }

    @Test func `the values at the wanted places are returned unchanged, and nothing else`() {
        expect(
            """
            {"name": "a \\" ] }", "skip": [{"messages": [1]}, "{", [[]]], "messages": [
              {"id": 1, "messages": [2]}, "two", 3, null,
              [{}]
            ], "name": {}}
            """,
            [
                "1 name \"a \\\" ] }\"", "2 messages[] {\"id\": 1, \"messages\": [2]}", "2 messages[] \"two\"",
                "2 messages[] 3", "2 messages[] null", "3 messages[] [{}]", "4 name {}",
            ])
    }

    @Test func `a wanted place with others within is reported where it begins`() {
        expect(
            #"{"chats": {"about": "x", "list": [{"name": null, "messages": []}, {"messages": [{}]}, 7]}, "list": [8]}"#,
            [
                "1 chats.list[] ", "1 chats.list[].name null", "1 chats.list[] ", "1 chats.list[].messages[] {}",
                "1 chats.list[] 7",
            ])
    }

    @Test func `a document can be a list or one value`() {
        expect("[1, {\"a\": []}]\r\n", ["1 [] 1", "1 [] {\"a\": []}"], places: ["[]"])
        expect("\n [[1], [2, 3]]", ["2 [][] 1", "2 [][] 2", "2 [][] 3"], places: ["[][]"])
        expect("", [], places: ["[]"])
    }

    @Test func `byte order marks, CRLF, escaped keys and repeated keys are read`() {
        expect(
            "\u{FEFF}{\r\n\"mess\\u0061ges\":[1],\r\n\"messages\":[2],\"n\\\"ame\":3}",
            ["2 messages[] 1", "3 messages[] 2"])
    }

    @Test func `a piece that is too long is cut, and the next is complete`() {
        expect(
            #"{"messages": ["0123456789", [0], "01234567"]}"#,
            ["1 messages[] \"012345678…", "1 messages[] [0]", "1 messages[] \"01234567\""], maximum: 10)
    }

    @Test(arguments: [
        // Broken off within a piece, between two, in what is passed over, after a key, in one.
        (#"{"messages": [1, {"id": "#, ["1 messages[] 1", "1 messages[] {\"id\": "]),
        (#"{"messages": [1, "#, ["1 messages[] 1", "1 ? "]),
        ("{\"messages\": [1],\n \"x\": [\"", ["1 messages[] 1", "2 ? "]),
        (#"{"messages""#, ["1 ? "]), (#"{"mess"#, ["1 ? "]), ("{", ["1 ? "]),
        // Garbage between pieces, where it can be none, and around all.
        (
            #"{"messages": [1 x, 2 "3" : 4]}"#,
            [
                "1 messages[] 1", "1 messages[] x", "1 messages[] 2", "1 messages[] \"3\"",
                "1 ? :", "1 messages[] 4",
            ]
        ),
        (#"{"messages": [1]; xyz "name": 2} x"#, ["1 messages[] 1", "1 ? ;", "1 name 2", "1 ? x"]),
        (#"] {"name": 1}}"#, ["1 ? ]", "1 name 1", "1 ? }"]),
        // A string without its end, in a piece and before one.
        (
            "{\"messages\": [\n{\"a\": \"b},\n{\"c\": 1}, 2]}",
            ["2 messages[] {\"a\": \"b},\n", "3 messages[] {\"c\": 1}", "3 messages[] 2"]
        ),
        ("{\"messages\": [\n{\"a\": \"b\n},\n2]}", ["2 messages[] {\"a\": \"b\n}", "4 messages[] 2"]),
        ("{\"messages\": [\n\"b,\n2]}", ["2 messages[] \"b,", "3 messages[] 2"]),
        ("{\"x\": \"y\n, \"name\": 2}", ["2 name 2"]), ("{\"x\n\"name\": 2}", ["1 ? x", "2 name 2"]),
        // Brackets that close what is not open.
        (#"{"messages": [{"a": [1}, 2]}"#, ["1 messages[] {\"a\": [1}", "1 messages[] 2"]),
        (
            #"{"messages": [{"a": {"b": 1}, {"c": 2}], "name": 3}"#,
            [
                "1 messages[] {\"a\": {\"b\": 1}, ", "1 messages[] {\"c\": 2}",
                "1 name 3",
            ]
        ),
        (#"{"messages": [{"a": 1], "name": 3}"#, ["1 messages[] {\"a\": 1", "1 name 3"]),
        (#"{"messages": [1}"#, ["1 messages[] 1", "1 ? }"]),
        (
            #"{"chats": {"list": [{"name": 1, {"name": 2}]}}"#,
            [
                "1 chats.list[] ", "1 chats.list[].name 1", "1 ? {", "1 chats.list[] ",
                "1 chats.list[].name 2",
            ]
        ),
        // What should have pieces within, and has none.
        (#"{"messages": null, "chats": {"list": {"a": 1}}}"#, ["1 ? {\"a\": 1}"]), ("[1, 2]", ["1 ? [1, 2]"]),
        ("nonsense", ["1 ? nonsense"]), ("null", []),
        (#"{"name": , "name" 1, "name": 2}"#, ["1 ? ,", "1 name 2"]),
    ])
    func `the readable parts of a broken document are read, and the others reported`(text: String, pieces: [String]) {
        expect(text, pieces)
    }

    @Test func `very deep nesting is skipped or cut`() {
        let depth = 100_000
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(told(cut("{\"x\": \(deep), \"name\": 1}")) == ["1 name 1"])
        #expect(told(cut("{\"name\": \(deep), \"messages\": [1]}", maximum: 2)) == ["1 name [[…", "1 messages[] 1"])
        let objects = String(repeating: "{\"a\":", count: depth)
        #expect(told(cut("{\"name\": \(objects)", maximum: 2)) == ["1 name {\"…"])
    }

    @Test(arguments: 0..<200)
    func `the cutter finds what Foundation finds`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let document = JSONPieces.document(depth: 5, using: &random)
        let options: JSONSerialization.WritingOptions =
            seed % 2 == 0 ? [.fragmentsAllowed] : [.fragmentsAllowed, .prettyPrinted]
        let bytes = Array(try JSONSerialization.data(withJSONObject: document, options: options))
        let places = ["a", "b[]", "a.b", "c[].a", "[].b", "[][]"]
        let cutter = JSONPieceCutter(places: places, maximumPiece: bytes.count)
        let pieces = JSONPieces.cut(bytes, by: Int.random(in: 1...9, using: &random), cutter)
            .filter { $0.place != JSONPieceCutter.brokenPlace && !$0.bytes.isEmpty }
        var wanted: [String: [NSObject]] = [:]
        for place in places {
            let found = JSONPieces.values(at: place, in: document).filter { value in
                // Those with others within are told without bytes.
                !(place == "a" && value is NSDictionary)
            }
            if !found.isEmpty { wanted[place] = found }
        }
        for (place, values) in wanted {
            let read = try pieces.filter { $0.place == place }.map {
                try JSONPieces.text(
                    JSONSerialization.jsonObject(with: Data($0.bytes), options: .fragmentsAllowed) as? NSObject)
            }
            #expect(try read.sorted() == values.map(JSONPieces.text).sorted(), "\(place)")
        }
        #expect(pieces.count == wanted.values.reduce(0) { $0 + $1.count })
    }

    @Test(arguments: 0..<300)
    func `no bytes trap the cutter, and chunks change nothing`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let alphabet = Array("{}[]\",:\\\n x1\u{FEFF}".utf8) + Array("\"messages\":[\"name\":{".utf8)
        let bytes = (0..<200).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        let cutter = JSONPieceCutter(places: Self.places + ["[]"], maximumPiece: 20)
        let whole = JSONPieces.cut(bytes, by: nil, cutter)
        #expect(JSONPieces.cut(bytes, by: 1, cutter) == whole)
        #expect(JSONPieces.cut(bytes, by: 7, cutter) == whole)
    }
}
