package import ChatModel

/// Lines that are stored together.
package struct ImportBatch: Sendable {
    package let lines: [ImportedLine]
    /// Consecutive ranges of the lines. Each fits a request to a listener.
    package let requests: [Range<Int>]
}
