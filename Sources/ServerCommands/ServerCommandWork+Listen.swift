package import Scrollback

extension ServerCommandWork {
    package func listen(_ options: ListenWork) async throws {
        try await ListenRun(options).run()
    }
}
