import FoundationEssentials
import Glibc

/// The kinds of pictures that a page may contain or show by their content. Browsers only draw them; SVG is a document that
/// may have scripts, and is none of them.
enum PictureType: String, CaseIterable, Sendable {
    case png, jpeg, gif, webp, avif

    /// The media type (RFC 6838).
    var mediaType: String { "image/\(rawValue)" }

    /// The ending of a file's name.
    var ending: String { self == .jpeg ? "jpg" : rawValue }

    /// The length in bytes of the beginning that ``init(beginning:)`` reads: a file type box of AVIF with six brands.
    static let beginning = 40

    /// Recognises a picture by its first bytes, as browsers do (WHATWG MIME Sniffing §6.1; for AVIF, the brands of the
    /// file type box, ISO/IEC 14496-12 §4.3). Nil for everything else; the file's name does not count.
    init?(beginning bytes: [UInt8]) {
        func has(_ text: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: text) }
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) {
            self = .gif
        } else if has(Array("RIFF".utf8)), has(Array("WEBPVP".utf8), at: 8) {
            self = .webp
        } else if has(Array("ftyp".utf8), at: 4), Self.brands(bytes).contains(where: { $0 == "avif" || $0 == "avis" }) {
            self = .avif
        } else {
            return nil
        }
    }

    /// Returns the brands of a file type box: the major brand, and after a version the compatible ones.
    private static func brands(_ bytes: [UInt8]) -> [String] {
        let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return stride(from: 8, to: min(size, bytes.count, beginning) - 3, by: 4).filter { $0 != 12 }
            .map { String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self) }
    }

    /// Reads the beginning of a file. Nil for a file that is not a picture, and for one that can't be read.
    init?(path: String) {
        guard let file = StoredBytes(path: path), let bytes = try? file.read(Self.beginning) else { return nil }
        self.init(beginning: bytes)
    }
}

/// A stored file, open for reading from its beginning. Does not follow links.
final class StoredBytes {
    private let descriptor: Int32
    /// The size in bytes when the file was opened.
    let size: Int64

    /// Nil if there is no such regular file.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        (self.descriptor, size) = (descriptor, Int64(status.st_size))
    }

    deinit { close(descriptor) }

    /// Returns the next bytes: fewer than `count` only at the end, and none after it.
    ///
    /// - Throws: The error of the disk.
    func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            guard got > 0 else { break }
            filled += got
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Calls the body with all bytes from here on, in parts of `count` bytes; only the last one may be shorter.
    func each(_ count: Int, _ body: ([UInt8]) throws -> Void) throws {
        while case let bytes = try read(count), !bytes.isEmpty { try body(bytes) }
    }
}
