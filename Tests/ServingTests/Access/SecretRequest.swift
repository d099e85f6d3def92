import ChatModel
import Foundation
import HTTPTypes
import Operations
import Options
import Rendering
import TestSupport

@testable import MCP
@testable import Serving

/// A request that names visible, hidden or absent things.
struct SecretRequest: CustomStringConvertible, Hashable {
    var address: String
    /// The message of an assistant; nil for a GET.
    var message: String?
    /// The route or the tool.
    var route = ""

    var description: String { message.map { "\(address) \($0)" } ?? address }

    /// True for a question about an account's feed, whose positions count all changes of the account.
    var isOfFeed: Bool { message?.contains("whats_new") == true }

    /// True if the request itself has the text.
    func has(_ text: String) -> Bool {
        "\(address) \(message ?? "")".removingPercentEncoding?.localizedCaseInsensitiveContains(text) ?? true
    }
}

extension [SecretRequest] {
    /// Returns some requests of each route and tool, or all for `make torture`.
    func chosen<Case: CustomStringConvertible>(_ count: Int, _ make: (SecretRequest) -> [Case]) -> [Case] {
        Dictionary(grouping: self, by: \.route).sorted { $0.key < $1.key }.flatMap { _, requests in
            Torture.choose(requests.flatMap(make), count: count)
        }
    }
}

/// The requests of the matrix, made from what the server itself says that it answers.
enum SecretRequests {
    private static let names = [
        "#open", "work/#open", "work/1", "open", "#BOARDNAMECANARY", "work/#BOARDNAMECANARY", "BOARDNAME", "work/2",
        "#OLDPLANSCANARY", "#NEWPLANSCANARY", "plans", "DIRECTPERSONCANARY", "work/4", "work/77", "#kitchen",
        "family/#kitchen", "family/2", "vault/1", "#FAMILYROOMCANARY", "work", "vault", "nowhere", "#BOARDNAMECANARX",
    ]
    private static let accounts = ["work", "family", "vault", "famil", "nowhere"]
    private static let ids = ["100", "103", "113", "300", "301", "500", "900", "910", "940", "105", "107", "109"]
        .compactMap { Int64($0) }.map { SecretArchive.at($0).description }
    private static let times = ids.prefix(6) + ["2026-11-21", "2026-11-21T09:05:00Z", "yesterday"]
    private static let queries = [
        "openword", "hello", "zebrafish", "zebra*", "BOARDTEXTCANARY", "openword zebrafish", "openword -zebrafish",
        "openword OR zebrafish", "PLANSTEXTCANARY", "DIRECTTEXTCANARY", "VAULTTEXTCANARY", "FAMILYTEXTCANARY",
        "EDITCANARY", "kitchenword", "from:alice", "from:alice2", "from:ALIASCANARY_alice", "from:ALIAS*",
        "from:LASTNAMECANARY_bob", "from:bob", "from:al*", "from:BOARDPERSONCANARY", "openword from:ALIASCANARY_alice",
        "openword -from:ALIASCANARY_alice", "openword -from:LASTNAMECANARY_bob", "-from:alice2", "from:carol",
        "in:#BOARDNAMECANARY", "in:#open", "openword in:\"#BOARDNAMECANARY\"", "-in:#BOARDNAMECANARY",
        "in:#OLDPLANSCANARY", "in:work", "in:nowhere", "has:file", "has:link", "is:edited", "is:deleted",
        "has:image", "has:reaction", "is:reply", "is:pinned", "openword -has:reaction -is:reply", "has:cat",
        "after:2026-11-21", "\"openword number\"", "*", "?!",
    ]
    private static let hashes = [SecretArchive.openFile, SecretArchive.boardFile, "absent"].map(SecretArchive.sha256)

    /// Returns the values to try for a parameter.
    private static func values(_ parameter: Parameter) -> [String] {
        switch parameter.kind {
        case .flag: return ["1"]
        case .number(let range): return ["\(range.lowerBound)", "\(min(2, range.upperBound))"]
        case .choice(let choices): return choices
        case .choices(let choices): return choices + ["hour,user", "user,room", "room,year,weekday"]
        case .time: return Array(times)
        case .text: break
        }
        switch parameter.name {
        case "room": return names
        case "account": return accounts
        case "message": return ids
        case "q": return queries
        case "regex": return ["CANARY", "open.*hello", "."]
        case "after": return ["twin:0", "twin:3", "x:1"]
        case "sha256": return hashes
        case "by": return ["room", "user", "hour", "hour,user", "user,room", "room,year,weekday"]
        default: return ["work"]
        }
    }

