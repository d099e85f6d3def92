import Bytes
import TestSupport
import Testing

@testable import IRCWire

/// Feeds what real servers sent to all code that reads it; see `Tests/Fixtures/IRC/README.md`.
final class RecordedTests {
    private var registration: Registration
    private var (splitter, batches) = (LineSplitter(), BatchCollector())
    private lazy var members = Membership(nick: registration.nick, mapping: registration.support.caseMapping)
    private var sent: [String] = []
    /// What a row of a room would be made of: the room, who, and what.
    private var received: [String] = []
    private var failures: [RegistrationFailure] = []
    private var isReady = false

    init() {
        var identity = Registration.Identity(nick: "alice", user: "arch", realName: "An Archiver")
        identity.alternatives = ["archiver"]
        registration = Registration(identity)
    }

    private func receive(_ bytes: [UInt8]) throws {
        for case .line(let line) in splitter.splitLines(bytes) {
            let message = try IRCMessage(line: line)
            for action in registration.receive(message) {
                switch action {
                case .send(let message): sent.append(message.line)
                case .ended(let failure): failures.append(failure)
                case .ready: isReady = true
                case .capabilitiesChanged, .supportChanged, .loginAwaited: break
                }
            }
            for output in batches.receive(message) where isReady { receive(output) }
        }
    }

    private func receive(_ output: BatchCollector.Output) {
        switch output {
        case .message(let message): receive(message, isReplay: false)
        case .batch(let batch): for message in batch.messages { receive(message, isReplay: batch.isReplay) }
        case .stray, .broken: Issue.record("\(output)")
        }
    }

    private func receive(_ message: IRCMessage, isReplay: Bool) {
        let effect = members.receive(message, support: registration.support, isReplay: isReplay)
        var rooms = effect?.rooms ?? []
        if message.verb == "PRIVMSG" || message.verb == "TOPIC" {
            switch registration.support.room(of: message, nick: members.nick) {
            case .channel(let name, _), .direct(let name): rooms = [name]
            case .server: return
            }
        }
        let text = message.params.last ?? []
        let shown = CTCPMessage(text).map { "*" + DecodedText($0.body).text } ?? DecodedText(text).text
        for room in rooms {
            let replayed = isReplay ? "replayed " : ""
            received.append(
                "\(replayed)\(room.text) \(message.source?.nick.text ?? "") \(message.verb) \(TextFormatting.strip(shown))"
            )
        }
    }

    private func receive(_ recording: [UInt8], seed: UInt64) throws {
        var (random, rest) = (SeededGenerator(seed: seed), recording[...])
        while !rest.isEmpty {
            let read = rest.prefix(seed == 0 ? 1 : Int.random(in: 1...200, using: &random))
            try receive(Array(read))
            rest = rest.dropFirst(read.count)
        }
        #expect(splitter.unfinished == 0 && batches.isEmpty && members.joined.isEmpty)
        #expect(registration.nick == Array("archiver"))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a recorded InspIRCd session registers, with its replay and every message`(seed: UInt64) throws {
        try receive(fixture("inspircd.txt"), seed: seed)
        let wanted =
            "account-notify account-tag batch cap-notify chghost echo-message extended-join invite-notify labeled-response "
            + "message-tags multi-prefix server-time setname userhost-in-names"
        #expect(sent == ["CAP REQ :\(wanted)", "NICK archiver", "CAP END"])
        #expect(registration.capabilities.count == 14 && registration.support.joinTargets == 20)
        #expect(
            received == [
                "#example archiver JOIN An Archiver", "replayed #example alice PRIVMSG before, 안녕",
                "#example alice PRIVMSG café", "#example alice PRIVMSG *waves", "alice alice PRIVMSG hello you",
                "#example bob NICK Bobby", "#example archiver PRIVMSG mine", "#example Bobby QUIT gone",
                "#example alice TOPIC red 가", "#example alice KICK out",
            ])
        #expect(failures == [.closed(text: "Closing link: (arch@127.0.0.1) [bye]")])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a recorded ngIRCd session registers, with every message`(seed: UInt64) throws {
        try receive(fixture("ngircd.txt"), seed: seed)
        #expect(sent == ["CAP REQ multi-prefix", "NICK archiver", "CAP END"])
        #expect(registration.support.nickLength == 9 && registration.support.caseMapping == .ascii)
        #expect(
            received == [
                "#example archiver JOIN #example", "#example alice PRIVMSG before, 안녕", "#example alice PRIVMSG café",
                "#example alice PRIVMSG *waves", "#example bob NICK Bobby", "alice alice PRIVMSG hello you",
                "#example alice TOPIC red 가", "#example Bobby QUIT \"gone\"", "#example alice KICK out",
            ])
        #expect(failures == [.closed(text: "\"bye\"")])
    }
}
