import Archive
import ArgumentParser
import ChatModel
import Rendering

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy accounts into another folder while the listener runs, and bring them back.",
        usage: """
            scrollback backup (<account> | --all) <backup-folder>
            scrollback backup restore <backup-folder> [<account> ...]
            scrollback backup verify <backup-folder> [<account> ...]
            """,
        discussion: """
            EXAMPLE: scrollback backup --all /mnt/backup/scrollback

            The folder is a data folder then: "scrollback history --data FOLDER" reads it. An account called "restore" or \
            "verify" is copied by "scrollback backup create restore FOLDER".
            """,
        subcommands: [BackupCreateCommand.self, BackupRestoreCommand.self, BackupVerifyCommand.self],
        defaultSubcommand: BackupCreateCommand.self)
}

struct BackupCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Copy an account, or all, into another folder; an earlier copy of the same account is replaced.",
        usage: "scrollback backup create (<account> | --all) <backup-folder>",
        discussion: """
            EXAMPLE: scrollback backup create classroom /mnt/backup/scrollback

            A copy is of one moment, and verified; until then an earlier one stays. A listener goes on writing meanwhile. \
            Accounts that are compressed stay so.
            """)

    @Argument(
        help: ArgumentHelp("The account; none with --all.", valueName: "account"),
        completion: ArchiveNames.accountCompletion)
    var account: String?

    @Argument(
        help: ArgumentHelp("The folder that copies go to; made if it is not there.", valueName: "backup-folder"),
        completion: .directory)
    var backup: String?

    @Flag(help: "All accounts.")
    var all = false

    @OptionGroup(title: "Where") var folder: FolderOptions

    func validate() throws {
        switch (all, account, backup) {
        case (true, _?, nil), (false, _?, _?): return
        case (true, _, _?): throw ValidationError("--all copies every account: name none, only the folder")
        case (true, nil, nil): throw ValidationError("name the folder for the copies")
        default: throw ValidationError("name an account, or give --all, and the folder for the copies")
        }
    }

    func run() async throws {
        guard let target = backup ?? account else { return }
        let run = BackupRun(verb: "copying")
        let archive = Archive(folder: try folder.resolve(), reportSkipped: run.reportSkipped)
        let names = try await backup == nil ? archive.reading().accounts().map(\.name) : [account ?? ""]
        // An empty backup would be noticed only when a user needs it.
        guard !names.isEmpty else {
            throw CommandError(
                .backup, "no account is in \(Sanitizer.line(archive.folder))", hint: "--data names another folder")
        }
        let backup = try archive.backup(in: target, isNew: true)
        for name in names {
            try await run.perform(name) { try await backup.add(account: name, progress: $0) }
        }
        try run.finish()
    }
}

struct BackupRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Copy accounts of a backup into the data folder, where no account of the name may be.",
        discussion: """
            EXAMPLE: scrollback backup restore /mnt/backup/scrollback classroom

            The backup stays as it is. Accounts that are compressed there become plain. Whoever follows a restored account \
            starts over.
            """)

    @Argument(
        help: ArgumentHelp("The folder of the backup, or any data folder.", valueName: "backup-folder"),
        completion: .directory)
    var backup: String

    @Argument(
        help: ArgumentHelp("The accounts; all unless named.", valueName: "account"),
        completion: ArchiveNames.accountCompletion)
    var accounts: [String] = []

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() async throws {
        let run = BackupRun(verb: "restoring")
        let archive = Archive(folder: try folder.resolve(), reportSkipped: run.reportSkipped)
        let source = try archive.backup(in: backup)
        let names = try await accounts.isEmpty ? source.accounts().map(\.name) : accounts
        guard !names.isEmpty else {
            throw CommandError(
                .backup, "no account is in \(Sanitizer.line(backup))", hint: "name the folder of a backup")
        }
        for name in names {
            try await run.perform(name) { try await source.restore(account: name, progress: $0) }
        }
        try run.finish()
    }
}
