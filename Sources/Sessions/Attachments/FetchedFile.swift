package import AsyncHTTPClient
import NIOHTTP1

/// A file of the service, as a stream. It can be iterated once.
///
/// Throws ``CallError`` `cut` if it breaks off, and `tooLarge` if it exceeds the limit. The part before that is valid,
/// and another call may continue after it.
package struct FetchedFile: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    /// The position of the first byte: the requested one, or 0 if the server sends the whole file.
    package let offset: Int
    /// The size of the whole file in bytes; nil if the server does not give it.
    package let total: Int?
    /// The entity tag, which distinguishes this content from another one under the same path, for a call that continues
    /// this one.
    package let tag: String?
    package let body: HTTPBody
    package let limit: Int

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let file: FetchedFile
        fileprivate var place: Int

        package mutating func next() async throws -> [UInt8]? {
            guard let piece = try await file.body.next() else {
                guard place >= file.total ?? 0 else {
                    throw CallError(code: .cut, detail: "the file ended early, after \(place) bytes")
                }
                return nil
            }
            place += piece.count
            guard place <= file.limit else { throw FetchedFile.tooLarge(limit: file.limit) }
            return piece
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(file: self, place: offset)
    }

    /// - Throws: ``CallError`` `tooLarge` if the server announces a size over the limit.
    package init(_ response: HTTPClientResponse, resume: Int, limit: Int, body: HTTPBody) throws {
        let range = response.status == .partialContent ? response.headers.first(name: "Content-Range") : nil
        let isRest = range?.hasPrefix("bytes \(resume)-") ?? false
        guard response.status != .partialContent || isRest else {
            throw CallError(code: .unexpected, detail: "the server sent another part of the file than requested")
        }
        offset = isRest ? resume : 0
        let length = response.headers.first(name: "Content-Length").flatMap { Int($0) }
        let (end, overflow) = (length ?? 0).addingReportingOverflow(offset)
        guard !overflow, end <= limit else {
            var error = Self.tooLarge(limit: limit)
            error.bytes = overflow ? nil : end
            throw error
        }
        total = length.map { _ in end }
        tag = response.headers.first(name: "ETag").flatMap { $0.utf8.count <= 256 ? $0 : nil }
        (self.body, self.limit) = (body, limit)
    }

    private static func tooLarge(limit: Int) -> CallError {
        CallError(code: .tooLarge, detail: "the file is larger than \(limit) bytes")
    }
}
