import Archive
import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

struct ServeTokenCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Add, change, list and remove the tokens with which programs ask the server.",
        discussion: "EXAMPLE: scrollback serve token add phone --account libera",
        subcommands: [AddCommand.self, ChangeCommand.self, ListCommand.self, RemoveCommand.self])

    struct AddCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a token, and print it once.",
            discussion: """
                EXAMPLE: scrollback serve token add phone --account libera --expires 2027-01-01

                It is kept nowhere: only its SHA-256 is. To send it: Authorization: Bearer TOKEN
                """)

        @Argument("name", help: "Your name for the token.")
        var name: String

        @OptionGroup var rights: TokenRights
        @OptionGroup var answer: AnswerOptions
        @OptionGroup(title: "Where") var folder: FolderOptions
        @OptionGroup(title: "Where") var shared: SharedArchiveOption

        func validate() throws {
            guard name.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil else {
                throw ValidationError("a token's name has 1 to 64 letters, digits, dots, - and _")
            }
        }

        func run() throws {
            let path = try folder.resolve()
            let file = TokenFile(folder: path)
            try requireNew(in: file.read())
            let text = SecretText.make()
            let token = try rights.token(
                name: name, sha256: SecretText.sha256(text), createdAt: .now(), in: shared.reading(or: path))
            try file.change { tokens in
                try requireNew(in: tokens)
                tokens.append(token)
            }
            guard answer.format == .text else {
                return try answer.write([token], as: AccessToken.listing(secret: text))
            }
            try StandardStream.output.write(text + "\n")
            StandardStream.note("this is the only time that the token is shown\n")
        }

        private func requireNew(in tokens: [AccessToken]) throws {
            guard !tokens.contains(where: { $0.name == name }) else {
                throw ValidationError(
                    "there is a token \"\(name)\"; choose another name, remove it first, or change what it may read: "
                        + "scrollback serve token change \(name)")
            }
        }
    }

    struct ChangeCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Replace what a token may read and do. The token itself stays.",
            discussion: """
                EXAMPLE: scrollback serve token change phone --account libera --room work/general

                Give everything that the token may: what is left out, it may no longer. Its open streams end.
                """)

        @Argument("name", help: "The name of the token.")
        var name: String

        @OptionGroup var rights: TokenRights
        @OptionGroup var answer: AnswerOptions
        @OptionGroup(title: "Where") var folder: FolderOptions
        @OptionGroup(title: "Where") var shared: SharedArchiveOption

        func run() throws {
            let path = try folder.resolve()
            let file = TokenFile(folder: path)
            _ = try file.read().place(ofToken: name)
            let reading = try shared.reading(or: path)
            let rights = try rights.token(name: name, sha256: "", createdAt: .now(), in: reading)
            var token = rights
            try file.change { tokens in
                let place = try tokens.place(ofToken: name)
                token = rights
                (token.sha256, token.createdAt) = (tokens[place].sha256, tokens[place].createdAt)
                tokens[place] = token
            }
            try answer.write([token], as: AccessToken.listing())
        }
    }

    struct ListCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the tokens.", discussion: "EXAMPLE: scrollback serve token list")

        @Option("format", help: "The output format.")
        var format = OutputFormat.text

        @OptionGroup(title: "Where") var folder: FolderOptions

        func run() throws {
            let tokens = try TokenFile(folder: folder.resolve()).read()
            let style = Style(.auto, terminal: format == .text ? .standardOutput : nil)
            let output = AccessToken.listing()
                .render(tokens, format: format, style: style, width: Terminal.standardOutput?.width())
            try Rendered(output: output, notes: tokens.isEmpty ? "no tokens\n" : "").write()
        }
    }

    struct RemoveCommand: Command {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a token, which ends its open streams as well.",
            discussion: "EXAMPLE: scrollback serve token remove phone")

        @Argument("name", help: "The name of the token.")
        var name: String

        @OptionGroup var answer: AnswerOptions
        @OptionGroup(title: "Where") var folder: FolderOptions

        func run() throws {
            let file = TokenFile(folder: try folder.resolve())
            let known = try file.read()
            let token = known[try known.place(ofToken: name)]
            try file.change { tokens in tokens.remove(at: try tokens.place(ofToken: name)) }
            try ReaderMarkFile(folder: try folder.resolve(), token: token).remove()
            try answer.write([token], as: AccessToken.listing())
        }
    }
}

extension [AccessToken] {
    /// - Throws: `ValidationError` for a name that no token has.
    fileprivate func place(ofToken name: String) throws -> Int {
        if let place = firstIndex(where: { $0.name == name }) { return place }
        let nearest = NearNames.question(for: name, among: map(\.name)).map { "; \($0)" } ?? ""
        throw ValidationError("no token \"\(Sanitizer.line(name))\"\(nearest)")
    }
}

extension SharedArchiveOption {
    /// Returns the reading of the shared archive, or of the data folder without one.
    fileprivate func reading(or folder: String) throws -> ArchiveReading {
        try archive?.reading() ?? Archive(folder: folder).reading()
    }
}

extension AccessToken {
    /// The tokens, without their secrets.
    ///
    /// - Parameter secret: The text of a new token, which is added; nil for no text.
    static func listing(
        time: LocalTime = LocalTime(zone: .local), now: Timestamp = .now(), secret: String? = nil
    ) -> Listing<AccessToken> {
        @Sendable func scope(_ token: AccessToken) -> String {
            let parts = token.accounts + token.rooms.map { "\($0.account)/\($0.name)" }
            return parts.isEmpty ? "everything" : parts.joined(separator: ", ")
        }
        @Sendable func end(_ token: AccessToken) -> Timestamp? { token.expiresAt.map { Timestamp(microseconds: $0) } }
        return Listing(
            name: "tokens",
            columns: [
                Column(heading: "TOKEN") { $0.name }, Column(heading: "READS", text: scope),
                Column(heading: "MARKS") { $0.mayWrite ? "yours" : $0.hasOwnMarks ? "own" : "" },
                Column(heading: "EXPIRES") { token in
                    end(token).map {
                        "\(time.day($0)) \(time.minute($0))" + (token.isExpired(at: now) ? " (expired)" : "")
                    } ?? ""
                },
            ],
            keys: ["name", "accounts", "rooms", "write", "own_marks", "expires_at", "created_at"]
                + (secret == nil ? [] : ["token"])
        ) { token in
            let own = JSONValue.object([
                "name": .string(token.name), "accounts": .array(token.accounts.map(JSONValue.string)),
                "rooms": .array(token.rooms.map { .string("\($0.account)/\($0.name)") }),
                "write": .bool(token.mayWrite), "own_marks": .bool(token.hasOwnMarks),
                "expires_at": JSONValue(end(token)),
                "created_at": JSONValue(Timestamp(microseconds: token.createdAt)),
            ])
            let added = secret.map { [JSONValue.Member(key: "token", value: .string($0))] } ?? []
            return .object(own.members + added)
        }
    }
}
