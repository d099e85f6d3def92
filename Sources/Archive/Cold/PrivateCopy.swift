import Foundation

/// What a cold file holds, as a plain file that nobody else sees; gone with the value.
final class PrivateCopy {
    let path: String
    let digest: FileDigest
    private let folder: String

    /// More than this is not expanded, as its size is not known beforehand: 1 TiB.
    private static let limit: Int64 = 1 << 40

    /// - Throws: ``ArchiveError``, also when there is no room for it in TMPDIR.
    init(of cold: ColdFile) throws {
        let template = FileManager.default.temporaryDirectory.path + "/scrollback-XXXXXX"
        var name = Array(template.utf8CString)
        guard mkdtemp(&name) != nil else { throw ArchiveError(path: template, errno: errno) }
        folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = folder + "/copy.sqlite"
        do {
            let target = try OpenFile(creating: path)
            digest = try cold.expand(limit: Self.limit) { bytes in try target.write(bytes) }
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
