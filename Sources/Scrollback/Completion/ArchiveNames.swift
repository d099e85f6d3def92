import Archive
import ChatModel
import Foundation
import Options
import Rendering
import Settings
import Synchronization

/// The names in the archive that a shell completes.
struct ArchiveNames: Sendable {
    var accounts: [String] = []
    var rooms: [NamedRoom] = []

    /// The names, which are read before the parser needs them. The parser must get them synchronously: with an
    /// asynchronous completion, it traps when a command is parsed synchronously (1.8.2, debug builds).
    private static let read = Mutex(ArchiveNames())

    /// The completion of an argument that is a room.
    static let roomCompletion = CompletionKind.custom { words, index, _ in
        answer(words, index) { names, typed in
            let refused = CompletionShell.requesting == .bash ? RoomCompletion.refusedByBash : ""
            return RoomCompletion(rooms: names.rooms, refused: refused).candidates(for: typed)
        }
    }

    /// The completion of an argument that is an account.
    static let accountCompletion = CompletionKind.custom { words, index, _ in
        answer(words, index) { names, _ in names.accounts.filter { $0 == Sanitizer.line($0) && !$0.hasPrefix("-") } }
    }

    /// Returns true for the arguments with which the parser's completion scripts ask for candidates.
    static func isCompletion(_ arguments: [String]) -> Bool {
        arguments.first == "---completion"
    }

    /// Reads the archive that is named by the command line at the end of the arguments. Reports no error, because a
    /// shell would write it over the text that is being typed.
    static func readArchive(for arguments: [String]) async {
        guard let separator = arguments.firstIndex(of: "--") else { return }
        let line = CommandLineWords(arguments[separator...].dropFirst(4), environment: environment)
        let search = FolderSearch(
            data: line.value(of: "--data"), config: line.value(of: "--config"), environment: environment)
        guard let folder = try? search.dataFolder() else { return }
        let reading = Archive(folder: folder).reading()
        let names = ArchiveNames(
            accounts: ((try? await reading.accounts()) ?? []).map(\.name),
            rooms: (try? await reading.namedRooms()) ?? [])
        read.withLock { $0 = names }
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    private static func answer(
        _ words: [String], _ index: Int, _ candidates: (ArchiveNames, String) -> [String]
    ) -> [String] {
        let line = CommandLineWords(words[...], environment: environment)
        let typed = words.indices.contains(index) ? line.text(words[index]) : ""
        return candidates(read.withLock(\.self), typed).map(written)
    }

    /// Returns a candidate in the form that the script expects: the bash script expands candidates, commands included,
    /// and the zsh script takes the text after a colon for a description.
    private static func written(_ candidate: String) -> String {
        switch CompletionShell.requesting {
        case .bash?: ShellWord.quoted(candidate)
        case .zsh?: candidate.replacingScalar(":", with: "\\:")
        default: candidate
        }
    }
}
