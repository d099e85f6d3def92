/// An option of other programs that people try here, and what this program has instead.
struct OptionHabit {
    /// The options with their dashes: `--port`.
    let options: Set<String>
    /// The long option without dashes, or the argument such as `<room>`, which a command has if it follows the advice.
    let needs: String
    /// The advice, by the value that was given to the option; empty if there was none.
    let advice: @Sendable (String) -> String

    /// Returns the advice for an unknown option of a command; nil if the table has none.
    ///
    /// - Parameters:
    ///   - option: The option with its dashes.
    ///   - options: The long options that the command has, without dashes, and its arguments, such as `<room>`.
    ///   - words: The words of the command line, in which the option's value is looked up.
    static func advice(for option: String, among options: [String], words: [String]) -> String? {
        table.first { $0.options.contains(option) && options.contains($0.needs) }?
            .advice(value(of: option, in: words))
    }

    private static func value(of option: String, in words: [String]) -> String {
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            if word == option { return next.hasPrefix("-") ? "" : next }
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
        }
        return ""
    }

    private init(_ options: Set<String>, needs: String, _ advice: @escaping @Sendable (String) -> String) {
        (self.options, self.needs, self.advice) = (options, needs, advice)
    }

    private init(_ options: Set<String>, needs: String, _ advice: String) {
        self.init(options, needs: needs) { _ in advice }
    }

    /// The first entry of an option that the command can use holds.
    static let table: [OptionHabit] = [
        OptionHabit(["--port", "-p"], needs: "listen") { value in
            "the address is --listen HOST:PORT, such as --listen 127.0.0.1:\(UInt16(value) ?? 8080)"
        },
        OptionHabit(["--host", "--bind", "--address", "--addr", "--ip"], needs: "listen") { value in
            "the address is --listen HOST:PORT, such as --listen \(isHost(value) ? value : "127.0.0.1"):8042"
        },
        OptionHabit(["--from", "--user", "--author", "--sender", "--nick"], needs: "regex") { value in
            "for a sender, add a word such as from:\(isWord(value) ? value : "alice")"
        },
        OptionHabit(["--room", "--channel", "--chat"], needs: "regex") { value in
            "for a room, add a word such as in:\(isWord(value) ? value : "lobby")"
        },
        OptionHabit(
            ["--ignore-case", "--case-insensitive"], needs: "regex",
            "words match in any case; --regex does after (?i), such as --regex '(?i)error'"),
        OptionHabit(["--room", "--channel", "--chat"], needs: "<room>", "the room is a word without an option"),
        OptionHabit(["--channel", "--chat"], needs: "room", "the room is --room NAME"),
        OptionHabit(["--start", "--begin", "--from"], needs: "after", "the earliest time is --after TIME"),
        OptionHabit(["--end", "--stop", "--to"], needs: "before", "the latest time is --before TIME"),
        OptionHabit(
            ["--lines", "--max", "--max-count", "--number", "--num", "--count", "--head", "--tail"], needs: "limit",
            "the number is -n NUMBER"),
        OptionHabit(["--json", "--jsonl", "--csv", "--output-format"], needs: "format") { _ in
            "the format is --format, such as --format jsonl"
        },
        OptionHabit(
            ["--data-dir", "--datadir", "--dir", "--db", "--database"], needs: "data",
            "the data folder is --data FOLDER"),
        OptionHabit(["--conf", "--configuration"], needs: "config", "the configuration file is --config FILE"),
        OptionHabit(["--verbose", "-v", "--debug"], needs: "log-level", "to log more: --log-level debug"),
        OptionHabit(["--quiet", "-q"], needs: "log-level", "to log less: --log-level error"),
        OptionHabit(["--tz", "--zone"], needs: "timezone", "the zone is --timezone, such as --timezone Europe/Berlin"),
        OptionHabit(
            ["--timezone", "--tz", "--zone"], needs: "utc",
            "the zone is that of TZ in the environment, or UTC with --utc"),
        OptionHabit(
            ["--no-color", "--no-colour", "--colour"], needs: "color", "the colours are --color auto, always or never"),
        OptionHabit(["--yes", "--force", "-y"], needs: "execute", "the command does it with --execute"),
        OptionHabit(["--dry-run"], needs: "execute", "the command only lists it without --execute"),
    ]

    /// Returns true for a name or an IPv4 address of a host.
    private static func isHost(_ text: String) -> Bool { isWord(text) && text.allSatisfy { $0.isASCII && $0 != "#" } }

    /// Returns true for a name that can stand within a word of an example without quotes.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || ".-_#".contains($0) }
    }
}
