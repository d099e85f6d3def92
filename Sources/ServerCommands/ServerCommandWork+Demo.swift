import Archive
import Demonstration
import Logging
import Rendering
import Service
import ServiceLifecycle
import Serving
import Settings
import UnixSignals

extension ServerCommandWork {
    package func demonstrate(
        keepsRunning: Bool, run: @escaping @Sendable ([String]) async throws -> Void
    ) async throws {
        LoggingSystem.bootstrap { SafeLogHandler(label: $0, level: .warning, format: .text) }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let folder = try DemoFolder()
        defer { folder.remove() }
        let demo = Demo(folder: folder, serve: keepsRunning ? Self.serveDemo : nil, run: run)
        let signal = try await withThrowingTaskGroup(of: UnixSignal?.self) { tasks in
            tasks.addTask {
                try await demo.run()
                return nil
            }
            tasks.addTask { await signals.first { _ in true } }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
        guard let signal, !keepsRunning else { return }
        throw EndedBySignal(signal: signal.rawValue)
    }

    /// Serves a data folder until the task is cancelled.
    @Sendable private static func serveDemo(
        _ folder: String, ready: @escaping @Sendable (String) -> Void
    ) async throws {
        let server = try await ArchiveServer(
            ServerStart(
                settings: ServeSettings(), folder: folder, openConnections: Archive.openConnections,
                search: FolderSearch(data: folder, environment: [:]), logger: Logger(label: "serve"),
                takesFreePort: true, onReady: ready))
        try await server.run()
    }
}
