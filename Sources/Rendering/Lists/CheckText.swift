package import ChatModel

/// The result of checking an account, in words.
package struct CheckText {
    package let style: Style

    package init(style: Style) {
        self.style = style
    }

    /// Returns lines such as `classroom: fine (1,203 messages, 23 checks)`, or the problems with advice.
    package func text(_ check: AccountCheck) -> String {
        let name = Sanitizer.line(check.account ?? check.folder)
        return "\(name): \(summary(check))\n" + check.problems.indices.map { problem($0, of: check.problems) }.joined()
    }

    private func summary(_ check: AccountCheck) -> String {
        let messages = check.messages.map { counted($0, "message") + ", " } ?? ""
        let encrypted = check.isEncrypted ? "encrypted, as written; " : ""
        let made = "(\(encrypted)\(messages)\(counted(Int64(check.checks), "check")))"
        return switch check.state {
        case .fine: "fine \(made)"
        case .wrong: style.warning("wrong") + " \(made)"
        case .unchecked: style.warning("not checked") + " \(made)"
        }
    }

    /// Returns the line of a problem. Problems with the same advice share one line of it, after the last of them.
    private func problem(_ index: Int, of problems: [AccountCheck.Problem]) -> String {
        let problem = problems[index]
        let line = "  \(problem.check): \(Sanitizer.line(problem.detail))\n"
        let isLast = index + 1 == problems.count || problems[index + 1].advice != problem.advice
        return line + (isLast ? "    what to do: \(Sanitizer.line(problem.advice))\n" : "")
    }

    private func counted(_ count: Int64, _ noun: String) -> String {
        "\(Self.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// Returns a number such as `1,203`.
    private static func grouped(_ number: Int64) -> String {
        let digits = Array(String(number))
        return digits.indices.map { index in
            let isThousands = index > 0 && (digits.count - index) % 3 == 0 && digits[index - 1] != "-"
            return (isThousands ? "," : "") + String(digits[index])
        }.joined()
    }
}

extension AccountCheck {
    /// The keys for machines; ``CheckText`` serves people.
    package static let listing = Listing<AccountCheck>(
        name: "accounts", columns: [],
        keys: ["account", "folder", "state", "messages", "checks", "encrypted", "problems"],
        json: { JSONValue($0) })
}

extension AccountCheck: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "account": JSONValue(account),
            "folder": .string(folder),
            "state": .string(state.rawValue),
            "messages": messages.map(JSONValue.number) ?? .null,
            "checks": .number(Int64(checks)),
            "encrypted": .bool(isEncrypted),
            "problems": .array(problems.map(\.jsonValue)),
        ])
    }
}

extension AccountCheck.Problem {
    fileprivate var jsonValue: JSONValue {
        .object([
            "check": .string(check),
            "detail": .string(detail),
            "advice": .string(advice),
        ])
    }
}
