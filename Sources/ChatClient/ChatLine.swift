/// A line typed on the terminal: a message, or a command that begins with `/`.
enum ChatLine: Sendable, Hashable {
    case message(String)
    case quit
    case help
    /// A line that begins like a command but is not one; the reason explains how to send it.
    case refused(String)

    /// The commands, a line each, for people.
    static let helpText = """
        /help      Show this list.
        /me TEXT   Send *TEXT*: what you do, such as *waves*.
        /quit      Leave, as Ctrl-D and Ctrl-C do.
        //TEXT     Send /TEXT.

        """

    init(_ line: String) {
        guard line.hasPrefix("/") else {
            self = .message(line)
            return
        }
        guard !line.hasPrefix("//") else {
            self = .message(String(line.dropFirst()))
            return
        }
        let word = line.prefix { $0 != " " }
        let rest = line.dropFirst(word.count).drop { $0 == " " }
        switch word.lowercased() {
        case "/quit": self = .quit
        case "/help": self = .help
        case "/me": self = rest.isEmpty ? .refused("/me needs a text") : .message("*\(rest)*")
        default:
            self = .refused("no command \(word); /help lists the commands; to send the line, begin it with //")
        }
    }
}
