import Accounts
import Archive
import ChatModel
import Files
import Operations
import Options
import Reading
import Rendering
import Settings

struct MergeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Make one of two people, or of two rooms; without --execute, only list that.",
        discussion: """
            EXAMPLE: scrollback archive merge libera --user alice_ --into alice --execute

            Everything of the first becomes the other's: messages, names, read marks, gaps. So does what comes later. --undo \
            separates them again, until "scrollback archive compact". Without names, the command lists the merges, and \
            what could be merged.
            """)

    @Argument("account", help: "The account.", completion: .accounts)
    var account: String

    @Option("user", help: "The person to merge: a name, or the id that \"users\" shows, as id:1.", valueName: "name")
    var user: String?

    @Option(
        "room", help: "The room to merge: a name, or the id that \"rooms\" shows, also as id:1.", valueName: "name",
        completion: .rooms)
    var room: String?

    @Option("into", help: "The person or the room that stays.", valueName: "name")
    var into: String?

    @Flag("undo", help: "Separate what was merged.")
    var undo = false

    @Flag("execute", help: "Do it.")
    var execute = false

    @OptionGroup var answer: AnswerOptions
    @OptionGroup(title: "Where") var folder: FolderOptions

    @OptionGroup(title: "Where") var identity: IdentityOption

    func validate() throws {
        guard user == nil || room == nil else { throw ValidationError("name a --user or a --room") }
        guard user != nil || room != nil else {
            guard into == nil, !undo, !execute else { throw ValidationError("name a --user or a --room") }
            return
        }
        guard (into != nil) != undo else { throw ValidationError("name what stays (--into), or --undo the merge") }
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve(), cold: .copies, identities: identity.identities)
        let reading = archive.reading()
        let identity = try reading.account(named: account)
        guard user != nil || room != nil else { return try list(reading) }
        let request = try undo ? undoing(reading) : merging(reading)
        guard execute else {
            answer.note("nothing was changed; to \(undo ? "undo" : "do") it, add --execute\n")
            return try answer.write(
                [AccountResult(account, .planned, detail: "nothing was changed")], as: AccountResult.listing)
        }
        try await perform(request, in: identity, archive)
    }

    private var kind: Merging.Kind { user == nil ? .rooms : .people }

    // MARK: What is meant

    private func find(_ name: String, _ reading: ArchiveReading) throws -> NamedSubject {
        switch kind {
        case .people:
            try NamedSubject.person(
                name, among: try NamedSubject.people(of: account, reading), of: account)
        case .rooms:
            try NamedSubject.room(name, of: account, reading)
        }
    }

    private func merging(_ reading: ArchiveReading) throws -> Merging {
        let unfinished = try reading.merging.merges(of: account).first {
            !$0.isDone && $0.kind == kind && [$0.fromName, "id:\($0.from)"].contains(user ?? room ?? "")
        }
        let stays = try find(into ?? "", reading)
        if let unfinished { return Merging(kind, from: unfinished.from, into: stays.id) }
        let goes = try find(user ?? room ?? "", reading)
        guard goes.id != stays.id else {
            throw ValidationError("\(goes.text) is one already; name two")
        }
        answer.note(
            "\(goes.text), \(Int(goes.messages).of(.message)), becomes a part of \(stays.text), "
                + "\(Int(stays.messages).of(.message))\n")
        return Merging(kind, from: goes.id, into: stays.id)
    }

    private func undoing(_ reading: ArchiveReading) throws -> Merging {
        let name = user ?? room ?? ""
        let found = try reading.merging.merges(of: account).filter {
            $0.kind == kind && [$0.fromName, "id:\($0.from)"].contains(name)
        }
        guard let merge = found.first, found.count == 1 else {
            throw OperationError(
                found.isEmpty ? (kind == .people ? .unknownUser : .unknownRoom) : .ambiguous,
                "\(found.isEmpty ? "no merge has" : "\(found.count) merges have") the name \"\(Sanitizer.line(name))\"",
                hint: "\"scrollback archive merge \(NextCommand.word(account))\" lists them with their ids")
        }
        guard merge.canBeUndone else {
            let reason = "because of a later merge, \"archive compact\", forgetting or erasing"
            throw ArchiveError(code: .merge, detail: "\(MergeText.line(merge, zone: .local)), \(reason)")
        }
        answer.note("\(MergeText.line(merge, zone: .local))\n")
        return Merging(kind, from: merge.from, into: merge.into, undoes: true)
    }

    // MARK: Work

    private func perform(_ request: Merging, in identity: AccountIdentity, _ archive: Archive) async throws {
        let line = TerminalLine()
        let writing = StoreWriting(archive: archive, account: identity)
        var (messages, left) = (Int64(0), Int64(0))
        var place: MergingPlace?
        repeat {
            let step = try await writing.perform(.merge(account: identity.name, request, from: place)).merged
            messages += step?.messages ?? 0
            left += step?.left ?? 0
            place = step?.next
            line.show("\(Sanitizer.line(identity.name)): \(Int(messages).of(.message)) moved")
        } while place != nil
        try await writing.close()
        line.clear()
        let moved = "\(undo ? "separated" : "merged"): \(Int(messages).of(.message)) moved"
        let stay =
            left == 0
            ? nil
            : "\(Int(left).of(.message)) stay in the room, because the other one has them already (by the network's id)"
        answer.note(([moved] + [stay].compactMap(\.self)).map { $0 + "\n" }.joined())
        var result = AccountResult(
            identity.name, .done, detail: [moved, stay].compactMap(\.self).joined(separator: "; "))
        result.figures.messages = messages
        try answer.write([result], as: AccountResult.listing)
        if !undo {
            let option = kind == .people ? "--user" : "--room"
            answer.note(
                "to undo it: scrollback archive merge \(NextCommand.word(account)) \(option) id:\(request.from) --undo --execute\n"
            )
        }
    }

    /// Returns the command that shows what a possible merge would change.
    static func command(_ merge: ListedMerge, _ account: String) -> String {
        NextCommand.line([
            "archive", "merge", account, merge.kind == .people ? "--user" : "--room", "id:\(merge.from.id)", "--into",
            "id:\(merge.into.id)",
        ])
    }

    private func list(_ reading: ArchiveReading) throws {
        let merges = try reading.merging.merges(of: account)
        let own = try reading.users(scope: .accounts([account])).filter(\.isSelf)
        var possible = try reading.merging.namesakes(of: account).flatMap(ListedMerge.all)
        for merge in ListedMerge.all(own: own) where !possible.contains(where: merge.takes(sameAs:)) {
            let areTwo = try reading.merging.writeTogether(merge.from.id, merge.into.id, in: account)
            if !areTwo { possible.append(merge) }
        }
        guard answer.format == .text else {
            return try answer.write(merges.map(ListedMerge.init) + possible, as: ListedMerge.listing(of: account))
        }
        for merge in merges { try StandardStream.output.write(MergeText.line(merge, zone: .local) + "\n") }
        for merge in possible {
            let (from, into) = (Sanitizer.line(merge.from.name), Sanitizer.line(merge.into.name))
            let reason = from == into ? "one name, \(from)" : "both are you, \(from) and \(into)"
            try StandardStream.output.write("\(reason): \(Self.command(merge, account))\n")
        }
        if merges.isEmpty, possible.isEmpty { StandardStream.note("nothing is merged\n") }
    }
}
