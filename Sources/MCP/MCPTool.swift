import Operations
import Options
import Rendering

/// A question that an assistant can ask. Names and descriptions stay as they are, in this order, because assistants and
/// their owners' permissions know them.
struct MCPTool: Sendable {
    var name: String
    var title: String
    var description: String
    var operation: any ArchiveOperation.Type
    var required: [String] = []
    /// The parameter by which the tool continues an answer that was cut.
    var further: Parameter?

    static let all = [
        MCPTool(
            name: "list_rooms", title: "Rooms",
            description: """
                Lists the rooms of the archive with their accounts, their last message and the number of unread messages. \
                Begin here to learn the names.
                """,
            operation: RoomsOperation.self, further: skip),
        MCPTool(
            name: "list_people", title: "People",
            description: """
                Lists the people of the archive, or of one room, with all their names and the number of their messages.
                """,
            operation: UsersOperation.self, further: skip),
        MCPTool(
            name: "get_messages", title: "Messages",
            description: """
                Reads a page of messages in order of time: the newest, or those around, before or after a time or a \
                message's id, or of a day. "older" and "newer" of the answer are the ids for before and after of the \
                next call; null at the end. "gaps" are the times of the page in which messages may be missing.
                """,
            operation: HistoryOperation.self),
        MCPTool(
            name: "get_message", title: "One message",
            description: """
                Reads one message with its earlier versions, reactions, files and where it came from. For a body that \
                another tool cut ("truncated"), give its offset.
                """,
            operation: MessageOperation.self, required: ["message"], further: offset),
        MCPTool(
            name: "search", title: "Search",
            description: """
                Searches all messages in every language. q takes words (all must be there), "phrases", prefix*, -without, \
                from:NAME, in:ROOM, after:DATE, before:DATE, has:link, has:file, has:image, has:reaction, is:reply, \
                is:pinned. With by or count, it counts instead; with context, it adds the messages around each hit. \
                Words are whole words; in Korean, Chinese, Japanese and Thai any part of a word is found.
                """,
            operation: SearchOperation.self, required: ["q"]),
        MCPTool(
            name: "get_thread", title: "A conversation",
            description: "Reads the conversation that a message belongs to: its answers, and what it answers.",
            operation: ThreadOperation.self, required: ["message"]),
        MCPTool(
            name: "whats_new", title: "What is new",
            description: """
                Reads what was stored or changed in an account since an earlier call, late history included. The first \
                call, without after, only returns the present "position"; give it as after of the next call.
                """,
            operation: ChangesOperation.self),
        MCPTool(
            name: "gaps", title: "Gaps",
            description: """
                Lists the times in which messages may be missing, and why. Ask before you conclude from silence.
                """,
            operation: GapsOperation.self, further: skip),
        MCPTool(
            name: "stats", title: "Statistics",
            description: "Counts messages by room, person, day, weekday and hour.",
            operation: StatisticsOperation.self, further: skip),
    ]

    private static let skip = Parameter("skip", .number(0...1_000_000), "Leave out that many rows at the start.")
    private static let offset = Parameter("offset", .number(0...100_000_000), "Begin the body at that byte.")

    /// The parameters of the operation that an assistant may give.
    var parameters: [Parameter] {
        operation.parameters + Parameter.everywhere
    }

    /// The tool as `tools/list` has it.
    var listed: JSONValue {
        let all = parameters + (further.map { [$0] } ?? [])
        return .object([
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": .object([
                "type": .string("object"),
                "properties": .object(all.map { .init(key: Self.key($0.name), value: Self.schema($0)) }),
                "required": .array(required.map { .string(Self.key($0)) }),
                "additionalProperties": .bool(false),
            ]),
            "annotations": .object([
                "readOnlyHint": .bool(true), "destructiveHint": .bool(false), "idempotentHint": .bool(true),
                "openWorldHint": .bool(false),
            ]),
        ])
    }

    /// Returns the name of a parameter among arguments, which have no hyphens.
    static func key(_ name: String) -> String { name.replacing("-", with: "_") }

    private static func schema(_ parameter: Parameter) -> JSONValue {
        var members: [JSONValue.Member]
        switch parameter.kind {
        case .text, .time: members = [.init(key: "type", value: .string("string"))]
        case .flag: members = [.init(key: "type", value: .string("boolean"))]
        case .number(let range):
            members = [
                .init(key: "type", value: .string("integer")),
                .init(key: "minimum", value: .number(Int64(range.lowerBound))),
                .init(key: "maximum", value: .number(Int64(range.upperBound))),
            ]
        case .choice(let choices):
            members = [
                .init(key: "type", value: .string("string")),
                .init(key: "enum", value: .array(choices.map(JSONValue.string))),
            ]
        case .choices(let choices):
            members = [
                .init(key: "type", value: .string("string")),
                .init(key: "pattern", value: .string(Parameter.pattern(of: choices))),
            ]
        }
        guard parameter.isRepeated else {
            return .object(members + [.init(key: "description", value: .string(help(of: parameter)))])
        }
        return .object([
            "type": .string("array"), "items": .object(members), "description": .string(help(of: parameter)),
        ])
    }

    private static func help(of parameter: Parameter) -> String {
        guard case .time = parameter.kind else { return parameter.requestHelp }
        return parameter.requestHelp
            + " A date such as 2026-11-21 or \"2026-11-21 14:30\", a phrase such as yesterday, or an id."
    }
}

/// The arguments of a call.
struct MCPArguments {
    private var items: [(name: String, value: String)] = []
    /// The value of the tool's own parameter; 0 without it.
    private(set) var further = 0
    private let known: [Parameter]

    /// - Throws: ``UsageError`` for an unknown name, a missing one and a value of another kind.
    init(_ arguments: [String: JSONValue], of tool: MCPTool) throws {
        known = tool.parameters
        for (key, value) in arguments.sorted(by: { $0.key < $1.key }) where value != .null {
            if let own = tool.further, own.name == key {
                guard case .number(let number) = value, case .number(let range) = own.kind, range.contains(Int(number))
                else { throw UsageError("\(key) is a number from 0 on") }
                further = Int(number)
                continue
            }
            let name = known.first { MCPTool.key($0.name) == key }?.name ?? key
            for text in try Self.texts(value, of: key) { items.append((name, text)) }
        }
        for name in tool.required where !items.contains(where: { $0.name == name }) {
            throw UsageError("\(MCPTool.key(name)) is missing")
        }
    }

    private static func texts(_ value: JSONValue, of key: String) throws -> [String] {
        switch value {
        case .string(let text): [text]
        case .number(let number): [String(number)]
        case .real(let number): [JSONValue.text(of: number)]
        case .bool(let flag): [flag ? "1" : "0"]
        case .array(let values): try values.flatMap { try texts($0, of: key) }
        case .null: []
        case .object: throw UsageError("\(Sanitizer.value(key)) takes a text, a number or a list, not an object")
        }
    }

    /// Returns the parameters of the operation.
    ///
    /// - Parameter limit: The limit in place of the given one; nil for that.
    func parameters(limit: Int? = nil) throws -> OperationParameters {
        guard let limit else { return try OperationParameters(items, known: known) }
        return try OperationParameters(items.filter { $0.name != "limit" } + [("limit", "\(limit)")], known: known)
    }
}
