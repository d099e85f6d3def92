import ChatModel
import Testing

@testable import Listeners

struct ReceiptClockTests {
    @Test func `times are the clock's while it goes forward`() {
        var receipts = ReceiptClock(last: Timestamp(microseconds: 10))
        #expect(receipts.stamp(Timestamp(microseconds: 20)).microseconds == 20)
        #expect(receipts.stamp(Timestamp(microseconds: 25)).microseconds == 25)
    }

    @Test func `a clock that stands still or was set back gives the next microsecond`() {
        var receipts = ReceiptClock(last: Timestamp(microseconds: 100))
        #expect(receipts.stamp(Timestamp(microseconds: 100)).microseconds == 101)
        #expect(receipts.stamp(Timestamp(microseconds: 7)).microseconds == 102)
        receipts.advance(to: Timestamp(microseconds: 200))
        receipts.advance(to: Timestamp(microseconds: 150))
        #expect(receipts.stamp(Timestamp(microseconds: 8)).microseconds == 201)
    }

    @Test func `a clock is behind from an hour and a microsecond on`() {
        let last = Timestamp(microseconds: 1_700_000_000_000_000)
        var receipts = ReceiptClock(last: nil)
        #expect(!receipts.isBehind(Timestamp(microseconds: .min)))
        _ = receipts.stamp(last)
        #expect(!receipts.isBehind(last))
        #expect(!receipts.isBehind(last.advanced(by: .seconds(-3600))))
        #expect(receipts.isBehind(last.advanced(by: .seconds(-3600)).advanced(byMicroseconds: -1)))
    }

    @Test func `a new connection takes the clock as it is, and what was given out still holds`() {
        var receipts = ReceiptClock(last: nil)
        let last = Timestamp(microseconds: 1_700_000_000_000_000)
        let now = last.advanced(by: .seconds(-86_400))
        _ = receipts.stamp(last)
        #expect(receipts.isBehind(now))
        receipts.beginConnection()
        #expect(receipts.stamp(now) == last.advanced(byMicroseconds: 1))
        #expect(!receipts.isBehind(now))
        #expect(receipts.lead(over: now) == .seconds(86_400) + .microseconds(1))
    }

    @Test func `the ends of time do not trap`() {
        var receipts = ReceiptClock(last: Timestamp(microseconds: .max))
        #expect(receipts.stamp(Timestamp(microseconds: 0)).microseconds == .max)
        #expect(receipts.isBehind(Timestamp(microseconds: .min)))
    }
}
