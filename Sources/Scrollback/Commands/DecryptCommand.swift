import Archive
import Bytes
import ChatModel
import FoundationEssentials
import Glibc
import MatrixWire
import Operations
import Options
import Reading
import Rendering

struct DecryptCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Decrypt stored messages with the room keys that a Matrix client exported.",
        discussion: """
            EXAMPLE: scrollback archive decrypt matrix element-keys.txt

            Asks for the passphrase of the file. Messages without a key in the file stay encrypted; repeat the command with another \
            export. Works with and without a running listener.
            """)

    @Argument("account", help: "The Matrix account's name.", completion: .accounts)
    var account: String

    @Argument("file", help: "The file with the exported room keys.", completion: .file())
    var file: String

    @Option(
        "passphrase-file", help: "Read the passphrase from the first line of this file (default: ask).",
        valueName: "file", completion: .file())
    var passphraseFile: String?

    @OptionGroup var options: ResultOptions

    func run() async throws {
        let run = AccountRun(verb: "decrypting", format: options.format)
        let archive = Archive(folder: try options.folder.resolve(), reportSkipped: run.reportSkipped)
        let identity = try archive.reading().account(named: account)
        let keys = try readKeys()
        try await run.perform(account) { _ in try await decrypt(identity, keys, archive) }
        try run.finish(skipped: archive.skipped)
    }

    /// 256 MiB. A key takes some 1,000 bytes.
    private static let maximumBytes = 256 << 20

    private func readKeys() throws -> MatrixRoomKeys {
        let name = Sanitizer.line(file)
        let bytes: [UInt8]
        do {
            bytes = try FileBeginning.read(file, limit: Self.maximumBytes)
        } catch {
            throw CommandError(
                .input, "can't read \(name): \(error.reason)", hint: "give the file of a key export")
        }
        do {
            return try MatrixRoomKeys(bytes, passphrase: passphrase())
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(
                .input, "\(name): \(error)", hint: "a client exports them; in Element, see Encryption in the settings")
        }
    }

    private func passphrase() throws -> String {
        if let passphraseFile {
            guard let text = try? String(contentsOfFile: passphraseFile, encoding: .utf8) else {
                throw CommandError(
                    .input, "can't read \(Sanitizer.line(passphraseFile))",
                    hint: "write the passphrase into its first line")
            }
            return String(text.prefix { $0 != "\n" && $0 != "\r\n" })
        }
        guard TerminalPrompt.isPossible, let answer = TerminalPrompt.askHidden("Passphrase of the file (not shown)")
        else {
            throw CommandError(
                .input, "the passphrase is missing", hint: "write it into a file, and add --passphrase-file FILE")
        }
        return answer
    }

    private func decrypt(
        _ identity: AccountIdentity, _ keys: MatrixRoomKeys, _ archive: Archive
    ) async throws -> AccountResult {
        let line = TerminalLine()
        let tally = try await MatrixDecryption(archive: archive, account: identity).run(keys) { tally in
            line.show("\(Sanitizer.line(account)): \(tally.decrypted.of(.message)) decrypted")
        }
        line.clear()
        var parts = ["\(tally.decrypted.of(.message)) decrypted"]
        if keys.unreadable > 0 { parts.append("\(keys.unreadable.grouped) keys of the file can't be read") }
        if tally.withoutKey > 0 { parts.append("\(tally.withoutKey.grouped) without a key in this file") }
        if tally.empty > 0 { parts.append("\(tally.empty.grouped) without a text for people") }
        if tally.failed > 0 { parts.append("\(tally.failed.grouped) can't be decrypted: \(tally.reason ?? "")") }
        if tally.decrypted + tally.withoutKey + tally.empty + tally.failed == 0 { parts = ["no encrypted messages"] }
        let isAll = tally.withoutKey + tally.failed == 0
        var result = AccountResult(
            account, tally.decrypted + tally.empty == 0 ? .unchanged : isAll ? .done : .incomplete,
            detail: parts.joined(separator: ", "))
        result.figures.added = Int64(tally.decrypted)
        return result
    }
}
