import Accounts
import Archive
import ChatModel
import Moves
import Options
import Reading
import Rendering

struct BackupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy accounts to another folder, check the copies, and restore them.",
        usage: """
            scrollback backup (<account> | --all) <backup-folder>
            scrollback backup restore <backup> [<account> ...]
            scrollback backup verify <backup-folder> [<account> ...]
            """,
        discussion: """
            EXAMPLE: scrollback backup --all /mnt/backup/scrollback

            The listener can keep running. A backup is a data folder: "scrollback history --all --data FOLDER" reads it. An account \
            called "restore" or "verify" needs "create" before its name: scrollback backup create restore FOLDER
            """,
        subcommands: [BackupCreateCommand.self, BackupRestoreCommand.self, BackupVerifyCommand.self],
        defaultSubcommand: BackupCreateCommand.self)
}

struct BackupCreateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Copy an account, or all, to another folder; replaces an earlier copy of the same account.",
        usage: "scrollback backup create (<account> | --all) <backup-folder>",
        discussion: """
            EXAMPLE: scrollback backup create classroom /mnt/backup/scrollback

            A copy shows one moment and is verified before it replaces an earlier one. A listener may write meanwhile. Compressed \
            accounts stay compressed. With --recipient, each copy is compressed and encrypted; only the secret key, which \
            this machine does not need, decrypts it.
            """)

    @Argument("account", help: "The account (none with --all).", completion: .accounts)
    var account: String?

    @Argument("backup-folder", help: "The folder for the copies; created if it is missing.", completion: .directory)
    var backup: String?

    @Flag("all", help: "Copy all accounts.")
    var all = false

    @OptionGroup(title: "Encryption") var encryption: RecipientOptions

    @OptionGroup var options: ResultOptions

    func validate() throws {
        if (backup ?? account) == "" { throw ValidationError("name the folder for the copies") }
        switch (all, account, backup) {
        case (true, _?, nil), (false, _?, _?): return
        case (true, _, _?): throw ValidationError("--all copies every account: name none, only the folder")
        case (true, nil, nil): throw ValidationError("name the folder for the copies")
        default: throw ValidationError("name an account, or give --all, and the folder for the copies")
        }
    }

    func run() async throws {
        guard let target = backup ?? account else { return }
        let recipients = try encryption.recipients()
        let run = AccountRun(verb: "copying", format: options.format)
        let archive = Archive(folder: try options.folder.resolve(), reportSkipped: run.reportSkipped)
        options.folder.limit(archive)
        let names = try backup == nil ? archive.reading().accounts().map(\.name) : [account ?? ""]
        // An empty backup would be noticed only when a user needs it.
        guard !names.isEmpty else {
            throw CommandError(
                .backup, "\(Sanitizer.line(archive.folder)) has no accounts", hint: "--data chooses another folder")
        }
        let backup = try archive.backup(in: target, isNew: true, recipients: recipients)
        for name in names {
            try await run.perform(name) { progress in
                AccountResult(name, try backup.add(account: name) { progress.show(name, $0) })
            }
        }
        try run.finish(skipped: archive.skipped)
    }
}

struct BackupRestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Copy accounts from a backup to the data folder, which must not have them.",
        discussion: """
            EXAMPLE: scrollback backup restore /mnt/backup/scrollback classroom

            The backup does not change. Compressed accounts are expanded. Programs that follow the change feed of a restored account \
            start over.

            An encrypted backup takes the secret key: --identity key.txt

            From a shared archive (postgres://HOST/DATABASE), makes the files of accounts again, without raw bytes and without files \
            that came with messages, which it does not have.
            """)

    @Argument(
        "backup", help: "The folder of the backup, any data folder, or the address of a shared archive.",
        completion: .directory)
    var backup: String

    @Argument("account", help: "The accounts (default all).", completion: .accounts)
    var accounts: [String] = []

    @OptionGroup(title: "Encryption") var identity: IdentityOption

    @OptionGroup var options: ResultOptions

    func run() async throws {
        let run = AccountRun(verb: "restoring", format: options.format)
        let archive = Archive(
            folder: try options.folder.resolve(creating: true), identities: identity.identities,
            reportSkipped: run.reportSkipped)
        options.folder.limit(archive)
        let source = try source(archive)
        let names = try accounts.isEmpty ? source.accounts() : accounts
        guard !names.isEmpty else {
            throw CommandError(
                .backup, "\(Sanitizer.line(backup)) has no accounts", hint: "choose the folder of a backup")
        }
        for name in names {
            try await run.perform(name) { progress in
                AccountResult(name, try source.restore(name) { progress.show(name, $0) })
            }
        }
        try run.finish(skipped: archive.skipped)
    }

    /// A backup or a shared archive, from which accounts are restored.
    private struct RestoreSource: Sendable {
        var accounts: @Sendable () throws -> [String]
        var restore: @Sendable (String, @escaping @Sendable (BackupProgress) throws -> Void) throws -> BackupReport
    }

    private func source(_ archive: Archive) throws -> RestoreSource {
        guard SharedAddress.isOne(backup) else {
            let copies = try archive.backup(in: backup)
            return RestoreSource(
                accounts: { try copies.accounts().map(\.name) },
                restore: { try copies.restore(account: $0, progress: $1) })
        }
        let shared = SharedArchive(try SharedAddress(argument: backup))
        return RestoreSource(
            accounts: { try shared.reading().accounts().map(\.name) },
            restore: { try archive.restore(account: $0, from: shared, progress: $1) })
    }
}
