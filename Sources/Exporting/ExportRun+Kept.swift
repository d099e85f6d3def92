import ChatModel
import Reading
import Rendering

extension ExportRun {
    /// The number of changes that are read at once from the change feed.
    private static let batch = 10_000

    /// Returns the context of a month. Only documents of an exact format have the room's kind, which an import may
    /// change.
    func context(of month: ExportPlan.Month, _ look: String) -> String {
        let kind = month.unit.kind
        return month.context(request.format.isExact && [.group, .direct].contains(kind) ? "\(look) \(kind)" : look)
    }

    /// Returns the files of months that are complete and would be written the same.
    func keep(
        _ earlier: ExportManifest, _ plan: ExportPlan, _ look: String, _ position: FeedPosition
    ) throws -> [ExportPlan.Key: [ManifestLine.File]] {
        let there = earlier.months
        var changed = try changes(of: plan.months.map(\.unit), from: earlier.seq, through: position.seq)
        for month in try monthsOfChangedPeople(plan.months) { changed[month] = .max }
        var kept: [ExportPlan.Key: [ManifestLine.File]] = [:]
        for month in plan.months {
            guard let parts = there[month.key], let first = parts.first?.month,
                first.context == context(of: month, look),
                changed[month.key].map({ $0 <= first.seq }) ?? true,
                try parts.allSatisfy({ try isThere($0, of: earlier) })
            else { continue }
            kept[month.key] = parts
        }
        return kept
    }

    /// Returns true if a file is complete. Compares the files of an unfinished export by hash, because they may not be
    /// on the disk.
    private func isThere(_ file: ManifestLine.File, of earlier: ExportManifest) throws -> Bool {
        guard folder.size(file.path) == file.bytes else { return false }
        return try earlier.trailer != nil || folder.digest(file.path)?.sha256 == file.sha256
    }

    /// Returns the last change of each month that has changed.
    private func changes(
        of months: [ExportUnit], from first: Int64, through last: Int64
    ) throws -> [ExportPlan.Key: Int64] {
        let calendar = MonthCalendar(zone: request.zone)
        var changed: [ExportPlan.Key: Int64] = [:]
        var seq = first
        while true {
            let batch = try source.changes(after: seq, through: last, count: Self.batch)
            guard let end = batch.last else { return changed }
            for change in batch {
                guard let room = change.room else { continue }
                for message in change.messages {
                    changed[ExportPlan.Key(room: room, month: calendar.month(of: message.time))] = change.seq
                }
                guard let span = change.span else { continue }
                for month in months where month.roomID == room && month.overlaps(span, calendar) {
                    changed[ExportPlan.Key(room: room, month: month.month)] = change.seq
                }
            }
            seq = end.seq
            if isStopped() { throw ExportStopped() }
        }
    }
}

extension ExportManifest {
    /// The files of the months that are complete.
    fileprivate var months: [ExportPlan.Key: [ManifestLine.File]] {
        var months: [ExportPlan.Key: [ManifestLine.File]] = [:]
        for file in files {
            guard let month = file.month, let named = CalendarMonth(month.month) else { continue }
            months[ExportPlan.Key(room: month.room, month: named), default: []].append(file)
        }
        return months.filter { $1.count == $1.first?.month?.parts }
    }
}

extension ExportUnit {
    /// Returns true if a part of the month is in a span of time.
    fileprivate func overlaps(_ span: ClosedRange<MessageID>, _ calendar: MonthCalendar) -> Bool {
        calendar.start(of: month) <= span.upperBound.time && calendar.start(of: month.next) > span.lowerBound.time
    }
}
