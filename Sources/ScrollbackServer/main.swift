import Scrollback
import Serving

// The commands of `scrollback`, with the server that `serve` and `listen` run.
ServerProgram.install { try await ArchiveServer($0) }
ScrollbackCommand.main()
