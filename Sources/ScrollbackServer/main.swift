import Scrollback
import Serving

// The commands of `scrollback`, with the server that `serve` and `listen` run.
await ServerProgram.$makeServer.withValue({ try await ArchiveServer($0) }) {
    await ScrollbackCommand.main()
}
