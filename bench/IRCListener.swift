import Archive
import ChatModel
import Foundation
import Reading
import TestSupport

/// `scrollback listen` as a process, with an account on an IRC server.
struct IRCListener: Sendable {
    static let nick = "archiver"
    private static let account = "irc"

    let archive: Archive
    private let folder: TemporaryFolder
    private let file: String

    /// - Parameter more: Further lines of the account.
    init(port: Int, rooms: [String], more: String = "") throws {
        folder = try TemporaryFolder()
        file = folder.path + "/scrollback.toml"
        archive = Archive(folder: folder.path + "/data", logger: RoomLoadRun.silent)
        let configuration = """
            data = "data"

            [[account]]
            name = "\(Self.account)"
            network = "irc"
            server = "irc://127.0.0.1:\(port)"
            nick = "\(Self.nick)"
            rooms = [\(rooms.map { "\"\($0)\"" }.joined(separator: ", "))]
            \(more)
            """
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
    }

    func start() throws -> ChildProcess {
        try ChildProcess(Program().path, ["listen", "--config", file], capturesOutput: false)
    }

    func end(_ process: ChildProcess) throws {
        process.end()
        let (status, _) = process.wait()
        guard status == 0 else { throw BenchmarkError("scrollback listen ended with \(status)") }
    }

    /// Returns the number of messages of all kinds; nil while there is no archive.
    func count() -> Int? {
        guard let rooms = try? archive.reading().rooms() else { return nil }
        return rooms.reduce(0) { $0 + Int($1.messages) }
    }

    /// Returns the number of rooms in the archive, and the number of those that are not known to be received now.
    func rooms() -> (all: Int, silent: Int)? {
        guard let rooms = try? archive.reading().rooms(),
            let gaps = try? archive.reading().gaps(scope: .accounts([Self.account]))
        else { return nil }
        return (rooms.count, gaps.count { $0.to == nil })
    }

    func gaps() throws -> [Gap] {
        try archive.reading().gaps(scope: .accounts([Self.account]))
    }

    /// Returns the messages of people, in order.
    func said() throws -> [Message] {
        var all: [Message] = []
        var anchor = MessageQuery.Anchor.oldest
        while true {
            let page = try archive.reading().page(
                MessageQuery(scope: .accounts([Self.account]), anchor: anchor, limit: 1000))
            all += page.messages.filter { $0.kind == .message }
            guard let newer = page.newer else { return all }
            anchor = .after(newer)
        }
    }
}
