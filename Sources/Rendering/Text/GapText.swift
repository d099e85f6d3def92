package import ChatModel

/// A gap as a sentence.
package struct GapText: Sendable {
    package let time: LocalTime
    /// The present time, which is the end of current gaps.
    package let now: Timestamp
    /// True to name the account and the room.
    package let showsRoom: Bool

    package init(time: LocalTime, now: Timestamp, showsRoom: Bool) {
        (self.time, self.now, self.showsRoom) = (time, now, showsRoom)
    }

    /// Returns a sentence such as `gap 06:23:11 to 06:25:40 (2 min): the server closed the connection; nothing can fill
    /// it`.
    ///
    /// - Parameter shownDay: The day that the reader sees above; times of other days include theirs.
    package func sentence(_ gap: Gap, shownDay: String? = nil) -> String {
        let place = showsRoom ? " in " + Sanitizer.line("\(gap.account)/\(gap.room)") : ""
        let from = moment(gap.shownFrom, shownDay: shownDay)
        let to = gap.shownTo.map { moment($0, shownDay: time.day(gap.shownFrom)) }
        let (span, length) = ("\(place) \(from) to \(to ?? "now")", RoughDuration(gap.length(at: now)))
        return switch gap.kind {
        case .purged(let purge): self.purge(purge, shownDay: shownDay)
        case .imported: "imported log\(span): not known to be complete"
        case .seam: "not archived\(span) (\(length)): \(Self.reason(gap))"
        case .gap where to == nil, .ended:
            "nothing received\(place) since \(from) (\(length)): \(Self.reason(gap.reason))\(Self.unfilled(gap))"
                + nextTry(gap) + Self.imported(gap) + Self.replayed(gap)
        case .gap, .encrypted: "gap\(span) (\(length)): \(Self.reason(gap))\(Self.outlook(gap))\(nextTry(gap))"
        }
    }

    /// Returns a sentence such as `1,204 messages of 2026-06-01 06:23:11 to 2026-08-02 10:00:00 expired on 2026-11-01 (rule:
    /// max_age = "90d")`.
    private func purge(_ purge: Purge, shownDay: String? = nil) -> String {
        let place = showsRoom ? " in " + Sanitizer.line("\(purge.account)/\(purge.room ?? "")") : ""
        let (from, to) = (moment(purge.first, shownDay: shownDay), moment(purge.last, shownDay: time.day(purge.first)))
        let span = purge.first == purge.last ? from : "\(from) to \(to)"
        let day = purge.at.map { " on \(time.day($0))" } ?? ""
        let messages = "\(Int(purge.count).of(.message))\(place) of \(span)"
        guard purge.rule.age != nil else { return "\(messages) \(purge.count == 1 ? "was" : "were") removed\(day)" }
        return "\(messages) expired\(day) (\(Self.rule(purge)))"
    }

    /// Returns a text such as `rule: max_age = "90d"`.
    static func rule(_ purge: Purge) -> String {
        purge.rule.age == nil ? "removed on request" : "rule: \(Sanitizer.line(purge.rule.text))"
    }

    /// Returns a sentence that begins with `gap` and has the days of both ends: `gap 2026-11-21 06:23:11 to now (2
    /// min): the connection was lost`. A gap that lasts ends now.
    func bounds(_ gap: Gap) -> String {
        if let purge = gap.purge { return self.purge(purge) }
        let to = gap.shownTo.map(time.dayAndSecond) ?? "now"
        return "gap \(time.dayAndSecond(gap.shownFrom)) to \(to) (\(RoughDuration(gap.length(at: now)))): "
            + Self.reason(gap) + Self.outlook(gap) + nextTry(gap)
    }

    /// Returns the words after ``reason(_:)-(Gap)`` that say whether anything can fill the gap; empty for a gap that
    /// lasts, and for a gap that an imported log covers.
    static func outlook(_ gap: Gap) -> String {
        guard case .gap(let missing) = gap.kind, gap.to != nil else { return "" }
        if missing.isOpen { return "; not filled yet" }
        if missing.imported.isEmpty, missing.replayed.messages == 0 { return "; nothing can fill it" }
        return isImported(gap) ? "" : ", and nothing can fill the rest"
    }

    /// Returns the reason of a gap, and the imported or received parts of it.
    package static func reason(_ gap: Gap) -> String {
        switch gap.kind {
        case .gap, .ended: reason(gap.reason) + unfilled(gap) + imported(gap) + replayed(gap)
        case .imported: "imported log: not known to be complete"
        case .seam: "after the imported log, before listening began" + unfilled(gap) + replayed(gap)
        case .purged(let purge): rule(purge)
        case .encrypted: "encrypted: \(detail(gap) ?? "")"
        }
    }

    /// Returns the reason in the server's words, or the number of encrypted messages.
    static func detail(_ gap: Gap) -> String? {
        guard case .encrypted(let count) = gap.kind else { return gap.missing?.detail }
        return count == 1 ? "1 message" : "\(count) messages"
    }

    /// Returns a text such as `; some of it was replayed (12 messages)`; empty if nothing was.
    private static func replayed(_ gap: Gap) -> String {
        guard let replayed = gap.missing?.replayed, replayed.messages > 0 else { return "" }
        let more = replayed.hasMore ? " or more" : ""
        return "; some of it was replayed (\(Int(replayed.messages).of(.message))\(more))"
    }

    /// Returns a text such as `; an imported log covers a part of it`; empty for a gap without imports.
    private static func imported(_ gap: Gap) -> String {
        guard !gap.imported.isEmpty else { return "" }
        return isImported(gap) ? "; an imported log covers it" : "; an imported log covers a part of it"
    }

    /// Returns true if an imported log covers the whole gap.
    private static func isImported(_ gap: Gap) -> Bool {
        guard let first = gap.imported.first, let end = gap.to else { return false }
        return first.from <= gap.from && first.to >= end
    }

    /// Returns a text such as `; the server refused to give its history (FAIL CHATHISTORY …)`; empty if nothing is
    /// known.
    package static func unfilled(_ gap: Gap) -> String {
        let phrase = gap.missing?.unfilled.map { $0 == gap.reason ? "" : "; " + unfilled($0) } ?? ""
        return phrase + (gap.missing?.detail.map { " (\(Sanitizer.line($0)))" } ?? "")
    }

    private static func unfilled(_ code: String) -> String {
        switch UnfilledReason(rawValue: code) {
        case .refused: "the server refused to give its history"
        case .limit: "the server's history does not go back that far"
        case .burst: "more messages have the same time than the server returns"
        case .unsupported: "the server has no history"
        case .bouncer: "the bouncer did not receive it"
        case .pending: "its history has not been requested yet"
        case nil: Sanitizer.line(code)
        }
    }

    /// Returns a note such as `3 gaps in the time of this page; "scrollback gaps" lists them`, with a line feed.
    ///
    /// Empty for no gaps. The time after the account left a room does not count. Another line follows if a rule has
    /// removed messages.
    package static func count(_ gaps: [Gap], in time: String) -> String {
        count(gaps.count(where: \.state.isMissing), isPurged: gaps.contains { $0.state == .purged }, in: time)
    }

    /// Returns the same note for a number of gaps.
    static func count(_ count: Int, isPurged: Bool, in time: String) -> String {
        let gaps = "\(count.of("gap")) in \(time); \"scrollback gaps\" lists \(count == 1 ? "it" : "them")\n"
        return (count > 0 ? gaps : "")
            + (isPurged ? "messages were removed in \(time); \"scrollback retention log\" lists them\n" : "")
    }

    /// Returns the reason as a phrase; an unknown code unchanged.
    package static func reason(_ code: String?) -> String {
        guard let code else { return "unknown reason" }
        if code == Gap.quiet { return "connected, but the server has sent nothing; its next data closes the gap" }
        guard let reason = EndReason(rawValue: code) else {
            return switch code {
            case "failure", "unreadable": "a message could not be read or stored"
            case "damaged": "the archive's file was damaged"
            default: unfilled(code)
            }
        }
        return switch reason {
        case .stopped: "the listener was stopped"
        case .closed: "the server closed the connection"
        case .lost: "the connection was lost"
        case .silent: "the server fell silent"
        case .crashed: "the listener ended unexpectedly"
        case .clockStep: "this machine's clock was set back"
        case .violation: "the server exceeded a limit or violated the protocol"
        case .store: "the archive could not be written"
        case .bouncer: "the bouncer was not connected to the network"
        case .left: "the room was left"
        case .gone: "the room is gone"
        }
    }

    private func nextTry(_ gap: Gap) -> String {
        gap.missing?.nextTry.map { "; next try at \(moment($0, shownDay: time.day(now)))" } ?? ""
    }

    private func moment(_ instant: Timestamp, shownDay: String?) -> String {
        time.day(instant) == shownDay ? time.second(instant) : time.dayAndSecond(instant)
    }
}
