import Archive
import ArgumentParser
import ChatModel
import Foundation
import Rendering
import Service

struct MarkReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark-read",
        abstract: "Mark a room's messages as read.",
        discussion: """
            EXAMPLE: scrollback mark-read classroom/lobby --to 2026-11-21T06:23:11.123456Z

            Messages that are stored later are unread, also late ones that sort before read messages. An earlier --to makes the \
            messages after it unread again.
            """)

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String

    @Option(
        help: ArgumentHelp(
            "The last read message, as a cursor; or a time, which marks all earlier messages (default: all stored).",
            valueName: "time"))
    var to: String?

    @Flag(help: "Read times in UTC (default: the local zone, TZ).")
    var utc = false

    @OptionGroup(title: "Where") var folder: FolderOptions

    func validate() throws {
        _ = try through()
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve())
        let room = try await RoomResolver.room(room, in: archive.reading())
        var writing = StoreWriting(
            archive: archive, account: AccountIdentity(name: room.account, network: room.network))
        try await writing.perform(.markRead(account: room.account, room: room.id, through: try through()))
        try await writing.close()
        guard let state = try await archive.reading().unread(account: room.account, room: room.id).first else { return }
        StandardStream.note(
            "\(Sanitizer.line("\(room.account)/\(room.name)")): \(state.unread == 0 ? "all read" : "\(state.count) unread")\n"
        )
    }

    /// Returns the last message to mark; nil for all stored messages.
    private func through() throws -> MessageID? {
        try to.map { try TimePhrase(option: $0, zone: utc ? .gmt : .current, now: .now()).after }
    }
}
