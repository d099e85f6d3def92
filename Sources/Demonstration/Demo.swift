import ChatModel
import Files
import FoundationEssentials
import Glibc
import Rendering

/// The demonstration: people talk in a room, a listener stores what they say, and commands read it back.
package struct Demo {
    package let folder: DemoFolder
    /// Serves the archive in a folder until the task is cancelled, and passes on the address for a browser; nil for a
    /// demonstration that ends without a signal.
    package let serve:
        (@Sendable (_ folder: String, _ ready: @escaping @Sendable (String) -> Void) async throws -> Void)?
    /// Runs a command of the program with these arguments.
    package let run: @Sendable ([String]) async throws -> Void

    package init(
        folder: DemoFolder,
        serve: (@Sendable (_ folder: String, _ ready: @escaping @Sendable (String) -> Void) async throws -> Void)?,
        run: @escaping @Sendable ([String]) async throws -> Void
    ) {
        (self.folder, self.serve, self.run) = (folder, serve, run)
    }

    private static let room = "classroom/lobby"

    /// Runs the demonstration, on stdout.
    ///
    /// - Throws: ``DemoError`` if the archive differs from the sent messages.
    package func run() async throws {
        try await DemoRoom.withServer { port in
            let archive = DemoArchive(try folder.configuration(port: port))
            // The commands below find the archive by this variable.
            setenv("SCROLLBACK_DATA", archive.folder, 1)
            // The demonstration shows its output without pauses, so no pager may wait for a key.
            setenv("SCROLLBACK_PAGER", "cat", 1)
            try say(
                "This demo runs a room server at 127.0.0.1:\(port), a listener that archives it, and people who talk:\n"
            )
            let room = DemoRoom(port: port)
            try await room.play(DemoScript.first)
            try await archive.withListener {
                try await room.play(DemoScript.morning)
                try await archive.wait(forMessages: DemoScript.messages(DemoScript.morning).count)
            }
            try say("\nThe listener stops, and people go on talking. This network keeps no history:\n")
            try await room.play(DemoScript.missed)
            try say("\nThe listener runs again:\n")
            try await archive.withListener {
                try await room.play(DemoScript.afternoon)
                let expected = DemoScript.messages(DemoScript.morning + DemoScript.afternoon)
                try await archive.wait(forMessages: expected.count)
                try await readBack(archive)
                try await compare(expected, archive)
                if let serve { try await stay(port: port, archive, serve) }
            }
        }
        try say(Self.next)
    }

    private func readBack(_ archive: DemoArchive) async throws {
        try say("\nThe archive, as these commands show it:\n")
        try await type("rooms")
        try await type("history", Self.room, "-n", "8")
        if let older = try await archive.older(thanNewest: 8) {
            try await type("history", Self.room, "--before", older.description, "-n", "6")
        }
        try await type("gaps")
        try await type("status")
    }

    private func compare(_ expected: [DemoScript.Message], _ archive: DemoArchive) async throws {
        let archived = try await archive.messages()
        let missed = DemoScript.messages(DemoScript.missed).count
        try say(
            """

            While the listener ran: \(expected.count) messages sent, \(archived.count) archived. While it was stopped: \
            \(missed) sent, 0 archived; the archive records the gap.

            """)
        guard archived == expected else {
            throw DemoError(.demo, "the archive differs from the messages in the room", hint: nil)
        }
    }

    /// Keeps the room and the listener running, and serves the archive, until the task is cancelled.
    private func stay(
        port: Int, _ archive: DemoArchive,
        _ serve: @escaping @Sendable (String, @escaping @Sendable (String) -> Void) async throws -> Void
    ) async throws {
        let (addresses, ready) = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await serve(archive.folder) { address in
                    ready.yield(address)
                    ready.finish()
                }
            }
            for await address in addresses { try sayHow(port: port, archive, page: address) }
            try await tasks.waitForAll()
        }
    }

    private func sayHow(port: Int, _ archive: DemoArchive, page: String) throws {
        try say(
            """

            The demo runs until Ctrl-C. Join from another terminal with any TCP client, and see your message archived:

                nc 127.0.0.1 \(port)
                USR_NAME::me::END
                MSG::hello::END

                SCROLLBACK_DATA=\(archive.folder) \(Self.program) tail -f

            See the archive in a browser:

                \(page)

            """)
    }

    /// Prints a command and runs it.
    private func type(_ arguments: String...) async throws {
        try say("\n$ scrollback \(arguments.joined(separator: " "))\n")
        try await run(arguments)
    }

    private func say(_ text: String) throws {
        try StandardStream.output.write(text)
    }

    private static let next = """

        The demo has removed its temporary folder. Next:
          \(program) demo --keep-running                  to join the room yourself, and see it in a browser
          \(program) init streamchat > scrollback.toml    to archive your own server: fill in the two blanks
          \(program) listen                               to start archiving

        """

    /// The command as a shell finds it: `scrollback`, or its path if its folder is not in PATH.
    private static var program: String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = own.parentFolder
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let isFound = own.isEmpty || path.split(separator: ":").contains { $0 == folder }
        return isFound ? "scrollback" : Sanitizer.line(folder + "/scrollback")
    }
}
