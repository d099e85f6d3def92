import Logging
import Rendering
package import Scrollback
import Service
import ServiceLifecycle
import Serving
import Settings

extension ServerCommandWork {
    package func serve(_ options: ServeWork) async throws {
        MemoryAllocator.returnLargeBlocks()
        let signals = await ShutdownSignals()
        let server = try await ArchiveServer(
            ServerStart(
                settings: options.settings, folder: options.folder, shared: options.shared,
                openConnections: options.openConnections, search: options.search, excluded: options.excluded,
                logger: Logger(label: "serve"), takesFreePort: options.takesFreePort
            ) { address in
                try? StandardStream.output.write(address + "\n")
                let next =
                    address.hasPrefix("unix:")
                    ? "a proxy passes requests on to it; the key for the first visit is in \(options.folder)/serve.secret"
                    : "open this address in a browser"
                StandardStream.note("\(next); Ctrl-C stops the server\n")
            })
        var group = ServiceGroupConfiguration(
            services: [.init(service: server, serviceName: "serve")], logger: Logger(label: "service"))
        group.maximumGracefulShutdownDuration = .seconds(8)
        try await withThrowingTaskGroup(of: Void.self) { [group] tasks in
            tasks.addTask { await options.limiter?.run() }
            defer { tasks.cancelAll() }
            try await signals.run(ServiceGroup(configuration: group))
        }
    }
}
