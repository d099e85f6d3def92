package import ChatModel

/// Notes about the accounts that an answer lacks.
package enum SkippedAccountsText {
    /// Returns one line for all compressed accounts together, one for all encrypted ones, and one for each other account;
    /// none for an empty list.
    ///
    /// - Parameter takesCold: True if the command has the option `--cold`.
    package static func lines(_ skipped: [SkippedAccount], takesCold: Bool) -> [String] {
        let cold = skipped.filter { $0.reason == SkippedAccount.cold }.compactMap(\.account)
        let encrypted = skipped.filter { $0.reason == SkippedAccount.encrypted }.compactMap(\.account)
        let others = skipped.filter { !$0.isResting || $0.account == nil }
        return others.map(unreadable) + (cold.isEmpty ? [] : [Self.cold(cold, takesCold: takesCold)])
            + (encrypted.isEmpty ? [] : [Self.encrypted(encrypted)])
    }

    private static func encrypted(_ names: [String]) -> String {
        "skipped \(list(names, "encrypted")); to read \(names.count == 1 ? "it" : "them"): --identity FILE"
    }

    private static func list(_ names: [String], _ state: String) -> String {
        let some = names.prefix(3).map { "'\(Sanitizer.line($0))'" }.joined(separator: ", ")
        return names.count == 1
            ? "\(some) (\(state))"
            : "\(names.count.grouped) \(state) accounts (\(some)\(names.count > 3 ? ", …" : ""))"
    }

    private static func unreadable(_ skipped: SkippedAccount) -> String {
        let account = skipped.account.map { "'\(Sanitizer.line($0))'" } ?? "an account"
        return "skipped \(account): \(Sanitizer.line(skipped.detail))"
    }

    private static func cold(_ names: [String], takesCold: Bool) -> String {
        let (skipped, them) = (list(names, "compressed"), names.count == 1 ? "it" : "them")
        let command = NextCommand.line(["archive", "restore"] + (names.count == 1 ? names : ["ACCOUNT"]))
        return "skipped \(skipped); " + (takesCold ? "add --cold to include \(them)" : "to include \(them): \(command)")
    }
}
