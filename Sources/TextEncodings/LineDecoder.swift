/// Decodes the lines of a file that may mix UTF-8 with one other encoding, as the logs of old channels do.
package struct LineDecoder: Sendable {
    /// A line in UTF-8, if it could be decoded.
    package struct Line {
        package var bytes: ArraySlice<UInt8>
        package var reading: Reading
    }

    /// The certainty of a decoded line, the highest first.
    package enum Reading: Int, Sendable, Comparable {
        /// ASCII or UTF-8, unchanged.
        case utf8
        /// Decoded from the file's encoding.
        case decoded
        /// Decoded from the file's encoding, which is uncertain in general or for this line.
        case doubtful
        /// Valid neither in UTF-8 nor in the file's encoding. The bytes are unchanged, or have U+FFFD where they are
        /// invalid.
        case undecodable

        package static func < (left: Reading, right: Reading) -> Bool { left.rawValue < right.rawValue }
    }

    /// Decodes nothing.
    package static let utf8 = LineDecoder()

    private let decoder: TextDecoder?
    /// The costs of the encoding's characters; nil for encodings that can't be recognised.
    private let model: EncodingModel?
    /// True if the user named the encoding.
    private let isGiven: Bool
    private let isCertain: Bool
    /// True if lines in UTF-8 are expected.
    private let isMixed: Bool

    private init() {
        (decoder, model, isGiven, isCertain, isMixed) = (nil, nil, false, true, true)
    }

    /// Creates a decoder for the encoding that the user named.
    ///
    /// - Throws: ``MissingConverter`` if the machine's iconv lacks the encoding.
    package init(given encoding: TextEncoding) throws(MissingConverter) {
        guard encoding != .utf8, !encoding.isWide else {
            self = .utf8
            return
        }
        decoder = try TextDecoder.of(encoding)
        (model, isGiven, isCertain, isMixed) = (EncodingModel.of(encoding), true, true, false)
    }

    package init(_ recognised: RecognisedEncoding) throws(MissingConverter) {
        decoder = try TextDecoder.of(recognised.encoding)
        (model, isGiven) = (EncodingModel.of(recognised.encoding), false)
        (isCertain, isMixed) = (recognised.doubt == nil, recognised.isMixed)
    }

    /// - Parameter isCut: True if the line may end within a character.
    package func decode(_ line: ArraySlice<UInt8>, isCut: Bool = false) -> Line {
        if line.isASCII {
            let isEscaped = decoder?.encoding == .iso2022JP && EscapedJapanese.begins(in: line)
            return isEscaped ? decoded(line, isCut, isSure: isCertain) : Line(bytes: line, reading: .utf8)
        }
        let isUTF8 = line.isValidUTF8
        guard decoder != nil else {
            return Line(bytes: line, reading: isUTF8 || isCut ? .utf8 : .undecodable)
        }
        let cost = model?.cost(of: line)
        let isLikely = isLikely(cost)
        if isUTF8 {
            guard let reading = readingByChance(cost, isLikely) else { return Line(bytes: line, reading: .utf8) }
            return decoded(line, isCut, isSure: isCertain && reading == .decoded)
        }
        if !isLikely, UTF8Shape(line).isDamagedUTF8 { return Line(bytes: line, reading: .undecodable) }
        let isForeign = !isGiven && isForeign(line, cost)
        return decoded(line, isCut, isSure: isCertain && !isForeign)
    }

    /// Returns the certainty that a line is in the file's encoding and UTF-8 only by chance: `哦` in GB18030 is `Ŷ` in
    /// UTF-8, `её` in KOI8-R is `ţ`. Nil if the line is UTF-8.
    private func readingByChance(_ cost: LineCost?, _ isLikely: Bool) -> Reading? {
        // For Western encodings, text that is valid UTF-8 by chance, such as `Ã©`, is not text that people write.
        guard let model, let cost, model.language != .western else { return nil }
        guard cost.invalid == 0, !cost.isUnusual(in: model.language) else { return nil }
        if isLikely, cost.characters > 2 { return .decoded }
        return isLikely || !isMixed ? .doubtful : nil
    }

    private func isLikely(_ cost: LineCost?) -> Bool {
        guard let model, let cost else { return false }
        return cost.invalid == 0 && cost.mean <= model.language.limit
    }

    private func isForeign(_ line: ArraySlice<UInt8>, _ cost: LineCost?) -> Bool {
        guard let model, let cost else { return false }
        return RecognisedEncoding.isForeign(line, in: model, cost)
    }

    private func decoded(_ line: ArraySlice<UInt8>, _ isCut: Bool, isSure: Bool) -> Line {
        guard let decoder else { return Line(bytes: line, reading: .undecodable) }
        if let text = decoder.decode(line, isCut: isCut) {
            return Line(bytes: text[...], reading: isSure ? .decoded : .doubtful)
        }
        // The rest of a line that was cut within a character is readable.
        let text = decoder.repaired(line)
        return Line(bytes: isMostlyText(text) ? text[...] : line, reading: .undecodable)
    }

    /// True if at most a tenth of the characters is U+FFFD.
    private func isMostlyText(_ text: [UInt8]) -> Bool {
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        return scalars.count { $0 == "\u{FFFD}" } * 10 <= scalars.count { $0.value >= 0x80 }
    }
}
