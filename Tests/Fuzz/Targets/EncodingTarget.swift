import TextEncodings

extension FuzzTarget {
    /// Texts of unknown and of known encodings. The first byte chooses one.
    static let encoding = FuzzTarget("encoding") { input in
        let bytes = Array(input.dropFirst())
        let encoding = TextEncoding.allCases[Int(input.first ?? 0) % TextEncoding.allCases.count]
        let parts = Parts(bytes).parts
        try decode(bytes, parts, encoding)
        var (whole, split) = (EncodingSample(), EncodingSample())
        whole.sample(bytes[...])
        whole.finish()
        for part in parts { split.sample(part[...]) }
        split.finish()
        try requireEqual(split.lineCount, whole.lineCount, "lines of a split file")
        guard let recognised = RecognisedEncoding(whole) else { return }
        try requireEqual(RecognisedEncoding(split), recognised, "the encoding of a split file")
        if let decoder = try? LineDecoder(recognised) { try decodeLines(bytes, decoder) }
    }

    private static func decode(_ bytes: [UInt8], _ parts: [[UInt8]], _ encoding: TextEncoding) throws {
        if let form = WideForm(markOf: bytes[...]) ?? WideForm(encoding) ?? WideForm(plainText: bytes[...]) {
            var (whole, split) = (WideDecoder(form), WideDecoder(form))
            let text = whole.decode(bytes[...]) + whole.finish()
            try requireEqual(parts.flatMap { split.decode($0[...]) } + split.finish(), text, "a split text")
        }
        guard !encoding.isWide else { return }
        if let decoder = try? LineDecoder(given: encoding) { try decodeLines(bytes, decoder) }
        guard let decoder = try? TextDecoder.of(encoding) else { return }
        let repaired = decoder.repaired(bytes[...])
        try requireUTF8(repaired, encoding)
        if let text = decoder.decode(bytes[...]) { try requireEqual(repaired, text, "a valid text, repaired") }
    }

    private static func decodeLines(_ bytes: [UInt8], _ decoder: LineDecoder) throws {
        for line in bytes.split(separator: 0x0A) {
            for isCut in [false, true] {
                let decoded = decoder.decode(line, isCut: isCut)
                if decoded.reading == .decoded || decoded.reading == .utf8 && !isCut {
                    try requireUTF8(Array(decoded.bytes), nil)
                }
            }
        }
    }

    private static func requireUTF8(_ text: [UInt8], _ encoding: TextEncoding?) throws {
        try require(
            String(validating: text, as: UTF8.self) != nil, "invalid UTF-8 of \(encoding?.rawValue ?? "a line")")
    }
}
