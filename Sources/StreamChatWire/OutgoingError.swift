/// Why a message or name can't be sent.
package struct OutgoingError: Error, Hashable {
    package enum Code: Sendable { case textTooLong, textReserved, nameEmpty, nameTooLong, nameReserved }

    package let code: Code
    /// For people: "the name has 12 characters, StreamChat allows 1 to 10".
    package let detail: String
}
