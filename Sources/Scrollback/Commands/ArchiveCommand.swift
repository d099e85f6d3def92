import ArgumentParser

struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Maintain accounts: check, reindex, compress, restore, compact, decrypt, erase.",
        discussion: "EXAMPLE: scrollback archive check",
        subcommands: [
            CheckCommand.self, ReindexCommand.self, CompressCommand.self, RestoreCommand.self, CompactCommand.self,
            DecryptCommand.self,
            EraseCommand.self,
        ])
}
