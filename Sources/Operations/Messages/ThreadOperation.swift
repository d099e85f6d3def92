package import ChatModel
package import Options
package import Reading
import Rendering

/// A page of the conversation that a message belongs to.
package struct ThreadOperation: ArchiveOperation {
    package var message: MessageID
    package var account: String?
    package var bounds: TimeBounds
    package var limit: Int
    package var names: MessageQuery.Names

    package init(
        message: MessageID, account: String?, bounds: TimeBounds, limit: Int, names: MessageQuery.Names
    ) {
        (self.message, self.account, self.bounds, self.limit, self.names) = (message, account, bounds, limit, names)
    }

    package static let parameters: [Parameter] =
        MessageOperation.parameters + [
            .threadAfter, .threadBefore, .threadLimit, .threadNames,
        ]

    package init(_ parameters: OperationParameters) throws {
        let message = try MessageOperation(parameters)
        self.init(
            message: message.id, account: message.account, bounds: parameters.bounds,
            limit: parameters.number("limit") ?? ThreadQuery.defaultLimit, names: parameters.choice("names") ?? .then)
    }

    package func query(zone: Zone, now: Timestamp) throws -> ThreadQuery {
        let anchor = try bounds.threadAnchor(zone: zone, now: now) ?? .oldest
        return try ThreadQuery(message: message, account: account, anchor: anchor, limit: limit, names: names)
    }

    package func thread(in reading: ArchiveReading, _ context: OperationContext) throws -> MessageThread {
        let query = try query(zone: context.zone, now: context.now)
        return try MessageOperation.found(
            reading.thread(query), message, account: account, in: reading, naming: MessageOperation.name)
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let thread = try thread(in: reading, context)
        var answer = OperationAnswer(JSONValue(thread), older: thread.page.older, newer: thread.page.newer)
        answer.limit = PageLimit(before: bounds.both?.before)
        return answer
    }
}
