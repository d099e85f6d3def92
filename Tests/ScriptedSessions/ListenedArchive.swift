package import Archive
package import ChatModel
import Checks
import Logging
import Reading
package import Sessions
package import TestSupport
package import Writing

/// An archive of one account, which a network's listener fills.
package final class ListenedArchive: Sendable {
    package let archive: Archive
    /// The reports of all listeners, in order.
    package let reports = Watched<[ListenerReport]>([])
    /// A folder for the test's files, with the archive in `data`.
    package let folder: TemporaryFolder
    private let account: AccountIdentity

    package init(account: String, network: String) throws {
        folder = try TemporaryFolder()
        self.account = AccountIdentity(name: account, network: network)
        archive = Archive(folder: folder.path + "/data", logger: Self.logger)
    }

    private static var logger: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// Runs a listener beside `body`, stops it after that, and checks the archive.
    ///
    /// - Parameters:
    ///   - sink: Returns the sink of the events, before the writer.
    ///   - make: Makes the listener.
    ///   - body: Receives the listener's inputs.
    /// - Throws: ``FaultyArchive`` if the check finds a fault.
    package func listening<Result>(
        clock: any Clock<Duration> = ContinuousClock(), through sink: (AccountWriter) -> any EventSink = { $0 },
        by make: (AccountWriter, ListenerTools) -> any Listener,
        body: (AsyncStream<ListenerInput>.Continuation) async throws -> Result
    ) async throws -> Result {
        let writer = try await archive.openWriter(account)
        let listener = make(writer, ListenerTools(clock: clock, logger: Self.logger))
        let first = sink(writer)
        let (inputs, input) = AsyncStream<ListenerInput>.makeStream()
        input.yield(.start)
        let result = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [reports] in
                await listener.run(inputs: inputs, into: first, state: writer) { report in
                    reports.change { $0.append(report) }
                }
            }
            defer { input.yield(.stop) }
            return try await body(input)
        }
        try await writer.close()
        let check = try archive.check()
        guard check.map(\.state) == [.fine] else { throw FaultyArchive(description: "\(check)") }
        return result
    }

    /// Opens a writer of the account, while no listener runs.
    package func openWriter() async throws -> AccountWriter { try await archive.openWriter(account) }

    /// Returns the messages of a room, or of all, in order of time.
    package func messages(room: RoomKey? = nil, names: MessageQuery.Names = .then) throws -> [Message] {
        let reading = archive.reading()
        let scope = room.map { MessageQuery.Scope.rooms([$0]) } ?? .accounts([account.name])
        var (all, anchor): ([Message], MessageQuery.Anchor) = ([], .oldest)
        while true {
            let page = try reading.page(MessageQuery(scope: scope, anchor: anchor, limit: 1000, names: names))
            all += page.messages
            guard let newer = page.newer else { return all }
            anchor = .after(newer)
        }
    }

    package func gaps() throws -> [Gap] {
        try archive.reading().gaps(scope: .accounts([account.name]))
    }

    /// Waits until a listener has reported this.
    package func reported(_ isMet: @escaping @Sendable (ListenerReport) -> Bool) async {
        await reports.wait { $0.contains(where: isMet) }
    }
}

/// The faults that the check of an archive found.
package struct FaultyArchive: Error, CustomStringConvertible {
    package let description: String
}
