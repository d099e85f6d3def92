import Accounts
import Archive
import ChatModel
import Files
import Operations
import Reading
import Rendering
import Settings

extension EraseCommand {
    /// Erases a room of the account, or lists what that would remove.
    func erase(room name: String) async throws {
        let archive = Archive(folder: try options.folder.resolve(), cold: .copies, identities: identity.identities)
        let reading = archive.reading()
        let identity = try reading.account(named: account)
        let room = try NamedSubject.room(name, of: identity.name, reading)
        let plan = try reading.retention.erasingPlan(of: RoomKey(account: identity.name, id: room.id))
        if let hold = plan.holds.first { throw ArchiveError.held(room: plan.name, by: hold) }
        let place = "\(Sanitizer.line(identity.name))/\(Sanitizer.line(plan.name))"
        guard execute else {
            StandardStream.note(
                """
                this would erase \(place): \(Self.contents(plan))
                nothing was changed; to erase it for good, add --execute\n
                """)
            var planned = AccountResult(identity.name, .planned, detail: "\(place): \(Self.contents(plan))")
            (planned.figures.messages, planned.figures.files) = (plan.messages, plan.files)
            return try write(planned, archive)
        }
        let line = TerminalLine()
        let writing = StoreWriting(archive: archive, account: identity)
        let done = try await writing.erase(room: room.id, of: identity.name) {
            line.show("\(place): \(Int($0).of(.message)) erased")
        }
        try await writing.close()
        line.clear()
        StandardStream.note("erased \(place): \(Int(done.messages).of(.message))\n")
        StandardStream.note(Self.beyond(isClean: done.isClean, identity.name))
        var result = AccountResult(
            identity.name, .done, detail: "\(place): \(Int(done.messages).of(.message))")
        (result.figures.messages, result.figures.files) = (done.messages, plan.files)
        try write(result, archive)
    }

    /// Returns the places where the room may still be, with the commands for them.
    private static func beyond(isClean: Bool, _ account: String) -> String {
        "Earlier backups still contain it. To update an export: scrollback export --append -o FOLDER\n"
            + (isClean
                ? ""
                : "unused space of the file may have traces; to remove them: "
                    + "scrollback archive compact \(NextCommand.word(account)) --execute\n")
    }

    /// Returns a text such as `12 messages, 2021-03-04 to 2022-01-01, and 3 files`.
    private static func contents(_ plan: ErasingPlan) -> String {
        let days = LocalTime(zone: .local).days(plan.first?.time, plan.last?.time).map { ", \($0)" } ?? ""
        let files = plan.files == 0 ? "" : ", and \(AttachmentText.files(Int(plan.files)))"
        return Int(plan.messages).of(.message) + days + files
    }
}
