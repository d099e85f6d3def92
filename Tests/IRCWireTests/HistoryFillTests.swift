import TestSupport
import Testing

@testable import IRCWire

/// The steps of a fill, line by line.
struct HistoryFillTests {
    private let begin = HistoryServer.begin / 1000
    private let both: Set<MessageReferenceType> = [.msgid, .timestamp]

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

    @Test func `by msgid, page after page until one is empty`() {
        var fill = fill(.after(point(0, "m0")))
        #expect(shown(fill.begin()) == ["CHATHISTORY AFTER #a msgid=m0 3"])
        #expect(
            shown(fill.receive(page: page((5, "m1"), (5, "m2"), (9, "m3")))) == [
                "covered 0 9", "CHATHISTORY AFTER #a msgid=m3 3",
            ])
        #expect(shown(fill.receive(page: page((12, "m4")))) == ["covered 0 12", "CHATHISTORY AFTER #a msgid=m4 3"])
        #expect(shown(fill.receive(page: [])) == ["covered 0 live", "finished"])
        #expect(fill.receive(page: page((1, "x"))) == [])
        #expect(fill.retry() == [])
    }

    @Test func `an empty answer to the anchor's msgid is asked again by time, from ten seconds before`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        let request = "CHATHISTORY AFTER #a timestamp=\(text(-10_000)) 3"
        #expect(shown(fill.receive(page: [])) == [request])
        #expect(shown(fill.receive(page: page((-4, "old"), (0, "m0")))) == ["covered 0 live", "finished"])
    }

    @Test func `an anchor that the server forgot is a gap up to the first message it has`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        _ = fill.receive(page: [])
        #expect(
            shown(fill.receive(page: page((20_000, "m8"), (20_001, "m9")))) == [
                "gap 0 20001 anchorMissing", "CHATHISTORY AFTER #a msgid=m9 3",
            ])
        #expect(shown(fill.receive(page: [])) == ["covered 20001 live", "finished"])
    }

    @Test func `a history that holds nothing of what we know is a gap to the end`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        _ = fill.receive(page: [])
        #expect(shown(fill.receive(page: [])) == ["gap 0 live anchorMissing", "finished"])
    }

    @Test func `a message kept with its time cut to the second is known by its msgid`() {
        var fill = fill(.after(point(-123, "m0")))
        _ = fill.begin()
        _ = fill.receive(page: [])
        #expect(shown(fill.receive(page: page((300, "m0")))) == ["covered -123 live", "finished"])
    }

    @Test func `by time, pages overlap by a millisecond`() {
        var fill = fill(.after(point(0, "m0")), [.timestamp])
        #expect(shown(fill.begin()) == ["CHATHISTORY AFTER #a timestamp=\(text(-10_000)) 3"])
        #expect(
            shown(fill.receive(page: page((0, "m0"), (4, "m1"), (8, "m2")))) == [
                "covered 0 8", "CHATHISTORY AFTER #a timestamp=\(text(7)) 3",
            ])
        // Another of the same millisecond: the next may begin after it.
        #expect(
            shown(fill.receive(page: page((8, "m2"), (8, "m3")))) == ["CHATHISTORY AFTER #a timestamp=\(text(8)) 3"])
        #expect(shown(fill.receive(page: [])) == ["covered 0 live", "finished"])
    }

    @Test func `a millisecond fuller than a page is a gap, and what follows is fetched`() {
        var fill = fill(.after(point(0, "m0")), [.timestamp])
        _ = fill.begin()
        _ = fill.receive(page: page((0, "m0"), (8, "m1"), (8, "m2")))
        #expect(
            shown(fill.receive(page: page((8, "m1"), (8, "m2"), (8, "m3")))) == [
                "covered 0 8", "gap 8 9 burst(messages: 3)", "CHATHISTORY AFTER #a timestamp=\(text(8)) 3",
            ])
        #expect(shown(fill.receive(page: [])) == ["covered 9 live", "finished"])
    }

    @Test func `first contact goes back to all that the server gives`() {
        var fill = fill(.latest())
        #expect(shown(fill.begin()) == ["CHATHISTORY LATEST #a * 3"])
        #expect(
            shown(fill.receive(page: page((5, "m5"), (6, "m6"), (7, "m7")))) == [
                "covered 6 live", "CHATHISTORY BEFORE #a msgid=m5 3",
            ])
        #expect(shown(fill.receive(page: page((2, "m4")))) == ["covered 3 live", "CHATHISTORY BEFORE #a msgid=m4 3"])
        #expect(shown(fill.receive(page: [])) == ["covered 2 live", "finished"])
    }

    @Test func `first contact goes back to the horizon`() {
        var fill = fill(.latest(horizon: begin + 4))
        _ = fill.begin()
        #expect(shown(fill.receive(page: page((3, "m3"), (5, "m5")))) == ["covered 4 live", "finished"])
    }

    @Test func `a room without history is complete`() {
        var fill = fill(.latest())
        _ = fill.begin()
        #expect(shown(fill.receive(page: [])) == ["finished"])
    }

    @Test func `a failure is tried again later and later, and forgotten when an answer comes`() {
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

    @Test func `after a failure the last message must be found again`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        _ = fill.receive(page: page((5, "m1"), (9, "m2")))
        _ = fill.fail(code: "X", text: "")
        // The server restarted in between, and no longer knows m2: it answers by time from ten seconds before.
        #expect(shown(fill.retry()) == ["CHATHISTORY AFTER #a msgid=m2 3"])
        #expect(shown(fill.receive(page: [])) == ["CHATHISTORY AFTER #a timestamp=\(text(9 - 10_000)) 3"])
        #expect(
            shown(fill.receive(page: page((50_000, "m7")))) == [
                "gap 9 50001 anchorMissing", "CHATHISTORY AFTER #a msgid=m7 3",
            ])
        #expect(shown(fill.receive(page: [])) == ["covered 50001 live", "finished"])
    }

    @Test func `a msgid that is refused is asked by time at once`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        let request = "CHATHISTORY AFTER #a timestamp=\(text(-10_000)) 3"
        #expect(shown(fill.fail(code: "INVALID_PARAMS", text: "")) == [request])
        #expect(shown(fill.receive(page: page((0, "m0")))) == ["CHATHISTORY AFTER #a msgid=m0 3"])
        #expect(shown(fill.receive(page: [])) == ["covered 0 live", "finished"])
    }

    @Test func `a server that refuses msgids altogether is paged by time`() {
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

    @Test func `a server that gives the same pages in turn is left`() {
        var fill = fill(.after(point(0, "m0")))
        _ = fill.begin()
        var (actions, pages) = ([HistoryFill.Action](), 0)
        while !fill.isFinished, pages < 1000 {
            actions = fill.receive(page: page((5, pages % 2 == 0 ? "a" : "b")))
            pages += 1
        }
        #expect(shown(actions) == ["gap 5 live noProgress", "finished"] && pages == HistoryFill.maximumStalls + 2)
    }

    @Test(arguments: ["a b", "", String(repeating: "x", count: 257)])
    func `a msgid that can't be sent back is none`(id: String) {
        #expect(point(0, id).msgid == nil)
    }

    @Test(arguments: [(0, 1000), (50, 50), (5000, 1000)])
    func `a page is as long as the server allows, to a thousand`(limit: Int, size: Int) {
        #expect(fill(.latest(), limit: limit).pageSize == size)
    }

    @Test func `conversations that began while away are found, each once`() {
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

    @Test func `more conversations at one time than a page holds are not all found`() {
        var targets = HistoryTargets(from: begin, to: begin + 100, limit: 1, mapping: .ascii)
        let line = IRCMessage("CHATHISTORY TARGETS al \(text(5))")
        #expect(targets.receive(page: [line]).count == 2)
        #expect(targets.receive(page: [line]) == [.finished(isComplete: false)])
    }
}
