import Archive
import ArgumentParser
import ChatModel
import Rendering
import Service

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of each account: connection, last message, gaps, size.",
        discussion: """
            EXAMPLE: scrollback status

            The state comes from the running listener; for an account without one, from the account's file.
            """)

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive(cold: cold)
        let statuses = try await statuses(archive)
        let listing = Listing<AccountStatus>.status(time: LocalTime(zone: reader.zone), now: .now())
        try reader.write(statuses, as: listing, leftOut: archive.skipped)
        if statuses.isEmpty {
            StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
    }

    /// Returns the listener's accounts in the order of its configuration, and the others after them by name. Reads all
    /// from their files if no listener answers.
    private func statuses(_ archive: Archive) async throws -> [AccountStatus] {
        var reported: [AccountStatus] = []
        do {
            reported = try await ControlClient(folder: archive.folder).status() ?? []
        } catch {
            StandardStream.note("scrollback: \(error); showing the figures in the files\n")
        }
        return try await reported + archive.reading().status(except: Set(reported.map(\.account)))
    }
}
