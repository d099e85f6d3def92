import Archive
import ChatModel
import Foundation
import TestSupport
import Testing
import Writing

/// Finding rooms, people and messages by what people remember of their names.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct RoomAndPersonQueryTests {
    private struct Room {
        var name: String
        var workspace: String?
        var said: [(name: String, text: String)]
    }

    private static let start = Timestamp(microseconds: 1_795_219_200_000_000)

    /// Two IRC accounts that have a room in common, and an account with two workspaces.
    private static func store(for program: Program) async throws {
        let libera = [
            Room(
                name: "#scroll",
                said: [("alice", "gruyere or gouda"), ("김민수", "학교폭력 뉴스"), ("Kim Mira", "the server is down")]),
            Room(name: "#swift", said: [("김수진", "학교 폭력 신고"), ("bob", "server up")]),
        ]
        let oftc = [Room(name: "#scroll", said: [("alice", "server on oftc"), ("eve", "hi")])]
        let work = [
            Room(name: "general", workspace: "acme", said: [("alice", "server in acme")]),
            Room(name: "잡담", workspace: "acme", said: [("bob", "acme only")]),
            Room(name: "general", workspace: "초록", said: [("eve", "server in 초록")]),
        ]
        for (account, network, rooms) in [("libera", "irc", libera), ("oftc", "irc", oftc), ("work", "slp", work)] {
            let writer = try await Archive(folder: program.data).openWriter(
                AccountIdentity(name: account, network: network))
            guard case .new(let id)? = try await writer.append([.sessionOpened(at: start)]).first else {
                throw StoredRoom.NoSession()
            }
            let session = SessionID(rawValue: id)
            var time = 0
            for (number, room) in rooms.enumerated() {
                let reference = RoomReference(key: "\(room.workspace ?? "")\(number)", name: room.name, kind: .channel)
                let workspace = room.workspace.map { WorkspaceReference(key: $0, name: $0) }
                var events = [ChatEvent.roomListed(RoomListing(room: reference, workspace: workspace), at: start)]
                for said in room.said {
                    time += 1
                    events.append(
                        .message(
                            IncomingMessage(
                                session: session, room: reference, kind: .message,
                                sender: UserReference(key: said.name, name: said.name), body: said.text, remoteID: nil,
                                sourceTime: nil, receivedAt: start.advanced(by: .seconds(time)))))
                }
                _ = try await writer.append(events)
            }
            try await writer.close()
        }
    }

    private let scrollback: Program

    init() async throws {
        scrollback = try Program()
        try await Self.store(for: scrollback)
    }

    private func bodies(_ arguments: [String]) async throws -> [String] {
        let result = try await scrollback.start(arguments: arguments + ["--format", "json"]).result()
        #expect(result.status < 2, "\(arguments): \(result.errors)")
        return try JSONDecoder().decode(JSONPage.self, from: Data(result.output.utf8)).messages.compactMap(\.body)
    }

    @Test(arguments: [
        ("libera/#scroll", 3), ("libera/scro", 3), ("SWIF", 2), ("잡", 1), ("acme", 2), ("work/acme/", 2),
        ("초록/general", 1),
    ])
    func `history and in: accept a printed name, a unique part and a workspace`(room: String, count: Int) async throws {
        let shown = try await bodies(["history", room])
        #expect(shown.count == count)
        #expect(try await bodies(["search", "in:\(room)"]).sorted() == shown.sorted())
        #expect(try await bodies(["tail", room]) == shown)
    }

    @Test func `one room of several accounts is merged page by page`() async throws {
        let both = ["-a", "libera", "-a", "oftc"]
        let all = ["gruyere or gouda", "server on oftc", "학교폭력 뉴스", "hi", "the server is down"]
        #expect(try await bodies(["history", "scroll"] + both) == all)
        let last = try await scrollback.start(arguments: ["history", "#scroll", "-n", "2", "--utc"] + both).result()
        let older = try #require(last.errors.split(separator: "\n").last)
        #expect(older.hasPrefix("older: scrollback history '#scroll' -a libera -a oftc --before "))
        let arguments = older.split(separator: " ").dropFirst(2).map { $0.replacing("'", with: "") }
        let page = try await scrollback.start(arguments: arguments.map(String.init)).result()
        #expect(page.output.contains("gruyere") && page.output.contains("server on oftc"), "\(page.output)")
        for command in ["gaps", "users", "attachments"] {
            let result = try await scrollback.start(arguments: [command, "scroll"] + both).result()
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        #expect(try await scrollback.start(arguments: ["users", "scroll"] + both).result().output.contains("eve"))
    }

    @Test(arguments: [
        (
            ["history", "scroll"],
            "choose one: libera/#scroll, oftc/#scroll; or merge them: -a libera -a oftc [ambiguous]"
        ),
        (
            ["history", "libera"],
            "for all of its rooms, replace it with -a libera; its rooms: libera/#scroll, libera/#swift [ambiguous]"
        ),
        (["history", "general"], "choose one: work/acme/general, work/초록/general [ambiguous]"),
        (["history", "swfit"], "did you mean \"#swift\"? \"scrollback rooms\" lists them [unknown-room]"),
        (["history", "scroll", "-a", "libera", "-a", "work"], "no room \"scroll\" in account \"work\" of "),
        (["history", "acm"], "did you mean \"acme\"?"),
        (["history", "acme", "--unread"], "--unread takes one room"),
        (["search", "x", "in:swfit"], "did you mean \"#swift\"?"),
        (["search", "x", "in:work"], "\"work\" is an account, not a room; its rooms: work/acme/general"),
        (["search", "x", "in:s"], "rooms have \"s\" in their names"),
    ])
    func `an unknown room is an error that lists the nearest names`(arguments: [String], reason: String)
        async throws
    {
        let result = try await scrollback.start(arguments: arguments).result()
        #expect(result.status == 2 && result.errors.contains(reason), "\(result.status) \(result.errors)")
    }

    @Test func `the beginning of a name finds people, and a near name is suggested`() async throws {
        #expect(try await bodies(["search", "from:김*"]).sorted() == ["학교 폭력 신고", "학교폭력 뉴스"])
        #expect(try await bodies(["search", "from:\"kim m\"*"]) == ["the server is down"])
        #expect(try await bodies(["search", "from:KIM*"]) == ["the server is down"])
        let near = try await scrollback("search", "from:alise")
        #expect(near.status == 1)
        #expect(near.errors.contains("no messages from anyone named \"alise\"; did you mean from:alice?\n"))
        for name in ["mira", "kym"] {
            let part = try await scrollback("search", "from:\(name)")
            #expect(part.status == 1)
            #expect(
                part.errors.contains("no messages from anyone named \"\(name)\"; did you mean from:\"Kim Mira\"?\n"),
                "\(part.errors)")
        }
        for (query, words) in [
            ("from:민", "named \"민\"; did you mean from:김민수?"),
            ("from:수", "named \"수\"; did you mean from:김민수 or from:김수진?"),
            ("from:수*", "begins with \"수\"; did you mean from:김민수 or from:김수진?"),
            ("from:ＡＬＩＣ", "named \"ＡＬＩＣ\"; did you mean from:alice?"),
        ] {
            let part = try await scrollback("search", query)
            #expect(part.status == 1 && part.errors.contains(words + "\n"), "\(part.errors)")
        }
        let none = try await scrollback("search", "from:박*")
        #expect(none.status == 1)
        #expect(none.errors.contains("no messages from anyone whose name begins with \"박\"\n"))
    }

    @Test(arguments: [
        (
            "server has:cat",
            """
            unknown condition has:cat; known: has:link, has:file, has:image, has:video, has:audio, has:reaction; \
            to search for the text, quote it: '"has:cat"'
            """
        ),
        ("-has:imgae", "unknown condition has:imgae; did you mean has:image? known: has:link"),
        ("is:고양이", "known: is:edited, is:deleted, is:reply, is:pinned, is:topic; to search for the text"),
    ])
    func `an unknown value of has: or is: is an error that lists the known ones`(query: String, error: String)
        async throws
    {
        for command in [["search", query], ["search", "--count", query], ["tail", "-f", "--query=\(query)"]] {
            let result = try await scrollback.start(arguments: command).result()
            // A search fails with 2, as grep does.
            let status: Int32 = command[0] == "search" ? 2 : 64
            #expect(
                result.status == status && result.errors.contains(error),
                "\(command): \(result.status) \(result.errors)")
        }
        #expect(try await scrollback("search", "\"\(query)\"").status == 1)
    }

    @Test func `groups, AND and NOT narrow a query`() async throws {
        #expect(
            try await bodies(["search", "(server AND down) OR hi"]).sorted() == ["hi", "the server is down"])
        #expect(try await bodies(["search", "server", "NOT", "(down OR up)"]).count == 3)
        #expect(try await bodies(["search", "server -(in:acme OR in:초록) -from:bob"]).count == 2)
        let words = try await scrollback("search", "gruyere or gouda | brie")
        #expect(
            words.errors.contains(
                "\"or\" is searched as a word; the operator is OR\n\"|\" is ignored; the operator is OR\n"))
    }

    @Test func `a search without hits suggests another form of the word that has some`() async throws {
        let gru = try await scrollback("search", "gru", "from:alice", "-n", "7")
        #expect(gru.status == 1)
        #expect(
            gru.errors.contains(
                "gru finds only the whole word; gru* and *gru* have matches: scrollback search 'gru* from:alice' -n 7\n"
            ),
            "\(gru.errors)")
        #expect(try await bodies(["search", "gru* from:alice"]) == ["gruyere or gouda"])
        let joined = try await scrollback("search", "학교폭력")
        #expect(joined.status == 0)
        #expect(joined.errors == "with other spaces, \"학교 폭력\" has matches: scrollback search '\"학교 폭력\"'\n")
        let apart = try await scrollback("search", "\"학교 폭력\"")
        #expect(apart.errors == "with other spaces, 학교폭력 has matches: scrollback search 학교폭력\n")
        #expect(try await scrollback("search", "server").errors.isEmpty)
    }
}
