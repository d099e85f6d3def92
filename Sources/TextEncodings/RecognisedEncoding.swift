/// The encoding of a file's lines that are not UTF-8, recognised by all of them.
package struct RecognisedEncoding: Sendable, Hashable {
    package let encoding: TextEncoding
    /// The reason for which the encoding is uncertain; nil if it is certain.
    package let doubt: Doubt?
    /// True if a part of the file is UTF-8.
    package let isMixed: Bool

    package enum Doubt: Sendable, Hashable {
        /// Another encoding is nearly as likely.
        case alternative(TextEncoding)
        /// The text is unusual in each encoding that can be recognised.
        case unusual
        /// The machine's iconv lacks some of the encodings, so that the text may be in one of them.
        case missing([TextEncoding])
    }

    /// The bits by which the recognised encoding must be ahead of the next one: 20, and a quarter for each character,
    /// because a wrong model errs in each character. In 6,000 files of `bench/encoding_accuracy.py`, no wrong encoding
    /// was this far ahead.
    private static let (margin, characterMargin) = (20.0, 0.25)
    /// The share of lines that may have bytes without a character is one in this number: lines that were cut or
    /// damaged, or are in another encoding. These lines are marked one by one.
    private static let validShare = 4

    /// Nil if all lines are UTF-8 or ASCII, or damaged UTF-8.
    package init?(_ sample: EncodingSample) {
        // Making the models takes 20 ms.
        guard !sample.lines.isEmpty || sample.escapedLines > 0 else { return nil }
        self.init(sample, models: EncodingModel.all)
    }

    init?(_ sample: EncodingSample, models: [EncodingModel]) {
        isMixed = sample.isMixed
        let known = models.map(\.encoding)
        if sample.escapedLines > 0, sample.escapedLines >= sample.legacyLines, known.contains(.eucJP) {
            encoding = .iso2022JP
            doubt = sample.legacyLines > 0 ? .unusual : nil
            return
        }
        let ranking = Self.ranking(sample.lines, models)
        guard let best = ranking.first else { return nil }
        encoding = best.model.encoding
        let missing = EncodingModel.recognised.map(\.encoding).filter { !known.contains($0) }
        doubt =
            missing.isEmpty
            ? Self.doubt(about: best, others: ranking.dropFirst(), lines: sample.lines) : .missing(missing)
    }

    private typealias Candidate = (model: EncodingModel, cost: LineCost)

    /// Returns the encodings, the most likely first.
    private static func ranking(_ lines: [ArraySlice<UInt8>], _ models: [EncodingModel]) -> [Candidate] {
        guard !lines.isEmpty else { return [] }
        return models.map { model in
            (model, lines.reduce(into: LineCost()) { $0 += model.cost(of: $1) })
        }
        .sorted { $0.cost.bits < $1.cost.bits }
    }

    /// Returns true if another encoding explains a line better than the recognised one, so that the line was probably
    /// written in it.
    static func isForeign(_ line: ArraySlice<UInt8>, in model: EncodingModel, _ cost: LineCost) -> Bool {
        guard cost.isUnusual(in: model.language) else { return false }
        let limit = cost.bits - margin - characterMargin * Double(cost.characters)
        return EncodingModel.all.contains { $0.encoding != model.encoding && $0.cost(of: line).bits < limit }
    }

    private static func doubt(
        about best: Candidate, others: ArraySlice<Candidate>, lines: [ArraySlice<UInt8>]
    ) -> Doubt? {
        let margin = margin + characterMargin * Double(best.cost.characters)
        let near = others.prefix { $0.cost.bits < best.cost.bits + margin }
        // Two encodings may agree in all characters of the file, such as the quotation marks of Windows.
        if let other = near.first(where: { !isSame(best.model, $0.model, lines) }) {
            return .alternative(other.model.encoding)
        }
        let valid = lines.map(best.model.cost).filter { $0.invalid == 0 }
        let isUnusual = valid.reduce(into: LineCost(), +=).isUnusual(in: best.model.language)
        return isUnusual || (lines.count - valid.count) * validShare > lines.count ? .unusual : nil
    }

    private static func isSame(_ one: EncodingModel, _ other: EncodingModel, _ lines: [ArraySlice<UInt8>]) -> Bool {
        guard let one = try? TextDecoder.of(one.encoding), let other = try? TextDecoder.of(other.encoding) else {
            return false
        }
        return lines.allSatisfy { one.repaired($0) == other.repaired($0) }
    }
}
