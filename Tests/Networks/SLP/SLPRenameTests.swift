import ChatModel
import SLPWire
import TestSupport
import Testing

@testable import SLP
@testable import Sessions

/// Messages show the names under which the service told them.
@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))), .serialized)
struct SLPRenameTests {
    @Test(arguments: [SLPGeneration.one, .two])
    func `messages show the names of their time around a rename, live or fetched`(
        generation: SLPGeneration
    ) async throws {
        let all = try await SLPArchiving.start(generation)
        let room = try await all.service.channel("general", #","chats":3"#)
        try await all.listening {
            try await all.isComplete()
            try await all.waitUntilLive(room)
            try await all.say("as bob", in: room)
            try await all.holds("as bob")
            try await all.service.order("nick", #"{"user":"bob","to":"robert"}"#)
            try await all.say("as robert", in: room, #","user":"robert""#)
            try await all.say("again", in: room, #","user":"robert""#)
            try await all.holds("again")
        }
        try await all.service.order("nick", #"{"user":"robert","to":"bobby"}"#)
        try await all.service.order("rename", #"{"room":"\#(room.id)","name":"talk"}"#)
        for number in 1...5 { try await all.say("missed \(number)", in: room, #","user":"bobby""#) }
        _ = try await all.listening { try await all.holds("missed 5") }
        let shown = try await all.messages(names: .then).suffix(8).map {
            "\($0.room) \($0.sender?.name ?? "") \($0.body ?? "")"
        }
        #expect(
            shown == ["general bob as bob", "general robert as robert", "general robert again"]
                + (1...5).map { "talk bobby missed \($0)" })
    }
}
