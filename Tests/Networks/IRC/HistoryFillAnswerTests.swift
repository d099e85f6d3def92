import TestSupport
import Testing

@testable import IRCWire

/// Answers that refuse, fail, or are too large.
struct HistoryFillAnswerTests: HistoryFillSuite {
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
}
