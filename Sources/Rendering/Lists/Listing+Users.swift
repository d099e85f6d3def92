package import ChatModel
import FoundationEssentials

extension User {
    /// The columns and keys of `scrollback users`.
    package static func listing(time: LocalTime, showsAccounts: Bool, showsRoom: Bool) -> Listing<User> {
        let account = [Column<User>(heading: "ACCOUNT") { $0.account }]
        let membership = [
            Column<User>(heading: "JOINED") { time.shown($0.membership?.joinedAt) },
            Column(heading: "LEFT", isMoved: true) { time.shown($0.membership?.leftAt) },
        ]
        let facts = [
            Column<User>(heading: "USER") { $0.name + ($0.via == nil ? "" : MessageLine.bridged) },
            Column(heading: "ID", alignment: .right) { String($0.id) },
            Column(heading: "MESSAGES", alignment: .right, isShownEmpty: false) {
                $0.messages.map(String.init) ?? ""
            },
            Column(heading: "SELF") { $0.isSelf ? "yes" : "-" },
            Column(heading: "PICTURE", isShownEmpty: false, isMoved: true) { AttachmentText.state($0.picture) },
            Column(heading: "FIRST SEEN", isMoved: true) { time.shown($0.firstSeen) },
        ]
        let names = [Column<User>(heading: "EARLIER NAMES", isMoved: true) { EarlierNames(user: $0, time: time).text }]
        return Listing(
            name: "users",
            columns: (showsAccounts ? account : []) + facts + (showsRoom ? membership : []) + names,
            keys: [
                "id", "account", "name", "names", "is_self", "first_seen", "room", "joined_at", "left_at", "messages",
                "picture", "picture_sha256",
            ],
            json: { JSONValue($0) })
    }

    /// The keys of `scrollback archive me`: those of users, and in a document the names that were given and configured.
    package static func ownListing(given: [String], configured: [String]) -> Listing<User> {
        var listing = listing(time: LocalTime(zone: .gmt), showsAccounts: false, showsRoom: false)
        listing.totals = { _ in
            .object([
                "given": .array(given.map(JSONValue.string)), "configured": .array(configured.map(JSONValue.string)),
            ])
        }
        return listing
    }
}

/// The former names, latest first: `ally (until 2026-11-02), al`.
private struct EarlierNames {
    let user: User
    let time: LocalTime

    /// The limit of names in a table, which must stay readable; the machine formats have all.
    private static let shown = 5

    var text: String {
        // A merge may give a person their present name as an earlier one, and one earlier name several times.
        var known: Set<String> = [user.name]
        let names = user.earlierNames.reversed().filter { known.insert($0.name).inserted }
        guard let latest = names.first, let until = latest.lastSeen else { return "-" }
        let more = names.count > Self.shown ? ["and \(names.count - Self.shown) more"] : []
        return (["\(latest.name) (until \(time.day(until)))"] + names.prefix(Self.shown).dropFirst().map(\.name) + more)
            .joined(separator: ", ")
    }
}

extension User: JSONRepresentable {
    /// `via` is there only for a person who writes by a bridge.
    package var jsonValue: JSONValue {
        let via = via.map { JSONValue.Member(key: "via", value: .object(["name": .string($0)])) }
        let members: [JSONValue.Member] = [
            .init(key: "id", value: .number(id)),
            .init(key: "account", value: .string(account)),
            .init(key: "name", value: .string(name)),
            .init(key: "names", value: .array(names.map(\.jsonValue))),
            .init(key: "is_self", value: .bool(isSelf)),
            .init(key: "first_seen", value: JSONValue(firstSeen)),
            .init(key: "room", value: JSONValue(membership?.room)),
            .init(key: "joined_at", value: JSONValue(membership?.joinedAt)),
            .init(key: "left_at", value: JSONValue(membership?.leftAt)),
            .init(key: "messages", value: JSONValue(messages)),
            .init(key: "picture", value: JSONValue(picture?.file.path)),
            .init(key: "picture_sha256", value: JSONValue(picture?.file.sha256)),
        ]
        return .object(members + (via.map { [$0] } ?? []))
    }
}

extension User.Name {
    fileprivate var jsonValue: JSONValue {
        .object([
            "name": .string(name),
            "first_seen": JSONValue(firstSeen),
            "last_seen": JSONValue(lastSeen),
        ])
    }
}
