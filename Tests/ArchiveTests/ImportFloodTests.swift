import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Writing

/// The cost of an import's line does not grow with the number of lines before it.
@Suite(.disabled(if: QuickCheck.isRunning))
struct ImportFloodTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    enum Flood: CaseIterable {
        case rooms, people, names, edits, versions, crowd
        /// Lines that are stored already and come again, with files, which most or all of them lack.
        case files, alike
        /// The same with what each line said before.
        case texts

        var isKnown: Bool { [.files, .alike, .texts].contains(self) }

        func message(_ number: Int) -> ImportedMessage {
            var message = ImportedMessage(
                room: "#a", kind: .message, sender: "alice", body: "line \(number)", time: ArchiveFixture.at(60),
                resolution: .minute)
            switch self {
            case .crowd: break
            case .files, .alike:
                message.files = [ImportedMessage.File(path: "\(number).pdf")]
                if self == .alike { message.body = "" }
            case .texts:
                message.editedAt = ArchiveFixture.at(200)
                message.versions = [
                    ImportedMessage.Version(at: ArchiveFixture.at(60), body: "first \(number)"),
                    ImportedMessage.Version(at: ArchiveFixture.at(150), body: "second \(number)"),
                ]
            case .rooms: message.room = "#[\(number)]"
            case .people: message.sender = "[\(number)]"
            case .names:
                (message.roomKey, message.senderKey, message.sender) = ("a", "alice", "alice \(number)")
                message.time = ArchiveFixture.at(60 + number)
            case .edits:
                (message.remoteID, message.editedAt) = ("m", ArchiveFixture.at(120 + number))
            case .versions:
                (message.remoteID, message.editedAt) = ("m", ArchiveFixture.at(1_000_000))
                message.body = "last"
                message.versions = [
                    ImportedMessage.Version(at: ArchiveFixture.at(60), body: "first"),
                    ImportedMessage.Version(at: ArchiveFixture.at(120 + number), body: "\(number)"),
                ]
            }
            return message
        }
    }

    @Test(arguments: Flood.allCases, ["log", "streamchat"])
    func `the thousandth line of a flood costs no more than the hundredth`(flood: Flood, network: String) async throws {
        let account = AccountIdentity(name: "old", network: network)
        let lines = fixture.source((0..<1500).map(flood.message))
        if flood.isKnown {
            let plain = (0..<1500).map { number in
                var message = flood.message(number)
                (message.files, message.versions, message.editedAt) = ([], [], nil)
                return message
            }
            _ = try await fixture.store(fixture.source(plain), into: account)
        }
        let writer = try await fixture.archive.openWriter(account)
        let steps = StepCounter()
        try await writer.connections.use { connection in try await connection.run { steps.count(of: $0) } }
        var costs: [Int] = []
        for start in stride(from: 0, to: lines.count, by: 100) {
            let before = steps.steps
            let tally = try await writer.importLines(
                Array(lines[start..<start + 100]), at: ArchiveFixture.importTime)
            #expect(tally.new + tally.changed == 100, "\(tally)")
            costs.append(steps.steps - before)
        }
        let (early, late) = (costs[1...3].max() ?? 0, costs[12...14].min() ?? .max)
        #expect(late <= 2 * early, "steps of SQLite's machine per hundred: \(costs)")
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test(arguments: [("log", 2), ("streamchat", 4)])
    func `a line belongs to the room whose name the network folds alike`(network: String, rooms: Int) async throws {
        let account = AccountIdentity(name: "old", network: network)
        let names = ["#A[\\]~É", "#a{|}^É", "#A[\\]~é", "#a{|}^é"]
        for name in names + names.reversed() {
            let message = ImportedMessage(
                room: name, kind: .message, sender: "alice", body: name, time: ArchiveFixture.at(60),
                resolution: .minute)
            _ = try await fixture.store(fixture.source([message]), into: account)
        }
        #expect(try fixture.value("SELECT count(*) FROM room", account: "old") == rooms)
        #expect(try fixture.value("SELECT count(*) FROM message", account: "old") == 4)
    }
}
