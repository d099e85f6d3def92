import ChatModel

/// A person to forget, and everything by which a network names them.
enum ForgottenPerson {
    /// Texts that stand only in what the person said, did or was called.
    static let canaries = [
        "mallorykey", "malloryname", "canaryface", "canarywort", "zephyrquill", "canarydirect", "canaryfile",
        "canarybytes", "quailreason", "canarygarbled",
    ]

    static let group = RoomReference(key: "C1", name: "#open", kind: .channel)
    static let direct = RoomReference(key: "D-mallorykey", name: "malloryname", kind: .direct)
    static let mallory = UserReference(key: "U-mallorykey", name: "malloryname")
    static let alice = UserReference(key: "U-alice", name: "alice")
    static let own = UserReference(key: "U-me", name: "me", isSelf: true)

    static func at(_ second: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: second * 1_000_000)
    }

    private static func message(
        _ body: String, _ second: Int64, by sender: UserReference, in room: RoomReference, _ session: SessionID,
        files: [String] = []
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: room, kind: .message, sender: sender, body: body, remoteID: "m\(second)",
                sourceTime: at(second), receivedAt: at(second), attachments: files,
                raw: Array("RAW \(sender.name) \(body)".utf8)), .snapshot)
    }

    private static func reaction(_ text: String, to second: Int64, by sender: UserReference, _ session: SessionID)
        -> ChatEvent
    {
        .reaction(
            IncomingReaction(
                session: session, room: group, target: "m\(second)", sender: sender, text: text,
                sourceTime: at(second + 1), receivedAt: at(second + 1)))
    }

    /// Everything by which a network names a person.
    static func events(_ session: SessionID, listedAt now: Int64 = 0) -> [ChatEvent] {
        let listings: [ChatEvent] = [
            .roomListed(RoomListing(room: group), at: at(now)),
            .roomListed(RoomListing(room: direct, partner: mallory), at: at(now)),
            .userListed(UserListing(user: alice, picture: "/face/alice.png"), at: at(now)),
            .userListed(UserListing(user: mallory, picture: "/face/canaryface.png"), at: at(now)),
            .membersListed(group, [alice, mallory, own], at: at(now)),
            .roomLive(session: session, room: direct, at: at(now + 1)),
        ]
        let said = (Int64(1)..<20).flatMap { number -> [ChatEvent] in
            let second = number * 100
            return [
                message("words \(number)", second, by: alice, in: group, session),
                message(
                    "canarywort \(number)", second + 10, by: mallory, in: group, session,
                    files: number == 3 ? ["/files/canaryfile.txt"] : number == 4 ? ["/files/shared.txt"] : []),
                message(
                    "words with a file", second + 15, by: alice, in: group, session,
                    files: number == 4 ? ["/files/shared.txt"] : []),
                message("canarydirect \(number)", second + 20, by: mallory, in: direct, session),
                message("own words \(number)", second + 30, by: own, in: direct, session),
                reaction("zephyrquill", to: second, by: mallory, session),
                reaction("🎉", to: second, by: own, session),
                reaction("👍", to: second + 10, by: alice, session),
            ]
        }
        return listings + said + [
            .deleted(
                MessageDeletion(
                    session: session, room: group, remoteID: "m500", sourceTime: at(2100), receivedAt: at(2100),
                    retraction: .init(by: mallory, reason: "quailreason", wipes: false))),
            .unreadable(
                UnreadableEvent(
                    session: session, room: group, remoteID: "broken", receivedAt: at(2200),
                    payload: Array("canarygarbled by malloryname".utf8), reason: "garbled")),
        ]
    }
}
