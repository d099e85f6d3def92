/// Finds the word that a person probably meant.
package enum Nearest {
    /// Returns the candidate with the fewest changes to `word`; nil if all need too many for their length.
    package static func to(_ word: String, among candidates: some Sequence<String>) -> String? {
        let word = Array(word.lowercased().prefix(maximumLength))
        return
            candidates
            .compactMap { candidate -> (candidate: String, distance: Int)? in
                let letters = Array(candidate.lowercased().prefix(maximumLength))
                let limit = max(1, max(word.count, candidate.count) / 3)
                // Saves most of the work among many candidates: each surplus letter is a change.
                guard abs(word.count - letters.count) <= limit else { return nil }
                let distance = distance(word, letters)
                return distance <= limit ? (candidate, distance) : nil
            }
            .min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }?
            .candidate
    }

    /// Returns the name nearest to `word`; if there is none, a name with a word nearest to it, such as `Alice Brown` for
    /// `alice`. Spaces separate the words of a name.
    package static func name(to word: String, among names: some Sequence<String>) -> String? {
        if let nearest = to(word, among: names) { return nearest }
        func parts(_ name: String) -> [String] { name.split(separator: " ").map(String.init) }
        guard let part = to(word, among: Set(names.flatMap(parts))) else { return nil }
        return names.filter { parts($0).contains(part) }.min()
    }

    /// The limit of letters that are compared: the work grows with the square.
    private static let maximumLength = 64

    /// Returns the number of letters to insert, remove, replace, or swap with their neighbour (optimal string
    /// alignment).
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...b.count)
        for i in a.indices {
            var current = [i + 1]
            for j in b.indices {
                var best = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, beforePrevious[j - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[b.count]
    }
}
