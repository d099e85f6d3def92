import Archive
import ChatModel
import FoundationEssentials
import Options
import Reading
import Rendering
import Settings

/// The names in the archive that a shell completes.
enum ArchiveNames {
    /// Returns the answer to a shell's request. Reports no error, because a shell would write it over the text that is
    /// being typed.
    static func answer(_ arguments: [String]) -> String {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let request = CompletionRequest(ScrollbackCommand.self, arguments) { shell, word in
            // fish passes words without their quotes.
            shell == .fish ? word : ShellWord.text(word, home: home)
        }
        guard let request else { return "" }
        return request.answer(names(request))
    }

    /// Returns the rooms or accounts of the archive that the command line names.
    private static func names(_ request: CompletionRequest) -> [String] {
        guard [.rooms, .accounts].contains(request.wanted) else { return [] }
        let search = FolderSearch(
            data: request.value(of: "--data"), config: request.value(of: "--config"),
            environment: ProcessInfo.processInfo.environment)
        guard let folder = try? search.dataFolder() else { return [] }
        let reading = Archive(folder: folder).reading()
        guard request.wanted == .rooms else {
            let names = ((try? reading.accounts()) ?? []).map(\.name)
            return names.filter { $0 == Sanitizer.line($0) && !$0.hasPrefix("-") }
        }
        let refused = request.shell == .bash ? RoomCompletion.refusedByBash : ""
        // A token's rooms are those of other accounts than the ones that it may read whole.
        let accounts = request.words.starts(with: ["serve", "token"]) ? [] : request.accounts
        let rooms = try? reading.namedRooms(accounts: accounts.isEmpty ? nil : accounts)
        return RoomCompletion(rooms: rooms ?? [], refused: refused).candidates(for: request.typedName)
    }
}
