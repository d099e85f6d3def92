import Glibc
import Options
import Rendering
import SQLQueries

/// The statement of `scrollback sql`, as an argument or on standard input.
enum SQLInput {
    /// Returns the statement.
    ///
    /// - Parameter argument: `-` or nil for standard input.
    /// - Throws: ``ValidationError`` if there is none; ``CommandError`` if the input can't be read.
    static func statement(_ argument: String?) throws -> String {
        let missing = "give a statement, such as \"SELECT * FROM rooms\"; --schema lists the views"
        if argument == nil, isatty(STDIN_FILENO) == 1 { throw ValidationError(missing) }
        let text = if let argument, argument != "-" { argument } else { try standardInput() }
        guard text.contains(where: { !$0.isWhitespace }) else { throw ValidationError(missing) }
        return text
    }

    /// More is an error of the statement, so the rest is not read.
    private static let maximum = SQLQuery.maximumStatement + 1

    private static func standardInput() throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < maximum {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandError(
                    .input, "can't read standard input: \(String(cString: strerror(errno)))",
                    hint: "give the statement as an argument")
            }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.input, "the statement on standard input is not UTF-8", hint: "convert it with iconv")
        }
        return text
    }
}
