import AsyncHTTPClient
import NIOCore
import SLPWire

/// What follows an answer's head, piece by piece, read no faster than it is taken. Read by one task at a time.
///
/// `@unchecked`: the iterator is used by ``next()`` alone, in a child task that it waits for.
final class SLPBody: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private let idle: Duration
    private let clock: any Clock<Duration>

    /// - Parameter idle: How long to wait for a piece. async-http-client (1.37.0) has such a limit too, which runs out also
    ///   where it is we who take our time.
    init(_ response: HTTPClientResponse, idle: Duration, clock: any Clock<Duration>) {
        (iterator, self.idle, self.clock) = (response.body.makeAsyncIterator(), idle, clock)
    }

    /// Nil at the end.
    ///
    /// - Throws: ``SLPError`` `cut`, `CancellationError`.
    func next() async throws -> [UInt8]? {
        do {
            let late = SLPError(code: .cut, detail: "the answer broke off: nothing came for \(idle)")
            return try await within(idle, of: clock, else: late) { try await self.iterator.next().map { [UInt8]($0) } }
        } catch {
            try Task.checkCancellation()
            throw error is SLPError
                ? error : SLPError(code: .cut, detail: "the answer broke off: the connection was closed")
        }
    }

    /// As much as tells why a call was refused.
    func beginning() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < SLPRefusal.bodyBytes, let piece = try await next() { bytes += piece }
        return Array(bytes.prefix(SLPRefusal.bodyBytes))
    }

    func whole(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            bytes += piece
            guard bytes.count <= limit else {
                throw SLPError(code: .tooLarge, detail: "an answer of more than \(limit) bytes")
            }
        }
        return bytes
    }
}

extension Array<UInt8> {
    fileprivate init(_ buffer: ByteBuffer) {
        self = buffer.withUnsafeReadableBytes(Array.init)
    }
}
