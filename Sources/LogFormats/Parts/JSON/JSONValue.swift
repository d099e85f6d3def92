import Bytes
import ChatModel

/// A value within a piece of JSON.
struct JSONValue {
    private let tree: JSONTree
    /// The position of the value in the tree.
    private let index: Int

    private init(_ tree: JSONTree, _ index: Int) {
        (self.tree, self.index) = (tree, index)
    }

    /// Reads a piece.
    ///
    /// - Parameter limit: The limit of bytes that the cutter keeps of a piece.
    /// - Throws: ``UnreadablePiece``, also for a piece of more than 100,000 values.
    init(_ line: LogLine, limit: Int) throws(UnreadablePiece) {
        try line.requireWhole(limit: limit)
        self.init(try JSONTree(line.bytes), 0)
    }

    /// Reads a piece that must be an object.
    init(object line: LogLine, limit: Int) throws(UnreadablePiece) {
        try self.init(line, limit: limit)
        guard node.kind == .object else { throw wrongType }
    }

    private var node: JSONTree.Node { tree.nodes[index] }

    /// The faults of the texts that were read so far, in the whole piece.
    var flags: MessageFlags { tree.flags }

    private var wrongType: UnreadablePiece {
        let path = tree.path(to: index)
        return UnreadablePiece(path.isEmpty ? "it is not a JSON object" : "its \"\(path)\" has the wrong type")
    }

    // MARK: - Values

    /// The value if it is a text.
    var text: String? {
        node.kind == .text || node.kind == .escapedText ? tree.text(node) : nil
    }

    /// The text of a number as it is written; nil for other values.
    var number: String? { node.kind == .number ? tree.text(node) : nil }

    /// True or false; nil for other values.
    var truth: Bool? { node.kind == .true ? true : node.kind == .false ? false : nil }

    /// The value as JSON.
    var json: ArraySlice<UInt8> {
        let quote = node.kind == .text || node.kind == .escapedText ? 1 : 0
        let start = tree.bytes.startIndex
        return tree.bytes[(start + Int(node.start) - quote)..<(start + Int(node.end) + quote)]
    }

    var isNull: Bool { node.kind == .null }
    var isObject: Bool { node.kind == .object }
    var isList: Bool { node.kind == .list }

    /// Returns the value as a text.
    func requiredText() throws(UnreadablePiece) -> String {
        guard let text else { throw wrongType }
        return text
    }

    /// Returns the value as a text or a number.
    func scalar() throws(UnreadablePiece) -> JSONScalar {
        guard let text = number ?? text, text.utf8.count <= JSONScalar.maximumLength
        else { throw wrongType }
        return JSONScalar(text.withoutNUL)
    }

    // MARK: - Values in an object

    /// Returns the value of a key; nil if the key is missing or its value is null.
    subscript(_ key: StaticString) -> JSONValue? {
        let value = keysAndValues { name, value in tree.isKey(name, key) ? JSONValue(tree, value) : nil }
        return value?.isNull == false ? value : nil
    }

    /// The first key of the object; nil for an empty one.
    var firstKey: String? { isObject && node.next > index + 1 ? tree.text(tree.nodes[index + 1]) : nil }

    /// Returns true if the object has a key, also if its value is null.
    func has(_ key: StaticString) -> Bool { keysAndValues { name, _ in tree.isKey(name, key) ? true : nil } ?? false }

    /// The keys of an object with their values, in their order; none for other values.
    var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = []
        _ = keysAndValues { key, value -> Bool? in
            members.append((tree.text(key), JSONValue(tree, value)))
            return nil
        }
        return members
    }

    /// Returns the first keys that are not among the known ones and have a value other than null, false, `{}` and `[]`;
    /// at most ten.
    ///
    /// - Parameter isOfParts: True for only those keys whose value is an object or a list.
    func unknownKeys(besides known: Set<String>, isOfParts: Bool) -> [String] {
        var keys: [String] = []
        _ = keysAndValues { key, place -> Bool? in
            let value = tree.nodes[place]
            switch value.kind {
            case .object, .list: if !tree.hasElements(value) { return nil }
            case .null, .false: return nil
            default: if isOfParts { return nil }
            }
            let name = tree.text(key)
            if !known.contains(name) { keys.append(name) }
            return keys.count < 10 ? nil : true
        }
        return keys
    }

    /// Calls the body with each key and the position of each value of the object, until it returns a result.
    private func keysAndValues<Result>(_ body: (JSONTree.Node, Int) -> Result?) -> Result? {
        guard node.kind == .object else { return nil }
        let end = Int(node.next)
        var child = index + 1
        while child + 1 < end {
            if let result = body(tree.nodes[child], child + 1) { return result }
            child = Int(tree.nodes[child + 1].next)
        }
        return nil
    }

    /// Returns the text of a key; nil if the key is missing or null.
    func text(_ key: StaticString) throws(UnreadablePiece) -> String? {
        guard let value = self[key] else { return nil }
        return try value.requiredText()
    }

    /// Returns the text or number of a key; nil if the key is missing or null.
    func scalar(_ key: StaticString) throws(UnreadablePiece) -> JSONScalar? {
        guard let value = self[key] else { return nil }
        return try value.scalar()
    }

    /// Returns true if a key is true; false if it is false, missing or null.
    func isTrue(_ key: StaticString) throws(UnreadablePiece) -> Bool {
        guard let value = self[key] else { return false }
        guard let truth = value.truth else { throw value.wrongType }
        return truth
    }

    /// Returns the object of a key; nil if the key is missing or null.
    func object(_ key: StaticString) throws(UnreadablePiece) -> JSONValue? {
        guard let value = self[key] else { return nil }
        guard value.isObject else { throw value.wrongType }
        return value
    }

    /// Returns the elements of a list without those that are null; none if the key is missing or null.
    func list(_ key: StaticString) throws(UnreadablePiece) -> [JSONValue] {
        guard let value = self[key] else { return [] }
        return try value.elements()
    }

    /// Returns the elements of a list, which must be objects; none if the key is missing or null.
    func objects(_ key: StaticString) throws(UnreadablePiece) -> [JSONValue] {
        let elements = try list(key)
        if let other = elements.first(where: { !$0.isObject }) { throw other.wrongType }
        return elements
    }

    /// Returns the elements of the list; leaves out those that are null.
    func elements() throws(UnreadablePiece) -> [JSONValue] {
        try allElements().compactMap(\.self)
    }

    /// Returns the elements of the list, nil for those that are null.
    func allElements() throws(UnreadablePiece) -> [JSONValue?] {
        guard isList else { throw wrongType }
        var elements: [JSONValue?] = []
        var child = index + 1
        while child < Int(node.next) {
            let value = tree.nodes[child]
            elements.append(value.kind == .null ? nil : JSONValue(tree, child))
            child = Int(value.next)
        }
        return elements
    }

    /// Returns the value of a key that must exist.
    func required(_ key: StaticString) throws(UnreadablePiece) -> JSONValue {
        if let value = self[key] { return value }
        let path = tree.path(to: index)
        throw UnreadablePiece("it has no \"\(path.isEmpty ? "" : path + ".")\(key)\"")
    }
}
