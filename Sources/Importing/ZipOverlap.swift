import Rendering

/// Refuses ZIP archives whose files share bytes.
///
/// No ordinary program writes them. Archives made to fill disks do, so that a few kilobytes unpack to terabytes (David
/// Fifield, "A better zip bomb", WOOT 2019).
enum ZipOverlap {
    /// The bytes of a local header, without the name (APPNOTE.TXT 6.3.10, 4.3.7).
    private static let headerSize: Int64 = 30

    private struct Span {
        var start: Int64
        /// The least position after the file's last byte. Its local header may be longer than the directory says.
        var end: Int64
        /// The position of the file's entry in the directory.
        var place: Int64
    }

    /// Reads the whole directory of an archive.
    ///
    /// - Parameter limit: The limit of files.
    /// - Throws: ``UnreadableBytes`` that names two overlapping files.
    static func refuse(_ archive: String, limit: Int) throws(UnreadableBytes) {
        var (spans, directory): ([Span], Int64) = ([], 0)
        try ZipDirectory.forEachItem(in: archive, limit: limit) { count, start in
            directory = start
            spans.reserveCapacity(count)
        } _: { item throws(UnreadableBytes) in
            guard item.name.last != UInt8(ascii: "/") else { return }
            let (end, isBeyond) = (item.entry.offset + headerSize).addingReportingOverflow(item.entry.packed)
            spans.append(Span(start: item.entry.offset, end: isBeyond ? .max : end, place: item.place))
        }
        spans.sort { $0.start < $1.start }
        for (span, next) in zip(spans, spans.dropFirst()) where span.end > next.start {
            let names = try [span, next].map { span throws(UnreadableBytes) in
                Sanitizer.line(ZipEntry.path(try ZipDirectory.item(of: archive, at: span.place).name))
            }
            throw UnreadableBytes(
                reason: "files \(names[0]) and \(names[1]) overlap",
                hint: "it is damaged or a decompression bomb; download it again")
        }
        guard let last = spans.last, last.end > directory else { return }
        throw .damagedDirectory
    }
}
