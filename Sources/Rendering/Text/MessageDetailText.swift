package import ChatModel

/// A text with all details of a message: one fact a line, after its label.
package struct MessageDetailText {
    package let time: LocalTime
    package let style: Style
    package let now: Timestamp
    /// The width of the terminal in cells; nil for lines without an end.
    package var width: Int?

    package init(time: LocalTime, style: Style, now: Timestamp, width: Int? = nil) {
        (self.time, self.style, self.now, self.width) = (time, style, now, width)
    }

    private struct Line {
        let label: String
        let text: String
        let paint: ([String]) -> [String]

        init(_ label: String, _ text: String, paint: @escaping (String) -> String = { $0 }) {
            (self.label, self.text) = (label, text)
            self.paint = { $0.map(paint) }
        }

        init(_ label: String, _ text: StyledText, _ style: Style) {
            (self.label, self.text) = (label, text.text)
            paint = { text.painted($0, style) }
        }
    }

    /// Returns the facts beside the texts, each with its label, safe for a terminal.
    package func facts(_ detail: MessageDetail) -> [(label: String, text: String)] {
        lines(detail, versions: []).map { ($0.label, $0.text) }
    }

    private func lines(_ detail: MessageDetail, versions: [Line]) -> [Line] {
        who(detail) + reply(detail.message.reply) + versions + files(detail.message.attachments)
            + reactions(detail.message.reactions)
            + flags(detail.message.flags) + times(detail)
            + [Line("raw", raw(detail.raw, isImported: detail.session == nil))] + session(detail.session)
            + coverage(detail.coverage)
    }

    /// Returns the lines, as many as there are facts.
    package func text(_ detail: MessageDetail) -> String {
        let lines = lines(detail, versions: versions(detail))
        let indent = (lines.map(\.label.count).max() ?? 0) + 2
        return lines.map { line in
            let label = style.dim(DisplayWidth.pad(line.label, to: indent))
            let text = TextWrap.lines(of: line.text, width: width.map { max(1, $0 - indent) })
            return label + line.paint(text).joined(separator: "\n" + String(repeating: " ", count: indent)) + "\n"
        }.joined()
    }

    private func who(_ detail: MessageDetail) -> [Line] {
        let message = detail.message
        let room = "\(message.account)/\(message.room)"
        let sender = message.sender.map { sender in
            let shown = sender.name.isEmpty ? "(no name)" : sender.name
            return renamed(
                shown + (sender.isSelf ? " (self)" : "") + ", user \(sender.id)", sender.name, detail.senderNow)
        }
        return [
            Line("message", message.id.description), Line("room", renamed(room, message.room, detail.roomNow)),
            Line("network", Sanitizer.line(message.network)),
        ] + (message.workspace.map { [Line("workspace", Sanitizer.line($0))] } ?? []) + [
            Line("kind", message.kind.rawValue),
            Line("sender", sender ?? "none (sent by the server)"),
        ] + (message.via.map { [Line("via", Sanitizer.line("\($0.bot), who wrote \($0.prefix)"))] } ?? [])
            + picture(message.sender?.picture, now: detail.pictureNow)
            + (message.remoteID.map { [Line("remote id", Sanitizer.line($0))] } ?? [])
    }

    /// Returns the picture at the message's time, and today's if it is another one.
    private func picture(_ then: Picture?, now: Picture?) -> [Line] {
        let isOther = then?.file.path.utf8.elementsEqual((now?.file.path ?? "").utf8) != true
        return (then.map { [Line("picture", AttachmentText.place($0))] } ?? [])
            + (isOther ? now.map { [Line("picture now", AttachmentText.place($0))] } ?? [] : [])
    }

    private func reply(_ reply: Message.Reply?) -> [Line] {
        guard let reply else { return [] }
        let target = reply.id.map { "\($0), \(ReplyText.excerpt(reply, width: 50))" }
        return [Line("reply to", target ?? "\(Sanitizer.line(reply.remoteID)) (not archived)")]
    }

    private func reactions(_ reactions: [Message.Reaction]) -> [Line] {
        reactions.map { reaction in
            Line(
                "reaction",
                Sanitizer.line("\(reaction.text) \(reaction.by.count): \(reaction.by.joined(separator: ", "))"))
        }
    }

    private func renamed(_ shown: String, _ then: String, _ today: String?) -> String {
        let isOther = today.map { Array($0.utf8) != Array(then.utf8) } ?? false
        return Sanitizer.line(shown) + (isOther ? ", now called " + Sanitizer.line(today ?? "") : "")
    }

    private func versions(_ detail: MessageDetail) -> [Line] {
        detail.versions.enumerated().map { index, version in
            let (label, before) =
                detail.versions.count == 1 ? ("text", "") : ("version \(index + 1)", time.exact(version.at) + "\n")
            guard let body = version.body else { return Line(label, before + "none", paint: style.dim) }
            return Line(label, StyledText(body, before: before), style)
        }
    }

    private func files(_ attachments: [Attachment]) -> [Line] {
        attachments.map { file in
            let size = file.size.map { ", \(ByteCount($0))" } ?? ""
            let state = file.sha256.map { "archived as \($0)" } ?? AttachmentText.state(file)
            return Line(file.kind.rawValue, "\(Sanitizer.line(file.path))\(size), \(state)")
        }
    }

    private func flags(_ flags: MessageFlags) -> [Line] {
        flags.names.map { name in
            Line("flag", name + (Self.meanings[name].map { ": " + $0 } ?? ""))
        }
    }

    private static let meanings = [
        "invalid_utf8": "invalid UTF-8 was replaced by U+FFFD",
        "oversize": "too long, and cut; from a network, the rest is the next message",
        "maybe_coalesced": "possibly several messages that arrived together",
        "to_the_minute": "from a log without seconds",
        "to_the_second": "the source gave its time in whole seconds",
        "wiped": "its text was erased when it was retracted (redacted = \"wipe\")",
        "pinned": "pinned in its room when it was exported",
        "clock_ahead":
            "its id is later than its time, because this machine's clock was ahead before; see received",
        "standing": "the topic that stood when the account joined; claimed is when it was set",
        "replayed": "the network replayed it without an id; possibly a duplicate",
    ]

    private func times(_ detail: MessageDetail) -> [Line] {
        let message = detail.message
        return [
            Line("time", time.exact(message.id.time)),
            Line("claimed", message.sourceTime.map(time.exact) ?? "the network gave no other time"),
            Line("received", time.exact(message.receivedAt) + difference(message.receivedAt, message.id.time)),
        ] + (message.editedAt.map { [Line("edited", time.exact($0))] } ?? [])
            + (message.deletedAt.map {
                [Line("deleted", time.exact($0) + who(detail.retraction), paint: style.warning)]
            }
                ?? [])
    }

    /// Returns a text such as `, by bob: spam`; empty if nothing is known.
    private func who(_ retraction: MessageDetail.Retraction?) -> String {
        guard let retraction else { return "" }
        return (retraction.by.map { ", by " + ($0.isEmpty ? "(no name)" : Sanitizer.line($0)) } ?? "")
            + (retraction.reason.map { ": " + Sanitizer.line($0) } ?? "")
    }

    /// Returns a text such as `, 12 µs before that`; empty for equal times.
    private func difference(_ instant: Timestamp, _ other: Timestamp) -> String {
        guard instant != other else { return "" }
        let (early, late) = (min(instant, other), max(instant, other))
        return ", \(length(late.since(early))) \(instant < other ? "before" : "after") that"
    }

    private func length(_ duration: Duration) -> String {
        switch duration {
        case ..<Duration.milliseconds(1): "\(Int(duration / .microseconds(1))) µs"
        case ..<Duration.seconds(1): "\(Int(duration / .milliseconds(1))) ms"
        default: RoughDuration(duration).description
        }
    }

    private func raw(_ raw: MessageDetail.Raw, isImported: Bool) -> String {
        switch raw {
        case .bytes(let bytes, let length):
            let part = Int64(bytes.count) < length ? ", the first \(bytes.count)" : ""
            return "\(length) \(length == 1 ? "byte" : "bytes")\(part): \(RawText.shown(bytes))"
        case .missing(.notKept): return isImported ? "not kept for imported messages" : "not kept for this message"
        case .missing(.gone): return "no longer in the journal"
        }
    }

    private func session(_ session: MessageDetail.Session?) -> [Line] {
        guard let session else { return [Line("session", "none (imported)")] }
        let heard = "last active \(time.dayAndSecond(session.lastSignOfLife))"
        let end = session.endedAt.map { "ended \(time.dayAndSecond($0)): \(GapText.reason(session.reason))" } ?? heard
        let detail = session.detail.map { " (\(Sanitizer.line($0)))" } ?? ""
        return [
            Line("session", "\(session.id.rawValue), from \(time.dayAndSecond(session.startedAt)), \(end)\(detail)")
        ]
    }

    private func coverage(_ coverage: MessageDetail.Coverage) -> [Line] {
        let gapText = GapText(time: time, now: now, showsRoom: false)
        switch coverage.place {
        case .covered(let from, let to, let before, let after):
            let span = "complete from \(time.dayAndSecond(from)) to \(to.map(time.dayAndSecond) ?? "now")"
            let earlier =
                before.map { Line("before that", gapText.sentence($0), paint: style.warning) }
                ?? Line("before that", "not archived")
            let later = after.map { [Line("after that", gapText.sentence($0), paint: style.warning)] } ?? []
            return [Line("coverage", span), earlier] + later
        case .inGap(let gap): return [Line("in a gap", gapText.sentence(gap), paint: style.warning)]
        case .notArchived:
            let since = coverage.archivedSince.map { "the room is archived since \(time.dayAndSecond($0))" }
            return [Line("coverage", "unknown (\(since ?? "imported log"))")]
        }
    }
}
