package import ChatModel

/// A JSON object to which members are added in order: ``JSONTree`` makes values of them, ``JSONBytes`` text.
package protocol JSONObject {
    /// Adds a text, or null.
    mutating func add(_ key: String, _ text: String?)
    /// Adds a number, or null.
    mutating func add(_ key: String, _ number: Int64?)
    mutating func add(_ key: String, _ flag: Bool)
    /// Adds an instant as a text (RFC 3339), or null.
    mutating func add(_ key: String, _ time: Timestamp?)
    /// Adds a list of texts.
    mutating func add(_ key: String, _ texts: [String])
    /// Adds an object, or null.
    mutating func add(_ key: String, _ object: (some JSONDescribed)?)
    /// Adds a list of objects.
    mutating func add(_ key: String, _ objects: [some JSONDescribed])
}

/// A value that describes its JSON object once, for values and for text.
package protocol JSONDescribed: JSONRepresentable {
    /// Adds the members in the documented order.
    func addMembers(to object: inout some JSONObject)
}

extension JSONDescribed {
    package var jsonValue: JSONValue {
        var tree = JSONTree()
        addMembers(to: &tree)
        return .object(tree.members)
    }
}

/// The members of a JSON object as values.
package struct JSONTree: JSONObject {
    package private(set) var members: [JSONValue.Member] = []

    package init() {
        // A message has 17 members, and few have more.
        members.reserveCapacity(18)
    }

    package mutating func add(_ key: String, _ text: String?) { add(key, JSONValue(text)) }
    package mutating func add(_ key: String, _ number: Int64?) { add(key, JSONValue(number)) }
    package mutating func add(_ key: String, _ flag: Bool) { add(key, .bool(flag)) }
    package mutating func add(_ key: String, _ time: Timestamp?) { add(key, JSONValue(time)) }
    package mutating func add(_ key: String, _ texts: [String]) { add(key, .array(texts.map(JSONValue.string))) }
    package mutating func add(_ key: String, _ object: (some JSONDescribed)?) { add(key, JSONValue(object)) }

    package mutating func add(_ key: String, _ objects: [some JSONDescribed]) {
        add(key, .array(objects.map { $0.jsonValue }))
    }

    private mutating func add(_ key: String, _ value: JSONValue) {
        members.append(JSONValue.Member(key: key, value: value))
    }
}
