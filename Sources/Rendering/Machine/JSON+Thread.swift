package import ChatModel

extension MessageThread: JSONRepresentable {
    /// The keys of a page, followed by those of the conversation.
    package var jsonValue: JSONValue {
        .object(page.jsonValue.members + ownMembers)
    }

    /// The members that a conversation adds to a page.
    var ownMembers: [JSONValue.Member] {
        [
            .init(key: "root", value: JSONValue(root)),
            .init(key: "root_remote_id", value: JSONValue(outline.rootRemoteID)),
            .init(key: "root_state", value: .string(outline.rootState.rawValue)),
            .init(key: "count", value: .number(Int64(outline.ids.count))),
            .init(key: "cut", value: .bool(outline.isCut)),
        ]
    }
}
