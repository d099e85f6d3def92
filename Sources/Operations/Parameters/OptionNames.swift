/// The options that texts of errors name, for interfaces that have parameters.
package enum OptionNames {
    /// Returns the text with parameters in place of options: `after` for `--after`, and `account` for `-a`. Commands
    /// and text in double quotes stay as they are.
    ///
    /// - Parameter name: Returns the interface's name for a parameter.
    package static func replaced(in text: String, name: (String) -> String = { $0 }) -> String {
        text.replacing(/"[^"]*"|scrollback [^,;]*|--(?<long>[a-z][a-z-]*)|(?<before>^|\s)-a(?= )/) { match -> String in
            if let long = match.output.long { return name(String(long)) }
            if let before = match.output.before { return "\(before)\(name("account"))" }
            return String(match.output.0)
        }
    }
}
