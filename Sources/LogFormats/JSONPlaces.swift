/// Places in a JSON document, such as `channel`, `messages[]` and `chats.list[].name`, as a tree.
struct JSONPlaces: Sendable {
    struct Node: Sendable {
        /// As it was given; of one that is only on the way to others, its part.
        let name: String
        var isWanted = false
        var keys: [(name: [UInt8], node: Int)] = []
        /// Of each element of a list.
        var element: Int?

        /// Whether there are places within.
        var isOnTheWay: Bool { element != nil || !keys.isEmpty }

        init(name: String) {
            self.name = name
        }
    }

    private(set) var nodes = [Node(name: "")]

    static let root = 0

    /// - Parameter places: Keys with dots between, which therefore have none in them, and `[]` behind a list.
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

    /// Nil where nothing is wanted.
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
