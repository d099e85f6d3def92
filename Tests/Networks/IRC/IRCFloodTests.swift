import ChatModel
import Glibc
import IRCWire
import ScriptedSessions
import TestSupport
import Testing

@testable import IRC
@testable import Sessions

/// What one line costs does not grow with how many there were, and what is remembered of them is bounded.
@Suite(.disabled(if: QuickCheck.isRunning))
struct IRCFloodTests {
    /// The number-th line of a flood, `{}` is its number and `{+}` the next one.
    private static let floods = [
        ":s RENAME #r{} #r{+} :why",
        ":u{}!u@h NICK u{+}",
        ":u{}!u@h JOIN #example",
        ":archiver!u@h JOIN #own{}",
        ":archiver!u@h JOIN #own{}\r\n:archiver!u@h PART #own{}",
        ":op!u@h KICK #example archiver :out\r\n:archiver!u@h JOIN #example",
        ":u{}!u@h JOIN #example\r\n:u{}!u@h QUIT :bye",
        ":q{}!u@h PRIVMSG archiver :hello",
        ":op!u@h INVITE archiver #other{}",
        ":s 353 archiver = #example :n{} m{}\r\n:s 366 archiver #example :End",
        "@time=2020-01-01T00:00:00.000Z :al!u@h PRIVMSG #example :old {}",
        ":s 005 archiver CASEMAPPING=rfc1459 T{}=x :are supported\r\n:s 005 archiver CASEMAPPING=ascii :are supported",
        ":*m{}!m@znc PRIVMSG archiver :hello",
    ]

    private static func lines(_ flood: String, _ numbers: Range<Int>) -> [UInt8] {
        let text = numbers.map { number in
            flood.replacing("{}", with: "\(number)").replacing("{+}", with: "\(number + 1)") + "\r\n"
        }
        return Array(text.joined().utf8)
    }

    /// Nanoseconds that this thread has run: what others do on the machine does not count.
    private func threadTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test(arguments: floods)
    func `the last line of a flood costs no more than the first`(flood: String) {
        var text = IRCSessionText(rooms: ["#example", "#r0"])
        text.receive(":archiver!u@h JOIN #example", ":archiver!u@h JOIN #r0", ":u0!u@h JOIN #example")
        var costs: [Int] = []
        for batch in 0..<40 {
            let bytes = Self.lines(flood, batch * 100..<(batch + 1) * 100)
            text.forget()
            let start = threadTime()
            text.receive(bytes: bytes)
            costs.append(threadTime() - start)
            #expect(text.end == nil)
        }
        // The least of several, as caches and the allocator have their days.
        let (early, late) = (costs[2..<8].min() ?? 0, costs[34..<40].min() ?? .max)
        #expect(late < 5 * early + 2_000_000, "nanoseconds per hundred: \(costs)")
    }

    @Test func `an endless chain of renames keeps only the last few thousand names`() {
        var renames = RoomRenames([:], mapping: .ascii)
        func name(_ number: Int) -> [UInt8] { Array("#r\(number)".utf8) }
        for number in 0..<25_000 { renames.rename(name(number), to: name(number + 1), folded: name(number + 1)) }
        #expect(renames.currentName(of: name(24_999)) == name(25_000))
        #expect(renames.currentName(of: name(24_000)) == name(25_000))
        #expect(renames.currentName(of: name(25_000)) == nil)
        #expect(renames.currentName(of: name(1)) == nil)
    }

    @Test func `a name that another room takes is that room's`() {
        let (a, b, x, z) = (Array("#a".utf8), Array("#b".utf8), Array("#x".utf8), Array("#z".utf8))
        var renames = RoomRenames([z: a], mapping: .ascii)
        renames.rename(a, to: b, folded: b)
        renames.rename(x, to: a, folded: a)
        #expect(renames.currentName(of: z) == b)
        #expect(renames.currentName(of: x) == a)
        #expect(renames.currentName(of: a) == nil)
    }

    @Test func `conversations beyond the limit are stored without claimed coverage`() {
        var text = IRCSessionText(rooms: [])
        let count = IRCConversations.maximumCount
        for start in stride(from: 0, to: count, by: 500) {
            text.forget()
            text.receive(bytes: Self.lines(":q{}!u@h PRIVMSG archiver :hello {}", start..<start + 500))
            #expect(text.liveChanges.count == 500)
        }
        text.forget()
        text.receive(":late!u@h PRIVMSG archiver :hello")
        text.receive(":late!u@h PRIVMSG archiver :again")
        text.receive(":q7!u@h PRIVMSG archiver :again")
        #expect(text.messageTexts == ["late message late: hello", "late message late: again", "q7 message q7: again"])
        #expect(text.liveChanges.isEmpty)
        #expect(text.session.receiver.presence.directRooms.keys.count == count)
        #expect(text.session.receiver.presence.spans.starts.count <= count)
    }

    @Test func `a long read is processed step by step, and one line makes a row in each room`() {
        var text = IRCSessionText(rooms: [])
        let rooms = 100
        text.receive(bytes: Self.lines(":archiver!u@h JOIN #a{}\r\n:u0!u@h JOIN #a{}", 0..<rooms))
        text.forget()
        let read = Received(
            bytes: Self.lines(":u{}!u@h NICK u{+}", 0..<50),
            at: ClockReading(IRCSessionText.epoch.advanced(by: .seconds(9))),
            filledBuffer: false)
        var session = text.session
        var step = session.received(read, elapsed: .seconds(9))
        var (steps, events) = (1, step.events)
        while step.hasMore {
            step = session.proceed()
            #expect(step.events.count < 512 + 2 * rooms)
            steps += 1
            events += step.events
        }
        let renames = events.compactMap { event in
            if case .message(let message, _) = event, message.kind == .rename { message.body } else { nil }
        }
        #expect(renames == (1...50).flatMap { number in (0..<rooms).map { _ in "u\(number)" } })
        #expect(steps > 5)
    }

    @Test func `a server with endless unreadable lines is disconnected`() {
        var text = IRCSessionText(rooms: [])
        text.receive(bytes: Self.lines(":archiver!u@h JOIN #a{}", 0..<500))
        for start in stride(from: 0, to: 400, by: 100) where text.end == nil {
            text.receive(bytes: Self.lines(":s \u{1}{}", start..<start + 100))
        }
        #expect(text.end?.reason == .violation)
        #expect(text.end?.detail == "the server sent too many lines that can't be read")
    }

    @Test func `a bouncer that loses its network endlessly is disconnected`() {
        var text = IRCSessionText(rooms: [])
        text.receive(bytes: Self.lines(":archiver!u@h JOIN #a{}", 0..<500))
        for _ in 0..<30 where text.end == nil {
            text.receive(
                bytes: Self.lines(
                    ":BouncerServ!BouncerServ@BouncerServ NOTICE archiver :disconnected from net\r\n"
                        + ":BouncerServ!BouncerServ@BouncerServ NOTICE archiver :connected to net", 0..<10))
        }
        #expect(text.end?.reason == .violation)
    }
}
