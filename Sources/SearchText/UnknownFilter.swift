/// A `has:` or `is:` whose value is not known.
package struct UnknownFilter: Sendable, Hashable {
    /// `has` or `is`.
    package let name: String
    /// The value, as it was written.
    package let value: String

    /// - Returns: Nil if the name is another one, or the value is empty, as in `the answer is: 42`.
    init?(name: String, value: String) {
        guard ["has", "is"].contains(name), !value.isEmpty else { return nil }
        (self.name, self.value) = (name, value)
    }

    /// The known values of the name.
    package var known: [String] {
        name == "has" ? Term.Has.allCases.map(\.rawValue) : Term.State.allCases.map(\.rawValue)
    }
}
