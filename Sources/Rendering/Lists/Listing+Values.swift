package import ChatModel

extension Room {
    /// The columns and keys of `scrollback rooms`.
    package static func listing(time: LocalTime) -> Listing<Room> {
        Listing(
            name: "rooms",
            columns: [
                Column(heading: "WORKSPACE", isShownEmpty: false) { $0.workspace ?? "" },
                Column(heading: "ROOM") { "\($0.account)/\($0.name)" },
                Column(heading: "ID", alignment: .right) { String($0.id) },
                Column(heading: "KIND", isSpared: true) { $0.kind.rawValue },
                Column(heading: "MESSAGES", alignment: .right) { String($0.messages) },
                Column(heading: "UNREAD", alignment: .right, isShownEmpty: false) { $0.unread?.shown ?? "" },
                Column(heading: "ENCRYPTED", alignment: .right, isShownEmpty: false) {
                    $0.encrypted.map { $0 > 0 ? String($0) : "" } ?? ""
                },
                Column(heading: "FIRST", isSpared: true) { time.shown($0.firstMessage?.time) },
                Column(heading: "LAST") { time.shown($0.lastMessage?.time) },
                Column(heading: "ARCHIVED SINCE", isSpared: true) { time.shown($0.coveredFrom) },
                Column(heading: "LAST MESSAGE", isShownEmpty: false, isRest: true) { $0.lastSaid?.shown ?? "" },
                Column(heading: "OWNER", isShownEmpty: false, isSparedFirst: true) { $0.owner ?? "" },
                Column(heading: "PICTURE", isShownEmpty: false, isSparedFirst: true) {
                    AttachmentText.state($0.picture)
                },
                Column(heading: "DESCRIPTION", isShownEmpty: false, isSparedFirst: true) {
                    ($0.description ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
                },
                Column(heading: "STATE", isShownEmpty: false, isMoved: true) {
                    // The trouble with joining is newer than the departure.
                    $0.trouble?.shown(time: time) ?? ($0.goneAt != nil ? "gone" : $0.leftAt != nil ? "left" : "")
                },
            ],
            keys: [
                "id", "account", "network", "workspace", "name", "kind", "messages", "first_message", "last_message",
                "unread", "has_more_unread", "covered_from", "left_at", "gone_at",
                "trouble", "trouble_detail", "trouble_since", "next_try", "last_said", "last_sender", "last_body",
                "encrypted", "topic", "description", "owner", "picture", "picture_sha256", "workspace_picture",
                "workspace_picture_sha256",
            ],
            json: { JSONValue($0) })
    }
}

extension LastSaid {
    /// Returns a text such as `alice: hi`, `* alice waves` or `topic: plans`.
    fileprivate var shown: String {
        let text =
            isDeleted
            ? "(deleted)" : StyledText(body ?? "").text.split(whereSeparator: \.isNewline).joined(separator: " ")
        if kind == .topic { return isDeleted || !text.isEmpty ? "topic: \(text)" : "topic removed" }
        guard let sender else { return text }
        return kind == .action ? "* \(sender) \(text)" : "\(sender): \(text)"
    }
}

extension HitCount {
    /// - Parameters:
    ///   - name: The property by which messages are counted: `room`.
    ///   - counted: The heading of the counts.
    ///   - chart: The largest count, for bars; nil for no bars.
    ///   - cells: The length of the longest bar.
    ///   - all: The counts, of which those of namesakes show their ids; empty to show none.
    package static func listing(
        by name: String, of counted: String, chart: Int64?, cells: Int = 20, among all: [HitCount] = []
    ) -> Listing<HitCount> {
        let namesakes = namesakes(among: all)
        var columns = [
            Column<HitCount>(heading: name.uppercased()) { count in
                let label = label(of: count)
                return count.id.map { namesakes.contains(label) ? "\(label) (id:\($0))" : label } ?? label
            },
            Column(heading: counted, alignment: .right) { String($0.count) },
        ]
        if let chart, chart > 0 {
            columns.append(Column(heading: "") { Self.bar($0.count, of: chart, cells: cells) })
        }
        return Listing(name: "counts", columns: columns, keys: ["account", "name", "count"], json: { JSONValue($0) })
    }

