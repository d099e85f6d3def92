package import ChatModel
package import Options
package import Reading
import Rendering

/// The state of each account: from the running listener, and from the files of accounts without one.
package struct StatusOperation: ArchiveOperation {
    package init() {}

    package static let parameters: [Parameter] = [.cold]

    package init(_ parameters: OperationParameters) throws {}

    /// Returns the listener's accounts in the order of its configuration, and the others after them by name.
    package func statuses(
        in reading: ArchiveReading, _ context: OperationContext
    ) throws -> [AccountStatus] {
        var reported = try (context.listenerStatus() ?? []).filter { reading.seesAll(of: $0.account) }
        for index in reported.indices { reported[index].isConfigured = true }
        let stored = try reading.status(except: Set(reported.map(\.account)))
        let isConfigured = try context.configuration(reading)
        return (reported + stored).map { status in
            var status = status
            status.isConfigured = status.isConfigured ?? isConfigured(status.account)
            return status
        }
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let statuses = try statuses(in: reading, context)
        return OperationAnswer(
            statuses, as: AccountStatus.listing(time: context.localTime, now: context.now), leftOut: reading.skipped)
    }
}
