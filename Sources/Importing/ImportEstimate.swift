import ChatModel
import LogFormats
import Rendering

/// The size and duration of an import, estimated from the beginnings of some of its sources.
package struct ImportEstimate {
    /// The number of lines of an IRC log that are stored in a second: the median of `Benchmarks import`, 36,440, on two
    /// cores of 2026.
    private static let rate = 35_000.0
    /// The shortest import that is announced, in seconds.
    private static let minimumSeconds = 10.0
    private static let sampleCount = 16

    /// The bytes of all sources, unpacked.
    package let bytes: Int64
    /// The estimated number of lines; for exports in JSON, of messages.
    package let lines: Double
    private var unit = Noun.line

    package init(bytes: Int64, lines: Double) {
        (self.bytes, self.lines) = (bytes, lines)
    }

    /// Reads the beginnings of some sources. Nil if no size is known beforehand.
    ///
    /// - Parameter bytes: The size of all sources.
    package init?(_ sources: ImportSources, bytes: Int64, options: ImportOptions) {
        self.bytes = bytes
        let sample = stride(from: 0, to: sources.count, by: max(1, sources.count / Self.sampleCount))
            .compactMap { Self.sample(sources[$0], options: options) }
        let sampled = sample.reduce(0) { $0 + $1.bytes }
        guard bytes > 0, sampled > 0 else { return nil }
        let logs = sources.formats.count { $0.isLineByLine }
        unit = logs == sources.formats.count ? .line : logs == 0 ? .message : .entry
        lines = Double(bytes) * Double(sample.reduce(0) { $0 + $1.lines }) / Double(sampled)
    }

    private static func sample(_ source: ImportSource, options: ImportOptions) -> (lines: Int, bytes: Int)? {
        let files = source.files
        let some = stride(from: 0, to: files.count, by: max(1, files.count / sampleCount)).map { files[$0] }
        guard var file = some.max(by: { $0.size < $1.size }), file.size > 0,
            let beginning = try? file.beginning()
        else { return nil }
        var reader = SourceReader(source, options: options, now: .now())
        reader.begin(file, in: FileEncoding(ofBeginning: beginning, given: options.encoding))
        guard (try? reader.readChunk(beginning[...])) != nil, (try? reader.endFile()) != nil else { return nil }
        return (reader.count, beginning.count)
    }

    /// A text for people such as `about 1,900,000 lines (120.0 MB), about 1 min`; nil for a short import.
    package var text: String? {
        let seconds = lines / Self.rate
        guard seconds >= Self.minimumSeconds, seconds < 1e9 else { return nil }
        let size = Int(lines)
        var step = 1
        while size / step >= 100 { step *= 10 }
        let rounded = (size / step * step).of(unit)
        return "about \(rounded) (\(ByteCount(bytes))), about \(RoughDuration(.seconds(seconds)))"
    }
}
