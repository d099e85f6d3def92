import Archive
import ArgumentParser
import Demonstration
import Logging
import Service
import ServiceLifecycle
import UnixSignals

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show what Scrollback does, in a room with people who talk.",
        discussion: """
            EXAMPLE: scrollback demo

            Takes some seconds, connects only to itself, and leaves nothing behind.
            """)

    @Flag(help: "Keep the room and the listener running until Ctrl-C, and show the archive in a browser.")
    var keepRunning = false

    func run() async throws {
        if keepRunning { try ServerProgram.ensure() }
        LoggingSystem.bootstrap { SafeLogHandler(label: $0, level: .warning, format: .text) }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let folder = try DemoFolder()
        defer { folder.remove() }
        let demo = Demo(folder: folder, serve: keepRunning ? Self.serve : nil) { arguments in
            // A person reads the demo, also through a pipe.
            let isPage = arguments.first == "history"
            try await ScrollbackCommand.run(arguments + (isPage ? ["--no-oneline"] : []))
        }
        let signal = try await withThrowingTaskGroup(of: UnixSignal?.self) { tasks in
            tasks.addTask {
                try await demo.run()
                return nil
            }
            tasks.addTask { await signals.first { _ in true } }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
        guard let signal, !keepRunning else { return }
        // Ends with the status by which a shell reports a process that a signal ended.
        throw ExitCode(128 + signal.rawValue)
    }

    /// Serves a data folder until the task is cancelled.
    @Sendable private static func serve(_ folder: String, ready: @escaping @Sendable (String) -> Void) async throws {
        let server = try await ServerProgram.make(
            ServerStart(
                settings: ServeSettings(), folder: folder, openConnections: Archive.openConnections,
                search: FolderSearch(data: folder, environment: [:]), logger: Logger(label: "serve"),
                takesFreePort: true, onReady: ready))
        try await server.run()
    }
}
