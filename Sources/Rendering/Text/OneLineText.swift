import ChatModel

/// Text for `grep`, `sort` and `awk`: each message and each gap is one line that begins with its date and time.
///
/// Two spaces separate the fields: the time, the mark of a hit, the room, the name and the text. A field that a message
/// lacks is left out. `docs/terminal.md` documents the form.
struct OneLineText {
    let time: LocalTime
    let style: Style
    let now: Timestamp
    let options: TextRenderer.Options

    private static let space = "  "
    /// The sign in place of a line feed.
    private static let lineFeed = " ⏎ "

    func text(_ line: MessageLine, of message: Message, isHit: Bool) -> String {
        let stamp = options.showsIDs ? message.id.description : time.dayAndSecond(message.time)
        let name = line.name.isEmpty ? nil : style.name(line.name, of: line.name, isSelf: line.isOwn)
        let text = TextWrap.lines(of: line.text.text, width: nil)
        let painted = line.isQuiet ? text.map(style.dim) : line.text.painted(text, style)
        let space = text.last?.isEmpty == true || line.flags.isEmpty ? "" : " "
        return join([
            style.dim(stamp), mark(isHit: isHit), room(message.account, message.room), name,
            painted.joined(separator: Self.lineFeed) + space + style.dim(line.flags),
        ])
    }

    func text(_ gap: Gap) -> String {
        let stamp = options.showsIDs ? gap.shownFrom.description : time.dayAndSecond(gap.shownFrom)
        let sentence = GapText(time: time, now: now, showsRoom: false).bounds(gap)
        return join([
            style.dim(stamp), mark(isHit: false), room(gap.account, gap.room), style.warning("-- " + sentence),
        ])
    }

    private func join(_ fields: [String?]) -> String {
        fields.compactMap(\.self).joined(separator: Self.space) + "\n"
    }

    private func mark(isHit: Bool) -> String? {
        options.marksHits ? isHit ? style.match(">") : "-" : nil
    }

    private func room(_ account: String, _ room: String) -> String? {
        options.showsRooms ? style.dim(Sanitizer.line("\(account)/\(room)")) : nil
    }
}
