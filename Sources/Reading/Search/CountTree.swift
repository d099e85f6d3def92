import ChatModel

extension [HitCount] {
    /// Returns the counts by several properties in order: times in theirs; rooms and people by their counts, the highest
    /// first. Counts with equal names are added, so that times are summed over all accounts.
    func inOrder(of properties: [HitProperty]) -> [HitCount] {
        var tree = CountTree()
        for count in self { tree.add(count, by: properties) }
        return tree.inOrder(properties)
    }
}

extension [HitProperty] {
    /// True if one of the properties is of an account: a room or a person.
    var areOfAccounts: Bool { contains { $0.unit == nil } }
}

/// Counts by several names: a branch for each name of the first property, from it one for each name of the second, and so on.
private struct CountTree {
    private var nodes = [Node()]
    private var places: [Step: Int] = [:]
    /// The different values of properties, and the number of each in this list.
    private var values: [Value] = []
    private var numbers: [Value: Int] = [:]

    private struct Value: Hashable {
        /// Nil for a time, which all accounts share.
        var account: String?
        var name: String?

        var order: (String, String) { (account ?? "", name ?? "") }
    }

    private struct Node {
        /// The number of its value; 0 for the root, which has none.
        var value = 0
        var count: Int64 = 0
        var branches: [Int] = []
    }

    private struct Step: Hashable {
        var from: Int
        /// The number of a value.
        var value: Int
    }

    mutating func add(_ count: HitCount, by properties: [HitProperty]) {
        var place = 0
        for (property, name) in zip(properties, count.names) {
            let value = number(of: Value(account: property.unit == nil ? count.account : nil, name: name))
            let step = Step(from: place, value: value)
            place = places[step] ?? branch(step)
            nodes[place].count += count.count
        }
    }

    private mutating func number(of value: Value) -> Int {
        if let number = numbers[value] { return number }
        values.append(value)
        numbers[value] = values.count - 1
        return values.count - 1
    }

    private mutating func branch(_ step: Step) -> Int {
        let place = nodes.count
        nodes.append(Node(value: step.value))
        nodes[step.from].branches.append(place)
        places[step] = place
        return place
    }

    /// Returns a count for each row of names.
    func inOrder(_ properties: [HitProperty]) -> [HitCount] {
        var (counts, ranks) = ([HitCount](), [Int](repeating: 0, count: values.count))
        // Most people of a month have equal counts, and numbers are compared faster than names.
        for (rank, number) in values.indices.sorted(by: { values[$0].order < values[$1].order }).enumerated() {
            ranks[number] = rank
        }
        func walk(_ place: Int, _ account: String?, _ names: [String?]) {
            guard names.count < properties.count else {
                counts.append(HitCount(account: account, names: names, count: nodes[place].count))
                return
            }
            for next in branches(of: place, by: properties[names.count], ranks) {
                let value = values[nodes[next].value]
                walk(next, value.account ?? account, names + [value.name])
            }
        }
        walk(0, nil, [])
        return counts
    }

    /// - Parameter ranks: The places of the values in the order of their names, by their numbers.
    private func branches(of place: Int, by property: HitProperty, _ ranks: [Int]) -> [Int] {
        nodes[place].branches.sorted { one, other in
            if let unit = property.unit {
                return unit.rank(values[nodes[one].value].name ?? "") < unit.rank(values[nodes[other].value].name ?? "")
            }
            guard nodes[one].count == nodes[other].count else { return nodes[one].count > nodes[other].count }
            return ranks[nodes[one].value] < ranks[nodes[other].value]
        }
    }
}
