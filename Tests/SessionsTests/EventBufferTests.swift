import ChatModel
import Synchronization
import TestSupport
import Testing

@testable import Sessions

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct EventBufferTests {
    private func chunk(_ offset: Int64, bytes: Int = 1000) -> ChatEvent {
        .chunk(
            JournalChunk(
                session: SessionID(rawValue: 1), offset: offset, receivedAt: Timestamp(microseconds: offset),
                bytes: Array(repeating: 0x61, count: bytes)))
    }

    @Test func `all waiting events are one batch in order`() async {
        let buffer = EventBuffer()
        buffer.push([chunk(0), chunk(1)])
        buffer.push([chunk(2)])
        #expect(await buffer.next() == [chunk(0), chunk(1), chunk(2)])
    }

    @Test func `a batch is limited, and no push is split`() async {
        let buffer = EventBuffer()
        for start in 0..<3 { buffer.push((0..<700).map { chunk(Int64(start * 700 + $0), bytes: 1) }) }
        #expect(await buffer.next()?.count == 1400)
        #expect(await buffer.next()?.count == 700)
    }

    @Test func `finishing returns the rest and then nil`() async {
        let buffer = EventBuffer()
        buffer.push([chunk(0)])
        buffer.finish()
        buffer.push([chunk(1)])
        #expect(await buffer.next() == [chunk(0)])
        #expect(await buffer.next() == nil)
    }

    @Test func `a waiting consumer gets the first event`() async {
        let buffer = EventBuffer()
        async let batch = buffer.next()
        buffer.push([chunk(0)])
        #expect(await batch == [chunk(0)])
        async let end = buffer.next()
        buffer.finish()
        #expect(await end == nil)
    }

    @Test func `a full buffer stops its producer until a batch is taken`() async {
        let buffer = EventBuffer(limit: 4 * chunk(0).approximateBytes)
        let pushed = Watched(0)
        await withTaskGroup { group in
            group.addTask {
                for offset in 0..<100 {
                    buffer.push([chunk(Int64(offset))])
                    pushed.change { $0 += 1 }
                    await buffer.waitForSpace()
                }
                buffer.finish()
            }
            // The fourth reaches the limit.
            await pushed.wait { $0 == 4 }
            var offsets: [ChatEvent] = []
            while let batch = await buffer.next() {
                #expect(batch.count <= 4)
                offsets += batch
            }
            #expect(offsets == (0..<100).map { chunk(Int64($0)) })
        }
    }

    @Test func `an event larger than the whole buffer passes`() async {
        let buffer = EventBuffer(limit: 10)
        await withTaskGroup { group in
            group.addTask {
                buffer.push([chunk(0)])
                await buffer.waitForSpace()
                buffer.push([chunk(1)])
                await buffer.waitForSpace()
                buffer.finish()
            }
            #expect(await buffer.next() == [chunk(0)])
            #expect(await buffer.next() == [chunk(1)])
            #expect(await buffer.next() == nil)
        }
    }

    @Test func `a cancelled producer continues, and its events stay`() async {
        let buffer = EventBuffer(limit: 10)
        await withTaskGroup { group in
            group.addTask {
                buffer.push([chunk(0)])
                await buffer.waitForSpace()
            }
            group.cancelAll()
        }
        #expect(await buffer.next() == [chunk(0)])
    }

    @Test func `an abandoned buffer blocks no producer and keeps nothing`() async {
        let buffer = EventBuffer(limit: 10)
        await withTaskGroup { group in
            group.addTask {
                for offset in 0..<10 {
                    buffer.push([chunk(Int64(offset))])
                    await buffer.waitForSpace()
                }
            }
            _ = await buffer.next()
            buffer.abandon()
        }
        #expect(buffer.bytes == 0)
        #expect(await buffer.next() == nil)
    }

    @Test func `one account's events leave the others their own share, and storing returns it`() async {
        let budget = BufferBudget(shared: 1024 * 1024)
        let greedy = EventBuffer(limit: .max, budget: budget)
        let modest = EventBuffer(limit: .max, budget: budget)
        let bytes = 100_000
        var pushes = 0
        while budget.available >= 2 * bytes || pushes < 5 {
            greedy.push([chunk(Int64(pushes), bytes: bytes)])
            pushes += 1
        }
        await greedy.waitForSpace()
        for _ in 0..<3 { greedy.push([chunk(0, bytes: bytes)]) }
        modest.push([chunk(0, bytes: bytes)])
        // Within its own share, whatever the other holds.
        await modest.waitForSpace()
        let isWaiting = Watched(0)
        await withTaskGroup { group in
            group.addTask {
                await greedy.waitForSpace()
                isWaiting.change { $0 += 1 }
            }
            group.addTask {
                greedy.finish()
                while await greedy.next() != nil {}
                isWaiting.change { $0 += 1 }
            }
        }
        #expect(isWaiting.value == 2)
        #expect(budget.available == 1024 * 1024)
    }

    @Test func `a batch is limited by bytes`() async {
        let buffer = EventBuffer()
        for offset in 0..<30 { buffer.push([chunk(Int64(offset), bytes: 100_000)]) }
        #expect(await (buffer.next()?.count ?? 0) <= 11)
    }
}
