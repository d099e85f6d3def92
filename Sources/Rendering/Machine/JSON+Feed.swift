package import ChatModel

extension FeedChange: JSONRepresentable {
    package var jsonValue: JSONValue {
        let (name, id, state) = subject.parts
        return .object([
            "kind": .string(kind.rawValue),
            "position": .string(position.description),
            "account": .string(account),
            "subject": JSONValue(name),
            "id": id,
            "state": state,
        ])
    }
}

extension FeedChange.Subject {
    fileprivate var parts: (name: String?, id: JSONValue, state: JSONValue) {
        switch self {
        case .message(let id, let message): ("message", JSONValue(id), JSONValue(message))
        case .user(let id, let user): ("user", .number(id), JSONValue(user))
        case .room(let id, let room, let gaps): ("room", .number(id), room?.json(with: gaps) ?? .null)
        case .account: (nil, .null, .null)
        }
    }
}

extension Room {
    /// The room with `gaps`.
    fileprivate func json(with gaps: [Gap]) -> JSONValue {
        .object(jsonValue.members + [.init(key: "gaps", value: .array(gaps.map { JSONValue($0) }))])
    }
}
