package import ChatModel
import Rendering

/// The reader without a terminal: keys and answers change it, and it says what to read and to show.
///
/// Everything happens on one thread. It holds what the screen shows and some pages around it.
package struct ReaderModel: Sendable {
    let settings: ReaderSettings
    var size: ScreenSize
    var rooms = RoomList()
    /// The room that is shown; nil before the first one.
    var room: RoomKey?
    /// Facts of the room; nil until they are read.
    var state: RoomState?
    var history: Pane
    var mode = ReaderMode.reading
    var search: FoundHits?
    /// A sentence at the bottom until the next key.
    var note: String?
    /// The last message of the room when its end was visible; nil if that is unknown.
    var newest: MessageID?
    /// The number of messages after ``newest`` that are not loaded, and true if there are more.
    var unloaded = (count: 0, hasMore: false)
    var hidden: HiddenMessages
    var names: MessageQuery.Names
    /// The request for a place that has no answer yet.
    var opening: ReaderRequest?
    /// The directions in which pages are being read.
    var extending: Set<Bool> = []
    /// True if the archive changed while a place was being read.
    var missesChange = false
    /// The room to open first; nil for the one with the newest message.
    private let firstRoom: RoomKey?
    /// The place to open first.
    private let start: ReaderRequest.Place
    /// The query to search for at the start; nil for none or after it.
    private var query: String?

    /// - Parameters:
    ///   - room: The room to open; nil for the one with the newest message.
    ///   - place: The place to open in the room.
    ///   - query: A search to begin with; nil for none.
    package init(
        settings: ReaderSettings, size: ScreenSize, room: RoomKey?, place: ReaderRequest.Place = .latest,
        query: String? = nil
    ) {
        (self.settings, self.size, firstRoom, start, self.query) = (settings, size, room, place, query)
        (hidden, names) = (settings.hidden, settings.names)
        let layout = RowLayout(
            time: LocalTime(zone: settings.zone), now: settings.now(), columns: 1, showsRooms: false, matches: nil)
        history = Pane(look: Pane.Look(layout: layout), height: 1)
        layOut()
    }

    /// Returns the first questions.
    package mutating func begin() -> [ReaderEffect] {
        guard let firstRoom else { return [.ask(.rooms)] }
        return [.ask(.rooms)] + open(firstRoom, start)
    }

    /// Opens the first room when the list of rooms is there.
    mutating func beginWithoutRoom() -> [ReaderEffect] {
        guard room == nil, opening == nil else { return [] }
        guard isWide else {
            mode = .choosingRoom(LineInput(), selected: 0)
            return []
        }
        guard let newest = rooms.newest else { return [] }
        return open(newest.key, start)
    }

    /// Begins the search that the command was given, when the first room is there.
    mutating func beginSearch() -> [ReaderEffect] {
        guard let query, !query.isEmpty else { return [] }
        self.query = nil
        mode = .searching(LineInput(query))
        return searchAgain()
    }

    /// Takes another size of the terminal.
    package mutating func resize(_ size: ScreenSize) -> [ReaderEffect] {
        self.size = size
        layOut()
        return extend()
    }

    // MARK: The places on the screen

    /// True if the rooms stand beside the history; else they are a screen of their own.
    var isWide: Bool { size.columns >= 70 }
    /// The cells of the list of rooms and the line beside it.
    var sidebar: Int { isWide ? min(28, size.columns / 4) : 0 }
    var paneColumns: Int { size.columns - sidebar }
    /// The lines between the heading and the line of the state.
    var paneHeight: Int { size.rows - 2 }
    /// The number of messages to load at once: three screens, 50 to 400.
    var pageLimit: Int { min(400, max(50, paneHeight * 3)) }

    var choice: ReaderRequest.Choice { ReaderRequest.Choice(hidden: hidden, names: names, limit: pageLimit) }

    /// Returns the look of a pane.
    func look(matches: BodyRanges? = nil, showsRooms: Bool = false) -> Pane.Look {
        let layout = RowLayout(
            time: LocalTime(zone: settings.zone), now: settings.now(), columns: paneColumns, showsRooms: showsRooms,
            matches: matches)
        return Pane.Look(layout: layout)
    }

    /// Breaks all lines for the present size and look.
    mutating func layOut() {
        var ownLook = look(matches: search?.matches)
        ownLook.unread = state?.unread.flatMap { $0.firstUnread == nil ? nil : (ReadSeparator($0), $0.marker) }
        history.change(look: ownLook, height: paneHeight)
        let (hits, height) = (look(matches: search?.matches, showsRooms: search?.showsRooms ?? true), paneHeight)
        search?.pane.change(look: hits, height: height)
        if case .conversation(var pane) = mode {
            pane.change(look: look(), height: paneHeight)
            mode = .conversation(pane)
        }
    }
}
