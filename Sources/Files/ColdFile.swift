import CZstd

/// A file compressed with zstd, in constant memory: one frame, with zstd's own checksum. A file whose name ends in `.age`
/// is encrypted besides: `age --decrypt` and `zstd --decompress` restore it without this program.
package struct ColdFile {
    package let path: String
    /// The secret keys for an encrypted file.
    package var identities: AgeIdentities

    package init(path: String, identities: AgeIdentities = AgeIdentities(files: [])) {
        (self.path, self.identities) = (path, identities)
    }

    /// The levels of zstd up to 19: higher ones take more than 100 MiB of memory.
    package static let levels = 1...19
    /// The default level of zstd itself. On chat archives, 9 makes files an eighth smaller and takes four times as long
    /// *(measured)*.
    package static let defaultLevel = 3

    /// Receives the number of plain bytes done. Its error ends the work.
    package typealias Progress = (Int64) throws -> Void

    /// Compresses a plain file, which no process writes, from its start. The result is on disk when this returns.
    ///
    /// - Parameter recipients: The public keys to encrypt to; nil for none.
    /// - Returns: The digest of the plain file, and the digest of the new one.
    package func compress(
        _ source: OpenFile, level: Int, to recipients: AgeRecipients? = nil, progress: Progress
    ) throws -> (plain: FileDigest, written: FileDigest) {
        let target = try NewFile(path, to: recipients)
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
        return (meter.digest, try target.finish())
    }

    /// Reads the file to its end and expands it.
    ///
    /// - Parameters:
    ///   - limit: The limit of plain bytes; more are an error, so that no file grows beyond its original size.
    ///   - write: Receives the plain bytes.
    /// - Throws: ``ArchiveError`` with `corrupt` if the file is not one whole frame, or exceeds the limit.
    package func expand(limit: Int64, write: (UnsafeRawBufferPointer) throws -> Void) throws -> FileDigest {
        let source = try FileSource(path, identities)
        let stream = ZSTD_createDStream()
        defer { ZSTD_freeDStream(stream) }
        var meter = DigestMeter()
        let buffers = Buffers()
        // Becomes 0 once the frame is whole.
        var expected = 1
        while true {
            let count = try source.read(into: buffers.input)
            guard count > 0 else { break }
            var input = ZSTD_inBuffer(src: buffers.input.baseAddress, size: count, pos: 0)
            var output = ZSTD_outBuffer()
            repeat {
                guard expected != 0 else { throw damaged("there is data after its end") }
                output = ZSTD_outBuffer(dst: buffers.output.baseAddress, size: buffers.output.count, pos: 0)
                expected = try check(ZSTD_decompressStream(stream, &output, &input))
                let bytes = UnsafeRawBufferPointer(rebasing: buffers.output[..<output.pos])
                meter.add(bytes)
                guard meter.size <= limit else { throw damaged("it expands to more than \(limit) bytes") }
                try write(bytes)
            } while input.pos < input.size || (expected != 0 && output.pos == output.size)
        }
        guard expected == 0 else { throw damaged("its end is missing") }
        return meter.digest
    }

    /// Expands the file to a plain file and reads that back. The result is on disk when this returns.
    ///
    /// - Throws: ``ArchiveError`` with `corrupt` if the content has another digest; a partial file may then be left.
    package func restore(to plain: String, expecting digest: FileDigest, progress: Progress) throws {
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
            throw ArchiveError(code: .storage, detail: "\(plain) differs from what was written")
        }
    }

    /// Reads the file back from the disk, without decrypting it.
    ///
    /// - Throws: ``ArchiveError`` with `corrupt` if it has other bytes.
    package func requireWritten(_ written: FileDigest) throws { try check(FileDigest(of: path), is: written) }

    /// Checks that the file expands to the content with this digest.
    ///
    /// - Parameter step: Runs with each piece; its error ends the call there.
    /// - Throws: ``ArchiveError`` with `corrupt` if the content has another digest.
    package func verify(_ digest: FileDigest, step: () throws -> Void = {}) throws {
        try check(try expand(limit: digest.size) { _ in try step() }, is: digest)
    }

    /// - Throws: ``ArchiveError`` with `corrupt` if the digests differ.
    package func check(_ found: FileDigest, is digest: FileDigest) throws(ArchiveError) {
        guard found == digest else { throw damaged("its SHA-256 is \(found.sha256) instead of \(digest.sha256)") }
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

private final class Buffers {
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: OpenFile.chunk, alignment: 16)
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: OpenFile.chunk, alignment: 16)

    deinit {
        input.deallocate()
        output.deallocate()
    }
}
