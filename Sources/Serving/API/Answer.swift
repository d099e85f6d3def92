import CZlib
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Makes responses of texts: with a tag, compressed where the client wants it, and 304 where the client has the same text.
enum Answer {
    /// Below this size, in bytes, compression saves less than it costs.
    private static let compressed = 1024

    /// - Parameters:
    ///   - type: The media type.
    ///   - headers: Further headers.
    static func response(
        _ text: String, type: String, to request: Request, headers: HTTPFields = [:]
    ) -> Response {
        response(Array(text.utf8), type: type, to: request, headers: headers)
    }

    static func response(
        _ bytes: [UInt8], type: String, to request: Request, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = type
        headers[.vary] = "Accept-Encoding, Cookie, Authorization"
        let isGzip = bytes.count >= compressed && acceptsGzip(request)
        let tag = tag(of: bytes, isGzip: isGzip)
        headers[.eTag] = tag
        if let known = request.headers[.ifNoneMatch], matches(known, tag) {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        let packed = isGzip ? gzip(bytes) : nil
        if packed != nil { headers[.contentEncoding] = "gzip" }
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: packed ?? bytes)))
    }

    /// The content itself is the tag: it changes whenever the answer does, and only then.
    private static func tag(of bytes: [UInt8], isGzip: Bool) -> String {
        let hash = SHA256.hash(data: bytes).prefix(12).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        return "\"\(hash)\(isGzip ? "-gzip" : "")\""
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
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window and 16 for gzip's header; level 4 takes half the time of 6 for 3 % more bytes.
        let version = ZLIB_VERSION
        guard
            deflateInit2_(
                &stream, 4, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, version, Int32(MemoryLayout<z_stream>.size))
                == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var bytes = bytes
        var result = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let size = result.count
        let state = bytes.withUnsafeMutableBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(size)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard state == Z_STREAM_END else { return nil }
        result.removeLast(Int(stream.avail_out))
        return result
    }
}
