/// Why the rest of an answer can't be cut into elements; those before are whole.
package struct SplitError: Error, Hashable {
    package enum Code: Sendable {
        /// No JSON, or not JSON of the shape that was asked for.
        case unexpectedByte
        /// An object without the list that was asked for, such as an error with status 200.
        case noList
        /// More around the list than ``ElementSplitter/Limits/envelopeBytes``.
        case envelopeTooLong
    }

    package let code: Code
    /// For people: "byte 17 of the answer is 0x7D, where a , or ] belongs".
    package let detail: String
}
