package import ChatModel
import LogFormats
import Networks
import Rendering

/// The account that an import without a given account proposes, from the names in the sources.
package struct AccountProposal: Sendable, Hashable {
    package let name: String
    /// True if an account of that name exists and the sources plainly belong to it.
    package let isKnown: Bool

    /// The limit of characters of a new name.
    private static let longest = 40

    /// - Parameters:
    ///   - known: The accounts of the archive and of the configuration.
    ///   - logNetwork: The network of accounts that an import created.
    package init(for search: ImportSearch, among known: [AccountIdentity], logNetwork: String) {
        let named = search.accountNames.count == 1 ? search.accountNames.first : nil
        let formats = search.sources.formats
        let plain = named ?? (formats.count == 1 ? formats.first?.name : nil) ?? "imported"
        let name = formats.contains { $0.isOwnExport } ? plain : Self.simple(plain)
        let same = known.first { account in
            account.name.utf8.elementsEqual(name.utf8)
                && Self.belong(search, named != nil, to: account.network, logNetwork)
        }
        isKnown = same != nil
        self.name = same?.name ?? Self.free(Self.simple(name), known.map(\.name))
    }

    /// Returns true if the sources belong to an account of the proposed name on a network.
    private static func belong(
        _ search: ImportSearch, _ isNamed: Bool, to network: String, _ logNetwork: String
    ) -> Bool {
        if let exported = search.network { return exported == network }
        if network == logNetwork { return true }
        guard isNamed else { return false }
        // Scrollback's own lines name the account itself. Logs of IRC name the network, as an account usually does.
        return search.sources.formats.allSatisfy {
            $0.isOwnExport || ($0.isOfIRC && NetworkTraits.of(network).hasClientLogs)
        }
    }

    /// Returns a name in small letters, digits, `-`, `_` and `.`, for a shell and a configuration.
    private static func simple(_ name: String) -> String {
        let words = name.lowercased().prefix(longest).split { !($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        let simple = words.joined(separator: "-").drop { "-.".contains($0) }
        return simple.isEmpty ? "imported" : String(simple)
    }

    /// Returns the name, or the name with the first free number from 2.
    private static func free(_ name: String, _ taken: [String]) -> String {
        func isTaken(_ name: String) -> Bool { taken.contains { $0.lowercased() == name } }
        guard isTaken(name) else { return name }
        return (2...).lazy.map { "\(name)-\($0)" }.first { !isTaken($0) } ?? name
    }
}
