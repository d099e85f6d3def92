import ChatModel

/// A gap as a block of a page: its length, its bounds, the reason, and if it can still be filled.
struct HTMLGap {
    let gap: Gap
    let time: LocalTime
    let now: Timestamp
    /// True to name the account and the room.
    let showsRoom: Bool

    /// True for a part of time that is not a fault: an import and the time after it, a room that was left, a quiet
    /// connection.
    private var isCalm: Bool {
        guard case .gap(let missing) = gap.kind else { return true }
        return gap.to == nil && missing.reason == Gap.quiet
    }

    var classes: String { isCalm ? "g calm" : "g" }

    var html: HTML {
        let place = showsRoom ? " in \(gap.account)/\(gap.room)" : ""
        return "<b>\(HTMLText.line(title + MessageRemarks.cut(place, to: HTMLText.nameLimit)))</b>"
            + HTMLText.line(reason + GapText.outlook(gap)) + "<small>\(bounds)</small>"
    }

    private var title: String {
        let length = RoughDuration(gap.length(at: now))
        return switch gap.kind {
        case .gap(let missing) where gap.to == nil:
            missing.reason == Gap.quiet ? "Nothing received for \(length)" : "Not receiving for \(length)"
        case .gap: "Gap of \(length)"
        case .ended: "Not archived any more for \(length)"
        case .imported: "From an imported log"
        case .seam: "Not archived for \(length)"
        case .encrypted: "Encrypted messages"
        case .purged(let purge):
            "\(Int(purge.count).of(.message)) \(purge.rule.age == nil ? "removed" : "expired")"
                + (purge.at.map { " on \(time.day($0))" } ?? "")
        }
    }

    /// The reason as the beginning of a sentence.
    private var reason: String {
        let reason = MessageRemarks.cut(GapText.reason(gap), to: 600)
        return reason.prefix(1).uppercased() + reason.dropFirst()
    }

    private var bounds: String {
        let from = time.dayAndSecond(gap.shownFrom)
        let next = gap.missing?.nextTry.map { ". Next try at \(time.dayAndSecond($0))" } ?? ""
        guard let end = gap.shownTo else { return "Since \(from)\(next)" }
        let to = time.day(end) == time.day(gap.shownFrom) ? time.second(end) : time.dayAndSecond(end)
        return "\(from) to \(to)\(next)"
    }
}
