/// Places in a JSON document, such as `channel`, `messages[]` and `chats.list[].name`, as a tree.
struct JSONPlaces: Sendable {
    struct Node: Sendable {
        /// The place as it was given; for a node on the way to wanted ones, the path so far.
        let name: String
        var isWanted = false
        var keys: [(name: [UInt8], node: Int)] = []
        /// The node of a list's elements.
        var element: Int?

        init(name: String) {
            self.name = name
        }
    }

    private(set) var nodes = [Node(name: "")]

    static let root = 0

    /// - Parameter places: Keys joined by dots, with `[]` after a list. Keys with a dot aren't supported.
    init(_ places: [String]) {
        for place in places {
            var node = Self.root
            for part in place.split(separator: ".") {
                let key = part.prefix { $0 != "[" }
                if !key.isEmpty { node = child(of: node, key: String(key)) }
                for _ in 0..<(part.count - key.count) / 2 { node = element(of: node) }
            }
            nodes[node].isWanted = true
        }
    }

    /// Returns the node of a key; nil if nothing there is wanted.
    func node(in node: Int, key: [UInt8]) -> Int? {
        nodes[node].keys.first { $0.name == key }?.node
    }

    private mutating func child(of node: Int, key: String) -> Int {
        if let known = self.node(in: node, key: Array(key.utf8)) { return known }
        nodes[node].keys.append((Array(key.utf8), nodes.count))
        nodes.append(Node(name: nodes[node].name + (nodes[node].name.isEmpty ? "" : ".") + key))
        return nodes.count - 1
    }

    private mutating func element(of node: Int) -> Int {
        if let known = nodes[node].element { return known }
        nodes[node].element = nodes.count
        nodes.append(Node(name: nodes[node].name + "[]"))
        return nodes.count - 1
    }
}
