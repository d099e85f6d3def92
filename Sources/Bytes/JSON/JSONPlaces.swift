/// Places in a JSON document, such as `channel`, `messages[]` and `chats.list[].name`, as a tree.
package struct JSONPlaces: Sendable {
    struct Node: Sendable {
        /// The place as it was given; for a node on the way to wanted ones, the path so far.
        let name: String
        var isWanted = false
        var keys: [(name: [UInt8], node: Int)] = []
        /// The node of a list's elements.
        var element: Int?
        /// The node of the values of all other keys.
        var others: Int?
        /// The limit of bytes of a value; nil for the cutter's.
        var limit: Int?

        init(name: String) {
            self.name = name
        }
    }

    private(set) var nodes = [Node(name: "")]

    package static let root = 0

    /// - Parameter places: Keys joined by dots, with `[]` after a list, and `*` for any other key. Keys with a dot aren't
    ///   supported.
    package init(_ places: [String]) {
        for place in places {
            var node = Self.root
            for part in place.split(separator: ".") {
                let key = part.prefix { $0 != "[" }
                if !key.isEmpty { node = child(of: node, key: key == "*" ? nil : String(key)) }
                for _ in 0..<(part.count - key.count) / 2 { node = element(of: node) }
            }
            nodes[node].isWanted = true
        }
    }

    /// Returns the node of a key; nil if nothing there is wanted.
    func node(in node: Int, key: [UInt8]) -> Int? {
        nodes[node].keys.first { $0.name == key }?.node ?? nodes[node].others
    }

    /// Adds the value at a node, with its own limit of bytes.
    package mutating func want(_ node: Int, limit: Int) {
        (nodes[node].isWanted, nodes[node].limit) = (true, limit)
    }

    /// Returns the node of a key, which is added if it is new; of all other keys for nil.
    package mutating func child(of node: Int, key: String?) -> Int {
        guard let key else {
            if let known = nodes[node].others { return known }
            nodes[node].others = nodes.count
            nodes.append(Node(name: nodes[node].name + ".*"))
            return nodes.count - 1
        }
        if let known = nodes[node].keys.first(where: { $0.name.elementsEqual(key.utf8) }) { return known.node }
        nodes[node].keys.append((Array(key.utf8), nodes.count))
        nodes.append(Node(name: nodes[node].name + (nodes[node].name.isEmpty ? "" : ".") + key))
        return nodes.count - 1
    }

    package mutating func element(of node: Int) -> Int {
        if let known = nodes[node].element { return known }
        nodes[node].element = nodes.count
        nodes.append(Node(name: nodes[node].name + "[]"))
        return nodes.count - 1
    }
}
