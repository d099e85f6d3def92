import SearchText

/// Finds the word that a person probably meant.
package enum Nearest {
    /// Returns the candidate with the fewest changes to `word`; nil if all need too many for their length.
    package static func to(_ word: String, among candidates: some Sequence<String>) -> String? {
        all(to: word, among: candidates).first
    }

    /// Returns the candidates with the fewest changes to `word`, sorted; none if all need too many for their length. Case,
    /// width and accents don't count.
    package static func all(to word: String, among candidates: some Sequence<String>) -> [String] {
        let word = Array(FoldedName.fold(word).prefix(maximumLength))
        let near = candidates.compactMap { candidate -> (candidate: String, distance: Int)? in
            let letters = Array(FoldedName.fold(candidate).prefix(maximumLength))
            // At least one letter must stay.
            let limit = min(max(1, max(word.count, letters.count) / 3), word.count - 1)
            // Saves most of the work among many candidates: each surplus letter is a change.
            guard abs(word.count - letters.count) <= limit else { return nil }
            let distance = distance(word, letters)
            return distance <= limit ? (candidate, distance) : nil
        }
        let fewest = near.map(\.distance).min()
        return near.filter { $0.distance == fewest }.map(\.candidate).sorted()
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
