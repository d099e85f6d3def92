import TestSupport
import Testing

@testable import IRCWire

/// The search for conversations that began during an absence.
struct HistoryTargetsTests: HistoryFillSuite {
    @Test func `conversations that began during an absence are found once each`() {
        var targets = HistoryTargets(from: begin, to: begin + 100, limit: 2, mapping: .ascii)
        let request = { (time: Int64) in
            HistoryTargets.Action.request(
                IRCMessage("CHATHISTORY TARGETS timestamp=\(text(time)) timestamp=\(text(100)) 2"))
        }
        func line(_ name: String, _ time: Int64) -> IRCMessage {
            IRCMessage("CHATHISTORY TARGETS \(name) \(text(time))")
        }
        #expect(targets.begin() == [request(0)])
        #expect(
            targets.receive(page: [line("al", 5), line("#a", 9)]) == [
                .found(Array("al"), latest: begin + 5), .found(Array("#a"), latest: begin + 9), request(8),
            ])
        #expect(
            targets.receive(page: [line("#A", 9), line("bob", 30)]) == [
                .found(Array("bob"), latest: begin + 30), request(29),
            ])
        #expect(targets.receive(page: [line("bob", 30)]) == [.finished(isComplete: true)])
    }

    /// The line of a conversation, with the time of its latest message.
    private func target(_ name: String, _ time: Int64) -> IRCMessage {
        IRCMessage("CHATHISTORY TARGETS \(name) \(text(time))")
    }

    /// `al request 5 finished true`, of the answer to a request.
    private func found(_ actions: [HistoryTargets.Action]) -> String {
        actions.map { action in
            switch action {
            case .found(let name, _): String(decoding: name, as: UTF8.self)
            case .request(let line):
                "from \((ServerTime.milliseconds(line.param(1).dropped("timestamp=")) ?? 0) - begin)"
            case .finished(let isComplete): "finished \(isComplete)"
            }
        }.joined(separator: " ")
    }

    @Test func `conversations with later times are found after a time with too many for one answer`() {
        var targets = HistoryTargets(from: begin, to: begin + 100, limit: 2, mapping: .ascii)
        #expect(found(targets.receive(page: [target("al", 5), target("bob", 5)])) == "al bob from 5")
        #expect(found(targets.receive(page: [target("carol", 9)])) == "carol from 9")
        #expect(found(targets.receive(page: [])) == "finished false")
    }

    @Test func `the rest of a millisecond is skipped if an answer has nothing else new`() {
        var targets = HistoryTargets(from: begin, to: begin + 100, limit: 3, mapping: .ascii)
        let late = [target("bob", 5), target("carol", 5), target("dan", 5)]
        #expect(found(targets.receive(page: [target("al", 4)] + late.prefix(2))) == "al bob carol from 4")
        #expect(found(targets.receive(page: late)) == "dan from 5")
        #expect(found(targets.receive(page: [])) == "finished false")
    }

    @Test(arguments: [true, false])
    func `a short answer of one time is complete unless others follow`(hasMore: Bool) {
        var targets = HistoryTargets(from: begin, to: begin + 100, limit: 50, mapping: .ascii)
        #expect(found(targets.receive(page: [target("al", 5), target("bob", 5)])) == "al bob from 5")
        if hasMore { #expect(found(targets.receive(page: [target("carol", 9)])) == "carol from 9") }
        #expect(found(targets.receive(page: [])) == "finished \(!hasMore)")
    }

    @Test func `a server that repeats the same answer is given up`() {
        var targets = HistoryTargets(from: begin, to: begin + 1000, limit: 1, mapping: .ascii)
        var pages = 1
        while found(targets.receive(page: [target("al", 5)])).contains("from"), pages < 1000 { pages += 1 }
        #expect(pages == HistoryFill.maximumStalls + 2)
    }
}

extension [UInt8] {
    fileprivate func dropped(_ prefix: String) -> [UInt8] { Array(dropFirst(prefix.utf8.count)) }
}
