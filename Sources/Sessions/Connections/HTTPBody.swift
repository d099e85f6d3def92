package import AsyncHTTPClient
import NIOCore

/// The body of an answer, read in pieces and no faster than the caller takes them. One task may read at a time.
///
/// `@unchecked`: only ``next()`` uses the iterator, in a child task that it waits for.
package final class HTTPBody: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private let watch: IdleWatch
    /// The watching task. It is not a child task, because a body outlives the call that creates it; it ends with the
    /// body.
    private let watching: Task<Void, any Error>
    private let traffic: Traffic?
    private let limit: Int
    private let failure: @Sendable (HTTPBodyError) -> any Error
    /// The number of bytes read so far.
    private var count = 0

    /// - Parameters:
    ///   - limit: The limit of bytes in the body.
    ///   - idle: The time limit for a piece. async-http-client 1.37.0 has such a limit as well, but it also expires
    ///     while the reader is busy.
    ///   - traffic: Counts the received bytes.
    ///   - failure: Returns the network's own error.
    package init(
        _ response: HTTPClientResponse, limit: Int = .max, idle: Duration, clock: any Clock<Duration>,
        traffic: Traffic?,
        failure: @escaping @Sendable (HTTPBodyError) -> any Error
    ) {
        (self.traffic, self.limit, self.failure) = (traffic, limit, failure)
        iterator = response.body.makeAsyncIterator()
        let watch = IdleWatch(limit: idle, clock: clock)
        (self.watch, watching) = (watch, Task { try await watch.run() })
    }

    deinit {
        watching.cancel()
    }

    /// Returns the next piece; nil at the end.
    ///
    /// - Throws: The network's own error, `CancellationError`.
    package func next() async throws -> [UInt8]? {
        let late = Signal()
        watch.begin { late.set() }
        defer { watch.end() }
        do {
            let bytes = try await late.cancelling { await self.piece() }.get()
            count += bytes?.count ?? 0
            guard count <= limit else { throw HTTPBodyError.tooLarge(limit) }
            return bytes
        } catch let error as HTTPBodyError {
            throw failure(error)
        } catch {
            try Task.checkCancellation()
            throw failure(.cut(watch.isLate ? "nothing came for \(watch.limit)" : "the connection was closed"))
        }
    }

    private func piece() async -> Result<[UInt8]?, any Error> {
        do {
            let buffer = try await iterator.next()
            traffic?.add(buffer?.readableBytes ?? 0)
            return .success(buffer.map { [UInt8]($0) })
        } catch {
            return .failure(error)
        }
    }

    /// Returns at most some bytes of the body's beginning, enough to read the reason of a refusal.
    package func beginning(_ limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit, let piece = try await next() { bytes += piece }
        return Array(bytes.prefix(limit))
    }

    package func whole() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() { bytes += piece }
        return bytes
    }
}

extension Array<UInt8> {
    fileprivate init(_ buffer: ByteBuffer) {
        self = buffer.withUnsafeReadableBytes(Array.init)
    }
}

/// The reason why an answer can't be read to its end.
package enum HTTPBodyError: Error {
    /// The answer broke off; the text says why.
    case cut(String)
    /// The answer has more bytes than the limit.
    case tooLarge(Int)

    var detail: String {
        switch self {
        case .cut(let reason): "the answer is incomplete: \(reason)"
        case .tooLarge(let limit): "the answer is larger than \(limit) bytes"
        }
    }
}
