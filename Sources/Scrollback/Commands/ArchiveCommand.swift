import Options

struct ArchiveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Maintain accounts: check, rescue, compress, compact, merge, bridge, erase and more.",
        discussion: "EXAMPLE: scrollback archive check",
        subcommands: [
            CheckCommand.self, RescueCommand.self, ReindexCommand.self, CompressCommand.self, RestoreCommand.self,
            CompactCommand.self, MergeCommand.self, BridgeCommand.self, MeCommand.self, DecryptCommand.self,
            EraseCommand.self,
        ])
}
