import Archive
import ChatModel
import Foundation
import Reading
import TestSupport

/// `scrollback listen` as a process, with an account of a workspace service.
struct WorkspaceListener: Sendable {
    private static let account = "work"

    let process: ChildProcess
    let archive: Archive
    private let folder: TemporaryFolder

    static func start(port: Int) throws -> WorkspaceListener {
        let folder = try TemporaryFolder()
        for (name, secret) in [("password", "secret"), ("key", "key")] {
            let path = folder.path + "/" + name
            try secret.write(toFile: path, atomically: true, encoding: .utf8)
            guard chmod(path, 0o600) == 0 else { throw BenchmarkError("chmod \(path)") }
        }
        let configuration = """
            data = "\(folder.path)/data"

            [[account]]
            name = "\(account)"
            network = "slp"
            server = "http://127.0.0.1:\(port)"
            email = "alice@example.net"
            password_file = "password"
            app_key_file = "key"
            """
        let path = folder.path + "/scrollback.toml"
        try configuration.write(toFile: path, atomically: true, encoding: .utf8)
        return WorkspaceListener(
            process: try ChildProcess(Program().path, ["listen", "--config", path], capturesOutput: false),
            archive: Archive(folder: folder.path + "/data", logger: RoomLoadRun.silent), folder: folder)
    }

    /// Ends the process, and records its processor time.
    func end() throws {
        process.end()
        let (status, _) = process.wait()
        guard status == 0 else { throw BenchmarkError("scrollback listen ended with \(status)") }
    }

    /// Returns the text of the last message; nil if there is none.
    func last() throws -> String? {
        try archive.reading().page(MessageQuery(scope: .accounts([Self.account]), anchor: .latest, limit: 1))
            .messages.last?
            .body
    }

    func messages() throws -> [Message] {
        var all: [Message] = []
        var anchor = MessageQuery.Anchor.oldest
        while true {
            let page = try archive.reading().page(
                MessageQuery(scope: .accounts([Self.account]), anchor: anchor, limit: 1000))
            all += page.messages
            guard let newer = page.newer else { return all }
            anchor = .after(newer)
        }
    }

    /// Returns the number of archived messages and of known gaps; nil while there is no archive.
    func state() -> (messages: Int, gaps: Int)? {
        guard let rooms = try? archive.reading().rooms(),
            let gaps = try? archive.reading().gaps(scope: .accounts([Self.account]))
        else { return nil }
        return (rooms.reduce(0) { $0 + Int($1.messages) }, gaps.count)
    }

    /// Returns when the archive has this many messages and no gap.
    func holds(_ count: Int, within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let state = state(), state.messages >= count, state.gaps == 0 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchmarkError("not all is stored within \(limit): \(String(describing: state()))")
    }
}
