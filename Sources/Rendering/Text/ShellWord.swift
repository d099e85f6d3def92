/// A word of a shell's command line, with its quotes and backslashes.
package enum ShellWord {
    /// Returns the word that the command would receive. `~` becomes `home`; variables stay unchanged.
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

    /// Returns the text in single quotes, which every shell reads as that text.
    package static func quoted(_ text: String) -> String {
        "'" + text.replacingScalar("'", with: "'\\''") + "'"
    }
}
