package import ChatModel

/// The words in which every document remarks on a message or a gap.
package enum MessageRemarks {
    /// `edited`, `deleted` and what a reader should know of how it was received; empty for most.
    package static func marks(_ message: Message) -> [String] {
        [
            message.editedAt != nil ? "edited" : nil,
            message.deletedAt != nil ? "deleted" : nil,
            message.flags.contains(.maybeCoalesced) ? "perhaps several messages" : nil,
            message.flags.contains(.oversize) ? "cut by the listener" : nil,
            message.flags.contains(.invalidUTF8) ? "had bad bytes" : nil,
            message.flags.contains(.replayed) ? "replayed" : nil,
        ].compactMap(\.self)
    }

    /// What somebody did who said nothing; nil for a kind that has words of the sender's.
    package static func deed(_ kind: MessageKind) -> String? {
        switch kind {
        case .message, .action, .notice, .system: nil
        case .join: "has joined"
        case .leave: "has left"
        case .kick: "has kicked somebody"
        case .rename: "is now known as"
        case .topic: "sets the topic:"
        case .mode: "sets mode"
        case .invite: "invites"
        }
    }

    /// Whether the body of a deed is a reason, which stands in parentheses, and not what the deed is done to.
    package static func isReason(_ kind: MessageKind) -> Bool {
        kind == .join || kind == .leave || kind == .kick
    }

    /// As ``GapText`` has it, in safe text; without what depends on when it is asked: how long a gap lasts that has no
    /// end, and when it will be tried to fill it.
    ///
    /// - Parameter shownDay: The day that the reader sees above; times of another day are given with theirs.
    package static func sentence(_ gap: Gap, time: LocalTime, shownDay: String?) -> String {
        var gap = gap
        gap.nextTry = nil
        (gap.reason, gap.unfilled) = (gap.reason.map { cut($0, to: 300) }, gap.unfilled.map { cut($0, to: 300) })
        gap.detail = gap.detail.map { cut($0, to: 300) }
        guard gap.to == nil else {
            return GapText(time: time, now: gap.from, showsRoom: false).sentence(gap, shownDay: shownDay)
        }
        let from = time.day(gap.shownFrom) == shownDay ? time.second(gap.shownFrom) : time.dayAndSecond(gap.shownFrom)
        return "nothing heard since \(from): \(GapText.reason(gap.reason))\(GapText.unfilled(gap))"
    }

    /// As given, but safe on its line.
    package static func name(_ sender: Message.Sender?) -> String {
        MessageLine.name(of: sender)
    }

    /// At most so many code points, with "…" as its end where something was cut.
    package static func cut(_ text: String, to limit: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// `alice, bob, carol and 5 more`, in safe text.
    package static func people(_ names: [String]) -> String {
        let shown = names.prefix(names.count == 4 ? 4 : 3).map {
            $0.isEmpty ? "(no name)" : Sanitizer.line(cut($0, to: 64))
        }
        let rest = names.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : "")
    }

    /// Whether the lines are laid out by their white space, as code is, so that they are to be shown as they are.
    package static func isCodeLike(_ body: String) -> Bool {
        let lines = body.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        return lines.count >= 3
            && lines.contains { $0.first == UInt8(ascii: "\t") || $0.starts(with: "  ".utf8) }
    }
}
