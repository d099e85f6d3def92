import ChatModel
import Rendering
import SearchText

/// The hits of a search, with the place to which Escape returns.
struct FoundHits: Sendable {
    /// The place where the reader was before the search.
    struct Origin: Sendable, Hashable {
        var room: RoomKey
        /// The first visible message; nil at the end of the room.
        var message: MessageID?
    }

    var search: ReaderRequest.Search
    /// The hits, with the newest one last.
    var pane: Pane
    let origin: Origin?
    /// The number of all hits; nil while they are counted.
    private(set) var total: Int64?
    /// The numbers of hits by year, in order, years without a hit included.
    private(set) var years: [(year: Int, count: Int64)] = []
    /// The number of hits that are later than the loaded ones.
    private var dropped = 0
    /// A sentence about the hits; nil for none.
    var note: String?
    /// True if the answer of the search has come.
    var isAnswered = false
    /// True to open the newest hit when the answer comes.
    var isOpening = false
    /// True to open the next older hit when it is loaded.
    var isStepping = false

    init(search: ReaderRequest.Search, pane: Pane, origin: Origin?) {
        (self.search, self.pane, self.origin) = (search, pane, origin)
    }

    /// Returns the ranges of a body that match the query.
    var matches: BodyRanges { Highlighter(SearchQuery(parsing: search.text)).ranges }

    /// True if the hits may be in several rooms.
    var showsRooms: Bool { if case .room = search.scope { false } else { true } }

    /// The selected hit; nil without hits.
    var selected: Message? { pane.selectedRow?.message }

    /// The number of the selected hit, 1 for the newest one; nil without hits.
    var rank: Int? {
        let messages = pane.window.messages
        guard let selected,
            let index = messages.lastIndex(where: { $0.id == selected.id && $0.account == selected.account })
        else { return nil }
        return messages.count - index + dropped
    }

    /// Takes the newest hits.
    mutating func take(_ page: Page) {
        (isAnswered, dropped) = (true, 0)
        pane.show(HistoryWindow(page))
    }

    /// Adds older hits.
    mutating func takeOlder(_ page: Page) {
        let expected = pane.window.messages.count + page.messages.count
        pane.prepend(page)
        dropped += expected - pane.window.messages.count
    }

    mutating func take(_ counts: [HitCount]) {
        total = counts.reduce(0) { $0 + $1.count }
        let found = counts.compactMap { count in count.name.flatMap { Int($0) }.map { ($0, count.count) } }
        let byYear = Dictionary(found, uniquingKeysWith: +)
        guard let first = byYear.keys.min(), let last = byYear.keys.max(), last - first < Self.mostYears else {
            years = []
            return
        }
        years = (first...last).map { ($0, byYear[$0] ?? 0) }
    }

    mutating func forgetCounts() { (total, years) = (nil, []) }

    /// 60. IRC is from 1988; times before it are those of a wrong clock.
    private static let mostYears = 60
}
