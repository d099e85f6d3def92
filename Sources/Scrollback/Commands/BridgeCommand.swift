import Accounts
import Archive
import Bytes
import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

struct BridgeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract:
            "Show a relay bot's messages as those of the people who wrote them; without --execute, only list that.",
        discussion: """
            EXAMPLE: scrollback archive bridge libera
            EXAMPLE: scrollback archive bridge libera --bot relay --pattern '<{nick}> {text}' --execute

            The messages, also later ones, become those of people such as "alice, via relay". Nothing is lost, and --undo \
            gives the messages back; it needs the bot and the pattern only to choose one of several bridges. Without a bot, \
            the command lists the bridges.
            """)

    @Argument("account", help: "The account.", completion: .accounts)
    var account: String

    @Option("bot", help: "The bot: a name, or the id that \"users\" shows, as id:1.", valueName: "name")
    var bot: String?

    @Option(
        "pattern", help: "The form of its messages, with {nick} and, at the end, {text}. Colours are ignored.",
        valueName: "pattern", transform: Self.pattern)
    var pattern: BridgePattern?

    @Flag("undo", help: "Remove the bridge.")
    var undo = false

    @Flag("execute", help: "Do it.")
    var execute = false

    @OptionGroup var answer: AnswerOptions
    @OptionGroup(title: "Where") var folder: FolderOptions

    @OptionGroup(title: "Where") var identity: IdentityOption

    private static func pattern(_ text: String) throws -> BridgePattern {
        do {
            return try BridgePattern(text)
        } catch {
            throw ValidationError("--pattern \(Sanitizer.line(error.detail))")
        }
    }

    func validate() throws {
        // To undo a bridge, they only choose one of several.
        if undo { return }
        guard (bot == nil) == (pattern == nil) else {
            throw ValidationError("a bridge has a --bot and a --pattern; give both")
        }
        guard bot != nil || !execute else { throw ValidationError("name a --bot and a --pattern") }
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve(), cold: .copies, identities: identity.identities)
        let reading = archive.reading()
        let identity = try reading.account(named: account)
        let (request, preview): (Bridging, BridgePreview?)
        if undo {
            (request, preview) = (try undoing(reading), nil)
        } else if let bot, let pattern {
            (request, preview) = try making(bot, pattern, reading)
            let made = try reading.merging.bridges(of: account).first {
                $0.bot == request.bot && $0.pattern == pattern && $0.state == .done
            }
            if let made, preview?.matching == 0 { return try tellExisting(made) }
            if let preview, answer.format == .text { try show(preview, of: request.name) }
        } else {
            return try list(reading)
        }
        guard execute else {
            answer.note("nothing was changed; to \(undo ? "undo" : "do") it, add --execute\n")
            var result = AccountResult(account, .planned, detail: preview.map { summary($0, of: request.name) } ?? "")
            result.figures.messages = preview.map { Int64($0.matching) }
            return try answer.write([result], as: AccountResult.listing)
        }
        try await perform(request, in: identity, archive)
    }

    // MARK: What is meant

    private func making(_ name: String, _ pattern: BridgePattern, _ reading: ArchiveReading) throws
        -> (Bridging, BridgePreview?)
    {
        let people = try NamedSubject.people(of: account, reading)
        let bot = try NamedSubject.person(name, among: people, of: account)
        let preview = try reading.merging.preview(of: pattern, bot: bot.id, account: account)
        return (Bridging(bot: bot.id, name: bot.name, pattern: pattern), preview)
    }

    /// Says that there is nothing to do, because the bridge was made before.
    private func tellExisting(_ bridge: Bridge) throws {
        let detail = "this bridge exists already, and later messages follow it"
        answer.note("\(BridgeText.line(bridge, zone: .local))\n\(detail); nothing was changed\n")
        var result = AccountResult(account, execute ? .done : .planned, detail: detail)
        result.figures.messages = 0
        try answer.write([result], as: AccountResult.listing)
    }

    /// Returns the request to undo the only bridge, or the one with the given bot and pattern.
    private func undoing(_ reading: ArchiveReading) throws -> Bridging {
        let found = try reading.merging.bridges(of: account).filter { bridge in
            (bot.map { $0 == "id:\(bridge.bot)" || bridge.name.isExactly($0) } ?? true)
                && (pattern.map { $0 == bridge.pattern } ?? true)
        }
        let lists = "\"scrollback archive bridge \(NextCommand.word(account))\" lists the bridges"
        guard let bridge = found.first else {
            let owner = bot.map { " of \"\(Sanitizer.line($0))\"" } ?? ""
            throw OperationError(
                .unknownUser, "no bridge\(owner) \(pattern == nil ? "exists in the account" : "has that pattern")",
                hint: lists)
        }
        guard found.count == 1 else {
            throw OperationError(
                .ambiguous, "the account has \(found.count) such bridges",
                hint: "choose one: " + Self.command("id:\(bridge.bot)", bridge.pattern, account) + " --undo; \(lists)")
        }
        answer.note("\(BridgeText.line(bridge, zone: .local))\n")
        return Bridging(bot: bridge.bot, name: bridge.name, pattern: bridge.pattern, undoes: true)
    }

    /// Returns the numbers of what a bridge would change, in a line.
    private func summary(_ preview: BridgePreview, of bot: String) -> String {
        let people = preview.people.count
        return
            "\(Sanitizer.line(bot)): \(preview.matching.of(.message)) of \(people == 1 ? "1 person" : "\(people) people"); "
            + "\(preview.others.of(.message)) of another form \(preview.others == 1 ? "stays" : "stay")"
    }

    /// Shows people what a bridge would change: numbers to stderr, and examples as a list.
    private func show(_ preview: BridgePreview, of bot: String) throws {
        answer.note(summary(preview, of: bot) + "\n")
        let people = preview.people.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (nick, count) in people.prefix(Self.mostPeople) {
            try StandardStream.output.write("\(Sanitizer.line(nick)): \(count.of(.message))\n")
        }
        for example in preview.examples {
            try StandardStream.output.write(
                "example: <\(Sanitizer.line(example.nick))> \(Sanitizer.line(example.text))\n")
        }
        for body in preview.otherExamples {
            try StandardStream.output.write("stays: \(Sanitizer.line(body))\n")
        }
    }

    /// The number of people that are listed, those with the most messages.
    private static let mostPeople = 20

    // MARK: Work

    private func perform(_ request: Bridging, in identity: AccountIdentity, _ archive: Archive) async throws {
        let line = TerminalLine()
        let writing = StoreWriting(archive: archive, account: identity)
        var (messages, place) = (Int64(0), MergingPlace?.none)
        repeat {
            let step = try await writing.perform(.bridge(account: identity.name, request, from: place)).merged
            messages += step?.messages ?? 0
            place = step?.next
            line.show("\(Sanitizer.line(identity.name)): \(Int(messages).of(.message)) moved")
        } while place != nil
        try await writing.close()
        line.clear()
        let moved = "\(undo ? "given back" : "bridged"): \(Int(messages).of(.message))"
        answer.note(moved + "\n")
        var result = AccountResult(identity.name, .done, detail: moved)
        result.figures.messages = messages
        try answer.write([result], as: AccountResult.listing)
        if !undo {
            let command = Self.command("id:\(request.bot)", request.pattern, account)
            answer.note("to undo it: \(command) --undo --execute\n")
        }
    }

    private static func command(_ bot: String, _ pattern: BridgePattern, _ account: String) -> String {
        NextCommand.line(["archive", "bridge", account, "--bot", bot, "--pattern", pattern.text])
    }

    private func list(_ reading: ArchiveReading) throws {
        let bridges = try reading.merging.bridges(of: account)
        try answer.write(bridges, as: Bridge.listing(of: account))
        guard answer.format == .text else { return }
        for bridge in bridges { try StandardStream.output.write(BridgeText.line(bridge, zone: .local) + "\n") }
        if bridges.isEmpty { StandardStream.note("nothing is bridged\n") }
    }
}
