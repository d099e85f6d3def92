package import ChatModel
package import Options
package import Reading
import Rendering

/// Counts of messages by day, hour, person and room, and for each day whether it is proven complete.
package struct StatisticsOperation: ArchiveOperation {
    package var selection: RoomSelection
    package var bounds: TimeBounds
    /// The number of people and rooms; nil for all.
    package var limit: Int?

    package init(selection: RoomSelection, bounds: TimeBounds, limit: Int?) {
        (self.selection, self.bounds, self.limit) = (selection, bounds, limit)
    }

    package static let defaultLimit = 10

    package static let parameters: [Parameter] = [
        .room, .accountsOfRoom, .after, .before,
        .people,
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(
            selection: parameters.selection, bounds: parameters.bounds,
            limit: parameters.number("limit") ?? Self.defaultLimit)
    }

    /// Returns the counts, with the names of the people that the limit shows; nil if the archive has no account.
    package func statistics(
        in reading: ArchiveReading, _ context: OperationContext
    ) throws -> Statistics? {
        let (after, before) = try bounds.ids(zone: context.zone, now: context.now)
        guard let selected = try selection.resolve(in: reading) else { return nil }
        return try reading.counts.statistics(
            scope: selected.scope, after: after, before: before, zone: context.zone, limit: limit)
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let statistics = try statistics(in: reading, context) ?? Statistics()
        return OperationAnswer(statistics.json(limit: limit, skipped: reading.skipped))
    }
}
