/// The columns of text for people, in cells: time, room, name, and the text in what is left.
///
/// They grow with what is shown and never shrink, so that what is followed goes on as it began.
struct TextColumns: Sendable {
    /// Longer names are cut, so that one of 300 Characters leaves room for the text.
    static let maximumName = 16
    static let maximumRoom = 24
    /// Where a terminal is narrow, names and rooms are cut as far as this.
    static let minimumName = 8
    static let minimumRoom = 10
    /// A text with less room than this, about three words, goes below its name instead.
    static let minimumText = 20
    static let space = 2

    /// `06:23`, or an id.
    let time: Int
    let showsRooms: Bool

    private var name = 0
    private var room = 0

    init(time: Int, showsRooms: Bool) {
        self.time = time
        self.showsRooms = showsRooms
    }

    mutating func makeRoom(name: String, room: String) {
        self.name = max(self.name, min(DisplayWidth.of(name), Self.maximumName))
        guard showsRooms else { return }
        self.room = max(self.room, min(DisplayWidth.of(room), Self.maximumRoom))
    }

    /// Where things stand on a line of `width` cells; nil where lines have no end.
    func layout(width: Int?) -> TextLayout {
        var layout = TextLayout(time: time, room: room, name: name, indent: 0, isStacked: false, width: width)
        let names = (showsRooms ? room + Self.space : 0) + name + Self.space
        layout.indent = time + Self.space + names
        guard let width else { return layout }
        var over = layout.indent + Self.minimumText - width
        for (column, minimum) in [(\TextLayout.room, Self.minimumRoom), (\TextLayout.name, Self.minimumName)]
        where over > 0 {
            let cut = min(over, max(0, layout[keyPath: column] - minimum))
            layout[keyPath: column] -= cut
            layout.indent -= cut
            over -= cut
        }
        return over > 0 ? stacked(width: width) : layout
    }

    /// The text below time, room and name: under the name where that leaves most of the line, else further left.
    private func stacked(width: Int) -> TextLayout {
        let below = time + Self.space
        let indent = below * 4 <= width ? below : min(Self.space, width / 8)
        let spare = max(2, width - below - (showsRooms ? Self.space : 0))
        let room = showsRooms ? min(self.room, max(spare / 2, spare - name)) : 0
        return TextLayout(
            time: time, room: room, name: min(name, max(1, spare - room)), indent: indent, isStacked: true, width: width
        )
    }
}

/// Where things stand on a line, in cells.
struct TextLayout: Sendable, Hashable {
    var time: Int
    var room: Int
    var name: Int
    /// Where a text begins, and goes on in further lines.
    var indent: Int
    /// Whether texts begin below their names instead of beside them.
    var isStacked: Bool
    /// Of the whole line; nil where it has no end.
    var width: Int?

    /// Rooms are a column from the left, where they are one.
    func pad(room: String) -> String {
        isStacked ? room : DisplayWidth.pad(room, to: self.room)
    }

    /// The spaces that make names a column from the right, where they are one.
    func fill(before name: String) -> String {
        isStacked ? "" : String(repeating: " ", count: max(0, self.name - DisplayWidth.of(name)))
    }

    /// Whether a text begins in the line after its room and name (empty for none): where there is no room beside them,
    /// and where terminals disagree how wide they are, so that nobody knows where beside them is.
    func isBelow(room: String, name: String) -> Bool {
        guard width != nil else { return false }
        let isAlone = room.isEmpty && name.isEmpty && indent == time + TextColumns.space
        return isStacked ? !isAlone : !DisplayWidth.isCertain(room + name)
    }

    /// The lines of a text of its own column.
    func lines(of text: String) -> [String] {
        lines(of: text, indent: indent)
    }

    /// The lines of a text that goes on below itself, `indent` cells from the left.
    func lines(of text: String, indent: Int) -> [String] {
        TextWrap.lines(of: text, width: width.map { max(1, $0 - indent) })
    }
}
