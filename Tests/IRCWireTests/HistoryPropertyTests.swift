import TestSupport
import Testing

@testable import IRCWire

/// Random histories, ties, pages cut short, talk meanwhile: what is said to be covered was delivered, all is told, and it
/// ends.
struct HistoryPropertyTests {
    private func simulation(_ kind: HistoryServer.Kind, _ seed: UInt64) -> HistorySimulation {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...200, using: &random)
        var server = HistoryServer.random(kind, &random, count: count, limit: Int.random(in: 2...30, using: &random))
        server.cutsPages = kind == .ergo && Bool.random(using: &random)
        var simulation = HistorySimulation(server, seed: seed &+ 1)
        simulation.failureRate = [0, 0.2].randomElement(using: &random) ?? 0
        simulation.forgets = seed % 3 == 0
        return simulation
    }

    @Test(arguments: HistoryServer.Kind.allCases, 0..<60 as Range<UInt64>)
    func `after an absence, what is said to be covered was delivered`(kind: HistoryServer.Kind, seed: UInt64) throws {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        guard !stored.isEmpty else { return }
        // Often nothing was missed.
        let isIdle = seed % 4 == 0
        let place = isIdle ? stored.count - 1 : Int.random(in: 0..<stored.count, using: &simulation.random)
        let anchor = try #require(simulation.server.point(stored[place]))
        simulation.delivered = Set(stored[...place].map(\.id))
        simulation.run(.after(anchor))
        #expect(simulation.isTold(from: anchor.milliseconds))
        guard !simulation.forgets else { return }
        #expect(!simulation.gaps.contains(.anchorMissing))
        if kind == .ergo { #expect(simulation.gaps.isEmpty) }
    }

    @Test(arguments: HistoryServer.Kind.allCases, 0..<60 as Range<UInt64>)
    func `a server that forgot the last message is found out`(kind: HistoryServer.Kind, seed: UInt64) throws {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        guard stored.count > 1 else { return }
        let place = Int.random(in: 0..<stored.count - 1, using: &simulation.random)
        let anchor = try #require(simulation.server.point(stored[place]))
        simulation.delivered = Set(stored[...place].map(\.id))
        simulation.server.stored.removeFirst(Int.random(in: (place + 1)...stored.count, using: &simulation.random))
        simulation.run(.after(anchor))
        #expect(simulation.isTold(from: anchor.milliseconds))
        guard case .gap(anchor.milliseconds, _, _) = simulation.verdicts.first else {
            Issue.record("the gap after the last message is not told: \(simulation.verdicts)")
            return
        }
        // What it has is fetched all the same.
        if kind == .ergo, !simulation.forgets {
            #expect(simulation.delivered.isSuperset(of: simulation.server.stored.map(\.id)))
        }
    }

    @Test(arguments: HistoryServer.Kind.allCases, 0..<60 as Range<UInt64>)
    func `a gap between two times is filled without what lies after it`(kind: HistoryServer.Kind, seed: UInt64) throws {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        guard let last = stored.last?.time, let first = stored.first?.time, first < last else { return }
        let place = Int.random(in: 0..<(stored.firstIndex { $0.time == last } ?? 1), using: &simulation.random)
        let anchor = try #require(simulation.server.point(stored[place]))
        simulation.delivered = Set(stored[...place].map(\.id))
        let until = Int64.random(in: (anchor.milliseconds + 1)...last, using: &simulation.random)
        simulation.run(.after(anchor, until: until))
        #expect(simulation.isTold(from: anchor.milliseconds, to: until))
        for case .covered(_, let to) in simulation.verdicts { #expect(to != nil) }
    }

    @Test(arguments: HistoryServer.Kind.allCases, 0..<60 as Range<UInt64>)
    func `at first contact, what is said to be covered was delivered`(kind: HistoryServer.Kind, seed: UInt64) {
        var simulation = simulation(kind, seed)
        let stored = simulation.server.stored
        let first = stored.first?.time ?? 0
        let horizon =
            Bool.random(using: &simulation.random) ? nil : stored.randomElement(using: &simulation.random)?.time
        simulation.run(.latest(horizon: horizon))
        guard !simulation.forgets else { return }
        if !stored.isEmpty {
            #expect(simulation.isTold(from: (horizon ?? first) + (simulation.failureRate > 0 ? 1 : 0)))
        }
        if kind == .ergo { #expect(simulation.gaps.isEmpty) }
    }

    /// Whatever a server answers: no trap, and an end.
    @Test(arguments: 0..<150 as Range<UInt64>)
    func `a server that answers at random is asked for as long as it makes progress only`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let server = HistoryServer.random(.ergo, &random, count: 40, limit: 8)
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