    private static func label(of count: HitCount) -> String {
        guard let account = count.account else { return count.name ?? "" }
        return count.name.map { "\(account)/\($0)" } ?? account
    }

    /// Returns the labels that several counts have. Those without a name are left out.
    private static func namesakes(among all: [HitCount]) -> Set<String> {
        var (labels, several): (Set<String>, Set<String>) = ([], [])
        for count in all where count.name != nil {
            let label = label(of: count)
            if !labels.insert(label).inserted { several.insert(label) }
        }
        return several
    }

    /// Makes the list of counts by several properties, a row for each.
    ///
    /// - Parameters:
    ///   - properties: The names of the properties: `hour`, `user`.
    ///   - counted: The heading of the counts.
    package static func crossListing(by properties: [String], of counted: String) -> Listing<HitCount> {
        let names = properties.indices.map { place in
            Column<HitCount>(heading: properties[place].uppercased()) { count in
                // The account stands before the first name of a room or a person.
                let isFirst = properties.firstIndex { ["room", "user"].contains($0) } == place
                return [isFirst ? count.account : nil, count.names[place]].compactMap(\.self).joined(separator: "/")
            }
        }
        return Listing(
            name: "counts",
            columns: names + [Column(heading: counted, alignment: .right) { String($0.count) }],
            keys: ["account"] + properties + ["count"],
            json: { count in
                let names = zip(properties, count.names).map { JSONValue.Member(key: $0, value: JSONValue($1)) }
                return .object(
                    [.init(key: "account", value: JSONValue(count.account))] + names
                        + [.init(key: "count", value: .number(count.count))])
            })
    }

    /// Returns a bar of at most `cells`, and of at least one cell unless the count is 0.
    private static func bar(_ count: Int64, of largest: Int64, cells: Int) -> String {
        String(repeating: "█", count: max(count > 0 ? 1 : 0, Int(Double(count) / Double(largest) * Double(cells))))
    }
}

extension UnreadRoom {
    /// The columns and keys of `scrollback unread`.
    package static func listing(time: LocalTime) -> Listing<UnreadRoom> {
        Listing(
            name: "rooms",
            columns: [
                Column(heading: "ROOM") { "\($0.account)/\($0.room)" },
                Column(heading: "UNREAD", alignment: .right) { $0.count },
                Column(heading: "LATE", alignment: .right) { String($0.late) },
                Column(heading: "FIRST") { time.shown(($0.firstLate ?? $0.firstUnread)?.time) },
                Column(heading: "READ UP TO") { time.shown($0.readThrough?.time) },
                Column(heading: "MARKED", isMoved: true) { time.shown($0.markedAt) },
            ],
            keys: [
                "account", "room", "room_id", "unread", "has_more", "late", "first_unread", "first_late",
                "read_through",
                "marked_at",
            ],
            json: { JSONValue($0) })
    }
}

extension RoomTrouble {
    /// Returns a text such as `invite only: Cannot join channel (+i); next try 2026-11-21 06:23:11`.
    fileprivate func shown(time: LocalTime) -> String {
        let words = reason.rawValue.map { $0 == "_" ? " " : String($0) }.joined()
        return words + (detail.map { ": \($0)" } ?? "")
            + (nextTry.map { "; next try \(time.dayAndSecond($0))" } ?? "")
    }
}

extension UnreadRoom {
    /// The number of unread messages: `12`, or `10000+` where counting stopped.
    package var count: String {
        "\(unread)\(hasMore ? "+" : "")"
    }
}

extension UnreadCount {
    /// The number of unread messages: `12`, or `100+` where counting stopped; empty for none.
    fileprivate var shown: String {
        count == 0 ? "" : "\(count)\(hasMore ? "+" : "")"
    }
}

/// The state of an account that is no longer in the configuration.
private let notConfigured = "not configured"

extension Gap {
    /// The columns and keys of `scrollback gaps`.
    ///
    /// - Parameter now: The present time, which is the end of current gaps.
    package static func listing(time: LocalTime, now: Timestamp) -> Listing<Gap> {
        Listing(
            name: "gaps",
            columns: [
                Column(heading: "ROOM") { "\($0.account)/\($0.room)" },
                Column(heading: "FROM") { time.dayAndSecond($0.shownFrom) },
                Column(heading: "TO") { $0.shownTo.map(time.dayAndSecond) ?? "now" },
                Column(heading: "LENGTH", alignment: .right) {
                    RoughDuration($0.length(at: now)).description
                },
                Column(heading: "STATE", isMoved: true) {
                    $0.state == .current && $0.isConfigured == false ? notConfigured : $0.state.rawValue
                },
                Column(heading: "REASON", isMoved: true) { GapText.reason($0) },
                Column(heading: "NEXT TRY", isShownEmpty: false, isMoved: true) {
                    $0.missing?.nextTry.map(time.dayAndSecond) ?? ""
                },
            ],
            keys: [
                "account", "room", "from", "to", "state", "reason", "next_try", "unfilled", "detail", "imported",
                "configured", "purged", "replayed", "has_more_replayed",
            ],
            json: { JSONValue($0) })
    }
}

extension AccountStatus {
    /// The columns and keys of `scrollback status`.
    ///
    /// - Parameter now: The present time, from which ages are computed.
    package static func listing(time: LocalTime, now: Timestamp) -> Listing<AccountStatus> {
        Listing(
            name: "accounts",
            columns: [
                Column(heading: "ACCOUNT") { $0.account },
                Column(heading: "NETWORK", isMoved: true) { $0.network },
                Column(heading: "STATE") {
                    $0.isConfigured == false
                        ? notConfigured
                        : $0.state.rawValue
                            + ($0.tlsUntil.map { ", by TLS as the server demands until \(time.day($0))" } ?? "")
                            + fetching($0.backfill) + copying($0.shared) + waiting($0.retention)
                },
                Column(heading: "SINCE", isMoved: true) { time.shown($0.since) },
                Column(heading: "HEARD") { ago($0.lastSignOfLife, now) },
                Column(heading: "LAST MESSAGE") { ago(lastMessage($0), now) },
                Column(heading: "MESSAGES", alignment: .right) { String($0.messages) },
                Column(heading: "GAPS", alignment: .right) { String($0.openGaps) },
                Column(heading: "FAILURES", alignment: .right) { String($0.failures) },
                Column(heading: "NEXT TRY", isShownEmpty: false, isMoved: true) {
                    $0.nextTry.map(time.dayAndSecond) ?? ""
                },
                Column(heading: "LAST ERROR", isMoved: true) { $0.lastError ?? "-" },
            ],
            // Every status has every key.
            keys: CSV.header(of: JSONValue(AccountStatus(account: "", network: "", state: .offline))),
            json: { JSONValue($0) })
    }

