/// A word of a command line as its shell has it, quotes and backslashes included.
package enum ShellWord {
    /// The word that the command would get. Variables stay as they are; `~` is `home`.
    package static func text(_ word: String, home: String) -> String {
        let isHome = word == "~" || word.hasPrefix("~/")
        return (isHome ? home : "") + unquoted(isHome ? word.dropFirst() : word[...])
    }

    private static func unquoted(_ word: Substring) -> String {
        var result = String.UnicodeScalarView()
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in word.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                result.append(scalar)
                isEscaped = false
            case "\\" where quote != "'":
                isEscaped = true
            case "'" where quote == nil, "\"" where quote == nil:
                quote = scalar
            case _ where scalar == quote:
                quote = nil
            default:
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// One that every shell reads as the text.
    package static func quoted(_ text: String) -> String {
        "'" + text.replacingScalar("'", with: "'\\''") + "'"
    }
}
