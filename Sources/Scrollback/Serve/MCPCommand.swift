import Archive
import ChatModel
import Dispatch
import Files
import FoundationEssentials
import Glibc
import MCP
import Operations
import Options
import Reading
import Rendering
import Settings

struct MCPCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let an assistant read the archive, by the Model Context Protocol on standard input and output.",
        discussion: """
            EXAMPLE: scrollback mcp -a libera

            A client starts this command, such as Claude Code: claude mcp add scrollback -- "$(command -v scrollback)" mcp
            It only reads. The [mcp] table of the configuration has rooms that assistants do not see; -a gives them some \
            accounts only. Over HTTP: scrollback serve, at /mcp, with a token. docs/mcp.md says more.
            """)

    @OptionGroup var accounts: AccountsOption

    @Flag("utc", help: "Read times without a zone in UTC (default: the local zone, TZ).")
    var utc = false

    @OptionGroup(title: "Where") var folder: FolderOptions
    @OptionGroup(title: "Where") var shared: SharedArchiveOption

    /// The time after which an unused account is closed, so that it can be compressed or erased.
    private static let hold = Duration.seconds(2)

    private func source(_ configuration: Configuration?) throws -> ArchiveSource {
        if let archive = try shared.archive { return .shared(archive) }
        return .folder(
            Archive(
                folder: try folder.resolve(),
                openConnections: configuration?.openConnections ?? Archive.openConnections, keepsCopies: true))
    }

    func run() async throws {
        let configuration = try folder.configuration()
        let source = try source(configuration)
        let access =
            accounts.account.isEmpty
            ? ReadAccess.everything
            : ReadAccess(Dictionary(accounts.account.map { ($0, .whole) }, uniquingKeysWith: { $1 }))
        let reading = source.reading().restricted(to: access)
        if configuration == nil { StandardStream.note("scrollback: no configuration file found; no room is hidden\n") }
        // Shows now that the archive can't be read, not to the assistant.
        let known = try reading.accounts().map(\.name)
        try RoomSelection.requireKnown(accounts.account, among: known, folder: reading.folder)
        let (search, isUTC) = (folder.search, utc)
        let places = PlaceNames(folder: reading.folder, shared: try shared.address)
        let server = MCPServer(
            version: ProgramVersion.current, excluded: configuration?.excluded ?? [], places: places
        ) { utc in
            OperationContext(
                zone: utc || isUTC ? .gmt : .local,
                configuration: { try ConfiguredAccounts(search, $0).has },
                bots: { search.bots(of: $0) })
        }
        let stream = MCPStream(server: server) { cold, body in
            try await onThread { try body(cold ? source.withCold.reading().restricted(to: access) : reading) }
        } write: { line in
            try StandardStream.output.write(line)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil { reading.release(unusedFor: Self.hold) }
            }
            defer { group.cancelAll() }
            try await stream.run(StandardInputBytes.parts())
        }
    }
}

/// Standard input as it comes.
private enum StandardInputBytes {
    private static let size = 64 * 1024

    /// Returns the bytes in the parts in which they are read; ends with the input, also after an error.
    static func parts() -> AsyncStream<[UInt8]> {
        let queue = DispatchQueue(label: "standard input")
        return AsyncStream(unfolding: {
            await withCheckedContinuation { continuation in
                queue.async {
                    var bytes = [UInt8](repeating: 0, count: size)
                    var count = -1
                    repeat { count = read(0, &bytes, size) } while count < 0 && errno == EINTR
                    continuation.resume(returning: count > 0 ? Array(bytes.prefix(count)) : nil)
                }
            }
        })
    }
}
