import ChatModel
import Foundation
import Rendering
import Sessions
import StreamChatWire
import Testing

@testable import ChatClient
@testable import Settings

struct ChatReceiverTests {
    private let configuration: ChatConfiguration

    init() throws {
        let server = try #require(ServerAddress("tcp://127.0.0.1:5080"))
        configuration = ChatConfiguration(server: server, name: "alice", zone: .gmt)
    }

    @Test func `a room is shown as tail shows it, without control sequences`() {
        var receiver = receiver(.lf)
        let text = receiver.receive(read("bob has joined\nbob::hi\nalice::\u{1B}[31m안녕\n공지\nbob has left\n"))
        #expect(text.hasPrefix("Saturday 2026-11-21\n06:23  "))
        for part in ["--> bob has joined", "bob  hi", "alice  \\u{1B}[31m안녕", "*** 공지", "<-- bob has left"] {
            #expect(text.contains(part))
        }
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `without delimiters, a message ends after its pause, unless a read is pending`() throws {
        var receiver = receiver(.chunk)
        #expect(receiver.receive(read("bob::hi")).isEmpty)
        let first = try #require(receiver.deadline)
        #expect(first == sampleTime.advanced(by: .milliseconds(30)))
        #expect(receiver.deadlinePassed(first, readsTaken: 2).isEmpty, "a read is on its way")
        #expect(receiver.receive(read(" there", at: sampleTime.advanced(by: .milliseconds(20)))).isEmpty)
        #expect(receiver.deadlinePassed(first, readsTaken: 2).isEmpty, "a read moved it")
        #expect(receiver.deadlinePassed(try #require(receiver.deadline), readsTaken: 2).contains("bob  hi there"))
        #expect(receiver.deadline == nil)
        _ = receiver.receive(read("bob::bye"))
        #expect(receiver.finish().contains("bob  bye"))
    }

    @Test func `a clock that is set back delays nothing`() {
        var receiver = receiver(.chunk)
        _ = receiver.receive(read("alice::hi"))
        #expect(receiver.receive(read("alice::ho", at: sampleTime.advanced(by: .seconds(-3600)))).contains("alice  hi"))
        #expect(receiver.deadline == sampleTime.advanced(by: .milliseconds(30)))
    }

    @Test(arguments: ["alice::hello", "bob::hialice::hello", "alice::hellobob::hi", "alice has joinedalice::hello"])
    func `our message is recognised when it returns, alone or with others in one read`(read text: String) {
        var receiver = receiver(.chunk)
        let echo = receiver.sent("hello")
        _ = receiver.receive(read(text))
        _ = receiver.finish()
        #expect(echo.hasReturned.isSet)
        #expect(receiver.echoes.waiting.isEmpty)
    }

    @Test(arguments: ["bob::hello", "alice::hell", "hello", "alice has joined", "bob::alice"])
    func `other messages are not taken for an echo`(text: String) {
        var receiver = receiver(.nul)
        let echo = receiver.sent("hello")
        _ = receiver.receive(read(text + "\0"))
        #expect(!echo.hasReturned.isSet)
        #expect(receiver.echoes.waiting.map(\.text) == ["hello"])
    }

    @Test func `two equal messages return one by one or in one read`() {
        var receiver = receiver(.nul)
        let echoes = [receiver.sent("a"), receiver.sent("a")]
        _ = receiver.receive(read("alice::a\0"))
        #expect(echoes.map(\.hasReturned.isSet) == [true, false])
        _ = receiver.sent("b")
        _ = receiver.receive(read("alice::aalice::b\0"))
        #expect(receiver.echoes.waiting.isEmpty)
    }

    @Test func `a server without echoes uses bounded memory`() {
        var receiver = receiver(.nul)
        for number in 0..<1000 { _ = receiver.sent("\(number)") }
        #expect(receiver.echoes.waiting.count <= 64)
        #expect(receiver.echoes.waiting.last?.text == "999")
    }

    @Test func `the user's own name is bold`() {
        var configuration = configuration
        (configuration.framing, configuration.style) = (.nul, Style(isColored: true))
        var receiver = ChatReceiver(configuration, now: sampleTime)
        let style = configuration.style
        let text = receiver.receive(read("alice::hi\0bob::ho\0"))
        #expect(text.contains(style.name("alice", of: "alice", isSelf: true)))
        #expect(text.contains(style.name("bob", of: "bob")))
    }

    @Test func `a text with :: gets a warning only in rooms of 2021-04`() {
        #expect(configuration.warning(of: "a::b") == nil)
        var old = configuration
        old.revision = .april2021
        #expect(
            old.warning(of: "a::b")
                == "clients of 2021-04 show only \"b\": they drop what is before the last \"::\"")
        #expect(old.warning(of: "a: b") == nil)
    }

    private func receiver(_ framing: Framing) -> ChatReceiver {
        var configuration = configuration
        configuration.framing = framing
        return ChatReceiver(configuration, now: sampleTime)
    }

    private func read(_ text: String, at time: Timestamp = sampleTime) -> Received {
        Received(bytes: Array(text.utf8), at: ClockReading(wall: time, steady: .zero), filledBuffer: false)
    }
}
