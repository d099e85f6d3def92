import ChatModel

@testable import Reader

/// A reader of a sample archive, without a terminal.
struct SampleReader {
    var archive: SampleArchive
    var model: ReaderModel
    /// What the program was asked to do, besides questions to the archive.
    var effects: [ReaderEffect] = []

    /// - Parameter marksNothing: The reason why nothing can be marked as read; nil if it can.
    init(
        _ archive: SampleArchive, columns: Int = 80, rows: Int = 24, room: RoomKey? = SampleArchive.room,
        place: ReaderRequest.Place = .latest, query: String? = nil, marksNothing: String? = nil
    ) {
        self.archive = archive
        let now = SampleArchive.start.advanced(by: .seconds(30 * 86_400))
        model = ReaderModel(
            settings: ReaderSettings(zone: .gmt, isWatched: true, marksNothing: marksNothing, now: { now }),
            size: ScreenSize(columns: columns, rows: rows), room: room, place: place, query: query)
        perform(model.begin())
    }

    mutating func perform(_ next: [ReaderEffect]) {
        for effect in next {
            guard case .ask(let request) = effect else {
                effects.append(effect)
                continue
            }
            let answer = archive.answer(request)
            perform(model.receive(request, answer))
        }
    }

    mutating func press(_ keys: ReaderKey...) {
        for key in keys { perform(model.press(key)) }
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { perform(model.press(.character(scalar))) }
    }

    /// The archive's files changed.
    mutating func change() { perform(model.changed()) }

    var lines: [String] { model.screen.text }

    /// The numbers of the visible messages `text N`, from top to bottom.
    var numbers: [Int] {
        lines.compactMap { line in
            let words = line.split(separator: " ").suffix(2)
            return words.first == "text" ? words.last.flatMap { Int($0) } : nil
        }
    }

    /// The last line of the screen.
    var bottom: String { lines.last ?? "" }
}
