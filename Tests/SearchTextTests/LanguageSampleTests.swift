import Foundation
import SearchText
import TestSupport
import Testing

/// Words of about 70 languages, as `make languages` asks them of real texts: through an index of all sentences, and by the
/// rules.
@Suite struct LanguageSampleTests {
    private static let samples = LanguageSample.all

    private let index: Index

    init() throws {
        index = try Index(Self.samples.map(\.text))
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: samples.indices)
    func `every word of a language is found, in every form that Unicode has for it`(row: Int) throws {
        for word in Self.samples[row].words {
            let forms = [
                word, word.decomposedStringWithCanonicalMapping, word.precomposedStringWithCompatibilityMapping,
                word.uppercased(), word.lowercased(),
            ]
            for form in Set(forms.map { Array($0.unicodeScalars) }) { try expectFound(Self.text(form), in: row) }
        }
    }

    @Test(arguments: samples.indices)
    func `words are found as people type them`(row: Int) throws {
        for (word, typed) in Self.samples[row].typed {
            #expect(Self.samples[row].words.contains(word))
            try expectFound(typed, in: row)
        }
    }

    @Test(arguments: samples.indices.filter { !samples[$0].isUnspaced })
    func `a word without its last letter is not found`(row: Int) throws {
        for word in Self.samples[row].words {
            guard let beginning = Self.beginning(of: word) else { continue }
            #expect(try !index.found(SearchQuery(parsing: beginning)).contains(row), "\(beginning)")
        }
    }

    @Test(arguments: samples.indices.filter { samples[$0].isUnspaced })
    func `words without a space between them are found together, and in no other order`(row: Int) throws {
        let words = Self.samples[row].words
        for (word, next) in zip(words, words.dropFirst()) {
            try expectFound(word + next, in: row)
            #expect(try !index.found(SearchQuery(parsing: next + word)).contains(row), "\(next + word)")
        }
    }

    @Test func `the samples have 400 words of 45 languages`() {
        #expect(Self.samples.map(\.words.count).reduce(0, +) >= 400)
        #expect(Set(Self.samples.map(\.language)).count >= 45)
    }

    private func expectFound(_ text: String, in row: Int) throws {
        let query = SearchQuery(parsing: text)
        let found = try index.found(query)
        #expect(found.contains(row), "\(text)")
        #expect(found == index.matching(query), "\(text)")
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Returns the word without its last letter that makes a difference; nil for a short word, and for one that is a phrase
    /// because of a sign within it.
    private static func beginning(of word: String) -> String? {
        let word = word.trimmingCharacters(in: .punctuationCharacters)
        guard word.rangeOfCharacter(from: .punctuationCharacters) == nil else { return nil }
        let whole = FoldedName.fold(word)
        var rest = Array(word.unicodeScalars)
        while !rest.isEmpty, FoldedName.fold(text(rest)) == whole { rest.removeLast() }
        return rest.count < 3 ? nil : text(rest)
    }
}
