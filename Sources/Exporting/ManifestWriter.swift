import Crypto
import Glibc
import Rendering

/// Writes an export's manifest, line by line while the export grows.
///
/// The listed files are certainly on the disk only if the manifest ends with a trailer.
final class ManifestWriter {
    private let folder: ExportFolder
    private let descriptor: Int32
    private var hash: SHA256

    /// Begins the manifest. An earlier one stays valid until these lines are on the disk.
    init(_ lines: [ManifestLine], in folder: ExportFolder) throws {
        var hash = SHA256()
        let file = try folder.create(ManifestLine.fileName)
        for line in lines {
            let bytes = try line.bytes()
            hash.update(data: bytes)
            try file.write(bytes)
        }
        _ = try file.finish()
        // Files are replaced from here on, so an earlier trailer must not come back.
        try folder.sync([ManifestLine.fileName])
        (self.folder, self.hash) = (folder, hash)
        descriptor = try folder.appending(to: ManifestLine.fileName)
    }

    deinit {
        close(descriptor)
    }

    func add(_ lines: [ManifestLine]) throws {
        let bytes = try lines.flatMap { try $0.bytes() }
        hash.update(data: bytes)
        do {
            try FileDescriptorWriter(descriptor: descriptor).write(bytes[...])
        } catch {
            throw folder.failure(ManifestLine.fileName, error.code)
        }
    }

    /// Writes the trailer. Everything else must already be on the disk.
    func finish(_ trailer: ManifestLine.Trailer) throws {
        var trailer = trailer
        trailer.sha256 = try trailer.checksum(after: hash)
        try add([.trailer(trailer)])
        guard fsync(descriptor) == 0 else { throw folder.failure(ManifestLine.fileName, errno) }
    }
}
