import Archive
import ArgumentParser
import ChatModel

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how each account is doing.",
        discussion: """
            EXAMPLE: scrollback status

            A running listener is asked; without one, the files tell what they know.
            """)

    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive()
        let statuses = try await statuses(archive)
        let listing = Listing<AccountStatus>.status(time: LocalTime(zone: reader.zone), now: .now())
        try reader.write(statuses, as: listing)
        if statuses.isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
    }

    /// A listener that is there and does not answer leaves the files to tell.
    private func statuses(_ archive: Archive) async throws -> [AccountStatus] {
        do {
            if let statuses = try await ControlClient(folder: archive.folder).status() { return statuses }
        } catch {
            StandardStream.note("scrollback: \(error); the files tell what follows\n")
        }
        return try await archive.status()
    }
}
