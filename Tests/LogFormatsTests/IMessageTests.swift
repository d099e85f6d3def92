import ChatModel
import Testing

@testable import LogFormats

struct IMessageTests {
    private func row(_ fields: String, time: String = "816934991000000000", chat: String = "1") -> String {
        let guid = chat == "1" ? "iMessage;-;+8210" : "iMessage;+;chat7"
        return #"""
            {"table":"message","chat":"\#(chat)","chat_guid":"\#(guid)","chat_identifier":"\#(guid.dropFirst(11))","number":"5","id":"A-5","time":"\#(time)","person":"+8210"\#(fields)}
            """#
    }

    private func read(_ rows: String...) throws -> LogReading {
        try DatabaseRowsTests.read(IMessageFormat.self, rows, networks: [])
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// A typedstream with a text.
    private static func stream(_ text: String, length: [UInt8], mutable: Bool = false) -> [UInt8] {
        func name(_ name: String) -> [UInt8] { [0x84, 0x84, UInt8(name.utf8.count)] + Array(name.utf8) }
        let string: [UInt8] =
            mutable
            ? [0x84] + name("NSMutableString") + [1] + name("NSString") + [1, 0x95]
            : [0x84] + name("NSString") + [1, 0x94]
        let beginning: [UInt8] = [4, 11] + Array("streamtyped".utf8) + [0x81, 0xE8, 3, 0x84, 1, 0x40]
        let classes: [UInt8] = [0x84] + name("NSAttributedString") + [0] + name("NSObject") + [0, 0x85, 0x92]
        return beginning + classes + string + [0x84, 1, 0x2B] + length + Array(text.utf8) + [0x86, 0x84, 2, 0x69, 0x49]
    }

    @Test func `messages are of the person, or of you`() throws {
        let read = try read(row(#","text":"hi","own":"0""#), row(#","text":"yes","own":"1""#))
        #expect(read.told == ["+8210: hi", "you: yes"] && read.unreadable == [])
        #expect(read.messages.map(\.room) == ["+8210", "+8210"] && read.messages.allSatisfy(\.isDirect))
        #expect(read.messages.map(\.remoteID) == ["A-5", "A-5"])
        #expect(IMessageFormat.ownerWords == ["you"])
    }

    @Test func `a group without a name is called by its people`() throws {
        let people = ["+8211", "+8210"].map { #"{"table":"participant","chat":"2","person":"\#($0)"}"# }
        let messages = try read(
            people[0], people[1], row(#","text":"hi""#, chat: "2"), row(#","text":"hi","chat_name":"가족""#, chat: "2")
        ).messages
        #expect(messages.map(\.room) == ["+8210, +8211", "가족"] && messages.allSatisfy { $0.roomKind == .group })
    }

    @Test(arguments: [
        ("816934991000000000", "2026-11-21T06:23:11.000000Z"), ("816934991123456789", "2026-11-21T06:23:11.123456Z"),
        ("816934991", "2026-11-21T06:23:11.000000Z"), ("0", nil), ("-5", nil), ("x", nil),
    ])
    func `times are nanoseconds or seconds since 2001`(number: String, time: String?) throws {
        let read = try read(row(#","text":"hi""#, time: number))
        #expect(read.messages.map(\.time.description) == [time].compactMap(\.self))
        #expect(read.unreadable == (time == nil ? ["its time is not a number"] : []))
    }

    @Test(
        arguments: [
            ("hi", [2], false), ("hi", [2], true), ("안녕 👋", [11], false), ("", [0], false),
            (String(repeating: "x", count: 300), [0x81, 0x2C, 1], true),
            (String(repeating: "x", count: 70_000), [0x82, 0x70, 0x11, 1, 0], false),
        ] as [(String, [UInt8], Bool)])
    func `a text is read from its attributed form`(text: String, length: [UInt8], mutable: Bool) throws {
        let bytes = Self.stream(text, length: length, mutable: mutable)
        #expect(TypedStream.text(of: bytes) == text)
        let read = try read(row(#","text":null,"attributed":"\#(Self.hex(bytes))""#))
        #expect(read.messages.map { $0.body?.prefix(300) } == [text.prefix(300)])
    }

    @Test func `a broken attributed form has no text, and nothing traps`() throws {
        let whole = Self.stream("hello", length: [5])
        for end in whole.indices { _ = TypedStream.text(of: Array(whole[..<end])) }
        for length in [[0xFF], [0x80], [0x7F], [0x81, 0xFF, 0xFF], [0x82, 0xFF, 0xFF, 0xFF, 0xFF], [0x82]] as [[UInt8]]
        {
            #expect(TypedStream.text(of: Self.stream("hi", length: length)) == nil, "\(length)")
        }
        #expect(TypedStream.text(of: []) == nil && TypedStream.text(of: Array("bplist00".utf8)) == nil)
        for hex in ["", "0", "0G", "00", "é0"] {
            #expect(try read(row(#","attributed":"\#(hex)""#)).messages.map(\.body) == [""])
        }
    }

    @Test func `files lie beside the database, and their marks are not text`() throws {
        let file = #"{"table":"attachment","number":"5","text":"~/Library/Messages/Attachments/ab/a.heic"}"#
        let messages = try read(file, row(",\"text\":\"\u{FFFC}look\"")).messages
        #expect(messages.map(\.body) == ["look"])
        #expect(messages.first?.files.map(\.path) == ["Attachments/ab/a.heic"])
        #expect(try read(file, row(",\"text\":\"\u{FFFC}\"")).messages.map(\.body) == [nil])
    }

    @Test func `reactions answer their message, and so do answers in threads`() throws {
        let messages = try read(
            row(#","text":"Loved “hi”","reaction":"2000","target":"p:0/A-1""#),
            row(#","text":"Removed a heart from “hi”","reaction":"3000","target":"bp:A-1""#),
            row(#","text":"yes","reply":"A-1""#), row(#","text":null,"reaction":"2006","target":"A-1""#)
        ).messages
        #expect(messages.map(\.replyTo) == ["A-1", "A-1", "A-1", "A-1"])
        #expect(messages.map(\.kind) == [.action, .action, .message, .action])
        #expect(messages.last?.body == "reacted")
    }

    @Test func `an edited message has its time, and an unsent one is deleted`() throws {
        let edited = #","edited":"816934999000000000""#
        let messages = try read(
            row(#","text":"hi""# + edited), row(#","text":null"# + edited), row(#","text":"hi","edited":"0""#)
        ).messages
        #expect(messages.map { $0.editedAt?.short } == ["21T06:23:19", nil, nil])
        #expect(messages.map { $0.deletedAt?.short } == [nil, "21T06:23:19", nil])
    }

    @Test func `changes of a group are events`() throws {
        let read = try read(
            row(#","item":"1","action":"0","other":"+8211""#), row(#","item":"1","action":"1","other":"+8211""#),
            row(#","item":"2","title":"가족""#), row(#","item":"3","action":"0""#), row(#","item":"3","action":"1""#),
            row(#","item":"6""#), row(#","app":"com.example.game""#))
        #expect(
            read.told == [
                "invite +8210: +8211", "kick +8210: +8211", "action +8210: changed the chat's name to 가족",
                "leave +8210",
                "action +8210: changed the chat's picture", "action +8210: changed the chat (6)",
                "+8210: [com.example.game]",
            ])
    }
}
