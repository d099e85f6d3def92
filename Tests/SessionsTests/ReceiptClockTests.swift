import ChatModel
import Testing

@testable import Sessions

struct ReceiptClockTests {
    private static let start = Timestamp(microseconds: 1_790_000_000_000_000)
    private static let day = Duration.seconds(86_400)

    /// `seconds` after the start, by a wall clock that is wrong by `error`.
    private func reading(_ seconds: Double, wrongBy error: Duration = .zero) -> ClockReading {
        ClockReading(wall: Self.start.advanced(by: .seconds(seconds) + error), steady: .seconds(1000 + seconds))
    }

    @Test func `times are the clock's while it goes forward`() {
        var receipts = ReceiptClock(last: Self.start)
        #expect(receipts.stamp(reading(1)) == reading(1).wall)
        #expect(receipts.stamp(reading(1.5)) == reading(1.5).wall)
        #expect(receipts.ahead == 0)
    }

    @Test func `a stopped clock gives the next microsecond`() {
        var receipts = ReceiptClock(last: Self.start)
        #expect(receipts.stamp(reading(0)) == Self.start.advanced(byMicroseconds: 1))
        #expect(receipts.stamp(reading(0)) == Self.start.advanced(byMicroseconds: 2))
        receipts.advance(to: reading(0.5).wall)
        receipts.advance(to: reading(0.2).wall)
        #expect(receipts.stamp(reading(0.1)) == reading(0.5).wall.advanced(byMicroseconds: 1))
    }

    @Test func `after the clock was ahead, as much time passes as really did`() {
        var receipts = ReceiptClock(last: nil)
        let wrong = receipts.stamp(reading(0, wrongBy: Self.day))
        #expect(wrong == reading(0, wrongBy: Self.day).wall)
        let right = receipts.stamp(reading(12))
        #expect(right.since(wrong) == .seconds(12))
        #expect(receipts.ahead == 86_400_000_000)
        #expect(receipts.wall(at: right) == reading(12).wall)
        #expect(receipts.stamp(reading(30)).since(wrong) == .seconds(30))
    }

    @Test func `the clock catches up at half speed where nothing can be missing`() {
        var receipts = ReceiptClock(last: nil)
        let wrong = receipts.stamp(reading(0, wrongBy: .seconds(100)))
        var last = wrong
        for second in stride(from: 1.0, through: 190, by: 1) {
            let time = receipts.stamp(reading(second), catchesUp: true)
            #expect(time > last)
            last = time
        }
        #expect(receipts.ahead > 1_000_000 && receipts.ahead <= 6_000_000)
        #expect(receipts.stamp(reading(203), catchesUp: true) == reading(203).wall)
        #expect(receipts.ahead == 0)
    }

    @Test func `many lines in one read don't put the clock ahead`() {
        var receipts = ReceiptClock(last: nil)
        for _ in 0..<5000 { _ = receipts.stamp(reading(0)) }
        #expect(receipts.ahead == 0)
        #expect(receipts.stamp(reading(0.01)) == reading(0.01).wall)
    }

    @Test func `another process continues by the steady clock, or after a reboot by the wall clock`() {
        var before = ReceiptClock(last: nil)
        let last = before.stamp(reading(0, wrongBy: Self.day))
        let stored = StoredReceipt(last, offset: before.offset())
        var same = ReceiptClock(last: nil)
        same.resume(after: stored, at: reading(12))
        #expect(same.stamp(reading(12)).since(last) == .seconds(12))
        var another = ReceiptClock(last: nil)
        another.resume(after: stored, at: reading(12), boot: "another")
        #expect(another.stamp(reading(12)) > last)
        // The wall clock was right again when that was stored.
        let right = before.stamp(reading(5))
        another = ReceiptClock(last: nil)
        another.resume(after: StoredReceipt(right, offset: before.offset()), at: reading(40), boot: "another")
        #expect(another.stamp(reading(40)).since(right) == .seconds(35))
    }

    @Test func `the archive gets only steps of the clock`() {
        let session = SessionID(rawValue: 1)
        var receipts = ReceiptClock(last: nil)
        _ = receipts.stamp(reading(0))
        _ = receipts.offset()
        for second in 1..<100 {
            _ = receipts.stamp(reading(Double(second)))
            #expect(receipts.offsetChange(of: session).isEmpty)
        }
        _ = receipts.stamp(reading(100, wrongBy: Self.day))
        #expect(receipts.offsetChange(of: session).count == 1)
        _ = receipts.stamp(reading(102))
        guard case .receiptOffset(session, let offset)? = receipts.offsetChange(of: session).first else {
            Issue.record("a step back is told")
            return
        }
        #expect(offset.ahead == 86_400_000_000)
        #expect(receipts.offsetChange(of: session).isEmpty)
    }

    @Test func `a clock counts as behind beyond one hour`() {
        var receipts = ReceiptClock(last: nil)
        #expect(!receipts.isBehind(ClockReading(wall: Timestamp(microseconds: .min), steady: .zero)))
        _ = receipts.stamp(reading(0))
        #expect(!receipts.isBehind(reading(0)))
        #expect(!receipts.isBehind(reading(0, wrongBy: .seconds(-3600))))
        #expect(receipts.isBehind(reading(0, wrongBy: .seconds(-3600) - .microseconds(1))))
    }

    @Test func `a new connection accepts the clock, and earlier times still hold`() {
        var receipts = ReceiptClock(last: nil)
        let last = receipts.stamp(reading(0, wrongBy: Self.day))
        #expect(receipts.isBehind(reading(1)))
        receipts.beginConnection()
        #expect(receipts.stamp(reading(1)) == last.advanced(by: .seconds(1)))
        #expect(!receipts.isBehind(reading(1)))
    }

    @Test(arguments: [Int64.min, 0, .max])
    func `the earliest and latest times do not trap`(time: Int64) {
        let clock = ClockReading(wall: Timestamp(microseconds: time), steady: .seconds(1))
        let worst = ReceiptOffset(ahead: .min, bootedAt: Timestamp(microseconds: .min), boot: ClockReading.boot)
        for offset in [worst, ReceiptOffset(ahead: .max)] {
            var receipts = ReceiptClock(last: nil)
            receipts.resume(after: StoredReceipt(Timestamp(microseconds: .max), offset: offset), at: clock)
            _ = receipts.stamp(clock)
            let later = ClockReading(wall: clock.wall, steady: .seconds(2))
            #expect(receipts.stamp(later).microseconds == .max)
            _ = receipts.offsetChange(of: SessionID(rawValue: 1))
        }
    }
}
