import Bytes
package import ChatModel

/// The text of a JSON object, written member by member without values between: the same bytes as ``JSONValue/text``.
///
/// Keys are written as they are, so they must be names without characters to escape.
package struct JSONBytes: JSONObject {
    private var bytes: [UInt8] = []
    /// True until the present object has a member.
    private var isEmpty = true

    /// Appends the text of an object to bytes.
    ///
    /// - Parameter addMembers: Adds the members in order.
    package static func append(to bytes: inout [UInt8], _ addMembers: (inout JSONBytes) -> Void) {
        var text = JSONBytes()
        // Swapped, because the array would be copied if both had it.
        swap(&text.bytes, &bytes)
        text.bytes.append(Byte.objectStart)
        addMembers(&text)
        text.bytes.append(Byte.objectEnd)
        swap(&text.bytes, &bytes)
    }

    /// Adds the members of a message. Other modules call this function, which is compiled for this type.
    package mutating func add(_ message: Message) { message.addMembers(to: &self) }

    package mutating func add(_ key: String, _ text: String?) {
        begin(key)
        guard let text else { return appendNull() }
        bytes.append(json: text)
    }

    package mutating func add(_ key: String, _ number: Int64?) {
        begin(key)
        guard let number else { return appendNull() }
        bytes.append(decimal: number)
    }

    package mutating func add(_ key: String, _ flag: Bool) {
        begin(key)
        bytes.append(utf8: flag ? "true" : "false")
    }

    package mutating func add(_ key: String, _ time: Timestamp?) {
        begin(key)
        guard let time else { return appendNull() }
        bytes.append(Byte.quote)
        time.append(to: &bytes)
        bytes.append(Byte.quote)
    }

    package mutating func add(_ key: String, _ texts: [String]) {
        begin(key)
        bytes.append(Byte.listStart)
        for (index, text) in texts.enumerated() {
            if index > 0 { appendComma() }
            bytes.append(json: text)
        }
        bytes.append(Byte.listEnd)
    }

    package mutating func add(_ key: String, _ object: (some JSONDescribed)?) {
        begin(key)
        guard let object else { return appendNull() }
        append(object)
    }

    package mutating func add(_ key: String, _ objects: [some JSONDescribed]) {
        begin(key)
        // Most lists are empty. In a loop over numbered elements, Swift looks up the types of other modules at each list, which takes
        // a sixth of the time of an export.
        guard !objects.isEmpty else { return bytes.append(utf8: "[]") }
        bytes.append(Byte.listStart)
        for index in objects.indices {
            if index > 0 { appendComma() }
            append(objects[index])
        }
        bytes.append(Byte.listEnd)
    }

    private mutating func append(_ object: some JSONDescribed) {
        bytes.append(Byte.objectStart)
        isEmpty = true
        object.addMembers(to: &self)
        bytes.append(Byte.objectEnd)
        isEmpty = false
    }

    private mutating func begin(_ key: String) {
        bytes.append(utf8: isEmpty ? "\"" : ", \"")
        bytes.append(utf8: key)
        bytes.append(utf8: "\": ")
        isEmpty = false
    }

    private mutating func appendComma() {
        bytes.append(Byte.comma)
        bytes.append(Byte.space)
    }

    private mutating func appendNull() { bytes.append(utf8: "null") }
}
