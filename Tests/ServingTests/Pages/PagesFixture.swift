import Archive
import ChatModel
import Files
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Operations
import SQLite
import Settings
import TestSupport
import Writing

@testable import Serving

/// An archive with the routes of the pages, which the owner asks.
final class PagesFixture: Sendable {
    let folder: TemporaryFolder
    let archive: Archive

    /// 2026-11-21T09:00:00Z
    static let start = Timestamp(microseconds: 1_795_219_200_000_000).advanced(by: .seconds(9 * 3600))
    static let lobby = RoomReference(key: "lobby", name: "lobby", kind: .channel)

    /// Returns the id of a message, by its seconds since ``start``.
    static func id(_ second: Int64) -> String { start.advanced(by: .seconds(second)).description }

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data")
    }

    /// A room with 30 messages on the 21st, and one on each of the 22nd and the 24th.
    static func days() async throws -> PagesFixture {
        let fixture = try PagesFixture()
        try await fixture.store { session in
            [.live(session)] + (0..<30).map { .said("line \($0)", at: $0, in: session) }
                + [1, 3].map { .said("day \($0)", at: $0 * 86_400, in: session) }
        }
        return fixture
    }

    /// Stores events of an account that is connected from the start on.
    func store(_ account: String = "demo", _ events: (SessionID) -> [ChatEvent]) async throws {
        let writer = try await archive.openWriter(AccountIdentity(name: account, network: "streamchat"))
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: Self.start)]).first else {
            throw PagesFailure()
        }
        _ = try await writer.append(events(SessionID(rawValue: id)))
        try await writer.close()
    }

    /// Runs SQL on the account's file, as another program would.
    func execute(_ sql: String) throws {
        let accounts = archive.folder + "/accounts"
        for folder in try FileManager.default.contentsOfDirectory(atPath: accounts) {
            let queue = try DatabaseQueue(path: "\(accounts)/\(folder)/1.sqlite")
            try queue.write { db in try db.execute(sql: sql) }
            try queue.close()
        }
    }

    /// Returns the pages at the addresses.
    func pages(_ addresses: [String], zone: String = "UTC") async throws -> [String] {
        let router = Router(context: ServeContext.self)
        router.add(middleware: OwnerAsks())
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let site = Site(
            source: .folder(archive), folder: archive.folder,
            places: PlaceNames(folder: archive.folder, shared: nil), reserve: DescriptorReserve(0),
            pool: ReadingPool(source: .folder(archive)),
            coldPool: ReadingPool(source: .folder(archive), limits: .cold), unsent: UnsentBytes(logger: logger),
            search: FolderSearch(environment: [:]),
            tokens: TokenBook(file: TokenFile(folder: archive.folder), logger: logger),
            marks: MarkBook(folder: archive.folder, logger: logger),
            feeds: FeedHubs(source: .folder(archive), logger: logger), excluded: [], logger: logger)
        PageRoutes(site: site).add(to: router)
        return try await Application(router: router).test(.router) { client in
            var pages: [String] = []
            for address in addresses {
                let page = try await client.execute(uri: address, method: .get, headers: [.cookie: "tz=\(zone)"]) {
                    String(buffer: $0.body)
                }
                pages.append(page)
            }
            return pages
        }
    }

    func page(_ address: String, zone: String = "UTC") async throws -> String {
        try await pages([address], zone: zone)[0]
    }
}

struct PagesFailure: Error {}

/// Lets the owner ask everything, as the gate does for the owner's cookie, and answers errors with pages.
struct OwnerAsks: RouterMiddleware {
    typealias Context = ServeContext

    func handle(
        _ request: Request, context: ServeContext, next: @concurrent (Request, ServeContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.visitor = .owner
        do {
            return try await next(request, context)
        } catch {
            guard let problem = Problem(error) else { throw error }
            return ErrorPage.response(problem)
        }
    }
}

extension ChatEvent {
    /// A message some seconds after the fixture's start.
    static func said(
        _ body: String?, at second: Int64, by name: String = "alice", in session: SessionID,
        kind: MessageKind = .message, room: RoomReference = PagesFixture.lobby, id: String? = nil,
        replyTo: String? = nil,
        files: [String] = [], flags: MessageFlags = []
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: room, kind: kind, sender: UserReference(key: name, name: name), body: body,
                remoteID: id, receivedAt: PagesFixture.start.advanced(by: .seconds(second)), flags: flags,
                replyTo: replyTo, attachments: files))
    }

    static func live(_ session: SessionID, room: RoomReference = PagesFixture.lobby) -> ChatEvent {
        .roomLive(session: session, room: room, at: PagesFixture.start)
    }
}
