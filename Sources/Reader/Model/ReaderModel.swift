package import ChatModel
import Rendering

/// The reader without a terminal: keys and answers change it, and it says what to read and to show.
///
/// Everything happens on one thread. It holds what the screen shows and some pages around it.
package struct ReaderModel: Sendable {
    let settings: ReaderSettings
    var size: ScreenSize
    var rooms = RoomList()
    var shown: ShownRoom
    var mode = ReaderMode.reading
    /// The search; nil without one.
    var search: FoundHits?
    /// A sentence at the bottom until the next key.
    var note: String?
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
        let history = Pane(look: settings.look(size), height: size.paneHeight)
        shown = ShownRoom(
            history: history,
            choice: ReaderRequest.Choice(hidden: settings.hidden, names: settings.names, limit: size.pageLimit))
    }

    /// Returns the first questions.
    package mutating func begin() -> [ReaderEffect] {
        guard let firstRoom else { return [.ask(.rooms)] }
        return [.ask(.rooms)] + shown.open(firstRoom, start)
    }

    /// Opens the first room when the list of rooms is there; on a narrow screen, or without rooms, shows the list.
    mutating func beginWithoutRoom() -> [ReaderEffect] {
        guard shown.key == nil, shown.opening == nil else { return [] }
        if size.isWide, let newest = rooms.newest {
            mode = .reading
            return shown.open(newest.key, start)
        }
        // A part of a name that is typed stays.
        if case .choosingRoom = mode { return [] }
        mode = .choosingRoom(RoomChooser())
        return []
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
        shown.choice.limit = size.pageLimit
        layOut()
        return shown.extend()
    }

    /// Returns the questions after the archive's files changed.
    package mutating func changed() -> [ReaderEffect] { shown.changed() }

    /// Returns the questions about all rooms after the archive's files changed.
    package func changedRooms() -> [ReaderEffect] {
        [.ask(.rooms), askUnread] + (shown.key.map { [.ask(.facts($0))] } ?? [])
    }

    /// The question for the numbers of unread messages of the rooms near the shown one.
    var askUnread: ReaderEffect { .ask(.unread(rooms.near(shown.key, count: size.rows))) }

    /// The command that opens the present place.
    package var placeCommand: String { shown.command(among: rooms, options: settings.given) }
}

/// Lines.
extension ReaderModel {
    /// Breaks all lines for the present size and look.
    mutating func layOut() {
        shown.change(look: settings.look(size, matches: search?.matches), height: size.paneHeight)
        let hits = settings.look(size, matches: search?.matches, showsRooms: search?.showsRooms ?? true)
        search?.change(look: hits, height: size.paneHeight)
        if case .conversation(var view) = mode {
            view.change(look: settings.look(size), height: size.paneHeight)
            mode = .conversation(view)
        }
    }
}
