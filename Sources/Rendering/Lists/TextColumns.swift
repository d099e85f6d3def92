/// The columns of text for people, in cells: time, room, name, and the text in the rest.
///
/// They grow with the content and never shrink, so that followed messages stay aligned.
struct TextColumns: Sendable {
    /// The limit of a name's or room's width. Longer ones are cut, so that a name of 300 characters leaves room for the
    /// text.
    static let maximumName = 16
    static let maximumRoom = 24
    /// The width to which names and rooms may be cut on a narrow terminal.
    static let minimumName = 8
    static let minimumRoom = 10
    /// The smallest width for a text, about three words. With less, the text goes below its name.
    static let minimumText = 20
    static let space = 2

    /// The width of `06:23`, or of an id.
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

    /// Returns the layout of a line of `width` cells; nil for a line without an end.
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

    /// Returns a layout with the text below time, room and name: under the name if most of the line is left there,
    /// otherwise further left.
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

/// The layout of a line, in cells.
struct TextLayout: Sendable, Hashable {
    var time: Int
    var room: Int
    var name: Int
    /// The column where a text begins, and continues in further lines.
    var indent: Int
    /// True if texts begin below their names.
    var isStacked: Bool
    /// The width of the whole line; nil if it has no end.
    var width: Int?

    /// Returns the room, padded on the right when rooms are a column.
    func pad(room: String) -> String {
        isStacked ? room : DisplayWidth.pad(room, to: self.room)
    }

    /// Returns the spaces before a name when names are a column.
    func fill(before name: String) -> String {
        isStacked ? "" : String(repeating: " ", count: max(0, self.name - DisplayWidth.of(name)))
    }

    /// Returns true if the text begins in the line after its room and name: when the layout is stacked, or when
    /// terminals disagree about their width. An empty string stands for none.
    func isBelow(room: String, name: String) -> Bool {
        guard width != nil else { return false }
        let isAlone = room.isEmpty && name.isEmpty && indent == time + TextColumns.space
        return isStacked ? !isAlone : !DisplayWidth.isCertain(room + name)
    }

    /// Returns the lines of a text in its column.
    func lines(of text: String) -> [String] {
        lines(of: text, indent: indent)
    }

    /// Returns the lines of a text that continues `indent` cells from the left.
    func lines(of text: String, indent: Int) -> [String] {
        TextWrap.lines(of: text, width: width.map { max(1, $0 - indent) })
    }
}
