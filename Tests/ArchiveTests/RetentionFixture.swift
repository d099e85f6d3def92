import Archive
import ChatModel

@testable import Writing

extension AccountWriter {
    /// Applies the rules until nothing more is due, as a listener does.
    @discardableResult
    func apply(_ rules: RetentionRules, at now: Timestamp) async throws -> [RetentionPart: Int64] {
        var removed: [RetentionPart: Int64] = [:]
        var place: PurgePlace?
        repeat {
            let progress = try await retention.purge(rules, from: place, at: now)
            removed.merge(progress.removed, uniquingKeysWith: +)
            place = progress.next
        } while place != nil
        return removed
    }

    /// Removes the raw bytes from before an instant.
    func ageJournal(before instant: Timestamp) async throws {
        try await apply(.keeping([.raw: .seconds(3600)]), at: instant.advanced(by: .seconds(3600)))
    }
}

extension RetentionRules {
    /// Rules for all rooms.
    static func keeping(_ ages: [RetentionPart: Duration], minMessages: Int? = nil) -> RetentionRules {
        RetentionRules(tables: [.keeping(ages, minMessages: minMessages)])
    }
}

extension RetentionRules.Table {
    static func keeping(
        _ ages: [RetentionPart: Duration?], rooms: [String]? = nil, minMessages: Int? = nil
    ) -> RetentionRules.Table {
        RetentionRules.Table(
            rooms: rooms.map { $0.map(RoomPattern.init) },
            ages: ages.mapValues { age in
                RetentionAge(text: age.map { "\(Int($0 / .seconds(1)))s" } ?? "forever", duration: age)
            }, minMessages: minMessages)
    }
}
