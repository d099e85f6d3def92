import TestSupport
import Testing

@testable import IRCWire

/// The steps of a fill, line by line.
struct HistoryFillTests {
    private let begin = PagedHistory.begin / 1000

    /// `(milliseconds after the beginning, id)`.
    private func page(_ messages: (Int64, String)...) -> [IRCMessage] {
        messages.map { time, id in
            IRCMessage("@time=\(text(time));msgid=\(id) :al!u@h PRIVMSG #a :\(id)")
        }
    }

    private func text(_ time: Int64) -> String { ServerTime.text(milliseconds: begin + time).text }

    private func point(_ time: Int64, _ id: String?) -> HistoryPoint {
        HistoryPoint(
            msgid: id.map { Array($0) }, milliseconds: begin + time, sender: Array("al"), text: Array(id ?? ""))
    }

    private func fill(
        _ start: HistoryFill.Start, limit: Int = 3, _ types: Set<MessageReferenceType> = [.msgid, .timestamp]
    ) -> HistoryFill {
        HistoryFill(target: Array("#a"), start: start, limit: limit, types: types)
    }

    private func shown(_ actions: [HistoryFill.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .request(let message): message.line
            case .covered(let from, let to): "covered \(from - begin) \(to.map { "\($0 - begin)" } ?? "live")"
            case .gap(let from, let to, let why): "gap \(from - begin) \(to.map { "\($0 - begin)" } ?? "live") \(why)"
            case .retry(let seconds, let code, _): "retry \(seconds) \(code)"
            case .finished: "finished"
            }
        }
    }

    /// A fill whose newest page, from that message on, does not reach back to the last one that is archived.
    private func behind(
        _ newest: (Int64, String)..., from point: HistoryPoint, earlier: [HistoryPoint] = [],
        _ types: Set<MessageReferenceType> = [.msgid, .timestamp]
    ) -> HistoryFill {
        var fill = fill(.after(point, earlier: earlier), types)
        _ = fill.begin()
        _ = fill.receive(page: newest.flatMap { page($0) })
        return fill
    }

    @Test(arguments: [[MessageReferenceType.msgid], [.timestamp], [.msgid, .timestamp]])
    func `one request suffices if the newest page has the last archived message`(
        types: [MessageReferenceType]
    ) {
        var fill = fill(.after(point(0, "m0")), Set(types))
        #expect(shown(fill.begin()) == ["CHATHISTORY LATEST #a * 3"])
        #expect(shown(fill.receive(page: page((0, "m0"), (5, "m1")))) == ["covered 0 live", "finished"])
        #expect(fill.receive(page: page((1, "x"))) == [])
        #expect(fill.retry() == [])
    }

    @Test func `the newest page has at most fifty messages`() {
        var fill = fill(.after(point(0, "m0")), limit: 1000)
        #expect(shown(fill.begin()) == ["CHATHISTORY LATEST #a * 50"])
        #expect(shown(fill.receive(page: page((9, "m9")))).last?.hasSuffix(" 1000") == true)
    }

    @Test func `otherwise pages are requested from before the last message up to the newest page`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        #expect(
            shown(fill.receive(page: page((20, "m6"), (21, "m7"), (22, "m8")))) == [
                "covered 21 live", "CHATHISTORY AFTER #a timestamp=\(text(-10_000)) 3",
            ])
        #expect(
            shown(fill.receive(page: page((0, "m0"), (5, "m1"), (9, "m2")))) == [
                "covered 0 9", "CHATHISTORY AFTER #a msgid=m1 3",
            ])
        #expect(
            shown(fill.receive(page: page((9, "m2"), (9, "m3"), (12, "m4")))) == [
                "covered 9 12", "CHATHISTORY AFTER #a msgid=m3 3",
            ])
        #expect(
            shown(fill.receive(page: page((12, "m4"), (20, "m6"), (21, "m7")))) == ["covered 12 21", "finished"])
    }

    @Test func `an answer without the last archived message proves nothing`() {
        var fill = behind((20_000, "m8"), from: point(0, "m0"))
        #expect(
            shown(fill.receive(page: page((20_000, "m8")))) == ["gap 0 20001 anchorMissing", "finished"])
    }

    @Test func `a page without the end of the previous page is a gap`() {
        var fill = behind((60_000, "m8"), (60_001, "m9"), from: point(0, "m0"))
        #expect(
            shown(fill.receive(page: page((0, "m0"), (5, "m1"), (9, "m2")))) == [
                "covered 0 9", "CHATHISTORY AFTER #a msgid=m1 3",
            ])
        // They expired between the two.
        let (near, far) = (text(9 - 10_000), text(-10_000))
        #expect(
            shown(fill.receive(page: page((30_000, "m5"), (30_001, "m6")))) == [
                "CHATHISTORY AFTER #a timestamp=\(near) 3"
            ])
        #expect(
            shown(fill.receive(page: page((30_000, "m5"), (30_001, "m6")))) == [
                "CHATHISTORY AFTER #a timestamp=\(far) 3"
            ])
        #expect(
            shown(fill.receive(page: page((30_000, "m5"), (30_001, "m6"), (60_000, "m8")))) == [
                "gap 9 30001 anchorMissing", "covered 30001 60000", "CHATHISTORY AFTER #a msgid=m6 3",
            ])
        #expect(shown(fill.receive(page: page((60_000, "m8"), (60_001, "m9")))) == ["covered 60000 60001", "finished"])
    }

    @Test func `the message before a retracted last message counts`() {
        var newest = fill(.after(point(0, "m0"), earlier: [point(-50_000, "l9"), point(-90_000, "l8")]))
        _ = newest.begin()
        #expect(shown(newest.receive(page: page((-50_000, "l9"), (5, "m1")))) == ["covered 0 live", "finished"])

        var fill = behind(
            (60_000, "m8"), (60_001, "m9"), from: point(0, "m0"),
            earlier: [point(-50_000, "l9"), point(-90_000, "l8")])
        let request = "CHATHISTORY AFTER #a timestamp=\(text(-100_000)) 3"
        #expect(shown(fill.receive(page: page((30_000, "m5"), (30_001, "m6")))) == [request])
        #expect(
            shown(fill.receive(page: page((-50_000, "l9"), (30_000, "m5"), (30_001, "m6")))) == [
                "covered 0 30001", "CHATHISTORY AFTER #a msgid=m5 3",
            ])
    }

    @Test func `a history without any known message is a gap to the end`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        #expect(shown(fill.receive(page: [])) == ["gap 0 live anchorMissing", "finished"])
        var other = self.fill(.after(point(0, "m0")))
        _ = other.begin()
        let older = page((-50_000, "x"), (-40_000, "y"), (8, "z"))
        #expect(shown(other.receive(page: older)) == ["covered 9 live", "gap 0 9 anchorMissing", "finished"])
    }

    @Test func `a message with a time cut to the second is recognised by its msgid`() {
        var fill = fill(.after(point(-123, "m0")))
        _ = fill.begin()
        #expect(shown(fill.receive(page: page((300, "m0")))) == ["covered -123 live", "finished"])
    }

    @Test func `pages by time overlap by a millisecond`() {
        var fill = behind((9, "m4"), (9, "m5"), (10, "m6"), from: point(0, "m0"), [.timestamp])
        #expect(
            shown(fill.receive(page: page((0, "m0"), (4, "m1"), (8, "m2")))) == [
                "covered 0 8", "CHATHISTORY AFTER #a timestamp=\(text(7)) 3",
            ])
        // Another of the same millisecond: the next may begin after it.
        #expect(
            shown(fill.receive(page: page((8, "m2"), (8, "m3")))) == ["CHATHISTORY AFTER #a timestamp=\(text(8)) 3"])
        #expect(shown(fill.receive(page: page((9, "m4"), (9, "m5"), (10, "m6")))) == ["covered 8 10", "finished"])
    }

    @Test func `a millisecond with more messages than a page is a gap, and later ones are fetched`() {
        var fill = behind((10, "m6"), (11, "m7"), from: point(0, "m0"), [.timestamp])
        _ = fill.receive(page: page((0, "m0"), (8, "m1"), (8, "m2")))
        #expect(
            shown(fill.receive(page: page((8, "m1"), (8, "m2"), (8, "m3")))) == [
                "gap 8 9 burst(messages: 3)", "CHATHISTORY AFTER #a timestamp=\(text(8)) 3",
            ])
        #expect(shown(fill.receive(page: page((10, "m6"), (11, "m7")))) == ["covered 9 11", "finished"])
    }

    @Test func `an answer that is too large is requested again by halves, down to one message`() {
        var fill = fill(.latest(), limit: 5)
        let request = shown(fill.begin())
        #expect(request == ["CHATHISTORY LATEST #a * 5"])
        #expect(shown(fill.tooLarge()) == ["CHATHISTORY LATEST #a * 2"])
        #expect(
            shown(fill.receive(page: page((5, "m5"), (6, "m6")))) == [
                "covered 6 live", "CHATHISTORY BEFORE #a msgid=m5 2",
            ])
        #expect(shown(fill.tooLarge()) == ["CHATHISTORY BEFORE #a msgid=m5 1"])
        #expect(shown(fill.tooLarge()) == ["gap \(HistoryFill.earliest - begin) 6 tooLarge", "finished"])
        #expect(fill.tooLarge() == [])
    }

    @Test func `pages of one message work forwards`() {
        var fill = behind((20, "m6"), (21, "m7"), from: point(0, "m0"))
        _ = fill.tooLarge()
        #expect(shown(fill.receive(page: page((0, "m0")))) == ["CHATHISTORY AFTER #a msgid=m0 1"])
        #expect(shown(fill.receive(page: page((20, "m6")))) == ["covered 0 20", "CHATHISTORY AFTER #a msgid=m6 1"])
        #expect(shown(fill.tooLarge()) == ["gap 20 21 tooLarge", "finished"])
    }

    @Test func `a request that times out is repeated for half the messages`() {
        var fill = fill(.latest(), limit: 4)
        _ = fill.begin()
        #expect(shown(fill.fail(code: HistoryFill.timeout, text: "")) == ["retry 30 TIMEOUT"])
        #expect(shown(fill.retry()) == ["CHATHISTORY LATEST #a * 2"])
    }

    @Test func `an empty answer after a removed message does not mean the beginning of history`() {
        var fill = fill(.latest())
        _ = fill.begin()
        _ = fill.receive(page: page((5, "m5"), (6, "m6"), (7, "m7")))
        #expect(shown(fill.receive(page: [])) == ["CHATHISTORY BEFORE #a timestamp=\(text(6)) 3"])
        #expect(
            shown(fill.receive(page: page((2, "m3"), (3, "m4")))) == [
                "covered 3 live", "CHATHISTORY BEFORE #a msgid=m3 3",
            ])
    }

    @Test func `first contact goes back to everything that the server has`() {
        var fill = fill(.latest())
        #expect(shown(fill.begin()) == ["CHATHISTORY LATEST #a * 3"])
        #expect(
            shown(fill.receive(page: page((5, "m5"), (6, "m6"), (7, "m7")))) == [
                "covered 6 live", "CHATHISTORY BEFORE #a msgid=m5 3",
            ])
        #expect(shown(fill.receive(page: page((2, "m4")))) == ["covered 3 live", "CHATHISTORY BEFORE #a msgid=m4 3"])
        #expect(shown(fill.receive(page: [])) == ["CHATHISTORY BEFORE #a timestamp=\(text(3)) 3"])
        #expect(shown(fill.receive(page: page((2, "m4")))) == ["finished"])
    }

    @Test func `first contact goes back to the configured horizon`() {
        var fill = fill(.latest(horizon: begin + 4))
        _ = fill.begin()
        #expect(shown(fill.receive(page: page((3, "m3"), (5, "m5")))) == ["covered 4 live", "finished"])
    }

    @Test func `a room without history is complete`() {
        var fill = fill(.latest())
        _ = fill.begin()
        #expect(shown(fill.receive(page: [])) == ["finished"])
    }

    @Test func `a failed request is retried with growing waits, which an answer resets`() {
        var fill = fill(.latest())
        let request = shown(fill.begin())
        for seconds in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
            #expect(shown(fill.fail(code: "MESSAGE_ERROR", text: "no")) == ["retry \(seconds) MESSAGE_ERROR"])
            #expect(fill.fail(code: "MESSAGE_ERROR", text: "no") == [])
            #expect(fill.receive(page: []) == [])
            #expect(shown(fill.retry()) == request)
        }
        _ = fill.receive(page: page((5, "m5")))
        #expect(shown(fill.fail(code: "X", text: "")) == ["retry 30 X"])
    }

    @Test func `after a failure, the last message must be found again`() {
        var fill = behind((60_000, "m8"), from: point(0, "m0"))
        _ = fill.receive(page: page((0, "m0")))
        #expect(shown(fill.fail(code: "X", text: "")) == ["retry 30 X"])
        // The server restarted in between, and no longer knows m0.
        #expect(shown(fill.retry()) == ["CHATHISTORY AFTER #a timestamp=\(text(-10_000)) 3"])
        #expect(
            shown(fill.receive(page: page((50_000, "m7"), (60_000, "m8")))) == [
                "gap 0 50001 anchorMissing", "covered 50001 60001", "finished",
            ])
    }

    @Test func `a refused msgid is replaced by a time at once`() {
        var fill = behind((60_000, "m8"), from: point(0, "m0"))
        _ = fill.receive(page: page((0, "m0"), (5, "m1")))
        let request = "CHATHISTORY AFTER #a timestamp=\(text(4)) 3"
        #expect(shown(fill.fail(code: "INVALID_PARAMS", text: "")) == [request])
        #expect(
            shown(fill.receive(page: page((5, "m1"), (7, "m2")))) == [
                "covered 5 7", "CHATHISTORY AFTER #a timestamp=\(text(6)) 3",
            ])
    }

    @Test func `a server without times is asked by the id of an earlier message`() {
        var fill = behind((60_000, "m8"), from: point(0, "m0"), earlier: [point(-5, "l9")], [.msgid])
        #expect(shown(fill.begin()) == ["CHATHISTORY AFTER #a msgid=l9 3"])
        #expect(
            shown(fill.receive(page: page((0, "m0"), (7, "m2"), (60_000, "m8")))) == [
                "covered 0 60001", "finished",
            ])
    }

    @Test func `a server that refuses msgids is paged by time`() {
        var fill = fill(.latest())
        _ = fill.begin()
        _ = fill.receive(page: page((5, "m5"), (6, "m6")))
        let request = "CHATHISTORY BEFORE #a timestamp=\(text(6)) 3"
        #expect(shown(fill.fail(code: "INVALID_MSGREFTYPE", text: "")) == [request])
    }

    @Test func `a history without times proves nothing`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        #expect(shown(fill.receive(page: [IRCMessage("PRIVMSG #a :x")])) == ["gap 0 live withoutTimes", "finished"])
    }

    @Test func `a server that alternates between the same pages is given up`() {
        var fill = behind((60_000, "m8"), from: point(5, "a"), earlier: [point(5, "b")])
        var (actions, pages) = ([HistoryFill.Action](), 0)
        while !fill.isFinished, pages < 1000 {
            actions = fill.receive(page: page((5, pages % 2 == 0 ? "a" : "b")))
            pages += 1
        }
        #expect(shown(actions) == ["gap 5 60001 noProgress", "finished"] && pages == HistoryFill.maximumStalls + 2)
    }

    @Test(arguments: ["a b", "", String(repeating: "x", count: 257)])
    func `a msgid that can't be sent back is ignored`(id: String) {
        #expect(point(0, id).msgid == nil)
    }

    @Test(arguments: [(0, 1000), (50, 50), (5000, 1000)])
    func `a page is as long as the server allows, up to a thousand`(limit: Int, size: Int) {
        #expect(fill(.latest(), limit: limit).pageSize == size)
    }

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
