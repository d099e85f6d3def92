package import SLPWire
import Sessions

/// The elements of a list of any length, as a stream that is read only as fast as the caller takes them, apart from the
/// buffers of the kernel and the HTTP client. It can be iterated once.
///
/// After the complete elements, throws ``CallError`` `cut` if the list breaks off, and `unexpected` if the following
/// bytes are not part of a list. Only an end without an error means that the list was complete. If an answer breaks
/// off, async-http-client 1.37.0 drops bytes that were read and not taken yet, so some received elements may be
/// missing.
package struct SLPElements<Value: Sendable & Hashable & Decodable>: AsyncSequence, Sendable {
    package typealias Element = DecodedElement<Value>

    let body: HTTPBody
    let splitter: ElementSplitter

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let body: HTTPBody
        fileprivate var splitter: ElementSplitter

        package mutating func next() async throws -> DecodedElement<Value>? {
            while true {
                if let element = try nextOfPiece() { return DecodedElement(element) }
                guard let piece = try await body.next() else { break }
                splitter.read(piece)
            }
            guard splitter.isComplete else {
                throw CallError(code: .cut, detail: "the answer is incomplete: it ends in the middle")
            }
            return nil
        }

        private mutating func nextOfPiece() throws -> ElementSplitter.Element? {
            do {
                return try splitter.next()
            } catch {
                throw CallError(code: .unexpected, detail: error.detail)
            }
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body, splitter: splitter)
    }
}
