import Archive
import ChatModel
import Checks
import Foundation
import LogFormats
import TestSupport
import Testing
import Writing

@testable import Importing

/// What a listener heard on IRC and what another client logged at the same time become one.
struct ClientLogMergeTests {
    private let folder: TemporaryFolder
    private let archive: Archive
    private static let account = AccountIdentity(name: "libera", network: "irc")

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data")
    }

    /// 2026-11-21T06:23:11.123Z
    private static let start = Timestamp(microseconds: 1_795_242_191_123_000)

    /// What was heard, one a second, in a channel.
    private static let heard: [(kind: MessageKind, body: String?)] = [
        (.join, nil), (.message, "hi"), (.action, "waves"), (.notice, "psst"), (.mode, "+o bob"), (.topic, "words"),
        (.kick, "bob: loud"), (.message, "hi"), (.rename, "carol"), (.leave, "bye"),
    ]

    private static func time(_ index: Int) -> Timestamp { start.advanced(by: .seconds(index)) }

    private func listen() async throws {
        let writer = try await archive.openWriter(Self.account)
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: Self.start)]).first else { return }
        let events = Self.heard.enumerated().map { index, heard in
            ChatEvent.message(
                IncomingMessage(
                    session: SessionID(rawValue: id),
                    room: RoomReference(key: "#example", name: "#Example", kind: .channel),
                    kind: heard.kind, sender: UserReference(key: "alice", name: "alice", isSelf: false),
                    body: heard.body,
                    sourceTime: Self.time(index), receivedAt: Self.time(index).advanced(by: .milliseconds(40))))
        }
        _ = try await writer.append(events)
        try await writer.close()
    }

    private func read(_ text: String, as format: any LogFormats.LogFormat.Type, path: String) throws -> [ImportedLine] {
        let file = ImportFile(container: "", name: path, size: 0)
        let options = ImportOptions(format: format, room: nil, zone: .gmt, folding: .rfc1459)
        var reader = SourceReader(
            ImportSource(file, as: format), options: options, now: Self.start.advanced(by: .seconds(86_400)))
        reader.begin(file)
        let lines = try reader.readChunk(Array(text.utf8)[...]) + reader.endFile() + reader.finish()
        return lines.map(\.content)
    }

    private func tally(of lines: [ImportedLine]) async throws -> ImportTally {
        let writer = try await archive.openWriter(Self.account)
        let tally = try await writer.importLines(lines, at: Self.start.advanced(by: .seconds(86_400)))
        try await writer.close()
        return tally
    }

    private static func clock(_ index: Int) -> String { String(time(index).description.dropFirst(11).prefix(8)) }

    private static let mirc =
        "Session Start: Sat Nov 21 06:23:11 2026\nSession Ident: #example\n"
        + [
            "* alice (~a@host) has joined #example", "<@alice> hi", "* alice waves", "-alice:#example- psst",
            "* alice sets mode: +o bob", "* alice changes topic to 'words'", "* bob was kicked by alice (loud)",
            "<alice> hi",
            "* alice is now known as carol", "* alice (~a@host) Quit (bye)",
        ].enumerated().map { "[\(clock($0))] \($1)\n" }.joined()

    private static let hexchat =
        "**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026\n\n"
        + [
            "*\talice (~a@host) has joined", "<@alice>\thi", "*\talice waves", "-alice/#example-\tpsst",
            "*\talice gives channel operator status to bob", "*\talice has changed the topic to: words",
            "*\talice has kicked bob from #example (loud)", "<alice>\thi", "*\talice is now known as carol",
            "*\talice has quit (bye)",
        ].enumerated().map { "Nov 21 \(clock($0)) \($1)\n" }.joined()

    private static let header = #"","networks":[{"key":"1","name":"libera"}]}"# + "\n"

    private static let lounge =
        #"{"database":"thelounge"# + header
        + [
            ("join", ""), ("message", "hi"), ("action", "waves"), ("notice", "psst"), ("mode", "+o bob"),
            ("topic", "words"),
            ("kick", "loud"), ("message", "hi"), ("nick", ""), ("quit", "bye"),
        ].enumerated().map { index, row in
            let milliseconds = time(index).microseconds / 1000
            let person = row.0 == "kick" ? #","target":{"nick":"bob"}"# : #","new_nick":"carol""#
            return
                #"{"network":"1","channel":"\#("#")example","time":"\#(milliseconds)","type":"\#(row.0)","msg":{"from":{"nick":"alice"},"text":"\#(row.1)"\#(person)}}"#
                + "\n"
        }.joined()

    private static let quassel =
        #"{"database":"quassel"# + header
        + [
            (0x20, "#example"), (1, "hi"), (4, "waves"), (2, "psst"), (0x10, "#example +o bob"),
            (0x4000, #"alice has changed topic for #example to: \"words\""#), (0x100, "bob loud"), (1, "hi"),
            (8, "carol"),
            (0x80, "bye"),
        ].enumerated().map { index, row in
            let milliseconds = time(index).microseconds / 1000
            let sender = row.0 == 0x4000 ? "" : "alice!~a@host"
            return
                #"{"network":"1","buffer":"\#("#")example","buffer_type":"2","time":"\#(milliseconds)","type":"\#(row.0)","sender":"\#(sender)","message":"\#(row.1)"}"#
                + "\n"
        }.joined()

    private static let soju =
        #"{"database":"soju"# + header
        + [
            "JOIN #example", "PRIVMSG #example :hi", #"PRIVMSG #example :\u0001ACTION waves\u0001"#,
            "NOTICE #example :psst",
            "MODE #example +o bob", "TOPIC #example :words", "KICK #example bob :loud", "PRIVMSG #example :hi",
            "NICK carol",
            "QUIT :bye",
        ].enumerated().map { index, line in
            let written = time(index).description.prefix(23) + "Z"
            return #"{"network":"1","target":"\#("#")example","time":"\#(written)","raw":":alice!~a@host \#(line)"}"#
                + "\n"
        }.joined()

    private static let logs: [(format: any LogFormats.LogFormat.Type, path: String, text: String)] = [
        (MIRCFormat.self, "logs/#example.log", mirc), (HexChatFormat.self, "logs/#example.log", hexchat),
        (TheLoungeFormat.self, "a.sqlite", lounge), (QuasselFormat.self, "a.sqlite", quassel),
        (SojuFormat.self, "a.sqlite", soju),
    ]

    @Test(.disabled(if: QuickCheck.isRunning), arguments: logs.indices)
    func `a log of live messages adds nothing`(index: Int) async throws {
        try await listen()
        let lines = try read(Self.logs[index].text, as: Self.logs[index].format, path: Self.logs[index].path)
        #expect(try await tally(of: lines) == ImportTally(known: Self.heard.count))
        #expect(try archive.check(accounts: ["libera"]).flatMap(\.problems).isEmpty)
    }

    private static let clients: [(format: any LogFormats.LogFormat.Type, path: String)] = [
        (IrssiFormat.self, "logs/#example.log"),
        (ProfanityFormat.self, "chatlogs/me_at_example.org/rooms/room_at_rooms.example.org/2026_11_21.log"),
    ]

    @Test(arguments: clients.indices)
    func `equal words of two people at one time stay two messages`(index: Int) async throws {
        let (format, path) = Self.clients[index]
        func log(_ name: String) -> String {
            let said = [("carol", "morning"), (name, "hi"), ("carol", "bye")]
            if format.name == "irssi" {
                return "--- Log opened Sat Nov 21 06:22:00 2026\n"
                    + said.enumerated().map { "06:2\($0 + 2) < \($1.0)> \($1.1)\n" }.joined()
            }
            return said.enumerated().map { "2026-11-21T06:2\($0 + 2):11.000000+00:00 - \($1.0): \($1.1)\n" }.joined()
        }
        _ = try await tally(of: try read(log("bob"), as: format, path: path))
        let lines = try read(log("dave"), as: format, path: path)
        let alignment = try archive.compareImport(into: Self.account.name, writes: true).alignment
        let (rest, removed) = try await alignment.align(lines, beginnings: [0])
        #expect(removed.count == 2)
        #expect(try await tally(of: rest).new == 1)
    }

    @Test func `logs of several clients are one history, in either order`() async throws {
        var tallies: [ImportTally] = []
        for log in Self.logs.reversed() + Self.logs {
            tallies.append(try await tally(of: try read(log.text, as: log.format, path: log.path)))
        }
        #expect(tallies.map(\.new) == [Self.heard.count] + Array(repeating: 0, count: 9))
        #expect(tallies.dropFirst().allSatisfy { $0 == ImportTally(known: Self.heard.count) })
    }
}
