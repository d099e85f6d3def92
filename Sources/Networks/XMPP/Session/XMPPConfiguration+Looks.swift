import ChatModel
import Sessions

extension XMPPConfiguration {
    /// Returns the events that say of a conversation that it is complete at the time of a look into the account's archive,
    /// and that the time after it is not requested before the next look.
    func afterLook(at time: Timestamp, session: SessionID, room: RoomReference) -> [ChatEvent] {
        [
            .covered(session: session, room: room, from: time, to: time),
            .unfilled(
                UnfilledHistory(
                    room: room, from: time, to: time.advanced(by: directCheck), reason: .pending,
                    detail: "the account's archive is read every \(directCheck.rounded)",
                    nextTry: time.advanced(by: directCheck)), at: time),
        ]
    }
}
