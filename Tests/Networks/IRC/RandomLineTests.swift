import Bytes
import TestSupport
import Testing

@testable import IRCWire

/// Bytes that a program made up: no trap, no bound exceeded, and nothing depends on how they are split.
@Suite(.disabled(if: QuickCheck.isRunning))
struct RandomLineTests {
    private static let pieces = [
        "@", ":", ";", "=", "\\", " ", "\r\n", "\n", "\r", "\0", "\u{1}", "\u{3}4,", "\u{4}", "가", "#a", "alice!u@h",
        ",",
        "+", "-", "*", "time=2026-11-21T06:23:11.123Z", "msgid=m1", "batch=1", "BATCH", "+1", "-1", "chathistory",
        "draft/multiline", "CAP", "LS", "ACK", "NAK", "NEW", "DEL", "LIST", "sasl", "AUTHENTICATE", "+", "AAAA", "001",
        "005", "353", "366", "376", "433", "903", "904", "PRIVMSG", "JOIN", "PART", "KICK", "NICK", "QUIT", "RENAME",
        "FAIL",
        "CHATHISTORY", "TARGETS", "ERROR", "CASEMAPPING=ascii", "PREFIX=(ov)@+", "-PREFIX", "me",
    ]

    private func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<400 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: bytes.append(UInt8.random(in: .min ... .max, using: &random))
            case 1: bytes += Array("\r\n")
            case 2...5: bytes.append(Byte.space)
            default: bytes += Array(Self.pieces.randomElement(using: &random) ?? "")
            }
        }
        return bytes
    }

    private func received(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [LineSplitter.Received] {
        var (splitter, rest, lines) = (LineSplitter(), bytes[...], [LineSplitter.Received]())
        while !rest.isEmpty {
            let read = rest.prefix(Int.random(in: 1...30, using: &random))
            lines += splitter.splitLines(Array(read))
            rest = rest.dropFirst(read.count)
        }
        return lines
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the split of a stream changes nothing`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = bytes(&random)
        var whole = LineSplitter()
        #expect(whole.splitLines(bytes) == received(bytes, &random))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a message that is written and read again is equal`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for case .line(let line) in received(bytes(&random), &random) {
            guard let message = try? IRCMessage(line: line), let written = try? message.encoded(limits: .server) else {
                continue
            }
            #expect(try IRCMessage(line: Array(written.dropLast(2))) == message)
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `no state machine traps on any stream, and their messages can be sent`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var identity = Registration.Identity(nick: "me", user: "u", realName: "r")
        if Bool.random(using: &random) { identity.credentials = .plain(user: "u", password: "p") }
        var registration = Registration(identity)
        var (batches, matcher) = (BatchCollector(), ReplyMatcher())
        var members = Membership(nick: Array("me"), mapping: .rfc1459)
        var fill = HistoryFill(target: Array("#a"), start: .latest(), limit: 3, types: [.msgid, .timestamp])
        var targets = HistoryTargets(from: .min, to: .max, limit: 3, mapping: .ascii)
        var sent = fill.begin().compactMap { if case .request(let message) = $0 { message } else { nil } }
        for case .line(let line) in received(bytes(&random), &random) {
            guard let message = try? IRCMessage(line: line) else { continue }
            for case .send(let message) in registration.receive(message) { sent.append(message) }
            _ = members.receive(message, support: registration.support)
            _ = registration.support.room(of: message, nick: Array("me"))
            _ = (registration.support.channelModes, registration.support.historyLimit, registration.support.joinTargets)
            for output in batches.receive(message) {
                if !matcher.isWaiting {
                    sent.append(
                        matcher.request(
                            IRCMessage("CHATHISTORY", "X"), batchType: "chathistory", target: nil, isLabeled: false))
                }
                _ = matcher.receive(output, mapping: .ascii)
                guard case .batch(let batch) = output else { continue }
                for case .request(let message) in fill.receive(page: batch.messages) { sent.append(message) }
                for case .request(let message) in targets.receive(page: batch.messages) { sent.append(message) }
            }
            for param in message.params {
                _ = (CTCPMessage(param), DecodedText(param), TextFormatting.strip(param), HistoryPoint(message))
            }
        }
        for message in sent { #expect(throws: Never.self) { try message.encoded() } }
    }
}
