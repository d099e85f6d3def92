import TestSupport
import Testing

@testable import IRCWire

/// Fills a room's history from a server, while others talk, and checks every verdict as it is given.
struct HistorySimulation {
    var server: PagedHistory
    var random: SeededGenerator
    /// What the archive has, by id.
    var delivered: Set<Int> = []
    var requests: [IRCMessage] = []
    var verdicts: [HistoryFill.Action] = []
    var liveRate = 0.3
    private var (batches, matcher) = (BatchCollector(), ReplyMatcher())
    var failureRate = 0.0
    var forgets = false
    /// Microseconds by which the server's cutoff moves on with each request, as an expiry does.
    var expiry: Int64 = 0
    /// Messages that it takes away before each request, of those that are already known, and of others.
    var retracts = 0
    /// All that the server ever held since the beginning.
    private var said: [PagedHistory.Stored] = []

    init(_ server: PagedHistory, seed: UInt64) {
        (self.server, random) = (server, SeededGenerator(seed: seed))
    }

    mutating func run(_ start: HistoryFill.Start) {
        var fill = HistoryFill(target: Array("#a"), start: start, limit: server.limit, types: server.types)
        said = server.stored
        var actions = fill.begin()
        let bound = 3 * server.stored.count + 1000
        while !actions.isEmpty, requests.count < bound {
            actions = actions.flatMap { perform($0, &fill) }
        }
        #expect(fill.isFinished && verdicts.last == .finished, "it ends, after \(requests.count) requests")
    }

    private mutating func perform(_ action: HistoryFill.Action, _ fill: inout HistoryFill) -> [HistoryFill.Action] {
        switch action {
        case .request(let request):
            requests.append(request)
            switch reply(to: request) {
            case .batch(let batch): return fill.receive(page: batch.messages)
            case .failure(let code, let text): return fill.fail(code: code, text: text)
            case .tooLarge: return fill.tooLarge()
            case .nothing, nil: return fill.receive(page: [])
            }
        case .retry:
            forget()
            return fill.retry()
        case .covered(let from, let to):
            let missed = said.filter { $0.time >= from && $0.time < to ?? .max && !delivered.contains($0.id) }
            #expect(missed.isEmpty, "\(missed.count) of \(from) to \(to ?? -1) were not delivered")
        case .gap(let from, let to, _): #expect(from < to ?? .max)
        case .finished: break
        }
        verdicts.append(action)
        return []
    }

    /// As it comes over the wire, between what is said live.
    private mutating func reply(to request: IRCMessage) -> ReplyMatcher.Reply? {
        let isLabeled = Bool.random(using: &random)
        let sent = matcher.request(request, batchType: "chathistory", target: Array("#a"), isLabeled: isLabeled)
        talk()
        var reply: ReplyMatcher.Reply?
        for line in answer(sent) {
            for output in batches.receive(line) {
                reply = matcher.receive(output, mapping: .rfc1459) ?? reply
            }
        }
        #expect(reply != nil, "it was answered")
        return reply
    }

    /// While we wait, a server with little room forgets.
    private mutating func forget() {
        guard forgets, Bool.random(using: &random) else { return }
        server.stored.removeFirst(Int.random(in: 0...min(server.stored.count, 40), using: &random))
    }

    /// Whatever is retracted is not missed by anybody.
    private mutating func retract() {
        for _ in 0..<retracts where !server.stored.isEmpty {
            let gone = server.stored.remove(at: Int.random(in: 0..<server.stored.count, using: &random))
            delivered.insert(gone.id)
        }
    }

    private mutating func answer(_ request: IRCMessage) -> [IRCMessage] {
        if expiry > 0 { server.cutoff = max(server.cutoff, PagedHistory.begin) + expiry }
        retract()
        var tags: [[UInt8]: [UInt8]] = [:]
        tags[Array("label")] = request.tag("label")
        if Double.random(in: 0..<1, using: &random) < failureRate {
            return [IRCMessage(tags: tags, "FAIL", ["CHATHISTORY", "MESSAGE_ERROR", "no"].map { Array($0) })]
        }
        let page = server.answer(request, &random)
        delivered.formUnion(page.map(\.id))
        let reference = Array("\(requests.count)")
        let begin = IRCMessage(tags: tags, "BATCH", [Array("+") + reference, Array("chathistory"), Array("#A")])
        let lines = page.flatMap { stored in
            var line = server.line(stored)
            line.tags[Array("batch")] = reference
            return Bool.random(using: &random) ? [line] : [line, IRCMessage(":bob!u@h PRIVMSG #a :live")]
        }
        return [begin] + lines + [IRCMessage("BATCH", [Array("-") + reference])]
    }

    /// Someone says something, which is heard live.
    private mutating func talk() {
        while requests.count < 500, Double.random(in: 0..<1, using: &random) < liveRate, let last = said.last {
            let time = last.microseconds + Int64.random(in: 0...300_000, using: &random)
            let live = PagedHistory.Stored(microseconds: time / server.grain * server.grain, id: last.id + 1)
            server.stored.append(live)
            said.append(live)
            delivered.insert(last.id + 1)
        }
    }

    var gaps: [HistoryGap] {
        verdicts.compactMap { if case .gap(_, _, let reason) = $0 { reason } else { nil } }
    }

    /// Whether a gap begins there, and nothing from there on is said to be covered but behind it.
    func beginsWithGap(at time: Int64) -> Bool {
        let hasGap = verdicts.contains { if case .gap(time, _, _) = $0 { true } else { false } }
        return hasGap && !verdicts.contains { if case .covered(time, _) = $0 { true } else { false } }
    }

    /// Whether every instant from `from` is in a verdict.
    func isTold(from: Int64, to: Int64? = nil) -> Bool {
        let spans = verdicts.compactMap { action -> (Int64, Int64)? in
            switch action {
            case .covered(let from, let to), .gap(let from, let to, _): (from, to ?? .max)
            default: nil
            }
        }
        var end = from
        for (from, to) in spans.sorted(by: <) where from <= end { end = max(end, to) }
        return end >= to ?? .max
    }
}

extension PagedHistory {
    static let begin: Int64 = 1_795_242_191_123_000

    /// Messages at random, many at the same millisecond.
    static func random(_ kind: Kind, _ random: inout SeededGenerator, count: Int, limit: Int) -> PagedHistory {
        let grain: Int64 = [1, 1000, 1_000_000].randomElement(using: &random) ?? 1
        let tie = Double.random(in: 0...0.9, using: &random)
        var time = begin
        let stored = (0..<count).map { id in
            let isTie = Double.random(in: 0..<1, using: &random) < tie
            time += isTie ? Int64.random(in: 0...300, using: &random) : Int64.random(in: 0...9_000_000, using: &random)
            return Stored(microseconds: time / grain * grain, id: id)
        }
        return PagedHistory(kind: kind, stored: stored, limit: limit, grain: grain)
    }
}
