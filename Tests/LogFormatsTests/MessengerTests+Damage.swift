import ChatModel
import Foundation
import Testing

@testable import LogFormats

/// Downloads that are invalid or damaged.
extension MessengerTests {
    @Test(arguments: [
        (#"{"timestamp_ms": 1}"#, "it has no \"sender_name\""),
        (#"{"sender_name": "a"}"#, "it has no \"timestamp_ms\""),
        (#"{"sender_name": "", "timestamp_ms": 1}"#, "its sender has no name"),
        (#"{"sender_name": "a", "timestamp_ms": "soon"}"#, "its time is not a whole number"),
        (#"{\#(head), "content": 7}"#, "its \"content\" has the wrong type"),
        (#"{\#(head), "photos": [{"uri": []}]}"#, "its \"photos[0].uri\" has the wrong type"),
        ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        #expect(try Self.conversation(["message_1.json": Self.document(message)]).unreadable == [reason])
    }

    @Test(arguments: 0..<300)
    func `a damaged sample never traps, and each piece gives a message or an error`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let message =
            #"{\#(Self.head), "content": "x", "photos": [{"uri": "a"}], "reactions": [{"reaction": "a", "actor": "b"}]}"#
        let sample = Self.document([message, message, message].joined(separator: ",\n"))
        let bytes = Mutation.of(Array((seed % 2 == 0 ? sample : Self.encrypted).utf8), using: &random)
        let pieces = JSONPieces.cut(bytes, by: nil, MessengerFormat.cutter())
        let export = try Export(
            MessengerFormat.self, files: [("message_1.json", bytes), ("message_1.json", bytes)],
            path: Self.folder + "/message_1.json")
        let facts = pieces.count { !["messages[]", JSONPieceCutter.brokenPlace].contains($0.place) }
        #expect(export.messages.count + export.unreadable.count + facts >= pieces.count)
        #expect(export.parsed.count == 2 * pieces.count + 1)
    }

    @Test func `a file that ends at any byte gives its complete messages and one error`() throws {
        let message = #"{\#(Self.head), "content": "x"}"#
        let bytes = Array(Self.document([message, message].joined(separator: ",\n")).utf8)
        for end in 1..<bytes.count {
            let export = try Export(
                MessengerFormat.self,
                files: [("message_1.json", Array(bytes[..<end])), ("message_1.json", Array(bytes[..<end]))])
            #expect(export.unreadable.count == 1, "\(end)")
            #expect(export.messages.allSatisfy { $0.body == "x" })
        }
    }
}
