import TestSupport
import Testing

@testable import IRCWire

/// Requests for the history between the last archived message and the newest page.
struct HistoryFillTests: HistoryFillSuite {
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

    @Test(arguments: [(0, 1000), (50, 50), (5000, 1000)])
    func `a page is as long as the server allows, up to a thousand`(limit: Int, size: Int) {
        #expect(fill(.latest(), limit: limit).pageSize == size)
    }
}
