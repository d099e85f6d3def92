package import SLPWire

/// The elements of a list of any length, as a stream that is read only as fast as it is used, apart from the buffers of
/// the kernel and the HTTP client. Can be iterated once.
///
/// After the elements that are whole, throws ``SLPError`` `cut` where the list broke off, and `unexpected` where what
/// follows is no part of a list. Only an end without an error means that the list was complete. When an answer breaks
/// off, async-http-client (1.37.0) drops what it has read and nobody has taken yet, so some elements that arrived may
/// be missing.
package struct SLPElements<Value: Sendable & Hashable & Decodable>: AsyncSequence, Sendable {
    package typealias Element = DecodedElement<Value>

    let body: SLPBody
    let splitter: ElementSplitter

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let body: SLPBody
        fileprivate var splitter: ElementSplitter

        package mutating func next() async throws -> DecodedElement<Value>? {
            while true {
                if let element = try nextOfPiece() { return DecodedElement(element) }
                guard let piece = try await body.next() else { break }
                splitter.read(piece)
            }
            guard splitter.isComplete else {
                throw SLPError(code: .cut, detail: "the answer broke off: it ends in the middle")
            }
            return nil
        }

        private mutating func nextOfPiece() throws -> ElementSplitter.Element? {
            do {
                return try splitter.next()
            } catch {
                throw SLPError(code: .unexpected, detail: error.detail)
            }
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body, splitter: splitter)
    }
}
