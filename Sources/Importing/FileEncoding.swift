import LogFormats
import TextEncodings

/// The encoding of a file, as given by the user or recognised from the file's bytes.
struct FileEncoding: Sendable {
    static let utf8 = FileEncoding()

    /// The encoding, or that of the lines that are not UTF-8; nil for UTF-8.
    private(set) var encoding: TextEncoding?
    /// The form of UTF-16 or UTF-32, which is decoded before the file is cut into lines.
    private(set) var wide: WideForm?
    /// Decodes the lines.
    private(set) var lines = LineDecoder.utf8
    /// True if the file has lines in UTF-8 as well.
    private(set) var isMixed = false
    /// The reason for which the encoding is uncertain, for people; nil if it is certain.
    private(set) var doubt: String?
    /// True if only the beginning of a pipe was recognised.
    private var isByBeginning = false
    /// The lines so far of a pipe whose beginning had not arrived completely; nil when they no longer count.
    private var growing: EncodingSample?
    private var grownBytes = 0

    /// The number of bytes by which UTF-16 is recognised.
    private static let wideSample = 4096

    private init() {}

    /// Finds the encoding of a file. Reads the whole file for that, unless it is a pipe or its format is always UTF-8.
    /// Ignores errors of reading, because the import that follows reports them.
    ///
    /// - Parameter given: The encoding that the user named; nil to recognise it. A byte order mark has precedence.
    /// - Throws: ``ImportStopped`` when asked to stop; ``ImportError`` if the machine's iconv lacks the given encoding.
    init(
        of file: ImportFile, as format: any LogFormat.Type, given: TextEncoding?, isStopped: @escaping () -> Bool
    ) throws {
        self.init()
        guard let next = try Self.ignoringErrors({ try file.openAgain(isStopped: isStopped) }) else { return }
        // Only the bytes before an error are read and imported.
        let more = { try Self.ignoringErrors(next.next) ?? [] }
        var beginning = Array(try more())
        while beginning.count < Self.wideSample, case let bytes = try more(), !bytes.isEmpty { beginning += bytes }
        if let known = try Self.known(beginning[...], given: given, isUTF8: format.isAlwaysUTF8, file.shown) {
            self = known
            return
        }
        var sample = EncodingSample()
        sample.sample(beginning[...])
        while case let bytes = try more(), !bytes.isEmpty { sample.sample(bytes) }
        let isWhole = file.pipe.map { !$0.isOpen && $0.bytes.count < LogSource.beginningSize } ?? true
        if file.pipe?.isOpen == true { growing = EncodingSample() }
        sample.finish(isCut: !isWhole)
        recognise(sample, isWhole: isWhole)
    }

    /// Finds the encoding of a file's beginning, to recognise the format.
    init(ofBeginning beginning: [UInt8], given: TextEncoding?) {
        self.init()
        if let known = try? Self.known(beginning[...], given: given, isUTF8: false, "") {
            self = known
            return
        }
        // A picture or another binary file, unless a disk was full.
        guard !beginning[...].isUTF8, !beginning.contains(0) else { return }
        var sample = EncodingSample()
        sample.sample(beginning[...])
        sample.finish(isCut: beginning.count >= LogSource.beginningSize)
        recognise(sample, isWhole: true)
    }

    /// Returns the encoding that is known without reading all lines.
    private static func known(
        _ beginning: ArraySlice<UInt8>, given: TextEncoding?, isUTF8: Bool, _ shown: String
    ) throws -> FileEncoding? {
        var result = FileEncoding()
        let form =
            WideForm(markOf: beginning) ?? given.flatMap(WideForm.init)
            ?? (given == nil ? WideForm(plainText: beginning.prefix(wideSample)) : nil)
        if let form {
            (result.wide, result.encoding) = (form, form.encoding)
            return result
        }
        guard !isUTF8, given != .utf8 else { return .utf8 }
        guard let given else { return nil }
        do {
            result.lines = try LineDecoder(given: given)
        } catch {
            throw ImportError(.importSource, shown, error.reason, hint: MissingConverter.hint)
        }
        result.encoding = given
        return result
    }

    /// Recognises the encoding of a slow pipe again, by all of its bytes up to 64 KiB. Does nothing for other files.
    ///
    /// - Parameter bytes: The next bytes of the file, from its beginning on.
    mutating func grow(_ bytes: ArraySlice<UInt8>) {
        guard var sample = growing else { return }
        let known = sample.lineCount
        sample.sample(bytes)
        grownBytes += bytes.count
        growing = grownBytes < LogSource.beginningSize ? sample : nil
        guard sample.lineCount > known else { return }
        sample.finish(isCut: true)
        recognise(sample, isWhole: false)
    }

    /// True if every line is UTF-8 or undecodable.
    var isUTF8: Bool { encoding == nil && growing == nil }

    /// Ends the file.
    mutating func finish() {
        guard var sample = growing else { return }
        growing = nil
        sample.finish()
        recognise(sample, isWhole: true)
    }

    private mutating func recognise(_ sample: EncodingSample, isWhole: Bool) {
        guard let recognised = RecognisedEncoding(sample), let lines = try? LineDecoder(recognised) else { return }
        (encoding, self.lines, isMixed) = (recognised.encoding, lines, recognised.isMixed)
        (doubt, isByBeginning) = (recognised.doubt?.text, !isWhole)
    }

    /// The assumption for people; nil if the encoding is certain.
    var assumption: String? {
        guard let encoding, doubt != nil || isByBeginning else { return nil }
        return Self.text(encoding, doubt: doubt, note: isByBeginning ? "recognised by its first 64 KiB" : nil)
    }

    /// Returns a text for people such as `decoded from CP949 (uncertain: may be EUC-JP); to choose: --encoding NAME`.
    private static func text(_ encoding: TextEncoding, doubt: String?, note: String? = nil) -> String {
        let reasons = [doubt.map { "uncertain: \($0)" }, note].compactMap(\.self).joined(separator: "; ")
        return "decoded from \(encoding.title)" + (reasons.isEmpty ? "" : " (\(reasons)); to choose: --encoding NAME")
    }

    static func text(_ recognised: RecognisedEncoding) -> String {
        text(recognised.encoding, doubt: recognised.doubt?.text)
    }

    private static func ignoringErrors<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch is ImportError {
            return nil
        }
    }

    /// Returns a file's beginning in UTF-8. Bytes that can't be decoded stay as they are.
    func decoded(beginning: [UInt8]) -> [UInt8] {
        guard let wide else { return decodedLines(beginning) }
        var decoder = WideDecoder(wide)
        return decoder.decode(beginning[...])
    }

    /// Returns lines in UTF-8, except those that can't be decoded.
    func decodedLines(_ text: [UInt8]) -> [UInt8] {
        guard encoding != nil, wide == nil else { return text }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return Array(lines.map { self.lines.decode($0).bytes }.joined(separator: [UInt8(ascii: "\n")]))
    }
}

extension RecognisedEncoding.Doubt {
    fileprivate var text: String {
        switch self {
        case .alternative(let other): "may be \(other.title)"
        case .unusual: "may be an encoding that can't be recognised"
        case .missing(let encodings):
            "this machine can't decode \(encodings.map(\.title).joined(separator: ", ")); \(MissingConverter.hint)"
        }
    }
}
