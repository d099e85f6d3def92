import ChatModel
import FoundationEssentials
import Importing
import Options
import Rendering
import Settings

/// The choice of the account for an import: the given one, or one that is proposed.
struct ImportAccount {
    /// The name of `--account`; nil if none was given.
    let given: String?
    /// The command's words, to repeat in a suggestion.
    let words: [String]
    /// The accounts of the archive and of the configuration.
    let known: [AccountIdentity]
    /// True to accept the proposed account without a question.
    var acceptsProposal = false

    /// Returns the account. Asks on a terminal unless the sources plainly belong to a known one.
    ///
    /// - Parameter isStopped: Returns true to stop waiting for the answer, which counts as no.
    /// - Throws: `ValidationError` if the question can't be shown on a terminal; `ExitCode` if the user answers no.
    func choose(for search: ImportSearch, isStopped: () -> Bool) throws -> AccountIdentity {
        let names = search.accountNames
        if names.count > 1 {
            let list = names.prefix(3).map(Sanitizer.line).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
            StandardStream.note(
                "found logs of several networks or accounts (\(list)); import each alone to keep their rooms apart\n")
        }
        if let given { return identity(given, search) }
        let proposal = AccountProposal(for: search, among: known, logNetwork: Configuration.logNetwork)
        if proposal.isKnown {
            StandardStream.note("importing into account \"\(Sanitizer.line(proposal.name))\"\n")
            return identity(proposal.name, search)
        }
        if acceptsProposal { return identity(proposal.name, search) }
        guard TerminalQuestion.isPossible, !words.contains("-") else {
            throw ValidationError(
                "choose an account with -a NAME (a new name creates it); \(example(proposal.name, names))")
        }
        guard let name = Self.ask(proposal.name, isStopped) else {
            StandardStream.note("nothing was imported; \(example("NAME", names))\n")
            throw ExitCode.failure
        }
        return identity(name, search)
    }

    /// Returns the command for one account. If there are several names and a given folder has a folder of the first
    /// one, the command takes only that folder.
    private func example(_ name: String, _ names: [String]) -> String {
        var (words, name) = (words, name)
        if names.count > 1, let index = words.firstIndex(where: { Self.isFolder("\($0)/\(names[0])") }) {
            words[index] = words[index] + (words[index].hasSuffix("/") ? "" : "/") + names[0]
            name = names[0]
        }
        return "for example: " + NextCommand.line(["import"] + words + NextCommand.account(name))
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// Returns the known account of a name, or a new one.
    private func identity(_ name: String, _ search: ImportSearch) -> AccountIdentity {
        known.first { $0.name.utf8.elementsEqual(name.utf8) }
            ?? AccountIdentity(name: name, network: Self.network(search.network))
    }

    /// Returns the network of a new account: the exported account's network if it is known here, else the network of
    /// logs.
    private static func network(_ exported: String?) -> String {
        KnownNetworks.names.first { $0 == exported } ?? Configuration.logNetwork
    }

    /// Asks on the terminal. Returns nil if the answer is no.
    private static func ask(_ name: String, _ isStopped: () -> Bool) -> String? {
        let question = "import into new account \"\(Sanitizer.line(name))\"? [Y/n/name]"
        guard let answer = TerminalQuestion.ask(question, isStopped: isStopped) else { return nil }
        switch answer.lowercased() {
        case "", "y", "yes": return name
        case "n", "no": return nil
        default: return answer
        }
    }
}
