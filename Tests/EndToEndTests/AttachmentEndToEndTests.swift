import Foundation
import TestSupport
import Testing

/// Files of a workspace, fetched by the built program from the tests' own server.
@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(10))))
struct AttachmentEndToEndTests {
    private struct Made: Decodable { var id: String }

    private let scrollback: Program
    private let server: SLPServer

    init() async throws {
        (scrollback, server) = (try Program(), try await SLPServer.start())
        let workspace = try await order("workspace", #"{"name":"w"}"#)
        let room = try await order("channel", #"{"workspace":"\#(workspace)","name":"일반"}"#)
        try await order("file", #"{"path":"/static/사진 1.png","bytes":200000}"#)
        try await order("file", #"{"path":"/static/b.pdf","bytes":10}"#)
        let files = #"["/static/%EC%82%AC%EC%A7%84%201.png","/static/b.pdf","/static/none.pdf"]"#
        try await order("say", #"{"room":"\#(room)","content":"사진","files":\#(files)}"#)
        for (name, text) in [("password", "secret"), ("key", "key")] {
            try scrollback.write(text, to: name)
            chmod(scrollback.home + "/" + name, 0o600)
        }
        try configure()
    }

    @discardableResult
    private func order(_ what: String, _ details: String) async throws -> String {
        try JSONDecoder().decode(Made.self, from: await server.answer(to: "service/\(what)", details)).id
    }

    private func configure(_ more: String = "") throws {
        try scrollback.write(
            """
            [[account]]
            name = "work"
            network = "slp"
            server = "http://127.0.0.1:\(server.port)"
            email = "alice@example.net"
            password_file = "password"
            app_key_file = "key"
            \(more)
            """, to: "scrollback.toml")
    }

    /// The name and state of each file.
    private func states() async throws -> [String] {
        let result = try await scrollback("attachments", "--format", "csv")
        return result.output.split(separator: "\r\n").dropFirst().map { row in
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            return "\(fields[6]) \(fields[10])"
        }
    }

    /// Until the message is stored.
    private func listen() async throws -> Run {
        let listener = try scrollback.start("listen")
        try await eventually("the message is stored", state: { listener.errors }) { () -> Bool? in
            try await scrollback("history", "일반").output.contains("사진") ? true : nil
        }
        return listener
    }

    @Test func `the running listener fetches missing files`() async throws {
        let listener = try await listen()
        #expect(try await states() == ["사진 1.png missing", "b.pdf missing", "none.pdf missing"])
        let fetch = try await scrollback("attachments", "일반", "--fetch")
        #expect(fetch.status == 1 && fetch.output.isEmpty)
        #expect(fetch.errors.contains("work: 2 files fetched, 200.0 kB\n"))
        #expect(fetch.errors.contains("none.pdf: gone: the server answered E97 (unknown route)"))
        #expect(fetch.errors.contains("[not-fetched]"))
        #expect(try await states() == ["사진 1.png here", "b.pdf here", "none.pdf gone"])
        #expect(listener.isRunning)
        let again = try await scrollback("attachments", "--fetch")
        #expect(again.status == 0 && again.errors == "work: no missing files to fetch\n")
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `without a listener, the command logs in and continues an interrupted fetch`()
        async throws
    {
        _ = try await listen().stop()
        try await order("fault", #"{"path":"/static/%EC","cut":70000,"times":2}"#)
        for (signal, bytes) in [(SIGINT, 70_000), (SIGKILL, 140_000)] {
            let fetch = try scrollback.start("attachments", "--fetch")
            try await eventually("its beginning is there", state: { fetch.errors }) { () -> Bool? in
                let names = try FileManager.default.subpathsOfDirectory(atPath: scrollback.data)
                let sizes = names.filter { $0.contains("unfinished/") }.map { name in
                    try? FileManager.default.attributesOfItem(atPath: scrollback.data + "/" + name)[.size] as? Int
                }
                return sizes.contains(bytes) ? true : nil
            }
            #expect(try await fetch.stop(signal).status == 128 + signal)
        }
        let fetch = try await scrollback("attachments", "--fetch")
        #expect(fetch.errors.contains("fetched"), "\(fetch.errors)")
        #expect(try await states() == ["사진 1.png here", "b.pdf here", "none.pdf gone"])
        #expect(try await scrollback("archive", "check").status == 0)
        let ranges = try await server.state().requests.compactMap { $0.headers["range"] }
        // What a kill left beyond what was said to be there is not trusted.
        #expect(ranges == ["bytes=70000-", "bytes=70000-"])
    }

    @Test func `the next command recovers from a kill at any system call`() async throws {
        _ = try await listen().stop()
        let (files, before) = (FileManager.default, scrollback.home + "/before")
        try files.moveItem(atPath: scrollback.data, toPath: before)
        func reset() throws {
            try? files.removeItem(atPath: scrollback.data)
            try files.copyItem(atPath: before, toPath: scrollback.data)
        }
        let fetch = ["attachments", "--fetch"]
        let calls = try await scrollback.countCalls(fetch, reset: reset)
        #expect(calls > 30)
        for number in Torture.spread(1...max(1, calls), count: 16) {
            try reset()
            _ = try await scrollback.with(["AT": String(number)]).start(arguments: fetch).result()
            let check = try await scrollback("archive", "check")
            // A file comes before its row, so a kill may leave one that no message has. The next fetch takes it.
            let problems = check.output.split(separator: "\n")
                .filter { $0.hasPrefix("  ") && !$0.hasPrefix("    ") && !$0.hasPrefix("  orphaned_files: ") }
            let isAsWritten = problems.isEmpty && check.output.contains(check.status == 2 ? "orphaned_files" : "fine")
            #expect(isAsWritten, "killed at \(number) of \(calls): \(check.output)")
            _ = try await scrollback("attachments", "--fetch")
            #expect(
                try await states() == ["사진 1.png here", "b.pdf here", "none.pdf gone"],
                "killed at \(number) of \(calls)")
            let left = try files.subpathsOfDirectory(atPath: scrollback.data).filter { $0.contains("unfinished/") }
            #expect(left == [], "killed at \(number) of \(calls)")
            #expect(try await scrollback("archive", "check").status == 0)
        }
    }

    @Test func `configured files are fetched automatically, backed up and restored`() async throws {
        try configure(#"attachments = "all""#)
        let listener = try await listen()
        try await eventually("they are here", state: { listener.errors }) { () -> Bool? in
            try await states() == ["사진 1.png here", "b.pdf here", "none.pdf gone"] ? true : nil
        }
        let backup = try await scrollback("backup", "--all", "copies")
        #expect(backup.errors.contains("2 files of 200.0 kB in"), "\(backup.errors)")
        _ = try await listener.stop()
        #expect(try await scrollback("archive", "erase", "work").errors.contains(", and 2 files of 200.0 kB\n"))
        #expect(try await scrollback("archive", "erase", "work", "--execute").status == 0)
        #expect(try await scrollback("backup", "restore", "copies").status == 0)
        #expect(try await states().first == "사진 1.png here")
        #expect(try await scrollback("archive", "check").status == 0)
        #expect(try await scrollback("search", "has:file").output.contains("[image 사진 1.png]"))
    }

    @Test func `fetching for an account that is not configured is an error`() async throws {
        _ = try await listen().stop()
        try scrollback.write(
            try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
                .replacing("name = \"work\"", with: "name = \"other\""), to: "scrollback.toml")
        let fetch = try await scrollback("attachments", "--fetch")
        #expect(fetch.status == 1 && fetch.errors.contains("account \"work\" is not in the configuration"))
        #expect(fetch.errors.contains("[not-fetched]"))
    }
}
