import ChatClient
import FoundationEssentials
import NIOPosix
import Rendering
import Scrollback
import Sessions
package import Settings

extension ServerCommandWork {
    package func chat(_ configuration: ChatConfiguration) async throws {
        let isTerminal = Self.isTerminal
        let connector = TCPConnector(group: MultiThreadedEventLoopGroup.singleton)
        let (host, port) = (configuration.server.host, configuration.server.port)
        let result: Result<ChatReport, any Error>
        do {
            result = try await connector.withConnection(host: host, port: port) { connection in
                await Self.runSession(configuration, connection, isTerminal)
            }
        } catch {
            throw CommandError(.connection, Sanitizer.line(error.detail), hint: nil)
        }
        let report = try result.get()
        if let note = report.note { StandardStream.note("scrollback: \(note)\n") }
        if let error = report.error { throw error }
    }

    private static func runSession(
        _ configuration: ChatConfiguration, _ connection: any Connection, _ isTerminal: Bool
    ) async -> Result<ChatReport, any Error> {
        do {
            return .success(try await ChatSession(configuration, connection: connection, isTerminal: isTerminal).run())
        } catch {
            return .failure(error)
        }
    }

    /// True if input and output are a terminal that can move its cursor.
    private static var isTerminal: Bool {
        StandardInput.isTerminal && StandardStream.output.isTerminal
            && ProcessInfo.processInfo.environment["TERM", default: "dumb"] != "dumb"
    }
}
