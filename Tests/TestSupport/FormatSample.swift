package import Foundation

/// A small file of a known log format: a file in `Tests/Samples/FORMAT`.
///
/// Its first line has the format's name and the path at which such a file may be found; the file's bytes follow. The
/// same files are inputs of the fuzzer.
package struct FormatSample: Sendable, CustomStringConvertible {
    /// The format's name.
    package let format: String
    /// The path of the file, as found in a folder or an archive.
    package let path: String
    package let bytes: [UInt8]

    package var description: String { "\(format) \(path)" }

    /// The bytes as text, with U+FFFD for invalid ones.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The folder `Tests/Samples`. A checkout may be linked.
    package static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Samples")

    /// The samples of every format, in the order of the formats' names and of the files' names.
    package static let all = files.compactMap(FormatSample.init)

    /// Returns the samples of these formats, in this order.
    package static func of(_ formats: String...) -> [FormatSample] {
        formats.flatMap { format in all.filter { $0.format == format } }
    }

    /// The files of all samples.
    package static let files = names(in: folder).flatMap { format in
        let own = folder.appending(path: format)
        return names(in: own).map { own.appending(path: $0) }
    }

    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// Reads a file; nil if it has no first line, or one that does not name the folder's format.
    private init?(_ file: URL) {
        guard let data = try? Data(contentsOf: file), let end = data.firstIndex(of: 0x0A) else { return nil }
        let words = String(decoding: data[..<end], as: UTF8.self).split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, words[0] == file.deletingLastPathComponent().lastPathComponent else { return nil }
        (format, path, bytes) = (words[0], words[1], Array(data[(end + 1)...]))
    }
}
