/// The reason why a message or a name can't be sent.
package struct OutgoingError: Error, Hashable {
    package enum Code: Sendable { case textTooLong, textReserved, nameEmpty, nameTooLong, nameReserved }

    package let code: Code
    /// The reason for people: "the name has 12 characters; StreamChat allows 1 to 10".
    package let detail: String
}
