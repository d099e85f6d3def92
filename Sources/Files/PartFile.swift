/// A file that is being received, with the digest of its bytes so far. It is closed with the value.
package final class PartFile {
    private let file: OpenFile
    private var meter = DigestMeter()
    private let folder: String
    /// The bytes written since the free space was last checked.
    private var unchecked: Int64 = 0

    /// The space that files leave free for messages, in bytes: about as much as a busy listener needs for an hour.
    static let spare: Int64 = 16 << 20
    private static let step: Int64 = 1 << 20

    /// - Parameters:
    ///   - size: The number of existing bytes to keep, which are read again.
    ///   - total: The final size, if it is known.
    /// - Throws: ``ArchiveError`` with `storage` if the file would fill the disk, or has fewer bytes than `size`.
    package init(path: String, keeping size: Int64, total: Int64?) throws {
        folder = path.parentFolder
        try FreeSpace.require(max(0, (total ?? size) - size) + Self.spare, in: folder)
        file = try OpenFile(updating: path, keeping: size)
        guard size > 0 else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: OpenFile.chunk, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try file.read(into: buffer)
            guard count > 0 else { break }
            meter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// The bytes so far.
    package var size: Int64 { meter.size }

    package func write(_ bytes: [UInt8]) throws {
        unchecked += Int64(bytes.count)
        if unchecked >= Self.step {
            try FreeSpace.require(Self.spare, in: folder)
            unchecked = 0
        }
        try bytes.withUnsafeBytes { bytes throws in
            try file.write(bytes)
            meter.add(bytes)
        }
    }

    /// Writes all bytes to disk and returns their digest.
    package func synchronize() throws -> FileDigest {
        try file.synchronize()
        return meter.digest
    }
}
