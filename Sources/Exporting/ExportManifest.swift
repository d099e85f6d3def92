import Crypto
import Foundation
import Rendering

/// A manifest as it was read: of a finished export, or of one that broke off.
package struct ExportManifest: Sendable {
    package let header: ManifestLine.Header
    package private(set) var files: [ManifestLine.File] = []
    package private(set) var gaps: [ManifestLine.MissingTime] = []
    /// Nil while the export is not finished.
    package private(set) var trailer: ManifestLine.Trailer?
    /// What is wrong with it, for people; nil where nothing is.
    package private(set) var fault: String?

    /// No line that is written comes near: a path, a name and numbers.
    package static let maximumLine = 1024 * 1024

    /// Reads as far as lines are whole: what a kill left of the last one is passed over.
    ///
    /// - Returns: nil where the folder has none.
    /// - Throws: ``ExportError`` when it can't be read, or is none of ours.
    package static func read(in folder: ExportFolder) throws -> ExportManifest? {
        guard let bytes = try folder.read(ManifestLine.fileName) else { return nil }
        return try ExportManifest(bytes, folder: folder)
    }

    private init(_ bytes: [UInt8], folder: ExportFolder) throws {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Behind the last line feed: nothing, or what a kill left of a line.
        let rest = lines.removeLast()
        guard let first = lines.first, case .export(let header)? = Self.line(first) else {
            throw ExportError(
                .export, "\(folder.shown)/\(ManifestLine.fileName) does not begin as the manifest of an export does",
                hint: "name another folder, or remove what is in this one")
        }
        guard header.version == ManifestLine.version else {
            throw ExportError(
                .export,
                "\(folder.shown) is an export of layout \(header.version), this program knows \(ManifestLine.version)",
                hint: "take the program that made it, or make it anew in another folder")
        }
        self.header = header
        var hash = SHA256()
        for (index, line) in lines.enumerated() {
            if index > 0 { fault = add(line, number: index + 1, hash) }
            if fault != nil { return }
            hash.update(data: line + [UInt8(ascii: "\n")])
        }
        if !rest.isEmpty, trailer != nil { fault = "something is behind its trailer" }
    }

    /// Gives what is wrong with the line; nil where nothing is.
    ///
    /// - Parameter hash: Of all lines before it.
    private mutating func add(_ bytes: ArraySlice<UInt8>, number: Int, _ hash: SHA256) -> String? {
        guard trailer == nil else { return "line \(number) is behind its trailer" }
        switch Self.line(bytes) {
        case .file(let file):
            guard ExportFolder.isInside(file.path) else {
                return "line \(number) has a path that leads out of the folder"
            }
            guard file.bytes >= 0, file.month?.messages ?? 0 >= 0 else {
                return "line \(number) counts less than nothing"
            }
            files.append(file)
        case .gap(let gap):
            gaps.append(gap)
        case .trailer(let found):
            guard found.sha256 == (try? found.checksum(after: hash)) else {
                return "it is not what was written: its trailer has another checksum"
            }
            trailer = found
        case .export, nil:
            return "line \(number) is none of a manifest's"
        }
        return nil
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> ManifestLine? {
        guard bytes.count <= maximumLine else { return nil }
        return try? JSONDecoder().decode(ManifestLine.self, from: Data(bytes))
    }
}

extension Sequence<UInt8> {
    /// Two digits a byte.
    var hexadecimal: String {
        reduce(into: "") { text, byte in
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
    }
}
