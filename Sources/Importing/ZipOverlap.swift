import Rendering

/// Finds files of a ZIP archive that share bytes of it.
///
/// No program that packs writes them. Archives that are made to fill disks do, so that a few kilobytes unpack to terabytes
/// (David Fifield, "A better zip bomb", WOOT 2019).
enum ZipOverlap {
    /// Of what stands before an entry's bytes, without its name (APPNOTE.TXT 6.3.10, 4.3.7).
    private static let headerSize: Int64 = 30

    /// - Parameter directory: Where the list of files begins.
    /// - Throws: ``UnreadableBytes`` that names two files.
    static func refuse(_ entries: [ZipEntry], directory: Int64) throws(UnreadableBytes) {
        let order = entries.indices.sorted { entries[$0].offset < entries[$1].offset }
        for (index, next) in zip(order, order.dropFirst()) where end(of: entries[index]) > entries[next].offset {
            throw UnreadableBytes(
                reason:
                    "its files \(Sanitizer.line(entries[index].name)) and \(Sanitizer.line(entries[next].name)) overlap",
                hint: "it is damaged, or made to fill disks; ask for it again where it came from")
        }
        guard let last = order.last, end(of: entries[last]) > directory else { return }
        throw .damagedDirectory
    }

    /// The first byte behind an entry; the least that it can be, as its header may have more than the list tells.
    private static func end(of entry: ZipEntry) -> Int64 {
        let (end, isBeyond) = (entry.offset + headerSize).addingReportingOverflow(entry.packed)
        return isBeyond ? .max : end
    }
}
