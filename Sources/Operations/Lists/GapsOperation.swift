package import ChatModel
package import Options
package import Reading
import Rendering

/// The times in which messages may be missing, and why.
package struct GapsOperation: ArchiveOperation {
    package var selection: RoomSelection
    package var bounds: TimeBounds
    /// True to include the times that only imported logs cover.
    package var includesImported: Bool

    package init(selection: RoomSelection, bounds: TimeBounds, includesImported: Bool) {
        (self.selection, self.bounds, self.includesImported) = (selection, bounds, includesImported)
    }

    package static let parameters: [Parameter] = [
        .room, .accounts, .after, .before,
        .imported,
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(
            selection: parameters.selection, bounds: parameters.bounds, includesImported: parameters.has("imported"))
    }

    /// Returns the gaps, and the number of imported spans that are left out; nil if the archive has no account.
    package func gaps(
        in reading: ArchiveReading, _ context: OperationContext
    ) throws -> (shown: [Gap], hidden: Int)? {
        let (after, before) = try bounds.ids(zone: context.zone, now: context.now)
        guard let selected = try selection.resolve(in: reading) else { return nil }
        let all = try reading.gaps(scope: selected.scope).filter { gap in
            let isLater = if let after, let end = gap.shownTo { end > after.time } else { true }
            return isLater && before.map { gap.shownFrom < $0.time } ?? true
        }
        let isConfigured = try context.configuration(reading)
        let shown = includesImported ? all : all.filter { $0.state != .imported }
        let gaps = shown.map { gap in
            var gap = gap
            gap.isConfigured = isConfigured(gap.account)
            return gap
        }
        return (gaps, all.count - gaps.count)
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let gaps = try gaps(in: reading, context)?.shown ?? []
        return OperationAnswer(
            gaps, as: Gap.listing(time: context.localTime, now: context.now), leftOut: reading.skipped)
    }
}
