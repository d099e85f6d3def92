package import SLPWire

/// The elements of a list of any length, as they come; nothing is read ahead of who takes them, but for what the kernel
/// and the HTTP client hold. Can be gone through once.
///
/// Throws, after the elements that are whole, ``SLPError`` `cut` where the list broke off and `unexpected` where it ends to
/// be one. Only an end without an error says that all of it came. Of an answer that breaks off, async-http-client (1.37.0)
/// drops what it has read and not yet been asked for, so that some elements may have come in vain.
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
