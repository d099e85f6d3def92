import ChatModel
package import Rendering

extension HomeFind.Facts {
    /// The columns and keys of the table of an import of a home.
    package static func listing(time: LocalTime) -> Listing<HomeFind.Facts> {
        Listing(
            name: "finds",
            columns: [
                Column(heading: "#", alignment: .right) { String($0.number) },
                Column(heading: "PROGRAM") { $0.program },
                Column(heading: "ACCOUNT", isMoved: true) { $0.name ?? "-" },
                Column(heading: "ROOMS", alignment: .right) { $0.count?.rooms.grouped ?? "-" },
                Column(heading: "MESSAGES", alignment: .right) { $0.count?.messages.grouped ?? "-" },
                Column(heading: "FROM", isMoved: true) { $0.count?.first.map(time.day) ?? "-" },
                Column(heading: "TO", isMoved: true) { $0.count?.last.map(time.day) ?? "-" },
                Column(heading: "INTO") { ($0.account?.name ?? "-") + ($0.isNew ? " (new)" : "") },
                Column(heading: "FOLDER", isMoved: true) { $0.folder },
            ],
            keys: [
                "number", "program", "format", "account", "rooms", "messages", "first_message", "last_message", "into",
                "is_new", "folder", "files", "bytes", "unreadable",
            ],
            json: { find in
                .object([
                    .init(key: "number", value: .number(Int64(find.number))),
                    .init(key: "program", value: .string(find.program)),
                    .init(key: "format", value: .string(find.format)),
                    .init(key: "account", value: JSONValue(find.name)),
                    .init(key: "rooms", value: find.count.map { .number(Int64($0.rooms)) } ?? .null),
                    .init(key: "messages", value: find.count.map { .number(Int64($0.messages)) } ?? .null),
                    .init(key: "first_message", value: JSONValue(find.count?.first?.description)),
                    .init(key: "last_message", value: JSONValue(find.count?.last?.description)),
                    .init(key: "into", value: JSONValue(find.account?.name)),
                    .init(key: "is_new", value: .bool(find.isNew)),
                    .init(key: "folder", value: .string(find.folder)),
                    .init(key: "files", value: .number(Int64(find.files))),
                    .init(key: "bytes", value: .number(find.bytes)),
                    .init(key: "unreadable", value: find.count.map { .number(Int64($0.unreadable)) } ?? .null),
                ])
            })
    }
}
