import TestSupport
import Testing

@testable import IRCWire

/// Random histories, ties, pages cut short, talk meanwhile: what is said to be covered was delivered, all is told, and it
/// ends.
@Suite(.disabled(if: QuickCheck.isRunning))
struct HistoryPropertyTests {
    private func simulation(_ kind: PagedHistory.Kind, _ seed: UInt64) -> HistorySimulation {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...200, using: &random)
        var server = PagedHistory.random(kind, &random, count: count, limit: Int.random(in: 2...30, using: &random))
        server.cutsPages = kind == .ergo && Bool.random(using: &random)
        var simulation = HistorySimulation(server, seed: seed &+ 1)
        simulation.failureRate = [0, 0.2].randomElement(using: &random) ?? 0
        simulation.forgets = seed % 3 == 0
        return simulation
    }

    @Test(arguments: PagedHistory.Kind.allCases, 0..<60 as Range<UInt64>)
    func `after an absence, everything that is reported as covered was delivered`(kind: PagedHistory.Kind, seed: UInt64)
        throws
    {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        guard !stored.isEmpty else { return }
        // Often nothing was missed.
        let isIdle = seed % 4 == 0
        let place = isIdle ? stored.count - 1 : Int.random(in: 0..<stored.count, using: &simulation.random)
        simulation.delivered = Set(stored[...place].map(\.id))
        let anchors = try self.anchors(simulation, place)
        simulation.run(anchors.start)
        #expect(simulation.isTold(from: anchors.end))
        guard !simulation.forgets else { return }
        #expect(!simulation.gaps.contains(.anchorMissing))
        if kind == .ergo { #expect(simulation.gaps.isEmpty) }
    }

    @Test(arguments: PagedHistory.Kind.allCases, 0..<60 as Range<UInt64>)
    func `a server that forgot the last message is detected`(kind: PagedHistory.Kind, seed: UInt64) throws {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        guard stored.count > 1 else { return }
        let place = Int.random(in: 0..<stored.count - 1, using: &simulation.random)
        simulation.delivered = Set(stored[...place].map(\.id))
        let anchors = try self.anchors(simulation, place)
        simulation.server.stored.removeFirst(Int.random(in: (place + 1)...stored.count, using: &simulation.random))
        simulation.run(anchors.start)
        #expect(simulation.isTold(from: anchors.end))
        #expect(simulation.beginsWithGap(at: anchors.end), "\(simulation.verdicts)")
        // What it has is fetched all the same.
        if kind == .ergo, !simulation.forgets, !simulation.server.cutsPages {
            #expect(simulation.delivered.isSuperset(of: simulation.server.stored.map(\.id)))
        }
    }

    /// Ergo's `query-cutoff` (join-time, registration-time) and `expire-time`: the ids are known, and the answer is cut.
    @Test(arguments: PagedHistory.Kind.allCases, 0..<60 as Range<UInt64>)
    func `a server that silently cuts its answers is detected`(kind: PagedHistory.Kind, seed: UInt64) throws {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        guard stored.count > 1 else { return }
        let place = Int.random(in: 0..<stored.count - 1, using: &simulation.random)
        simulation.delivered = Set(stored[...place].map(\.id))
        let anchors = try self.anchors(simulation, place)
        simulation.server.cutoff =
            stored[Int.random(in: (place + 1)..<stored.count, using: &simulation.random)]
            .microseconds
        guard simulation.server.cutoff > stored[place].microseconds else { return }
        simulation.run(anchors.start)
        #expect(simulation.beginsWithGap(at: anchors.end), "\(simulation.verdicts)")
        #expect(simulation.isTold(from: anchors.end))
    }

    @Test(arguments: PagedHistory.Kind.allCases, 0..<100 as Range<UInt64>)
    func `messages that expire or are retracted between two pages are never covered`(
        kind: PagedHistory.Kind, seed: UInt64
    ) throws {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        guard let first = stored.first, let last = stored.last, stored.count > 1 else { return }
        let place = Int.random(in: 0..<stored.count, using: &simulation.random)
        simulation.delivered = Set(stored[...place].map(\.id))
        let anchors = try self.anchors(simulation, place)
        simulation.retracts = Int.random(in: 0...3, using: &simulation.random)
        if seed % 2 == 0 {
            // What follows a page of one message alone is taken on trust.
            simulation.server.cutsPages = false
            simulation.expiry = Int64.random(
                in: 0...(last.microseconds - first.microseconds) / 5, using: &simulation.random)
        }
        simulation.run(Bool.random(using: &simulation.random) ? anchors.start : .latest())
    }

    /// The last message that is archived, and those before it.
    private func anchors(
        _ simulation: HistorySimulation, _ place: Int
    ) throws -> (start: HistoryFill.Start, end: Int64) {
        let points = simulation.server.stored[...place].suffix(16).reversed().compactMap(simulation.server.point)
        let anchor = try #require(points.first)
        return (.after(anchor, earlier: Array(points.dropFirst())), anchor.milliseconds)
    }

    @Test(arguments: PagedHistory.Kind.allCases, 0..<60 as Range<UInt64>)
    func `at first contact, everything that is reported as covered was delivered`(kind: PagedHistory.Kind, seed: UInt64)
    {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        let first = stored.first?.time ?? 0
        let horizon =
            Bool.random(using: &simulation.random) ? nil : stored.randomElement(using: &simulation.random)?.time
        simulation.run(.latest(horizon: horizon))
        guard !simulation.forgets else { return }
        if !stored.isEmpty {
            #expect(simulation.isTold(from: (horizon ?? first) + 1))
        }
        if kind == .ergo { #expect(simulation.gaps.isEmpty) }
    }

    /// Whatever a server answers: no trap, and an end.
    @Test(arguments: 0..<150 as Range<UInt64>)
    func `a server with random answers is asked only while it makes progress`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let server = PagedHistory.random(.ergo, &random, count: 40, limit: 8)
        let types: [Set<MessageReferenceType>] = [[.msgid, .timestamp], [.timestamp], [.msgid]]
        let anchor = HistoryPoint(msgid: Array("m3"), milliseconds: server.stored[3].time, sender: [], text: [])
        let start: HistoryFill.Start = Bool.random(using: &random) ? .after(anchor) : .latest()
        var fill = HistoryFill(
            target: Array("#a"), start: start, limit: 8, types: types.randomElement(using: &random) ?? [])
        _ = fill.begin()
        var answers = 0
        while !fill.isFinished, answers < 20_000 {
            answers += 1
            let page = (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in
                server.stored.randomElement(using: &random).map(server.line)
            }
            if fill.receive(page: page).contains(where: { if case .retry = $0 { true } else { false } }) {
                _ = fill.retry()
            }
        }
        #expect(fill.isFinished)
    }
}
