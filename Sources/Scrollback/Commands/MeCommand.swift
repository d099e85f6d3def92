import Accounts
import Archive
import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

struct MeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "me",
        abstract: "Show or set your names in an account, so that your own messages are known.",
        discussion: """
            EXAMPLE: scrollback archive me kakaotalk 지아 zia

            The names replace those that this command or "import --me" gave before, and hold for all messages of the account, also \
            for later ones. Names in the configuration ("me") stay. On Matrix, give ids.
            """)

    @Argument("account", help: "The account.", completion: .accounts)
    var account: String

    @Argument("name", help: "Your names and ids in it.")
    var names: [String] = []

    @Flag("none", help: "Remove the names that were given before.")
    var none = false

    @Option("format", help: "The output format.")
    var format = OutputFormat.text

    @OptionGroup(title: "Where") var folder: FolderOptions

    @OptionGroup(title: "Where") var identity: IdentityOption

    func validate() throws {
        guard !none || names.isEmpty else { throw ValidationError("give names or --none") }
        if names.contains(where: { $0.allSatisfy(\.isWhitespace) }) { throw ValidationError("a name is empty") }
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve(), cold: .copies, identities: identity.identities)
        let known = try archive.reading().account(named: account)
        if none || !names.isEmpty {
            folder.limit(archive)
            let writing = StoreWriting(archive: archive, account: known)
            try await writing.perform(.setOwnNames(account: known.name, names, from: .command))
            try await writing.close()
        }
        try show(known, archive)
    }

    /// Prints the users who are the account's own person, and the names that were given.
    private func show(_ identity: AccountIdentity, _ archive: Archive) throws {
        let own = try archive.reading().users(scope: .accounts([identity.name])).filter(\.isSelf)
        let configured = try archive.ownNames(in: identity.name, from: .configuration)
        let given = try archive.ownNames(in: identity.name, from: .command)
        guard format == .text else {
            let listing = User.ownListing(given: given, configured: configured)
            return try StandardStream.output.write(listing.render(own, format: format))
        }
        func text(_ user: User) -> String { "\(Sanitizer.line(user.name)) (id:\(user.id))" }
        for user in own { try StandardStream.output.write(text(user) + "\n") }
        if own.isEmpty {
            let command = NextCommand.line(["archive", "me", identity.name])
            let next = given.isEmpty && configured.isEmpty ? "; to say who you are: \(command) NAME" : ""
            StandardStream.note("no message of the account is known as yours\(next)\n")
        }
        for (names, place) in [(given, "given"), (configured, "in the configuration")] where !names.isEmpty {
            StandardStream.note("names \(place): \(names.map { Sanitizer.line($0) }.joined(separator: ", "))\n")
        }
        for merge in ListedMerge.all(own: own) {
            let both = [merge.from, merge.into].map { "\(Sanitizer.line($0.name)) (id:\($0.id))" }
                .joined(separator: " and ")
            let areTwo = try archive.reading().merging.writeTogether(merge.from.id, merge.into.id, in: identity.name)
            StandardStream.note(
                areTwo
                    ? "\(both) write in one room at overlapping times and are probably two people; to replace a wrong name: "
                        + "\(NextCommand.line(["archive", "me", identity.name])) NAME\n"
                    : "to make one person of \(both): \(MergeCommand.command(merge, identity.name)) --execute\n")
        }
    }
}
