import ChatModel
package import Options
package import Reading
import Rendering

/// The accounts: what each holds, its state and its folder.
package struct AccountsOperation: ArchiveOperation {
    package init() {}

    package static let parameters: [Parameter] = []

    package init(_ parameters: OperationParameters) throws {}

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        OperationAnswer(
            try reading.accountSummaries(), as: AccountSummary.listing(time: context.localTime),
            leftOut: reading.skipped)
    }
}
