import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Writing

/// Programs of others that read SQLite, at an account's file.
@Suite(
    .enabled(if: Tool.findInVenv("datasette") != nil, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SQLToolTests {
    private let fixture: ArchiveFixture
    private static let root = "\(#filePath)".components(separatedBy: "/Tests/ArchiveTests/")[0]

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func fill() async throws {
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: 3)
        try await random.write(to: writer)
        try await writer.backfill(seed: 3)
        try await writer.close()
    }

    private func run(_ name: String, _ arguments: [String]) async throws -> String {
        let tool = try #require(Tool.findInVenv(name))
        let result = try await tool.run(arguments, environment: ["FILE": fixture.file()])
        #expect(result.status == 0, "\(name) \(arguments): \(result.errors.suffix(2000))")
        return result.output
    }

    @Test(arguments: ["iterdump", "datasette", "duckdb", "pandas"])
    func `other programs read every table and view`(program: String) async throws {
        try await fill()
        let script = Self.root + "/Tests/SQLTools/sql_tools.py"
        #expect(try await run("python", ["-B", script, fixture.file(), program]).contains("\(program) True"))
    }

    @Test func `sqlite-utils reads, describes and dumps every table and view`() async throws {
        try await fill()
        let file = try fixture.file()
        for name in ["messages", "events", "rooms", "people", "gaps", "files", "message_search", "message"] {
            #expect(try await run("sqlite-utils", ["rows", file, name, "--limit", "2"]).contains(":"), "\(name)")
        }
        #expect(try await run("sqlite-utils", ["tables", file, "--counts"]).contains(#""message_search""#))
        #expect(try await run("sqlite-utils", ["views", file, "--counts"]).contains(#""gaps""#))
        #expect(try await run("sqlite-utils", ["schema", file]).contains("CREATE VIEW messages"))
        #expect(try await run("sqlite-utils", ["dump", file]).contains("COMMIT;"))
        let found = try await run("sqlite-utils", ["search", file, "message_search", "coffee", "--limit", "1"])
        #expect(found.contains("coffee"))
    }

    @Test func `the programs of docs/schema.md answer while messages are stored`() async throws {
        try await fill()
        let document = try String(contentsOfFile: Self.root + "/docs/schema.md", encoding: .utf8)
        let shell = document.matches(of: /```sh\n(.+?)```/.dotMatchesNewlines()).map { String($0.1) }
        let python = document.matches(of: /```python\n(.+?)```/.dotMatchesNewlines()).map { String($0.1) }
        try #require(shell.count == 3 && python.count == 2)
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: ArchiveFixture.day.advanced(by: .seconds(999_999)))
        // The first one is there before any program reads.
        _ = try await writer.append([.said("coffee", at: 1_000_000_000_000, in: session)])
        let storing = Task {
            var number: Int64 = 1_000_000_000_000
            while !Task.isCancelled {
                number += 1
                _ = try await writer.append([.said("coffee \(number)", at: number, in: session)])
            }
            return number - 1_000_000_000_000
        }
        for script in shell {
            let program = String(script.prefix { $0 != " " })
            guard program != "sqlite3" || Tool.find(program) != nil else { continue }
            let path = try #require(Tool.findInVenv("python")?.environment["PATH"])
            let bash = try #require(Tool.find("bash"))
            let result = try await bash.run(["-ec", script], environment: ["PATH": path, "FILE": fixture.file()])
            #expect(result.status == 0 && result.output.contains("lobby"), "\(script)\n\(result.errors)")
        }
        // DuckDB's extension comes from PyPI here: tests need no network.
        let load = """
            import duckdb, glob, duckdb_extension_sqlite_scanner as found
            for path in found.__path__:
                for name in glob.glob(path + "/extensions/**/*.duckdb_extension", recursive=True):
                    duckdb.execute(f"LOAD '{name}'")

            """
        for script in python {
            #expect(try await !run("python", ["-B", "-c", load + script]).isEmpty)
        }
        storing.cancel()
        #expect(try await storing.value > 5)
        try await writer.close()
    }
}
