/// A mistake in the values of a command line, which is shown with the command's usage.
package struct ValidationError: Error, Hashable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}

/// The end of the program without further words.
package struct ExitCode: Error, Hashable {
    package let rawValue: Int32

    package init(_ rawValue: Int32) { self.rawValue = rawValue }

    package static let success = ExitCode(0)
    package static let failure = ExitCode(1)
    /// EX_USAGE of sysexits.h.
    package static let validationFailure = ExitCode(64)
}

/// The end of the program with a text that was asked for.
package enum CleanExit: Error, Hashable {
    case helpRequest
    case message(String)
}

/// Words that are not a command line of the program.
package struct CommandLineError: Error, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// An option with its dashes and without its value.
        case unknownOption(String)
        /// A word where a command must be.
        case unknownCommand(String)
        case unexpected([String])
        /// The parameter as usage shows it.
        case missing(String)
        case missingValue(String)
        case needlessValue(option: String, value: String)
        /// A value, the parameter as usage shows it, and advice, which may be empty.
        case invalid(value: String, String, advice: String)
        case unknownShell(String)
    }

    package let reason: Reason
    /// The parameter's own line of help; empty if the error is about none.
    package var help = ""

    package var description: String {
        switch reason {
        case .unknownOption(let option): "unknown option '\(option)'"
        case .unknownCommand(let command): "no command \"\(command)\""
        case .unexpected(let words) where words.count == 1: "unexpected argument '\(words[0])'"
        case .unexpected(let words): "\(words.count) unexpected arguments: '\(words.joined(separator: "', '"))'"
        case .missing(let parameter): "missing expected argument '\(parameter)'"
        case .missingValue(let parameter): "missing value for '\(parameter)'"
        case .needlessValue(let option, let value): "the option '\(option)' takes no value, not '\(value)'"
        case .invalid(let value, let parameter, let advice):
            "the value '\(value)' is invalid for '\(parameter)'" + (advice.isEmpty ? "" : ": \(advice)")
        case .unknownShell(let shell): "no completions for the shell \"\(shell)\"; use bash, zsh or fish"
        }
    }
}
