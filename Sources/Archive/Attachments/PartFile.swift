import Foundation

/// A file that is being put together, and what it has in it so far. Closed with the value.
final class PartFile {
    private let file: OpenFile
    private var meter = DigestMeter()
    private let folder: String
    /// Bytes since the disk was last asked what it has left.
    private var unasked: Int64 = 0

    /// What files leave free on the disk: messages go first. As much as a busy listener stores in an hour.
    static let spare: Int64 = 16 << 20
    private static let step: Int64 = 1 << 20

    /// - Parameters:
    ///   - size: How much of what is there stays, which is read.
    ///   - total: How large it will be, where that is known.
    /// - Throws: ``ArchiveError`` with `storage` where that would fill the disk, or less is there.
    init(path: String, keeping size: Int64, total: Int64?) throws {
        folder = (path as NSString).deletingLastPathComponent
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

    func write(_ bytes: [UInt8]) throws {
        unasked += Int64(bytes.count)
        if unasked >= Self.step {
            try FreeSpace.require(Self.spare, in: folder)
            unasked = 0
        }
        try bytes.withUnsafeBytes { bytes throws in
            try file.write(bytes)
            meter.add(bytes)
        }
    }

    /// All of it is on disk when this returns.
    func synchronize() throws -> FileDigest {
        try file.synchronize()
        return meter.digest
    }
}
