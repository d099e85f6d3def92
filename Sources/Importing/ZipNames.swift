import TextEncodings

/// Decodes the names of an archive's files, which old programs on Windows write in the encoding of their country.
struct ZipNames {
    private let archive: String
    private let limit: Int
    private let given: TextEncoding?
    private var decoder: LineDecoder?
    /// The recognised encoding; nil if all names so far are UTF-8, or if a person named the encoding.
    private(set) var recognised: RecognisedEncoding?

    /// - Parameters:
    ///   - limit: The limit of files in the archive.
    ///   - given: The encoding that a person named; nil to recognise it by all names.
    init(_ archive: String, limit: Int, given: TextEncoding?) {
        (self.archive, self.limit, self.given) = (archive, limit, given)
    }

    /// Returns a name in UTF-8. Names that can't be decoded stay as they are.
    mutating func decoded(_ name: [UInt8]) -> [UInt8] {
        guard !name[...].isUTF8 else { return name }
        let decoder = self.decoder ?? findDecoder()
        self.decoder = decoder
        return Array(decoder.decode(name[...]).bytes)
    }

    private mutating func findDecoder() -> LineDecoder {
        if let given, !given.isWide { return (try? LineDecoder(given: given)) ?? .utf8 }
        var sample = EncodingSample()
        // Ignores an archive that can't be read, because the search for its files reports it.
        try? ZipDirectory.forEachItem(in: archive, limit: limit) { item throws(UnreadableBytes) in
            sample.sample((item.name + [UInt8(ascii: "\n")])[...])
        }
        sample.finish()
        recognised = RecognisedEncoding(sample)
        return recognised.flatMap { try? LineDecoder($0) } ?? .utf8
    }
}
