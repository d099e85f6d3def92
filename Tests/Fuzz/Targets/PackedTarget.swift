import Foundation
import TestSupport

@testable import Importing

extension FuzzTarget {
    /// ZIP archives, with each of their files unpacked.
    static let zip = FuzzTarget("zip") { input in
        guard pwrite(file, input, input.count, 0) == input.count, ftruncate(file, input.count) == 0 else { return }
        let archive = "/proc/self/fd/\(file)"
        guard (try? ZipOverlap.refuse(archive, limit: 1000)) != nil else { return }
        var size = 0
        try? ZipDirectory.forEachItem(in: archive, limit: 1000) { item throws(UnreadableBytes) in
            _ = (ZipEntry.path(item.name), ZipEntry.isHidden(ZipEntry.path(item.name)))
            guard let file = try? item.entry.open(in: archive, isStopped: { false }) else { return }
            var own = 0
            while let bytes = try? file.next(), !bytes.isEmpty { own += bytes.count }
            size += own
        }
        // Deflate's maximum is 1,032, and no two files share bytes.
        try require(size <= 1032 * input.count, "\(size) bytes of \(input.count)")
    }

    /// The descriptor of a file without a name.
    private static let file: Int32 = {
        var name = Array((NSTemporaryDirectory() + "scrollback-fuzz-XXXXXX").utf8CString)
        defer { unlink(name) }
        return mkstemp(&name)
    }()

    /// Compressed bytes. The first byte chooses gzip or bare deflate.
    static let gzip = FuzzTarget("gzip") { input in
        let (bytes, wrapping) = (input.dropFirst(), (input.first ?? 0) & 1 == 0 ? Inflater.Wrapping.gzip : .none)
        let whole = try unpacked([bytes], wrapping)
        try requireEqual(try unpacked(Parts(Array(bytes)).parts.map { $0[...] }, wrapping), whole, "a split file")
    }

    /// Returns the hash and the number of the bytes, and the reason for which they end.
    private static func unpacked(_ parts: [ArraySlice<UInt8>], _ wrapping: Inflater.Wrapping) throws -> [String] {
        let inflater = try Inflater(wrapping)
        var (sum, count) = (0 as UInt32, 0)
        do throws(UnreadableBytes) {
            for part in parts {
                var rest = part
                while case let bytes = try inflater.next(from: &rest), !bytes.isEmpty {
                    sum = bytes.reduce(sum) { $0 &* 31 &+ UInt32($1) }
                    count += bytes.count
                }
            }
        } catch {
            // The bytes before the error depend on the parts.
            return [error.reason]
        }
        return ["\(sum)", "\(count)", "\(inflater.isAtEnd)"]
    }
}
