/// A fact that an attempt to connect found, for people.
package struct ConnectionFinding: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case fact
        /// Something is not archived as it could be.
        case warning
        /// Nothing of the account, or of one of its rooms, is archived.
        case failure
    }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        (self.kind, self.text) = (kind, text)
    }
}
