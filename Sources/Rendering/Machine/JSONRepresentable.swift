package import ChatModel

/// A value that the machine formats have. `docs/json.md` documents every key.
package protocol JSONRepresentable {
    /// The value with its keys in the documented order.
    var jsonValue: JSONValue { get }
}

extension JSONValue {
    package init(_ value: some JSONRepresentable) {
        self = value.jsonValue
    }

    /// The value, or null.
    package init(_ value: (some JSONRepresentable)?) {
        self = value?.jsonValue ?? .null
    }

    package init(_ number: Int64?) {
        self = number.map(JSONValue.number) ?? .null
    }

    package init(_ id: MessageID?) {
        self.init(id?.description)
    }

    package init(_ time: Timestamp?) {
        self.init(time?.description)
    }

    /// The members of an object; empty for any other value.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
}
