import Crypto
import FoundationEssentials
import Rendering

/// A manifest of a finished or interrupted export, as read from its folder.
package struct ExportManifest: Sendable {
    package let header: ManifestLine.Header
    /// The complete files, in order.
    package private(set) var files: [ManifestLine.File] = []
    /// The gaps in coverage. Empty while the export is not finished.
    package private(set) var gaps: [ManifestLine.GapEntry] = []
    /// The last line; nil while the export is not finished.
    package private(set) var trailer: ManifestLine.Trailer?
    /// The first fault, for people; nil if there is none. Lines after it aren't read.
    package private(set) var fault: String?

    /// 1 MiB. A written line is far shorter: a path, a name and numbers.
    package static let maximumLine = 1024 * 1024

    /// Reads a folder's manifest. Ignores an incomplete last line, which a crash leaves.
    ///
    /// - Returns: Nil if the folder has no manifest.
    /// - Throws: ``ExportError`` if it can't be read, or when it isn't an export's manifest of this version.
    package static func read(in folder: ExportFolder) throws -> ExportManifest? {
        guard let bytes = try folder.contents(of: ManifestLine.fileName) else { return nil }
        return try ExportManifest(bytes, folder: folder)
    }

    private init(_ bytes: [UInt8], folder: ExportFolder) throws {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // After the last line feed, there is nothing or an incomplete line.
        let rest = lines.removeLast()
        guard let first = lines.first, case .export(let header)? = Self.line(first) else {
            throw ExportError(
                .export, "\(folder.shown)/\(ManifestLine.fileName) is not the manifest of an export",
                hint: "choose another folder, or remove the files in this one")
        }
        guard header.version == ManifestLine.version else {
            throw ExportError(
                .export,
                "\(folder.shown) has export layout \(header.version), but this scrollback supports only "
                    + "\(ManifestLine.version)",
                hint: "use the scrollback that made it, or export again into another folder")
        }
        self.header = header
        var hash = SHA256()
        for (index, line) in lines.enumerated() {
            if index > 0 { fault = takeLine(line, number: index + 1, hash) }
            if fault != nil { return }
            hash.update(data: line + [UInt8(ascii: "\n")])
        }
        if !rest.isEmpty, trailer != nil { fault = "there is data after the trailer" }
    }

    /// Takes a line, and returns its fault; nil if there is none.
    ///
    /// - Parameter hash: The hash of all lines before it.
    private mutating func takeLine(_ bytes: ArraySlice<UInt8>, number: Int, _ hash: SHA256) -> String? {
        guard trailer == nil else { return "line \(number) comes after the trailer" }
        switch Self.line(bytes) {
        case .file(let file):
            guard ExportFolder.isInside(file.path) else {
                return "line \(number) has a path that leads out of the folder"
            }
            guard file.bytes >= 0, file.month?.messages ?? 0 >= 0 else {
                return "line \(number) has a negative count"
            }
            files.append(file)
        case .gap(let gap):
            gaps.append(gap)
        case .trailer(let found):
            guard found.sha256 == (try? found.checksum(after: hash)) else {
                return "it was changed after the export: the trailer has another checksum"
            }
            trailer = found
        case .export, nil:
            return "line \(number) is not a line of a manifest"
        }
        return nil
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> ManifestLine? {
        guard bytes.count <= maximumLine else { return nil }
        return try? JSONDecoder().decode(ManifestLine.self, from: Data(bytes))
    }
}

extension Sequence<UInt8> {
    /// The bytes as two digits each, in lower case.
    var hexadecimal: String {
        reduce(into: "") { text, byte in
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
    }
}
