package import ChatModel

/// Lines that are stored together.
package struct ImportBatch: Sendable {
    package let lines: [ImportedLine]
    /// Consecutive ranges of the lines. Each fits a request to a listener.
    package let requests: [Range<Int>]
    /// The indices of the lines that begin another file than the line before, also that of the batch before.
    package var beginnings: [Int] = []

    /// Returns the requests for the lines that remain.
    ///
    /// - Parameter removed: The indices of the others, in order.
    package func requests(without removed: [Int]) -> [Range<Int>] {
        var (rest, start) = (removed[...], 0)
        return requests.compactMap { request in
            let gone = rest.prefix { $0 < request.upperBound }.count
            rest = rest.dropFirst(gone)
            let kept = start..<(start + request.count - gone)
            start = kept.upperBound
            return kept.isEmpty ? nil : kept
        }
    }
}
