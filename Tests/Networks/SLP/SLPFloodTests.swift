import ChatModel
import Glibc
import SLPWire
import TestSupport
import Testing

@testable import SLP
@testable import Sessions

/// The cost of a workspace's event does not grow with the number of events before it, and memory of them is bounded.
@Suite(.disabled(if: QuickCheck.isRunning))
struct SLPFloodTests {
    private static let epoch = Timestamp(microseconds: 1_795_219_200_000_000)

    private func state(holding namespace: String) throws -> SLPLinkState {
        var state = SLPLinkState(
            session: SessionID(rawValue: 1), receipts: ReceiptClock(last: nil), lastSignOfLife: Self.epoch)
        let channel = try #require(DecodedElement<SLPChannel>(Array(#"{"channel_id":1}"#.utf8)).value)
        var room = SLPRoom(channel, in: WorkspaceReference(key: "w", name: "w"))
        room.holding = SLPRoom.Holding()
        state.rooms[namespace] = room
        state.holding.insert(namespace)
        return state
    }

    private func event(_ number: Int) -> ChatEvent {
        .unreadable(
            UnreadableEvent(
                session: SessionID(rawValue: 1), room: nil, remoteID: nil,
                receivedAt: Self.epoch.advanced(byMicroseconds: Int64(number)), payload: [1], reason: "x"))
    }

    /// Nanoseconds that this thread has run: what others do on the machine does not count.
    private func threadTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test func `the last message that waits for history costs no more than the first`() throws {
        var state = try state(holding: "/ws-channel-1")
        var costs: [Int] = []
        for batch in 0..<40 {
            let start = threadTime()
            for number in 0..<200 {
                let isHeld = state.hold([event(batch * 200 + number)], in: "/ws-channel-1", at: Self.epoch)
                #expect(isHeld)
            }
            costs.append(threadTime() - start)
        }
        let (early, late) = (costs[2..<8].min() ?? 0, costs[34..<40].min() ?? .max)
        #expect(late < 3 * early + 2_000_000, "nanoseconds per two hundred: \(costs)")
        #expect(state.released("/ws-channel-1").count == 8000)
        #expect(state.heldBytes == 0)
    }

    @Test func `waiting messages are limited by the memory that they use`() throws {
        var state = try state(holding: "/ws-channel-1")
        for number in 0..<100 { _ = state.hold([event(number)], in: "/ws-channel-1", at: Self.epoch) }
        #expect(state.heldBytes >= 100 * MemoryLayout<ChatEvent>.stride)
    }

    @Test func `only the last few thousand left namespaces are remembered`() throws {
        var state = try state(holding: "/ws-channel-1")
        for number in 0..<25_000 { state.leave("/ws-channel-\(number)") }
        #expect(state.left.count <= SLPDirectory.maximumRooms)
        #expect(state.left.contains("/ws-channel-24999"))
    }
}
