import Archive
import ArgumentParser
import ChatModel
import Foundation
import Operations
import Rendering
import Service

struct ServeTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Add, list and remove the tokens with which programs ask the server.",
        discussion: "EXAMPLE: scrollback serve token add phone --account libera",
        subcommands: [AddCommand.self, ListCommand.self, RemoveCommand.self])

    struct AddCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a token, and print it once.",
            discussion: """
                EXAMPLE: scrollback serve token add phone --account libera --expires 2027-01-01

                Without --account and --room, the token reads everything. It is kept nowhere: only its SHA-256 is. To send it: \
                Authorization: Bearer TOKEN
                """)

        @Argument(help: "Your name for the token.")
        var name: String

        @Option(
            name: .shortAndLong, help: "An account with all its rooms; may be repeated (default: all).",
            completion: ArchiveNames.accountCompletion
        )
        var account: [String] = []

        @Option(help: "This room of an account; may be repeated.", completion: ArchiveNames.roomCompletion)
        var room: [String] = []

        @Flag(help: "Let the token mark rooms as read.")
        var write = false

        @Option(help: ArgumentHelp("The time from which the token is refused.", valueName: "time"))
        var expires: String?

        @OptionGroup(title: "Where") var folder: FolderOptions
        @OptionGroup(title: "Where") var shared: SharedArchiveOption

        func validate() throws {
            _ = try end()
            guard name.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil else {
                throw ValidationError("a token's name has 1 to 64 letters, digits, dots, - and _")
            }
        }

        func run() async throws {
            let path = try folder.resolve()
            let file = TokenFile(folder: path)
            try requireNew(in: file.read())
            let text = SecretText.make()
            let token = AccessToken(
                name: name, sha256: SecretText.sha256(text), accounts: account, rooms: try await rooms(path),
                mayWrite: write, expiresAt: try end(), createdAt: .now())
            try await file.change { tokens in
                try requireNew(in: tokens)
                tokens.append(token)
            }
            try StandardStream.output.write(text + "\n")
            StandardStream.note("this is the only time that the token is shown\n")
        }

        private func requireNew(in tokens: [AccessToken]) throws {
            guard !tokens.contains(where: { $0.name == name }) else {
                throw ValidationError("there is a token \"\(name)\"; remove it first, or choose another name")
            }
        }

        /// Returns the rooms, and checks the accounts.
        private func rooms(_ path: String) async throws -> [AccessToken.Room] {
            let reading = try shared.archive?.reading() ?? Archive(folder: path).reading()
            let known = account.isEmpty ? [] : try await reading.accounts().map(\.name)
            for name in account where !known.contains(name) {
                throw RoomSelection.unknown(account: name, known: known, folder: reading.folder)
            }
            var rooms: [AccessToken.Room] = []
            for name in room {
                let found = try await RoomResolver.room(name, in: reading)
                guard !account.contains(found.account) else {
                    throw ValidationError(
                        "--account \(Sanitizer.line(found.account)) gives every room of the account; to give only "
                            + "\"\(Sanitizer.line(found.name))\", leave --account out")
                }
                rooms.append(
                    AccessToken.Room(
                        account: found.account, id: found.id, name: found.name,
                        accountCreatedAt: try await reading.created(account: found.account)))
            }
            return rooms
        }

        private func end() throws -> Timestamp? {
            guard let expires else { return nil }
            let now = Timestamp.now()
            let end = try asUsage { try TimePhrase(parameter: expires, zone: .local, now: now).start.time }
            guard end > now else {
                throw ValidationError("--expires takes a time in the future, not \"\(Sanitizer.line(expires))\"")
            }
            return end
        }
    }

    struct ListCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the tokens.", discussion: "EXAMPLE: scrollback serve token list")

        @Option(help: "The output format.")
        var format = OutputFormat.text

        @OptionGroup(title: "Where") var folder: FolderOptions

        func run() throws {
            let tokens = try TokenFile(folder: folder.resolve()).read()
            let style = Style(.auto, terminal: format == .text ? .standardOutput : nil)
            let output = Listing<AccessToken>.tokens(time: LocalTime(zone: .local), now: .now())
                .render(tokens, format: format, style: style, width: Terminal.standardOutput?.width())
            try Rendered(output: output, notes: tokens.isEmpty ? "no tokens\n" : "").write()
        }
    }

    struct RemoveCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a token, which ends its open streams as well.",
            discussion: "EXAMPLE: scrollback serve token remove phone")

        @Argument(help: "The name of the token.")
        var name: String

        @OptionGroup(title: "Where") var folder: FolderOptions

        func run() async throws {
            let file = TokenFile(folder: try folder.resolve())
            try requireKnown(in: file.read())
            try await file.change { tokens in
                try requireKnown(in: tokens)
                tokens.removeAll { $0.name == name }
            }
        }

        private func requireKnown(in tokens: [AccessToken]) throws {
            guard !tokens.contains(where: { $0.name == name }) else { return }
            let nearest = Nearest.to(name, among: tokens.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ValidationError("no token \"\(Sanitizer.line(name))\"\(nearest)")
        }
    }
}

extension Listing where Element == AccessToken {
    /// The tokens, without their secrets.
    static func tokens(time: LocalTime, now: Timestamp) -> Self {
        @Sendable func scope(_ token: AccessToken) -> String {
            let parts = token.accounts + token.rooms.map { "\($0.account)/\($0.name)" }
            return parts.isEmpty ? "everything" : parts.joined(separator: ", ")
        }
        @Sendable func end(_ token: AccessToken) -> Timestamp? { token.expiresAt.map { Timestamp(microseconds: $0) } }
        return Listing(
            name: "tokens",
            columns: [
                Column(heading: "TOKEN") { $0.name }, Column(heading: "READS", text: scope),
                Column(heading: "WRITES") { $0.mayWrite ? "yes" : "" },
                Column(heading: "EXPIRES") { token in
                    end(token).map {
                        "\(time.day($0)) \(time.minute($0))" + (token.isExpired(at: now) ? " (expired)" : "")
                    } ?? ""
                },
            ],
            keys: ["name", "accounts", "rooms", "write", "expires_at", "created_at"]
        ) { token in
            .object([
                "name": .string(token.name), "accounts": .array(token.accounts.map(JSONValue.string)),
                "rooms": .array(token.rooms.map { .string("\($0.account)/\($0.name)") }),
                "write": .bool(token.mayWrite), "expires_at": JSONValue(end(token)),
                "created_at": JSONValue(Timestamp(microseconds: token.createdAt)),
            ])
        }
    }
}
