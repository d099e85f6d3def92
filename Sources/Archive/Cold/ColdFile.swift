import CZstd
import Crypto

/// What a file has in it, by which one copy is known to be as good as another.
struct FileDigest: Sendable, Hashable {
    /// In hexadecimal.
    var sha256: String
    /// Bytes.
    var size: Int64
}

extension FileDigest {
    /// Of a file that nobody has open.
    init(of path: String) throws {
        let source = try OpenFile(reading: path)
        var meter = DigestMeter()
        let buffers = Buffers()
        while true {
            let count = try source.read(into: buffers.input)
            guard count > 0 else { break }
            meter.add(UnsafeRawBufferPointer(rebasing: buffers.input[..<count]))
        }
        self = meter.digest
    }
}

/// A file compressed with zstd, in constant memory: one frame, with zstd's own checksum.
struct ColdFile {
    let path: String

    /// Of zstd: beyond 19 it takes more than 100 MiB.
    static let levels = 1...19
    /// 3 is zstd's own; on archives of chats, 9 makes them an eighth smaller and takes four times as long
    /// *(measured)*.
    static let defaultLevel = 3

    /// Told of the bytes of the plain file that are done; an error ends it there.
    typealias Progress = (Int64) throws -> Void

    /// Makes the file of a plain one, which nobody has open; on disk when this returns.
    ///
    /// - Returns: what the plain file has in it.
    func compress(_ plain: String, level: Int, progress: Progress) throws -> FileDigest {
        let source = try OpenFile(reading: plain)
        let target = try OpenFile(creating: path)
        let stream = ZSTD_createCStream()
        defer { ZSTD_freeCStream(stream) }
        try check(ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, Int32(level)))
        try check(ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1))
        var meter = DigestMeter()
        let buffers = Buffers()
        while true {
            let count = try source.read(into: buffers.input)
            let bytes = UnsafeRawBufferPointer(rebasing: buffers.input[..<count])
            meter.add(bytes)
            var input = ZSTD_inBuffer(src: bytes.baseAddress, size: count, pos: 0)
            let mode = count == 0 ? ZSTD_e_end : ZSTD_e_continue
            while true {
                var output = ZSTD_outBuffer(dst: buffers.output.baseAddress, size: buffers.output.count, pos: 0)
                let left = try check(ZSTD_compressStream2(stream, &output, &input, mode))
                try target.write(UnsafeRawBufferPointer(rebasing: buffers.output[..<output.pos]))
                if mode == ZSTD_e_end ? left == 0 : input.pos == input.size { break }
            }
            try progress(meter.size)
            if count == 0 { break }
        }
        try target.synchronize()
        return meter.digest
    }

    /// Reads the file to its end, and gives what comes out of it.
    ///
    /// - Parameters:
    ///   - limit: Of the plain bytes: more are an error, so that no file becomes larger than it was.
    ///   - write: Is given the plain bytes.
    /// - Throws: ``ArchiveError`` with `corrupt` when it is no whole frame, or has more.
    func expand(limit: Int64, write: (UnsafeRawBufferPointer) throws -> Void) throws -> FileDigest {
        let source = try OpenFile(reading: path)
        let stream = ZSTD_createDStream()
        defer { ZSTD_freeDStream(stream) }
        var meter = DigestMeter()
        let buffers = Buffers()
        // 0 once the frame is whole.
        var expected = 1
        while true {
            let count = try source.read(into: buffers.input)
            guard count > 0 else { break }
            var input = ZSTD_inBuffer(src: buffers.input.baseAddress, size: count, pos: 0)
            var output = ZSTD_outBuffer()
            repeat {
                guard expected != 0 else { throw damaged("something follows its end") }
                output = ZSTD_outBuffer(dst: buffers.output.baseAddress, size: buffers.output.count, pos: 0)
                expected = try check(ZSTD_decompressStream(stream, &output, &input))
                let bytes = UnsafeRawBufferPointer(rebasing: buffers.output[..<output.pos])
                meter.add(bytes)
                guard meter.size <= limit else { throw damaged("it holds more than the \(limit) bytes that it should") }
                try write(bytes)
            } while input.pos < input.size || (expected != 0 && output.pos == output.size)
        }
        guard expected == 0 else { throw damaged("its end is missing") }
        return meter.digest
    }

    /// Makes a plain file of it, which is read back; on disk when this returns.
    ///
    /// - Throws: ``ArchiveError`` with `corrupt` when it is not what it should be; then a part of a file may be there.
    func restore(to plain: String, expecting digest: FileDigest, progress: Progress) throws {
        let target = try OpenFile(creating: plain)
        var done: Int64 = 0
        let found = try expand(limit: digest.size) { bytes in
            try target.write(bytes)
            done += Int64(bytes.count)
            try progress(done)
        }
        try check(found, is: digest)
        try target.synchronize()
        guard try FileDigest(of: plain) == digest else {
            throw ArchiveError(code: .storage, detail: "\(plain) does not read back as what was written")
        }
    }

    /// - Parameter step: Runs with each piece; its error ends the call there.
    /// - Throws: ``ArchiveError`` when what comes out of it is anything else.
    func verify(_ digest: FileDigest, step: () throws -> Void = {}) throws {
        try check(try expand(limit: digest.size) { _ in try step() }, is: digest)
    }

    /// - Throws: ``ArchiveError`` with `corrupt` when what came out of it is something else.
    func check(_ found: FileDigest, is digest: FileDigest) throws(ArchiveError) {
        guard found == digest else { throw damaged("its SHA-256 is \(found.sha256), and was \(digest.sha256)") }
    }

    private func damaged(_ what: String) -> ArchiveError {
        ArchiveError(code: .corrupt, detail: "\(path) is damaged: \(what)")
    }

    @discardableResult
    private func check(_ result: Int) throws(ArchiveError) -> Int {
        guard ZSTD_isError(result) == 0 else { throw damaged(String(cString: ZSTD_getErrorName(result))) }
        return result
    }
}

/// Takes the digest of what goes by.
struct DigestMeter {
    private var hash = SHA256()
    private(set) var size: Int64 = 0

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        size += Int64(bytes.count)
    }

    var digest: FileDigest {
        let hex = hash.finalize().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return FileDigest(sha256: hex, size: size)
    }
}

private final class Buffers {
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: OpenFile.chunk, alignment: 16)
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: OpenFile.chunk, alignment: 16)

    deinit {
        input.deallocate()
        output.deallocate()
    }
}
