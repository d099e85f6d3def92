import Archive
import Options
import Reading
import Settings

struct ServeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show the archive in a browser, and answer programs over HTTP.",
        discussion: """
            EXAMPLE: scrollback serve

            Prints the address to open; its key becomes a cookie, so that others on this machine can't read along. In \
            the pages, you can mark rooms as read and erase them; nothing else changes the archive. Runs beside a listener, too. \
            Ctrl-C stops it.
            The [serve] table of the configuration has listen, names, proxies and path; with it, "scrollback listen" serves as well. \
            Programs need a token: scrollback serve token add NAME
            With --archive, the data folder has only the keys and tokens of the server.
            """,
        subcommands: [ServeTokenCommand.self])

    @Option(
        "listen",
        help: "The address, HOST:PORT or unix:PATH (default: 127.0.0.1:8042, or a free port if that is in use).",
        valueName: "address", transform: Self.address)
    var listen: ServeAddress?

    @OptionGroup(title: "Where") var folder: FolderOptions
    @OptionGroup(title: "Where") var shared: SharedArchiveOption
    @OptionGroup(title: "Logging") var logging: LoggingOptions

    func run() async throws {
        let work = try ServerProgram.work()
        // Shows now that the shared archive can't be read, not to the first reader.
        _ = try shared.archive?.reading().oldestCopy()
        let configuration = try folder.configuration()
        // A shared archive needs a folder for the keys alone.
        let dataFolder = try folder.resolve(creating: shared.address != nil)
        try DataFolderAccess.create(dataFolder)
        var settings = configuration?.serve ?? ServeSettings()
        if let listen {
            settings.address = listen
            guard listen.isLoopback || !settings.names.isEmpty else { throw Self.needsNames(listen) }
        }
        try await work.serve(
            ServeWork(
                settings: settings, folder: dataFolder, shared: try shared.address,
                openConnections: configuration?.openConnections ?? Archive.openConnections, search: folder.search,
                excluded: configuration?.excluded ?? [],
                takesFreePort: listen == nil && configuration?.serve == nil, limiter: logging.bootstrap()))
    }

    static func needsNames(_ address: ServeAddress) -> ValidationError {
        let port = if case .tcp(_, let port) = address, port > 0 { port } else { 8042 }
        let local = port == 8042 ? "" : " --listen 127.0.0.1:\(port)"
        return ValidationError(
            """
            \(address) is an address that other machines reach, and needs names in the [serve] table of the configuration; to \
            read from another machine without one: scrollback serve\(local), and there ssh -L \(port):127.0.0.1:\(port) HOST
            """)
    }

    private static func address(_ text: String) throws -> ServeAddress {
        do {
            return try ServeAddress(text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
