import Accounts
import Archive
import ChatModel
import Files
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Operations
import Reading
import Settings
import TestSupport

@testable import Serving

/// A kind of token, and what its reader may see.
enum Reader: String, CaseIterable, CustomStringConvertible {
    case all, account, room
    case rooms = "two-rooms"
    case expired, removed
    /// A token for a room of an account that was erased and made again.
    case erased

    var description: String { rawValue }

    /// True if the reader sees a room.
    func sees(_ account: String, _ room: String) -> Bool {
        switch self {
        case .all: true
        case .account: account == "work"
        case .room: account == "work" && room == "#open"
        case .rooms: room == "#open" || account == "family" && room == "#kitchen"
        case .expired, .removed, .erased: false
        }
    }

    fileprivate func token(_ name: String, _ text: String) -> AccessToken {
        func room(_ account: String, createdAt: Timestamp = SecretArchive.start) -> AccessToken.Room {
            AccessToken.Room(account: account, id: 1, name: "", accountCreatedAt: createdAt)
        }
        let rooms: [AccessToken.Room] =
            switch self {
            case .room: [room("work")]
            case .rooms: [room("work"), room("family")]
            case .erased: [room("work", createdAt: SecretArchive.at(-1000))]
            default: []
            }
        return AccessToken(
            name: name, sha256: SecretText.sha256(text), accounts: self == .account ? ["work"] : [], rooms: rooms,
            mayWrite: self == .all, hasOwnMarks: !rooms.isEmpty,
            expiresAt: self == .expired ? Timestamp.now().advanced(by: .seconds(-1)) : nil,
            createdAt: SecretArchive.start)
    }
}

/// A server of a ``SecretArchive`` in this process, with tokens of every kind.
struct SecretSite: Sendable {
    let archive: SecretArchive
    let responder: RouterResponder<ServeContext>
    /// The paths that answer GET.
    let paths: [String]
    private let secret: OwnerSecret

    /// The number of tokens of each kind: a token may send 500 requests at once.
    static let tokens = 400

    /// - Parameters:
    ///   - source: The archive, or its copy; nil for the data folder.
    ///   - excluded: The rooms that assistants do not see.
    init(_ archive: SecretArchive, source: ArchiveSource? = nil, excluding excluded: [String] = []) async throws {
        self.archive = archive
        let folder = archive.archive.folder
        let source = source ?? .folder(archive.archive)
        let shared: SharedAddress? =
            if case .shared = source { try SharedAddress(source.reading().folder) } else { nil }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let file = TokenFile(folder: folder)
        try file.change { tokens in
            tokens = Reader.allCases.filter { $0 != .removed }.flatMap { reader in
                (0..<Self.tokens).map { reader.token("\(reader)-\($0)", Self.text(reader, $0)) }
            }
        }
        secret = OwnerSecret(folder: folder)
        let tokens = TokenBook(file: file, logger: logger)
        let site = Site(
            source: source, folder: folder, places: PlaceNames(folder: folder, shared: shared),
            reserve: DescriptorReserve(0), pool: ReadingPool(source: source),
            coldPool: ReadingPool(source: source.withCold, limits: .cold), unsent: UnsentBytes(logger: logger),
            search: FolderSearch(environment: [:]),
            tokens: tokens, marks: MarkBook(folder: folder, logger: logger),
            feeds: FeedHubs(source: source, logger: logger),
            excluded: excluded.map(RoomPattern.init), logger: logger)
        let router = site.router(
            Gate(settings: ServeSettings(), port: BoundPort(), secret: secret, site: site),
            connections: Connections(site.unsent))
        paths = router.routes.filter { $0.method == .get }.map(\.path.description).sorted()
        responder = router.buildResponder()
    }

    private static func text(_ reader: Reader, _ number: Int) -> String { "\(reader.rawValue)-\(number)-secret" }

    /// Returns the headers by which the gate knows a reader.
    ///
    /// - Parameters:
    ///   - reader: Nil for the owner.
    ///   - number: The number of the request: each token has its own limit of requests.
    func headers(of reader: Reader?, _ number: Int) -> HTTPFields {
        guard let reader else { return [.cookie: "scrollback=\(secret.text); tz=UTC"] }
        return [.authorization: "Bearer \(Self.text(reader, number % Self.tokens))", .cookie: "tz=UTC"]
    }
}

/// An answer, in so far as it does not depend on the place of the archive.
struct SecretAnswer: Equatable {
    var status: Int
    var headers: [String: String]
    var body: String

    init(_ response: TestResponse, in folder: String) {
        status = response.status.code
        // The tag and the length follow from the body.
        headers = Dictionary(
            response.headers.filter { ![.eTag, .contentLength, .date].contains($0.name) }
                .map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        body = String(buffer: response.body).replacingOccurrences(of: folder, with: "FOLDER")
            .replacing(/(work|family|vault)-[a-z0-9]{6,}/) { "\($0.1)-RANDOM" }
            // The sizes of files depend on how they were written, and the time of use on the clock.
            .replacing(/"(bytes|cold_bytes|used_at|gap_seconds)": ("[^"]*"|[0-9]+|null)/) { "\"\($0.1)\": 0" }
            // The age of a shared archive's copy.
            .replacing(/as of [-0-9]+ [:0-9]+/, with: "as of NOW").replacing(/[0-9]+ (s|min) behind/, with: "behind")
    }

    /// The canaries in the answer that the request does not name.
    func canaries(beyond request: SecretRequest) -> Set<String> {
        // In an address, a letter of a percent code may stand before a name.
        let text = (headers.values.joined(separator: "\n") + "\n" + body).replacing(/%[0-9A-F]{2}/, with: " ")
        return Set(text.matches(of: /[A-Z]+CANARY/).map { String($0.output) }.filter { !request.has($0) })
    }
}
