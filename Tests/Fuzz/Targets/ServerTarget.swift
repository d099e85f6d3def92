import ChatModel
import Foundation
import Operations
import Options
import Synchronization

@testable import MCP
@testable import Serving
@testable import Settings

extension FuzzTarget {
    /// The parts of HTTP requests that our code reads: the query of an address, `Range`, the authority, and the file of
    /// tokens, a line each.
    static let http = FuzzTarget("http") { input in
        let lines = input.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false).map { Array($0).text }
        if let items = try? Query.items(lines[0]) {
            let again = try Query.items(String(Query.text(items).dropFirst()))
            try requireEqual(
                again.map { [$0.name, $0.value] }, items.map { [$0.name, $0.value] }, "a query read again")
            for route in APIRoutes.routes { try read(items, by: route.operation) }
        }
        guard lines.count > 2 else { return }
        for size in [0, 1, 100, Int64.max] {
            guard case .part(let range) = ByteRange.parse(lines[1], size: size) else { continue }
            try require(range.lowerBound >= 0 && range.upperBound <= size && !range.isEmpty, "\(range) of \(size)")
        }
        let port = BoundPort()
        port.set(8042)
        let rule = HostRule(names: ["chat.example.net"], port: port)
        if rule.allows(lines[2]) {
            let host = lines[2].lowercased()
            try require(["localhost", "127.", "chat.example.net", "["].contains(where: host.hasPrefix), lines[2])
        }
        _ = (SecretText.isSecret(lines[2]), FileType.of(lines[2]))
        if lines.count > 3 {
            _ = try? JSONDecoder().decode([AccessToken].self, from: Data(lines[3].utf8)).map(\.access)
        }
    }

    private static func read(_ items: [(name: String, value: String)], by type: any ArchiveOperation.Type) throws {
        let known = type.parameters + Parameter.everywhere
        do {
            _ = try type.init(
                OperationParameters(items.filter { item in known.contains { $0.name == item.name } }, known: known))
            _ = try OperationParameters(items, known: known)
        } catch let error as UsageError {
            try requireSafe(error.message)
        } catch is OperationError {}
    }

    /// The messages of an assistant.
    static let mcp = FuzzTarget("mcp") { input in
        let server = MCPServer(version: "1.0", excluded: [], places: PlaceNames(folder: nil, shared: nil)) { _ in
            OperationContext(zone: .gmt)
        }
        let answer: MCPServer.Answer?
        switch server.request(input) {
        case .failure(let refusal): answer = refusal.answer
        case .success(let request):
            _ = (request.version, request.tool, request.cancelled)
            answer = wait { await server.answer(request) { _, _ in throw CancellationError() } }
            try require((answer?.text == nil) == (request.id == nil), "an answer to \(request.id ?? "a notification")")
        }
        guard let text = answer?.text else { return }
        try requireSafe(text)
        let read = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        try require(read?["jsonrpc"] as? String == "2.0", "the answer \(text)")
    }

    /// Waits for an asynchronous result.
    private static func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value?) -> Value? {
        let (result, done) = (Waited<Value>(), DispatchSemaphore(value: 0))
        Task.detached {
            let value = await body()
            result.value.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        return result.value.withLock(\.self)
    }
}

private final class Waited<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
