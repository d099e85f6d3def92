import ChatModel
package import Rescue

extension RescueReport.Loss {
    /// The columns and keys of `scrollback archive rescue`.
    ///
    /// - Parameter report: The rescue, whose figures are the totals.
    package static func listing(of report: RescueReport, time: LocalTime) -> Listing<RescueReport.Loss> {
        Listing(
            name: "losses",
            columns: [
                Column(heading: "LOST") { $0.what.words },
                Column(heading: "COUNT", alignment: .right) { $0.count.map { Int($0).grouped } ?? "unknown" },
                Column(heading: "ROOM", isShownEmpty: false) { $0.room ?? "" },
                Column(heading: "FROM", isShownEmpty: false) { $0.from.map { time.dayAndSecond($0) } ?? "" },
                Column(heading: "TO", isShownEmpty: false) { $0.to.map { time.dayAndSecond($0) } ?? "" },
            ],
            keys: ["what", "count", "room", "from", "to"],
            json: { loss in
                .object([
                    "what": .string(loss.what.rawValue), "count": JSONValue(loss.count), "room": JSONValue(loss.room),
                    "from": JSONValue(loss.from), "to": JSONValue(loss.to),
                ])
            },
            totals: { losses in
                .object([
                    "account": .string(report.account.name), "folder": .string(report.folder),
                    "messages": .number(report.messages), "rooms": .number(report.rooms),
                    "bytes": .number(report.bytes), "files": .number(Int64(report.files)),
                    "losses": .number(Int64(losses.count)),
                ])
            })
    }
}

extension RescueReport.What {
    /// The name of the loss, for people.
    fileprivate var words: String {
        switch self {
        case .messages: "messages"
        case .changed: "the original of a message"
        case .files: "contents of files"
        case .names: "names of rooms or people"
        case .users: "people or their pictures"
        case .rooms: "what is known about rooms"
        case .members: "members of rooms"
        case .coverage: "proof of complete times"
        case .gaps: "reasons of gaps"
        case .changes: "changes of the feed"
        case .edits: "earlier texts"
        case .reactions: "reactions or removals"
        case .rawBytes: "raw bytes of messages"
        case .journal: "raw bytes of connections"
        case .attachments: "files of messages"
        case .retention: "holds or removals by rules"
        case .other: "read marks, failures or places"
        }
    }
}
