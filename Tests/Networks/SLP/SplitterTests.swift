import Bytes
import Testing

@testable import SLPWire

struct SplitterTests {
    static let lists: [(text: String, elements: [String])] = [
        ("[]", []),
        (" \n[ \t] \r\n", []),
        (#"[{"a":1}]"#, [#"{"a":1}"#]),
        (#" [ {"a" : 1 } , {"b":[1,{"c":"}"}]}] "#, [#"{"a" : 1 }"#, #"{"b":[1,{"c":"}"}]}"#]),
        (#"[{"a":"\"}],[{\\"},{}]"#, [#"{"a":"\"}],[{\\"}"#, "{}"]),
        (#"[{"가":"안녕 👨‍👩‍👧 \ud83d\ude00"},{"n":null}]"#, [#"{"가":"안녕 👨‍👩‍👧 \ud83d\ude00"}"#, #"{"n":null}"#]),
        ("[1,-2.5e+3,null,\"x\",[],true]", ["1", "-2.5e+3", "null", "\"x\"", "[]", "true"]),
        (#"{"workspace_id":1,"room_id":2,"chats":[{"a":1},{"b":2}]}"#, [#"{"a":1}"#, #"{"b":2}"#]),
        (#"{"chats":[{"a":1}],"room_id":"x]}","more":{"chats":[1]}}"#, [#"{"a":1}"#]),
        (#" { "more" : [ {"chats":[7]} , "]" ] , "chats" : [ ] , "n" : -1 } "#, []),
        (#"{"room_id":2,"chats":null}"#, []),
    ]

    @Test(arguments: lists.map(\.text), [0, 1, 2, 3, 7])
    func `a list is cut into its elements at every split`(text: String, size: Int) {
        let expected = Self.lists.first { $0.text == text }?.elements
        let bytes = Array(text)
        for pieces in size == 0 ? [[bytes]] + bytes.splits : [bytes.pieces(of: size)] {
            let cut = Cut(pieces)
            #expect(cut.texts == expected)
            #expect(cut.end == .complete)
        }
    }

    @Test(arguments: lists.map(\.text))
    func `a cut answer keeps its complete elements and is reported as cut`(text: String) {
        let expected = Self.lists.first { $0.text == text }?.elements ?? []
        let last = Array(text).lastIndex { !Byte.isJSONSpace($0) } ?? 0
        for end in 0...last {
            let cut = Cut([Array(Array(text)[..<end])])
            #expect(cut.end == .cut)
            #expect(expected.starts(with: cut.texts))
        }
    }

    @Test(arguments: [
        "[1 2]", "[,]", "[1,]", "[1}", "[1]]", "[1],", "{}x", "\"x\"", "null", "7", "[{}{}]", "[}", "[:]", "\u{FEFF}[]",
        #"{"chats":[1] 2}"#, #"{"chats" [1]}"#, #"{chats:[1]}"#, #"{"chats":[1],}"#, #"{"chats":}"#, "[\u{0}]", "[{}\"",
    ])
    func `an answer that is not a list fails where it stops being one`(text: String) {
        for pieces in [[Array(text)]] + Array(text).splits + [Array(text).pieces(of: 1)] {
            #expect(Cut(pieces).end == .failed(text == "{}x" ? .noList : .unexpectedByte))
        }
    }

    @Test func `an error names the wrong byte and the expected one`() {
        var splitter = ElementSplitter(key: "chats")
        splitter.read(Array("[{},"))
        #expect(throws: Never.self) { while try splitter.next() != nil {} }
        splitter.read(Array("}"))
        let error = #expect(throws: SplitError.self) { try splitter.next() }
        #expect(error?.detail == "byte 4 of the answer is 0x7D, not an element")
        #expect(throws: SplitError.self) { try splitter.next() }
        #expect(!splitter.isComplete)
    }

    @Test(arguments: ["{}", #"{"errorCode":"E05"}"#, #"{"Chats":[1]}"#, #"{"chats":{}}"#, #"{"more":{"chats":[1]}}"#])
    func `an object without the list is an error, not an empty list`(text: String) {
        #expect(Cut(text).end == .failed(.noList))
    }

    @Test func `an object is an error where only a list is expected`() {
        #expect(Cut(#"{"chats":[]}"#, key: nil).end == .failed(.unexpectedByte))
        #expect(Cut("[{}]", key: nil).end == .complete)
    }

    @Test(arguments: [1, 2, 5, 1000])
    func `an element that is too long is reported, and its neighbours are read`(size: Int) {
        var limits = ElementSplitter.Limits()
        (limits.elementBytes, limits.keptBytes) = (10, 4)
        let cut = Cut(
            [Array(#"["12345678",{"a":[1,2]},"123456789",3]"#).pieces(of: size)].flatMap(\.self), limits: limits)
        #expect(
            cut.elements == [
                .whole(Array("\"12345678\"")), .tooLong(beginning: Array("{\"a\""), bytes: 11),
                .tooLong(beginning: Array("\"123"), bytes: 11), .whole(Array("3")),
            ])
        #expect(cut.end == .complete)
    }

    @Test func `the size of an answer around its list is limited`() {
        var limits = ElementSplitter.Limits()
        limits.envelopeBytes = 60
        let long = String(repeating: "x", count: 60)
        let many = String(repeating: "\"a\":1,", count: 12)
        for text in [#"{"\#(long)":1,"chats":[]}"#, #"{"a":"\#(long)","chats":[]}"#, #"{\#(many)"chats":[]}"#] {
            #expect(Cut(text, limits: limits).end == .failed(.envelopeTooLong))
            #expect(Cut(Array(text).pieces(of: 1), limits: limits).end == .failed(.envelopeTooLong))
        }
        #expect(Cut(#"{"room_id":1,"chats":["\#(long)","\#(long)"]}"#, limits: limits).end == .complete)
    }

    @Test func `the decoder refuses very deep nesting`() {
        let deep = String(repeating: "[", count: 500_000) + String(repeating: "]", count: 500_000)
        let cut = Cut("[\(deep)]")
        #expect(cut.elements.count == 1 && cut.end == .complete)
        guard case .malformed = cut.elements.first.map(DecodedElement<SLPChat>.init) else {
            Issue.record("it was read")
            return
        }
    }

    @Test func `a long answer needs no more memory than one element`() {
        var splitter = ElementSplitter()
        splitter.read(Array("["))
        let element = Array(#"{"content":"\#(String(repeating: "긴 글 ", count: 1000))"},"#)
        var count = 0
        #expect(throws: Never.self) {
            for _ in 0..<2000 {
                splitter.read(element)
                while try splitter.next() != nil { count += 1 }
                #expect(splitter.held < 2 * element.count)
            }
        }
        #expect(count == 2000)
    }
}
