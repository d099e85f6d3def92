import Archive
import Bytes
import ChatModel
import Importing
import LogFormats
import Reading
import Rendering
import Settings
import TextEncodings

/// Reports what an import found, and who its owner is.
extension ImportCommand {
    /// Reports the found sources and the errors.
    func announce(_ search: inout ImportSearch) {
        search.report.print(search.summary)
        search.report.printErrors()
        if timezone != nil, !search.sources.isEmpty, !search.sources.formats.contains(where: { $0.hasLocalTimes }) {
            search.report.note("--timezone was not used: the times include their zone")
        }
        if source.network != nil, !search.sources.isEmpty, !search.sources.formats.contains(where: { $0.hasNetworks }) {
            search.report.note("--network was not used: only the databases of some clients have networks")
        }
        if source.dateOrder != nil, !search.sources.isEmpty,
            !search.sources.formats.contains(where: { $0.leavesDateOrderOpen })
        {
            search.report.note(
                "--date-order was not used: only WhatsApp and Messenger's pages leave the order of dates open")
        }
        if let encoding, !encoding.isWide, !search.sources.isEmpty,
            search.sources.formats.allSatisfy({ $0.isAlwaysUTF8 })
        {
            search.report.note("--encoding was not used: the files are in Unicode")
        }
    }

    /// Reports the estimated time, on a terminal.
    func estimate(_ search: inout ImportSearch) {
        guard StandardStream.error.isTerminal else { return }
        let bytes = search.sources.size
        search.report.total = bytes
        if let text = ImportEstimate(search.sources, bytes: bytes, options: search.options)?.text {
            search.report.note(text)
        }
    }

    /// Reports if no message is by the owner or the owner is unknown, if the owner's name is probably another person's,
    /// or if two people of the account have it.
    func reportOwner(_ work: ImportWork, of account: AccountIdentity, in archive: Archive) throws {
        guard work.hasOwner else {
            guard !me.isEmpty else { return try reportMissingOwner(work, of: account, in: archive) }
            let names = me.map { Sanitizer.line($0) }.joined(separator: " or ")
            return work.report.note("--me was not used: no message is by \(names), and none by 나 or you")
        }
        if let doubtful = work.doubtfulName {
            let (name, word) = (Sanitizer.line(doubtful.name), Sanitizer.line(doubtful.word))
            let command = NextCommand.line(["archive", "me", account.name])
            return work.report.note(
                "\"\(name)\" is probably not your name: \(name) and \(word) (you) both write in "
                    + "\(Sanitizer.line(doubtful.room)); to replace it: \(command) NAME")
        }
        guard !dryRun else { return }
        let own = try archive.reading().users(scope: .accounts([account.name])).filter(\.isSelf).map(\.name)
        guard let twice = own.first(where: { name in own.count { $0.isExactly(name) } > 1 }) else { return }
        let count = own.count { $0.isExactly(twice) }
        let command = NextCommand.line(["archive", "me", account.name])
        work.report.note(
            "\"\(Sanitizer.line(twice))\" is \(count) people of the account; to make them one, see: \(command)")
    }

    /// Reports that nobody of the account is known to be its owner, after an export that does not say it.
    private func reportMissingOwner(
        _ work: ImportWork, of account: AccountIdentity, in archive: Archive
    ) throws {
        guard work.hidesOwner, !work.hasUnnamedOwner else { return }
        for source in [OwnNameSource.command, .configuration] {
            guard try archive.ownNames(in: account.name, from: source).isEmpty else { return }
        }
        let reading = archive.reading()
        let isStored = try reading.accounts().contains { $0.name == account.name }
        let people = isStored ? try reading.users(scope: .accounts([account.name])) : []
        guard !people.contains(where: \.isSelf) else { return }
        let command = dryRun ? "--me NAME" : NextCommand.line(["archive", "me", account.name]) + " NAME"
        work.report.note("no message is known as yours; to say who you are: \(command)")
    }
}
