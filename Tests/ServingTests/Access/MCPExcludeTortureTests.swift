import Archive
import ChatModel
import Foundation
import MCP
import Moves
import Operations
import Reading
import Rendering
import TestSupport
import Testing
import Writing

/// Rooms that the configuration hides from assistants do not exist for them, however their account is stored.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 120))), .disabled(if: QuickCheck.isRunning))
struct MCPExcludeTortureTests {
    enum State: String, CaseIterable, CustomStringConvertible {
        case hot, cold, restored, shared

        var description: String { rawValue }
        static let available = allCases.filter { $0 != .shared || PostgreSQLServer.isAvailable }
    }

    private func source(_ archive: SecretArchive, _ state: State) async throws -> ArchiveSource {
        if state == .cold || state == .restored { try await archive.compress() }
        if state == .restored {
            for account in try archive.archive.reading().accounts() {
                _ = try archive.archive.restore(account: account.name)
            }
        }
        return state == .shared ? try await archive.share() : .folder(archive.archive)
    }

    private func server(_ archive: SecretArchive, excluding patterns: [String]) -> MCPServer {
        MCPServer(
            version: "1", excluded: patterns.map(RoomPattern.init),
            places: PlaceNames(folder: archive.archive.folder, shared: nil)
        ) { _ in OperationContext(zone: .gmt, now: SecretArchive.at(9000)) }
    }

    private func answer(
        _ request: SecretRequest, _ server: MCPServer, _ source: ArchiveSource, _ access: ReadAccess
    ) async throws -> String {
        guard case .success(let message) = server.request(Array((request.message ?? "").utf8)) else { return "" }
        let answer = await server.answer(message) { cold, body in
            let reading = cold ? source.withCold.reading() : source.reading()
            return try body(reading.restricted(to: access))
        }
        // The address of a shared archive.
        return (answer.text ?? "").replacing(/postgres[a-z]*:[^ "\\]*/, with: "the archive")
    }

    @Test(arguments: State.available, Torture.isWhole ? Array(UInt64(1)...40) : [1, 2, 3])
    func `hidden rooms don't change an answer`(state: State, seed: UInt64) async throws {
        let secrets = RandomSecrets(seed: seed)
        let (archive, twin) = (try await secrets.archive(), try await secrets.twin())
        let (source, twins) = (try await source(archive, state), try await source(twin, state))
        let (server, other) = (server(archive, excluding: secrets.patterns), server(twin, excluding: []))
        let requests = (SecretRequests.calls + RandomSecretCalls.all(secrets)).chosen(4) { request in
            [SecretRequest(address: "\(state) \(seed)", message: request.message)]
        }
        for request in requests {
            let found = try await answer(request, server, source, .everything)
            #expect(!found.contains("HIDDEN") || request.has("HIDDEN"), "\(secrets.patterns) \(request): \(found)")
            guard !request.isOfFeed else { continue }
            let expected = try await answer(request, other, twins, secrets.access)
            #expect(found == expected, "\(secrets.patterns) \(request)")
        }
    }

    @Test func `a room that is renamed to a hidden name disappears while the assistant runs`() async throws {
        let room = RoomReference(key: "1", name: "#trip", kind: .channel)
        let archive = try await SecretArchive(["one": [SecretArchive.said("hello", 10, by: "alice", in: room)]])
        let source = ArchiveSource.folder(archive.archive)
        let server = server(archive, excluding: ["#board"])
        let list = SecretRequests.calls.first { $0.message?.contains("list_rooms") ?? false }
        let request = try #require(list)
        #expect(try await answer(request, server, source, .everything).contains("#trip"))
        let writer = try await archive.archive.openWriter(AccountIdentity(name: "one", network: "irc"))
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: SecretArchive.at(7000))]).first else {
            return
        }
        _ = try await writer.append(
            SecretArchive.renamed(room, to: "#board", 7001).events(SessionID(rawValue: id)))
        try await writer.close()
        let found = try await answer(request, server, source, .everything)
        #expect(!found.contains("#trip") && !found.contains("#board"), "\(found)")
    }
}

/// Calls that name what is in a random archive.
enum RandomSecretCalls {
    static func all(_ secrets: RandomSecrets) -> [SecretRequest] {
        let rooms = secrets.rooms.flatMap { account, rooms in
            rooms.flatMap { room in room.names.flatMap { ["\(account)/\($0)", $0] } }
        }.sorted()
        let accounts = secrets.rooms.keys.sorted()
        let tools: [(name: String, arguments: [String])] = [
            ("get_messages", rooms.map { "\"room\": \"\($0)\"" } + accounts.map { "\"account\": [\"\($0)\"]" }),
            ("list_people", rooms.map { "\"room\": \"\($0)\"" } + accounts.map { "\"account\": [\"\($0)\"]" }),
            ("list_rooms", accounts.map { "\"account\": [\"\($0)\"]" } + ["\"cold\": true", ""]),
            ("gaps", rooms.map { "\"room\": \"\($0)\"" } + accounts.map { "\"account\": [\"\($0)\"]" }),
            ("stats", rooms.map { "\"room\": \"\($0)\"" } + accounts.map { "\"account\": [\"\($0)\"]" }),
            (
                "whats_new",
                accounts.flatMap { ["\"account\": \"\($0)\"", "\"account\": \"\($0)\", \"after\": \"x:0\""] }
            ),
            (
                "search",
                accounts.flatMap { account in
                    [
                        "word", "HIDDENTEXT", "from:aliceHIDDENNAME", "from:alice2", "from:al*", "-from:alice",
                        "in:#board",
                    ].map {
                        "\"q\": \"\($0)\", \"account\": [\"\(account)\"]"
                    }
                } + rooms.map { "\"q\": \"word in:\\\"\($0)\\\"\"" }
                    + ["room", "user"].map { "\"q\": \"-zebra\", \"by\": \"\($0)\", \"cold\": true" }
            ),
            (
                "get_message",
                accounts.flatMap { account in
                    (100..<165 as Range<Int64>).map {
                        "\"message\": \"\(SecretArchive.at($0))\", \"account\": \"\(account)\""
                    }
                }
            ),
            (
                "get_thread",
                accounts.flatMap { account in
                    (100..<165 as Range<Int64>).map {
                        "\"message\": \"\(SecretArchive.at($0))\", \"account\": \"\(account)\""
                    }
                }
            ),
        ]
        return tools.flatMap { tool in
            tool.arguments.map { arguments in
                SecretRequest(
                    address: "",
                    message: """
                        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\(tool.name)", \
                        "arguments": {\(arguments)}}}
                        """, route: "\(tool.name) by name")
            }
        }
    }
}
