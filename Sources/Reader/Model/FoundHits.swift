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

    /// The search; its text is blank before one is typed.
    private(set) var search: ReaderRequest.Search
    /// The hits, with the newest one last.
    private(set) var pane: Pane
    let origin: Origin?
    /// The number of all hits; nil while they are counted.
    private(set) var total: Int64?
    /// The numbers of hits by year, in order, years without a hit included.
    private(set) var years: [(year: Int, count: Int64)] = []
    /// The number of hits that are later than the loaded ones.
    private var dropped = 0
    /// A sentence about the hits; nil for none.
    private(set) var note: String?
    /// False while the answer of the search is read.
    private(set) var isAnswered = true
    /// The step that the keys before the answer asked for.
    private var next = Next.nothing

    /// The step after an answer.
    enum Next: Sendable, Hashable {
        case nothing
        /// Open the newest hit.
        case open
        /// Open the next older hit.
        case step
    }

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

    /// Breaks the hits into lines again, for another size or look.
    mutating func change(look: Pane.Look, height: Int) { pane.change(look: look, height: height) }

    /// Moves among the hits by a key.
    ///
    /// - Returns: False for a key that does not move.
    mutating func press(_ key: ReaderKey) -> Bool { pane.press(key, takesLetters: false) }
}

/// Questions.
extension FoundHits {
    /// Begins another search. The hits of the one before stay until the answer comes.
    ///
    /// - Parameter limit: The number of hits to read at once.
    mutating func begin(_ search: ReaderRequest.Search, limit: Int) -> [ReaderEffect] {
        (self.search, next) = (search, .nothing)
        (total, years) = (nil, [])
        isAnswered = search.isBlank
        guard !search.isBlank else {
            (note, dropped) = (nil, 0)
            pane.show(HistoryWindow())
            return []
        }
        return [.ask(.hits(search, before: nil, limit: limit)), .ask(.years(search))]
    }

    /// Returns the question for older hits when the visible part is near the oldest one.
    func more(limit: Int) -> [ReaderEffect] {
        pane.wantedOlder.map { [.ask(.hits(search, before: $0, limit: limit))] } ?? []
    }

    /// Opens the newest hit when the answer comes, because the hits on the screen are those of an earlier text.
    mutating func openLater() { next = .open }

    /// The result of a step to another hit.
    enum Step: Sendable, Hashable {
        case open, end
        /// The next older hit is not loaded.
        case ask(ReaderRequest)
    }

    /// Selects the next older hit, or the next newer one.
    mutating func step(isOlder: Bool, limit: Int) -> Step {
        // A text longer than the screen is scrolled first, which is not a step here.
        if pane.moveSelection(isOlder ? -1 : 1) { return .open }
        guard isOlder, let cursor = pane.window.older else { return .end }
        next = .step
        return .ask(.hits(search, before: cursor, limit: limit))
    }
}

/// Answers.
extension FoundHits {
    /// Takes the newest hits, or older ones.
    ///
    /// - Parameter look: The look of the hits of this search.
    /// - Returns: The step that the keys before the answer asked for.
    mutating func take(_ page: Page, before cursor: MessageID?, notes: String, look: Pane.Look) -> Next {
        note = notes.isEmpty ? nil : notes
        if cursor == nil {
            pane.change(look: look, height: pane.height)
            (isAnswered, dropped) = (true, 0)
            pane.show(HistoryWindow(page))
        } else {
            guard cursor == pane.window.older else { return .nothing }
            takeOlder(page)
        }
        defer { next = .nothing }
        return next
    }

    /// Takes the reason why the search has no answer.
    mutating func fail(_ reason: String, isAnswer: Bool) {
        note = reason
        if next == .step { next = .nothing }
        if isAnswer { isAnswered = true }
    }

    /// Adds older hits.
    private mutating func takeOlder(_ page: Page) {
        let expected = pane.window.messages.count + page.messages.count
        pane.prepend(page)
        dropped += expected - pane.window.messages.count
    }

    /// Takes the numbers of hits by year.
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

    /// 60. IRC is from 1988; times before it are those of a wrong clock.
    private static let mostYears = 60
}
