import ChatModel
import Rendering

/// The accounts that a page lacks.
enum LeftOut {
    /// Returns a line for people, without the places of files; empty if a text lacks none.
    static func text(_ skipped: [SkippedAccount]) -> String {
        let names = skipped.map { Sanitizer.line($0.account ?? "an account") }
        return names.isEmpty ? "" : "--- not included: \(names.joined(separator: ", ")) ---\n"
    }

    /// Returns a line of HTML for people, without the places of files; empty if the page lacks none.
    static func html(_ skipped: [SkippedAccount]) -> HTML {
        func line(_ accounts: [SkippedAccount], _ reason: HTML) -> HTML {
            guard !accounts.isEmpty else { return "" }
            let names = accounts.map { "<bdi>\(HTMLText.name($0.account ?? "an account"))</bdi>" as HTML }
            return "<p class=\"edge\">Not included, because \(reason): \(names.joined(separator: ", ")).</p>\n"
        }
        let cold = skipped.filter { $0.reason == SkippedAccount.cold }
        let encrypted = skipped.filter { $0.reason == SkippedAccount.encrypted }
        let others = skipped.filter { !$0.isResting }
        return line(cold, cold.count == 1 ? "it is compressed" : "they are compressed")
            + line(encrypted, encrypted.count == 1 ? "it is encrypted" : "they are encrypted")
            + line(others, others.count == 1 ? "it can't be read now" : "they can't be read now")
    }
}
