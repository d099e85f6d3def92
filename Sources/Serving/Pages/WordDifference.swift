import Rendering

/// The words that an edit added and removed.
struct WordDifference {
    private enum Change {
        case same, added, removed
    }

    private let pieces: [(change: Change, text: String)]

    /// The limit of words of a text that are compared; beyond it the whole text counts as replaced. Comparing takes
    /// time that grows with the square of the words.
    private static let limit = 1500

    init(from old: String, to new: String) {
        let (before, after) = (Self.words(of: old), Self.words(of: new))
        guard before.count <= Self.limit, after.count <= Self.limit else {
            pieces = [(.removed, old), (.added, new)]
            return
        }
        pieces = Self.merged(before, after)
    }

    /// The text with `ins` and `del` elements.
    var html: HTML {
        pieces.map { change, text -> HTML in
            let text: HTML = "\(Sanitizer.body(MessageRemarks.cut(text, to: 64 * 1024)))"
            return switch change {
            case .same: text
            case .added: "<ins>\(text)</ins>"
            case .removed: "<del>\(text)</del>"
            }
        }.joined()
    }

    private static func merged(_ before: [Substring], _ after: [Substring]) -> [(change: Change, text: String)] {
        let difference = after.difference(from: before)
        var (removed, added): (Set<Int>, Set<Int>) = ([], [])
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var pieces: [(change: Change, text: String)] = []
        func append(_ change: Change, _ text: Substring) {
            if let last = pieces.indices.last, pieces[last].change == change {
                pieces[last].text += text
            } else {
                pieces.append((change, String(text)))
            }
        }
        var (old, new) = (0, 0)
        while old < before.count || new < after.count {
            if old < before.count, removed.contains(old) {
                append(.removed, before[old])
                old += 1
            } else if new < after.count, added.contains(new) {
                append(.added, after[new])
                new += 1
            } else {
                append(.same, after[new])
                (old, new) = (old + 1, new + 1)
            }
        }
        return pieces
    }

    /// Cuts a text into words and single other characters.
    private static func words(of text: String) -> [Substring] {
        var words: [Substring] = []
        var rest = text[...]
        while let first = rest.first {
            let isWord = isPart(first)
            let word = isWord ? rest.prefix(while: isPart) : rest.prefix(1)
            words.append(word)
            rest = rest.dropFirst(word.count)
            if words.count > limit { break }
        }
        return words
    }

    /// Returns true for a character of a word. Han and Kana have no spaces, so each of their characters counts as a
    /// word.
    private static func isPart(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, character.isLetter || character.isNumber else {
            return false
        }
        return !(0x2E80...0x9FFF).contains(scalar.value)
    }
}
