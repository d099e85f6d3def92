package import ChatModel

extension JSONValue {
    /// The keys of a page, followed by those of the conversation.
    package init(_ thread: MessageThread) {
        self = .object(JSONValue(thread.page).members + Self.thread(thread))
    }

    /// Returns the members that a conversation adds to a page.
    static func thread(_ thread: MessageThread) -> [Member] {
        let outline = thread.outline
        return [
            Member(key: "root", value: thread.root.map { JSONValue($0) } ?? .null),
            Member(key: "root_remote_id", value: JSONValue(outline.rootRemoteID)),
            Member(key: "root_state", value: .string(outline.rootState.rawValue)),
            Member(key: "count", value: .number(Int64(outline.ids.count))),
            Member(key: "cut", value: .bool(outline.isCut)),
        ]
    }
}