    private static func parameters(_ operation: Any) -> [Parameter] {
        ((operation as? [String: Any])?["parameters"] as? [[String: Any]] ?? []).compactMap { found in
            guard let name = found["name"] as? String, var schema = found["schema"] as? [String: Any] else {
                return nil
            }
            schema = schema["items"] as? [String: Any] ?? schema
            let choices = schema["enum"] as? [String]
            let kind: Parameter.Kind =
                if choices == ["0", "1"] {
                    .flag
                } else if let choices {
                    .choice(choices)
                } else if let low = schema["minimum"] as? Int, let high = schema["maximum"] as? Int {
                    .number(low...high)
                } else if ["after", "before", "around", "between", "day"].contains(name) {
                    .time
                } else {
                    .text
                }
            return Parameter(name, kind, found["in"] as? String == "path" ? "path" : "")
        }
    }

    /// The GET requests of the API's description.
    static func api() throws -> [SecretRequest] {
        let document = try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.text.utf8)) as? [String: Any]
        let paths = document?["paths"] as? [String: [String: Any]] ?? [:]
        return paths.sorted { $0.key < $1.key }.flatMap { path, methods in
            methods["get"].map { addresses(path, parameters($0)) } ?? []
        }
    }

    /// The requests of pages, by the server's routes.
    static func pages(_ paths: [String]) -> [SecretRequest] {
        let paths = paths.filter { path in
            !path.hasPrefix("/api/") && path != MCPRoute.path && !Gate.isPublic(path)
        }
        let history = HistoryOperation.parameters + [PageVisit.fragment]
        let own = Parameter("filter", .choice(["open", "BOARD", "c", "kitchen"]), "")
        return paths.flatMap { path -> [SecretRequest] in
            switch path {
            case "/": addresses(path, RoomsOperation.parameters + [own])
            case "/search":
                addresses(
                    path,
                    SearchOperation.parameters + [
                        Parameter("facets", .flag, ""), Parameter("room", .choice(["1", "2", "77"]), ""),
                        PageVisit.fragment,
                    ])
            case "/search/download":
                addresses(
                    path,
                    SearchOperation.parameters + [Parameter("room", .choice(["1", "2", "77"]), ""), Download.format])
            case "/message/{account}/{message}":
                addresses(path, [Parameter("account", .text, "path"), Parameter("message", .text, "path"), .after])
            default:
                addresses(
                    path,
                    (path.contains("{account}") ? [Parameter("account", .text, "path")] : [])
                        + (path.contains("{room}")
                            ? [Parameter("room", .choice(["1", "2", "3", "4", "77"]), "path")] : [])
                        + history.filter { !path.contains("{\($0.name)}") }
                        + (path.hasSuffix("download") ? [Download.format] : [])
                        + (path.hasSuffix("calendar") ? [Parameter("year", .choice(["2026"]), "")] : []))
            }
        }
    }

    /// Returns the addresses of a path with each value of each parameter, and with pairs of them.
    private static func addresses(_ path: String, _ parameters: [Parameter]) -> [SecretRequest] {
        var paths = [path]
        for parameter in parameters where parameter.help == "path" {
            paths = paths.flatMap { path in
                values(parameter).map { path.replacing("{\(parameter.name)}", with: encoded($0)) }
            }
        }
        let items = parameters.filter { $0.help != "path" }.flatMap { parameter in
            values(parameter).map { (name: parameter.name, value: $0) }
        }
        var queries: [[(name: String, value: String)]] = [[]] + items.map { [$0] }
        // A search needs words, so that every other parameter comes with some.
        let needed = items.filter { $0.name == "q" }
        let others = items.filter { $0.name != "q" }
        for (index, item) in others.enumerated() where !needed.isEmpty {
            queries += [[needed[index % needed.count], item], [needed[0], item]]
        }
        return paths.flatMap { one in queries.map { SecretRequest(address: one + Query.text($0), route: path) } }
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The calls of assistants.
    static var calls: [SecretRequest] {
        MCPTool.all.flatMap { tool -> [SecretRequest] in
            let items = tool.parameters.flatMap { parameter in
                values(parameter).map { (parameter, $0) }
            }
            let needed = tool.required.compactMap { name in tool.parameters.first { $0.name == name } }
                .map { parameter in values(parameter).map { (parameter, $0) } }
            var calls: [[(Parameter, String)]] = needed.isEmpty ? [[]] + items.map { [$0] } : []
            for (index, item) in items.enumerated() {
                let rest = needed.filter { $0.first?.0.name != item.0.name }.map { $0[index % $0.count] }
                if !needed.isEmpty { calls.append([item] + rest) }
            }
            return calls.map { SecretRequest(address: MCPRoute.path, message: call(tool, $0), route: tool.name) }
        }
    }

    private static func call(_ tool: MCPTool, _ arguments: [(Parameter, String)]) -> String {
        let members = arguments.map { parameter, value in
            JSONValue.Member(
                key: MCPTool.key(parameter.name),
                value: parameter.isRepeated ? .array([.string(value)]) : .string(value))
        }
        return JSONValue.object([
            .init(key: "jsonrpc", value: .string("2.0")), .init(key: "id", value: .number(1)),
            .init(key: "method", value: .string("tools/call")),
            .init(
                key: "params",
                value: .object([
                    .init(key: "name", value: .string(tool.name)), .init(key: "arguments", value: .object(members)),
                ])),
        ]).text
    }
}
