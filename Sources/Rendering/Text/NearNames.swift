import SearchText

/// The stored names that a person probably meant by a text: those of people, rooms, accounts and other things that have
/// names.
package enum NearNames {
    /// The limit of proposals. More are harder to read than the list of all names.
    package static let limit = 5

    /// Returns names that contain `text`, the likeliest first, and after them the names that are nearest to it. Case,
    /// width and accents don't count.
    package static func names(for text: String, among names: some Sequence<String>) -> [String] {
        let names = Set(names)
        let containing = containing(text, among: names)
        return Array((containing + nearest(to: text, among: names.subtracting(containing))).prefix(limit))
    }

    /// Returns the names that contain `text`: first equal ones, then those that begin with it, then the shorter ones.
    package static func containing(_ text: String, among names: some Sequence<String>) -> [String] {
        let part = Array(FoldedName.fold(text).utf8)
        // Nearly every name contains a space or a sign such as `#`.
        guard text.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { return [] }
        return
            names
            .compactMap { name -> (rank: (Int, Int), name: String)? in
                let folded = Array(FoldedName.fold(name).utf8)
                guard let place = place(of: part, in: folded) else { return nil }
                return ((folded.count == part.count ? 0 : place == 0 ? 1 : 2, folded.count), name)
            }
            .sorted { ($0.rank.0, $0.rank.1, $0.name) < ($1.rank.0, $1.rank.1, $1.name) }
            .prefix(limit).map(\.name)
    }

    /// Returns a question such as `did you mean "alice" or "alicia"?`; nil if no name is near.
    ///
    /// - Parameter written: Returns a name as it is to be given, safe for a terminal.
    package static func question(
        for text: String, among names: some Sequence<String>, written: (String) -> String = quoted
    ) -> String? {
        question(proposing: self.names(for: text, among: names), written: written)
    }

    package static func question(proposing names: [String], written: (String) -> String = quoted) -> String? {
        let names = names.map(written)
        guard let last = names.last else { return nil }
        let others = names.dropLast().joined(separator: ", ")
        return "did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    package static func quoted(_ name: String) -> String { "\"\(Sanitizer.line(name))\"" }

    /// Returns the names nearest to `text`; if there is none, the names with a word nearest to it, such as `Alice Brown`
    /// for `alise`. Spaces separate the words of a name.
    private static func nearest(to text: String, among names: Set<String>) -> [String] {
        let nearest = Nearest.all(to: text, among: names)
        if !nearest.isEmpty { return nearest }
        func parts(_ name: String) -> [String] { name.split(separator: " ").map(String.init) }
        let words = Set(Nearest.all(to: text, among: Set(names.flatMap(parts))))
        return words.isEmpty ? [] : names.filter { !words.isDisjoint(with: parts($0)) }.sorted()
    }

    /// Returns the place of the first occurrence of some bytes; nil if there is none.
    private static func place(of part: [UInt8], in bytes: [UInt8]) -> Int? {
        guard let first = part.first, part.count <= bytes.count else { return nil }
        return (0...bytes.count - part.count).first { start in
            bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
        }
    }
}
