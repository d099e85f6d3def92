/// The reason why the rest of an answer can't be cut into elements. Elements before it are complete.
package struct SplitError: Error, Hashable {
    package enum Code: Sendable {
        /// Not JSON, or JSON of another shape.
        case unexpectedByte
        /// An object without the expected list, such as an error with status 200.
        case noList
        /// More bytes around the list than ``ElementSplitter/Limits/envelopeBytes``.
        case envelopeTooLong
    }

    package let code: Code
    /// The place for people: "byte 17 of the answer is 0x7D, where a , or ] belongs".
    package let detail: String
}
