import ChatModel
import Crypto
import Foundation
import Logging
import PostgreSQL
import Replication
import SQLite
import TestSupport

@testable import Accounts
@testable import Archive
@testable import Moves
@testable import Reading
@testable import Serving
@testable import Writing

/// An archive with things that some readers may not see. Without them, it is otherwise the same: a reader who may not
/// see them can't distinguish the two.
///
/// Each hidden thing has a canary: a word in capitals that ends in `CANARY`.
struct SecretArchive {
    let folder: TemporaryFolder
    let archive: Archive

    static let accounts = ["work", "family", "vault"]
    /// 2026-11-21T09:00:00Z
    static let start = Timestamp(microseconds: 1_795_219_200_000_000).advanced(by: .seconds(9 * 3600))

    static func at(_ second: Int64) -> Timestamp { start.advanced(by: .seconds(second)) }

    /// A step of an account's history, which happens in one room.
    struct Step {
        var room: RoomReference
        var events: (SessionID) -> [ChatEvent]
        /// The files that came with the events, by their paths.
        var files: [String: String] = [:]
    }

    /// - Parameter keeps: Returns true for the rooms that the archive has, by their account and their first name.
    init(keeps: (_ account: String, _ room: String) -> Bool) async throws {
        try await self.init(
            Dictionary(
                uniqueKeysWithValues: Self.accounts.map { account in
                    (account, Self.steps(of: account).filter { keeps(account, $0.room.key) })
                }
            ).filter { !$0.value.isEmpty })
    }