    /// Returns a text such as `, fetching 3 rooms`; empty if nothing is fetched.
    private static func fetching(_ progress: BackfillProgress?) -> String {
        guard let rooms = progress?.rooms, rooms > 0 else { return "" }
        return ", fetching \(rooms == 1 ? "1 room" : "\(rooms.grouped) rooms")"
    }

    /// Returns a text such as `, 1,203 changes not in the shared archive`; empty if the copy is complete.
    private static func copying(_ lag: ReplicationLag?) -> String {
        guard let lag else { return "" }
        if let left = lag.left, left > 0 { return ", \(Int(left).of("change")) not in the shared archive" }
        return lag.error == nil ? "" : ", not copied to the shared archive"
    }

    /// Returns a text such as `, 1 retention rule waits`; empty if none does.
    private static func waiting(_ retention: RetentionStatus?) -> String {
        guard let count = retention?.waiting.count, count > 0 else { return "" }
        return ", \(count.of("retention rule")) \(count == 1 ? "waits" : "wait")"
    }

    /// Returns the time of the last message; the time of its receipt if its id is later.
    private static func lastMessage(_ status: AccountStatus) -> Timestamp? {
        [status.lastMessage?.time, status.lastMessage == nil ? nil : status.lastEvent].compactMap(\.self).min()
    }

    private static func ago(_ time: Timestamp?, _ now: Timestamp) -> String {
        time.map { "\(RoughDuration(now.since($0))) ago" } ?? "-"
    }
}

extension LocalTime {
    /// Returns the time, or `-` when there is none.
    package func shown(_ time: Timestamp?) -> String {
        time.map(dayAndSecond) ?? "-"
    }
}
