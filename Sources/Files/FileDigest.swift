import Crypto

/// The digest of a file's content, which proves that a copy is equal.
package struct FileDigest: Sendable, Hashable {
    /// 64 hexadecimal digits in lower case.
    package var sha256: String
    /// The size of the content, in bytes.
    package var size: Int64

    package init(sha256: String, size: Int64) {
        (self.sha256, self.size) = (sha256, size)
    }
}

extension FileDigest {
    /// Reads the digest of a file that no process has open.
    package init(of path: String) throws {
        var meter = DigestMeter()
        try OpenFile(reading: path).readAll { meter.add($0) }
        self = meter.digest
    }
}

/// Computes the digest of bytes as they are added.
package struct DigestMeter {
    private var hash = SHA256()
    package private(set) var size: Int64 = 0

    package init() {}

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        size += Int64(bytes.count)
    }

    package var digest: FileDigest {
        FileDigest(sha256: hash.finalize().hexadecimal, size: size)
    }
}

extension Sequence where Element == UInt8 {
    /// Two digits in lower case for each byte.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
