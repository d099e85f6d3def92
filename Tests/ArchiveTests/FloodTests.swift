import ChatModel
import TestSupport
import Testing

@testable import Checks
@testable import Writing

/// What one event costs the store does not grow with how many there were, whatever a server sends without end.
@Suite(.disabled(if: QuickCheck.isRunning))
struct FloodTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    enum Flood: CaseIterable {
        case nicks, rooms, spans, pictures, unfilled, members

        /// Of the number-th time that something happens to the same person or room.
        func events(_ number: Int, _ session: SessionID) -> [ChatEvent] {
            let time = ArchiveFixture.day.advanced(by: .milliseconds(number))
            let (old, new) = ("n\(number)", "n\(number + 1)")
            let room = RoomReference(key: "#a", name: "#a", kind: .channel)
            func said(_ kind: MessageKind, in room: RoomReference, _ body: String) -> ChatEvent {
                .message(
                    IncomingMessage(
                        session: session, room: room, kind: kind,
                        sender: kind == .system ? nil : UserReference(key: old, name: old), body: body, remoteID: nil,
                        sourceTime: nil, receivedAt: time))
            }
            switch self {
            case .nicks:
                return [
                    said(.rename, in: room, new),
                    .userRenamed(
                        session: session, fromKey: old, to: UserReference(key: new, name: new), at: time),
                ]
            case .rooms:
                return [
                    said(.system, in: RoomReference(key: old, name: old, kind: .channel), new),
                    .roomRenamed(
                        session: session, fromKey: old, to: RoomReference(key: new, name: new, kind: .channel),
                        at: time.advanced(byMicroseconds: 1)),
                ]
            case .spans, .unfilled:
                let live = ChatEvent.roomLive(session: session, room: room, at: time)
                let since = time.advanced(by: .milliseconds(-2))
                let history = UnfilledHistory(room: room, from: since, to: time, reason: .refused)
                let trouble = RoomTrouble(.notJoined, detail: "kicked", since: time)
                return (self == .unfilled ? [live, .unfilled(history, at: time)] : [live]) + [
                    .signOfLife(session: session, at: time.advanced(byMicroseconds: 300)),
                    .roomSilent(
                        session: session, room: room, at: time.advanced(byMicroseconds: 500), reason: .left),
                    .roomTroubled(room, trouble),
                ]
            case .members:
                return [.membersListed(room, [UserReference(key: new, name: new)], at: time)]
            case .pictures:
                return [
                    .userListed(
                        UserListing(user: UserReference(key: "al", name: "al"), picture: "/\(number)"), at: time)
                ]
            }
        }
    }

    @Test(arguments: Flood.allCases)
    func `the thousandth event of a flood costs no more than the hundredth`(flood: Flood) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let steps = StepCounter()
        try await writer.connections.use { connection in try await connection.run { steps.count(of: $0) } }
        var costs: [Int] = []
        for batch in 0..<15 {
            let before = steps.steps
            let numbers = batch * 100..<(batch + 1) * 100
            let outcomes = try await writer.append(numbers.flatMap { flood.events($0, session) })
            #expect(!outcomes.contains { if case .failed = $0 { true } else { false } })
            costs.append(steps.steps - before)
        }
        let (early, late) = (costs[1...3].max() ?? 0, costs[12...14].min() ?? .max)
        #expect(late <= 2 * early, "steps of SQLite's machine per hundred: \(costs)")
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }
}
