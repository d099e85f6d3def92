import CZlib
import Crypto
import HTTPTypes
import Hummingbird
import Synchronization

/// Makes responses from texts, with an entity tag. Compresses them for clients that accept it, and answers 304 to
/// clients that have the same text.
enum Answer {
    /// The size in bytes below which compression saves less than it costs.
    private static let compressed = 1024

    /// - Parameters:
    ///   - type: The media type.
    ///   - headers: Further headers.
    static func response(
        _ text: String, type: String, to request: Request, headers: HTTPFields = [:]
    ) -> Response {
        Document(ByteBuffer(string: text), type: type, headers: headers).response(to: request)
    }

    /// A text with its tags, and its compressed form once a client wants it.
    final class Document: Sendable {
        private let text: ByteBuffer
        private let headers: HTTPFields
        private let hash: String
        private let packed = Mutex<ByteBuffer?>(nil)

        /// - Parameter headers: Further headers.
        init(_ text: ByteBuffer, type: String, headers: HTTPFields = [:]) {
            (self.text, hash) = (text, Answer.hash(of: text))
            var headers = headers
            headers[.contentType] = type
            headers[.vary] = "Accept-Encoding, Cookie, Authorization"
            self.headers = headers
        }

        /// The bytes of the text.
        var size: Int { text.readableBytes }

        /// The bytes of the text and of its compressed form, if there is one.
        var memory: Int { size + (packed.withLock(\.self)?.readableBytes ?? 0) }

        func response(to request: Request) -> Response {
            let isGzip = size >= Answer.compressed && Answer.acceptsGzip(request)
            let tag = "\"\(hash)\(isGzip ? "-gzip" : "")\""
            var headers = headers
            headers[.eTag] = tag
            if let known = request.headers[.ifNoneMatch], Answer.matches(known, tag) {
                headers[.contentType] = nil
                return Response(status: .notModified, headers: headers)
            }
            let packed = isGzip ? gzipped() : nil
            if packed != nil { headers[.contentEncoding] = "gzip" }
            return Response(status: .ok, headers: headers, body: .counted(packed ?? text))
        }

        private func gzipped() -> ByteBuffer? {
            packed.withLock { packed in
                if packed == nil { packed = Answer.gzip(text) }
                return packed
            }
        }
    }

    /// Returns the entity tag, a hash of the content, so that it changes exactly when the answer changes.
    private static func hash(of bytes: ByteBuffer) -> String {
        bytes.withUnsafeReadableBytes { SHA256.hash(data: $0) }.prefix(12).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func matches(_ known: String, _ tag: String) -> Bool {
        known.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " }
            return item == "*" || item == tag || item.dropFirst(2) == tag && item.hasPrefix("W/")
        }
    }

    private static func acceptsGzip(_ request: Request) -> Bool {
        let accepted = request.headers[.acceptEncoding] ?? ""
        return accepted.split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return parts.first == "gzip" && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00"].contains($0) }
        }
    }

    /// Returns the bytes as a gzip file; nil if zlib fails.
    private static func gzip(_ bytes: ByteBuffer) -> ByteBuffer? {
        var stream = z_stream()
        // 15 bits of window and 16 for gzip's header; level 4 takes half the time of 6 for 3 % more bytes.
        let version = ZLIB_VERSION
        guard
            deflateInit2_(
                &stream, 4, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, version, Int32(MemoryLayout<z_stream>.size))
                == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let size = Int(deflateBound(&stream, UInt(bytes.readableBytes)))
        var result = ByteBuffer()
        let written = result.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { output in
            bytes.withUnsafeReadableBytes { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(size)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? size - Int(stream.avail_out) : 0
            }
        }
        // A copy, because the answer would keep the memory for the longest result.
        return written > 0 ? ByteBuffer(bytes: result.readableBytesView) : nil
    }
}
