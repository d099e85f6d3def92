import Accounts
import ChatModel
import Files
import Records
import SQLite
import Schema
import SearchText
import Synchronization

/// Counts the messages of accounts' files whose texts match a regular expression, where SQLite reads the texts: in the order of the
/// file, or those that the index chooses. Two threads read an account.
struct TextCounts: Sendable {
    let reading: ArchiveReading
    let scope: MessageQuery.Scope
    let search: SearchScope
    let expression: RegularExpression
    let deadline: ContinuousClock.Instant
    let progress: @Sendable (RegexProgress) -> Void
    /// The number of messages of a part if all are tested, after which the progress is reported: some 20 ms.
    var partSize: Int64 = 50_000

    /// The counts of a part.
    private struct Part<Tally: Sendable>: Sendable {
        var tally: Tally
        var tested = 0
        var skipped = 0
        var isCut = false
    }

    /// Returns the counts, in no order.
    ///
    /// - Parameter first: The progress with the messages that are counted already, to which this adds. The progress is cut if time
    ///   was up, without a last message.
    func counts(
        by grouping: HitGrouping, after first: RegexProgress
    ) throws -> (counts: [HitCount], progress: RegexProgress) {
        try reading.collect(in: scope, into: (counts: [HitCount](), progress: first)) { found, reader in
            guard !found.progress.isCut else { return }
            let counts = try counts(of: reader, by: grouping, &found.progress)
            found.counts += counts
        }.result
    }

    private func counts(
        of reader: AccountReader, by grouping: HitGrouping, _ progress: inout RegexProgress
    ) throws -> [HitCount] {
        func named(_ body: (CountedNames) throws -> [HitCount]) throws -> [HitCount] {
            try reader.read { db in try body(CountedNames(account: reader.account, db: db)) }
        }
        switch grouping {
        case .all:
            let rooms = try tally(RoomTally(), of: reader, &progress).counts
            return [HitCount(account: nil, name: nil, count: rooms.values.reduce(0, +))]
        case .room:
            let rooms = try tally(RoomTally(), of: reader, &progress).counts
            return try named { try $0.rooms(rooms) }
        case .user:
            var people = try tally(PersonTally(), of: reader, &progress).counts
            // Messages of the system have no sender.
            people[0] = nil
            return try named { [people] in try $0.people(people) }
        case .time(let unit, let zone):
            return try tally(LocalSpans(zone: zone), of: reader, &progress).counts(by: unit)
        case .crossed(let properties, let zone):
            let tally = try tally(CrossTally(properties, zone: zone), of: reader, &progress)
            return try named { try tally.hitCounts(namedBy: $0) }
        }
    }

    private func tally<Tally: JoinedTally>(
        _ empty: Tally, of reader: AccountReader, _ progress: inout RegexProgress
    ) throws -> Tally {
        let (hits, parts) = try reader.read { db in
            let hits = try search.hits(scope: scope, of: reader.account, db)
            let time = TimePart(after: hits.after, before: hits.before)
            return (hits, try TimeParts.parts(of: time, size: hits.isEverything ? partSize : nil, db))
        }
        let whole = Mutex(progress)
        let counted = try reader.read(parts: parts) { db, part in
            let counted = try count(hits.within(part), empty, db)
            self.progress(
                whole.withLock { whole in
                    whole.tested += counted.tested
                    whole.skipped += counted.skipped
                    whole.isCut = whole.isCut || counted.isCut
                    return whole
                })
            return counted
        }
        progress = whole.withLock(\.self)
        return try counted.reduce(into: empty) { try $0.join($1.tally) }
    }

    private func count<Tally: JoinedTally>(
        _ hits: SearchHits, _ empty: Tally, _ db: ReadTransaction
    ) throws -> Part<Tally> {
        let test = PartTest(
            expression,
            isOver: { [deadline, limit = ReadLimit.current] in
                ContinuousClock.now >= deadline || limit?.isOver == true
            })
        var tally = empty
        try db.forEach(
            hits.passingMessages(db),
            [
                .integer(hits.after), .integer(hits.before), .text(hits.match), 1,
                .test(TextTest { test.passes($0) }),
            ]
        ) { try tally.add($0.integer(0), room: $0.integer(1), sender: $0.optionalInteger(2)) }
        try ReadLimit.current?.check()
        return Part(tally: tally, tested: test.tested, skipped: test.skipped, isCut: test.isCut)
    }
}

/// The test of the texts of a part.
private final class PartTest: @unchecked Sendable {
    // @unchecked: the thread that reads the part alone uses it.
    private let tester: RegularExpression.TextTester
    private let isOver: () -> Bool
    private(set) var tested = 0
    /// The number of texts on which the expression took too many steps.
    private(set) var skipped = 0
    /// True if time was up. No further text passes.
    private(set) var isCut = false

    /// The number of texts between two questions whether to stop.
    private static let interval = 256

    init(_ expression: RegularExpression, isOver: @escaping () -> Bool) {
        (tester, self.isOver) = (RegularExpression.TextTester(expression), isOver)
        isCut = isOver()
    }

    /// Returns true for a text that matches. A message without a text does not.
    func passes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if tested % Self.interval == Self.interval - 1, isOver() { isCut = true }
        guard !isCut else { return false }
        tested += 1
        guard bytes.baseAddress != nil else { return false }
        guard let isMatch = tester.matches(bytes, stop: isOver) else {
            skipped += 1
            return false
        }
        return isMatch
    }
}
