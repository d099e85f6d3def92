/// The names and pictures of people by their ids, as memberships give them.
struct MatrixPeople: Sendable {
    private struct Person {
        var name: String?
        var picture: String?
    }

    private var people: [String: Person] = [:]
    /// The limit of people, at some 200 bytes each and 2 KiB at most. Beyond it, all are forgotten: a sync repeats those that
    /// it needs.
    private static let limit = 20_000

    func name(of id: String) -> String { people[id]?.name ?? id }

    /// - Parameter ifUnknown: True for a name that another person gives.
    mutating func note(_ id: String, name: String?, ifUnknown: Bool = false) {
        guard !ifUnknown || people[id] == nil else { return }
        if people.count >= Self.limit { people = [:] }
        people[id, default: Person()].name = name
    }

    /// - Returns: True if the picture is another one than before.
    mutating func note(_ id: String, picture: String?) -> Bool {
        guard people[id]?.picture != picture else { return false }
        people[id, default: Person()].picture = picture
        return true
    }
}
