package import ChatModel

/// The remarks about messages and gaps that all document formats share.
package enum MessageRemarks {
    /// Returns `edited`, `deleted` and remarks about how the message was received; empty for most messages.
    package static func marks(_ message: Message) -> [String] {
        var marks: [String] = []
        if message.isUndecrypted { marks.append("encrypted") }
        if message.editedAt != nil { marks.append("edited") }
        if message.deletedAt != nil { marks.append("deleted") }
        if message.flags.contains(.maybeCoalesced) { marks.append("perhaps several messages") }
        if message.flags.contains(.oversize) { marks.append("cut, as too long") }
        if message.flags.contains(.invalidUTF8) { marks.append("had bad bytes") }
        if message.flags.contains(.replayed) { marks.append("replayed") }
        return marks
    }

    /// Returns the words for an event, to follow the actor's name; nil for a kind whose body is the sender's own words.
    package static func eventWords(_ message: Message) -> String? {
        switch message.kind {
        case .message, .action, .notice, .system: nil
        case .join: "has joined"
        case .leave: "has left"
        case .kick: "has kicked someone"
        case .rename: "is now known as"
        case .topic: removesTopic(message) ? "removes the topic" : "sets the topic:"
        case .mode: "sets mode"
        case .invite: "invites"
        }
    }

    /// Returns the words around the text of a topic that stood when the account joined the room, in safe text; nil for
    /// every other message. The words after it are such as `(set by alice, 2023-11-14 22:13)`, or empty.
    package static func standingTopic(_ message: Message, zone: Zone) -> (before: String, after: String)? {
        guard message.kind == .topic, message.flags.contains(.standing) else { return nil }
        if removesTopic(message) { return ("the topic was removed", "") }
        let by = message.sender.map { "by " + people([$0.name]) }
        let time = LocalTime(zone: zone)
        let at = message.sourceTime.map { "\(time.day($0)) \(time.minute($0))" }
        let origin = [by, at].compactMap(\.self).joined(separator: ", ")
        return ("the topic is:", origin.isEmpty ? "" : "(set \(origin))")
    }

    private static func removesTopic(_ message: Message) -> Bool {
        message.deletedAt == nil && !message.flags.contains(.wiped) && message.body?.isEmpty ?? true
    }

    /// Returns true if the body of an event is a reason, which is shown in parentheses, instead of the event's object.
    package static func isReason(_ kind: MessageKind) -> Bool {
        kind == .join || kind == .leave || kind == .kick
    }

    /// Returns the sentence of ``GapText``, in safe text and independent of the present time: without the length of a
    /// gap that lasts, and without the time of the next attempt.
    ///
    /// - Parameter shownDay: The day that the reader sees above; times of other days include theirs.
    package static func sentence(_ gap: Gap, time: LocalTime, shownDay: String?) -> String {
        var gap = gap
        if var missing = gap.missing {
            missing.nextTry = nil
            for words in [\Gap.Missing.reason, \.unfilled, \.detail] {
                missing[keyPath: words] = missing[keyPath: words].map { cut($0, to: 300) }
            }
            gap.missing = missing
        }
        guard gap.to == nil else {
            return GapText(time: time, now: gap.from, showsRoom: false).sentence(gap, shownDay: shownDay)
        }
        let from = time.day(gap.shownFrom) == shownDay ? time.second(gap.shownFrom) : time.dayAndSecond(gap.shownFrom)
        return "nothing received since \(from): \(GapText.reason(gap.reason))\(GapText.unfilled(gap))"
    }

    /// Returns the words before ``sentence(_:time:shownDay:)`` in documents.
    package static func label(_ gap: Gap) -> String {
        switch gap.kind {
        case .purged: "Removed"
        // The sentence itself says that the time is not archived.
        case .seam: "Missing"
        case .gap, .ended, .imported, .encrypted: "Not archived"
        }
    }

    /// Returns a sender's name, safe on one line; a phrase for no sender or an empty name.
    package static func name(_ sender: Message.Sender?) -> String {
        MessageLine.name(of: sender)
    }

    /// Returns at most `limit` code points, with "…" added if something was cut.
    package static func cut(_ text: String, to limit: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// Returns a list such as `alice, bob, carol and 5 more`, in safe text.
    package static func people(_ names: [String]) -> String {
        let (shown, rest) = shownPeople(names)
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : "")
    }

    /// Returns the names that such a list shows, in safe text, and the number of the others.
    static func shownPeople(_ names: [String]) -> (shown: [String], rest: Int) {
        let shown = names.prefix(names.count == 4 ? 4 : 3).map {
            $0.isEmpty ? "(no name)" : Sanitizer.line(cut($0, to: 64))
        }
        return (shown, names.count - shown.count)
    }

    /// Returns true if the lines are laid out with white space, as in code, or have Markdown's fence of code, so that they
    /// must be shown unchanged.
    package static func isCodeLike(_ body: String) -> Bool {
        let lines = body.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        return lines.count >= 3
            && lines.contains {
                $0.first == UInt8(ascii: "\t") || $0.starts(with: "  ".utf8) || $0.starts(with: "```".utf8)
            }
    }
}