    /// - Parameter histories: The history of each account.
    init(_ histories: [String: [Step]]) async throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data", keepsCopies: true)
        for (account, steps) in histories.sorted(by: { $0.key < $1.key }) { try await fill(account, steps) }
    }

    private func fill(_ account: String, _ steps: [Step]) async throws {
        let writer = try await archive.openWriter(AccountIdentity(name: account, network: "irc"))
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: Self.start)]).first else {
            throw WaitedInVain(description: "no session")
        }
        let session = SessionID(rawValue: id)
        for room in steps.map(\.room).uniqued() {
            _ = try await writer.append([.roomLive(session: session, room: room, at: Self.at(1))])
        }
        for step in steps {
            _ = try await writer.append(step.events(session))
            for (path, content) in step.files.sorted(by: { $0.key < $1.key }) {
                let receipt = try await writer.receiveAttachment(path)
                try await receipt.begin(at: 0, tag: nil, total: Int64(content.utf8.count))
                try await receipt.write(Array(content.utf8))
                try await receipt.finish(at: Self.at(5000))
            }
        }
        _ = try await writer.append([
            .sessionEnded(session: session, at: Self.at(6000), reason: .closed, detail: nil)
        ])
        try await writer.close()
        // An archive and its twin are the same account.
        try execute("UPDATE account SET created_at_us = \(Self.start.microseconds), epoch = 'twin'", in: account)
    }

    private func execute(_ sql: String, in account: String) throws {
        let accounts = archive.folder + "/accounts"
        for folder in try FileManager.default.contentsOfDirectory(atPath: accounts)
        where folder.hasPrefix(account + "-") {
            let queue = try DatabaseQueue(path: "\(accounts)/\(folder)/1.sqlite")
            try queue.write { db in try db.execute(sql: sql) }
            try queue.close()
        }
    }

    /// Compresses all accounts.
    func compress() async throws {
        for account in try archive.reading().accounts() {
            _ = try archive.evict(account: account.name, level: 1)
        }
    }

    /// Returns a copy in a shared archive.
    func share() async throws -> ArchiveSource {
        let address = try await PostgreSQLServer.newDatabase()
        let server = try PostgreSQLConnection(address)
        _ = try SharedSchema.prepare(server)
        for account in try archive.reading().accounts() {
            for mirror in try archive.reading().mirrors(of: [account.name]) {
                let replicator = Replicator([mirror])
                while try replicator.step(into: server).left > 0 {}
            }
        }
        return .shared(SharedArchive(try SharedAddress(address)))
    }

    // MARK: History

    private static func channel(_ name: String) -> RoomReference {
        RoomReference(key: name, name: name, kind: .channel)
    }

    static func said(
        _ body: String?, _ second: Int64, by user: String, as name: String? = nil, in room: RoomReference,
        kind: MessageKind = .message, replyTo: String? = nil, files: [String: String] = [:]
    ) -> Step {
        Step(
            room: room,
            events: { session in
                [
                    .message(
                        IncomingMessage(
                            session: session, room: room, kind: kind,
                            sender: UserReference(key: user, name: name ?? user), body: body, remoteID: "m\(second)",
                            sourceTime: at(second), receivedAt: at(second), replyTo: replyTo,
                            attachments: files.keys.sorted()), files.isEmpty ? .live : .snapshot)
                ]
            }, files: files)
    }

    static func reacted(
        _ text: String, _ second: Int64, to message: Int64, by user: String, in room: RoomReference
    )
        -> Step
    {
        Step(room: room) { session in
            [
                .reaction(
                    IncomingReaction(
                        session: session, room: room, target: "m\(message)",
                        sender: UserReference(key: user, name: user), text: text, sourceTime: at(second),
                        receivedAt: at(second)))
            ]
        }
    }

    static func edited(_ body: String, _ second: Int64, message: Int64, by user: String, in room: RoomReference)
        -> Step
    {
        Step(room: room) { session in
            [
                .message(
                    IncomingMessage(
                        session: session, room: room, kind: .message, sender: UserReference(key: user, name: user),
                        body: body, remoteID: "m\(message)", sourceTime: at(message), receivedAt: at(second),
                        editedAt: at(second)), .edit)
            ]
        }
    }

    private static func deleted(_ second: Int64, message: Int64, by user: String, in room: RoomReference) -> Step {
        Step(room: room) { session in
            [
                .deleted(
                    MessageDeletion(
                        session: session, room: room, remoteID: "m\(message)", sourceTime: at(second),
                        receivedAt: at(second),
                        retraction: .init(by: UserReference(key: user, name: user), reason: "oops", wipes: false)))
            ]
        }
    }

    static func renamed(_ room: RoomReference, to name: String, _ second: Int64) -> Step {
        Step(room: room) { session in
            [
                .roomRenamed(
                    session: session, fromKey: room.key, to: RoomReference(key: room.key, name: name, kind: room.kind),
                    at: at(second))
            ]
        }
    }

    static let openFile = "the file of #open"
    static let boardFile = "BOARDFILETEXTCANARY"

    static func sha256(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    private static func steps(of account: String) -> [Step] { account == "work" ? work : others(account) }

    private static var work: [Step] {
        let (open, board, plans) = (channel("#open"), channel("#BOARDNAMECANARY"), channel("#OLDPLANSCANARY"))
        let direct = RoomReference(key: "d1", name: "DIRECTPERSONCANARY", kind: .direct)
        // The people whom readers of the open room know have the first numbers in every archive.
        var steps = ["alice", "bob", "carol", "dave"].enumerated().map { index, user in
            said("openword hello from \(user)", 90 + Int64(index), by: user, in: open)
        }
        for number in 0..<12 as Range<Int64> {
            let user = number.isMultiple(of: 2) ? "alice" : "bob"
            steps.append(said("openword number \(number) hello", 100 + number * 10, by: user, in: open))
            steps.append(
                said(
                    "BOARDTEXTCANARY zebrafish \(number)", 103 + number * 10,
                    by: number.isMultiple(of: 3) ? "alice" : "BOARDPERSONCANARY", in: board))
        }
        return steps + [
            said("openword file", 300, by: "bob", in: open, files: ["/open.txt": openFile]),
            said("see the file", 301, by: "BOARDPERSONCANARY", in: board, files: ["/BOARDFILECANARY.txt": boardFile]),
            reacted("👍", 302, to: 100, by: "bob", in: open),
            reacted("REACTIONCANARY", 303, to: 103, by: "BOARDPERSONCANARY", in: board),
            edited("openword edited", 304, message: 110, by: "bob", in: open),
            edited("EDITCANARY", 305, message: 113, by: "BOARDPERSONCANARY", in: board),
            deleted(306, message: 120, by: "alice", in: open),
            said("openword answers across", 307, by: "bob", in: open, replyTo: "m103"),
            said("openword answers", 308, by: "alice", in: open, replyTo: "m100"),
            said("BOARDANSWERCANARY", 309, by: "bob", in: board, replyTo: "m100"),
            said("openword joins", 310, by: "dave", in: open, kind: .join),
            said(nil, 311, by: "JOINEDCANARY", in: board, kind: .join),
            // A name that only the board has seen, between two that the open room has seen.
            said("under another name", 500, by: "alice", as: "ALIASCANARY_alice", in: board),
            reacted("🎉", 501, to: 300, by: "bob", in: open),
            said("openword again", 900, by: "alice", as: "alice2", in: open),
            // A name that only the board has seen, at the end, and the other way round.
            said("a new name", 910, by: "bob", as: "LASTNAMECANARY_bob", in: board),
            said("PLANSTEXTCANARY", 920, by: "carol", in: plans),
            renamed(plans, to: "#NEWPLANSCANARY", 930),
            said("DIRECTTEXTCANARY", 940, by: "DIRECTPERSONCANARY", in: direct),
            said("openword by carol", 950, by: "carol", as: "carol2", in: open),
            said("openword link https://example.org/a", 960, by: "dave", in: open),
        ]
    }

    private static func others(_ account: String) -> [Step] {
        let canary = account.uppercased()
        let (kitchen, deep) = (channel("#kitchen"), channel("#\(canary)ROOMCANARY"))
        return (0..<6 as Range<Int64>).flatMap { number in
            [
                said("kitchenword \(canary)TEXTCANARY \(number)", 105 + number * 10, by: "mum", in: kitchen),
                said(
                    "\(canary)DEEPCANARY \(number)", 107 + number * 10, by: "\(canary)PERSONCANARY", in: deep),
            ]
        }
    }
}

extension Sequence where Element: Hashable {
    /// Returns each element once, in the order of first occurrence.
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
