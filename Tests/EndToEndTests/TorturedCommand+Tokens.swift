import Foundation
import TestSupport

/// Commands that change the tokens of the server.
extension TorturedCommand {
    static func addToken() async throws -> TorturedCommand {
        try await makeTokens("add-token", ["serve", "token", "add", "laptop", "--all"], repeated: "there is a token") {
            names in
            names.contains("laptop") ? [] : ["not added: \(names)"]
        }
    }

    static func removeToken() async throws -> TorturedCommand {
        try await makeTokens("remove-token", ["serve", "token", "remove", "phone"], repeated: "no token") { names in
            names.contains("phone") ? ["still valid: \(names)"] : []
        }
    }

    private static func makeTokens(
        _ name: String, _ arguments: [String], repeated: String,
        undone: @escaping @Sendable (_ names: [String]) -> [String]
    ) async throws -> TorturedCommand {
        let (template, program) = (try Program(), try Program())
        try FileManager.default.createDirectory(atPath: template.data, withIntermediateDirectories: false)
        for token in ["phone", "tablet"] { _ = try await template.token(token) }
        let names = { @Sendable () async throws -> [String] in
            let list = try await program("serve", "token", "list", "--format", "jsonl")
            guard list.status == 0 else { return [list.errors] }
            return list.output.matches(of: /"name": "([a-z]+)"/).map { String($0.1) }
        }
        return TorturedCommand(
            name: name, arguments: arguments, program: program, repeated: repeated,
            reset: {
                try FileManager.default.removeItem(atPath: program.home)
                try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
            },
            broken: {
                let names = try await names()
                let known = [["phone", "tablet"], ["tablet"], ["laptop", "phone", "tablet"]]
                return known.contains(names) ? [] : ["the tokens are \(names)"]
            },
            undone: { undone(try await names()) })
    }
}
