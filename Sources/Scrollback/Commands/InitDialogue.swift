import Files
import Glibc
import Rendering
import Settings

/// The questions of `init` on a terminal.
struct InitDialogue {
    /// The error of a question after the end of stdin.
    private struct Ended: Error {}

    private let home: String
    /// The secrets to write beside the configuration, by the names of their files.
    private var secrets: [(file: String, secret: String)] = []

    init(home: String) {
        self.home = home
    }

    /// Asks, and writes the configuration where the person says.
    ///
    /// - Parameter network: The network; nil to ask for it.
    mutating func run(network: String?) throws {
        let names = KnownNetworks.names.joined(separator: ", ")
        StandardStream.note("Nothing is written before the last question. Ctrl-C ends.\n")
        do {
            let network = try network ?? answer("Network (\(names))") { KnownNetworks.names.contains($0) ? nil : names }
            guard var setup = ConfigurationSetup(network: network) else { throw InitCommand.unknown(network) }
            try fill(SetupQuestion(key: "name", words: "Your name for the account [\(setup.name)]"), in: &setup)
            for question in setup.questions where question.isAsked(setup) { try fill(question, in: &setup) }
            try write(setup.text)
        } catch is Ended {
            StandardStream.note("\n")
            throw CommandError(.stopped, "nothing was written", hint: nil)
        }
    }

    private mutating func fill(_ question: SetupQuestion, in setup: inout ConfigurationSetup) throws {
        if case .secret(let isRequired) = question.kind {
            return try fillSecret(question, isRequired: isRequired, in: &setup)
        }
        if case .confirmation = question.kind {
            if TerminalPrompt.confirm(question.words) { setAlso(question, in: &setup) }
            return
        }
        while true {
            guard let text = TerminalPrompt.ask(question.words) else { throw Ended() }
            if !text.isEmpty || question.key != "name" {
                if case .list = question.kind {
                    fillList(question, with: text, in: &setup)
                } else {
                    setup.set(question.key, to: text)
                }
            }
            guard let problem = setup.problem(with: question.key, home: home) else { return }
            StandardStream.note("  \(Sanitizer.line(problem))\n")
        }
    }

    /// Sets a list. The word `*` sets another key instead, if the question has one.
    private func fillList(_ question: SetupQuestion, with text: String, in setup: inout ConfigurationSetup) {
        var words = Self.words(of: text, question)
        if question.also != nil, words.contains("*") {
            words.removeAll { $0 == "*" }
            setAlso(question, in: &setup)
        }
        setup.set(question.key, to: words)
    }

    private func setAlso(_ question: SetupQuestion, in setup: inout ConfigurationSetup) {
        guard let also = question.also else { return }
        setup.set(also.key, to: also.value)
        if let note = question.note { StandardStream.note("\(note(setup))\n") }
    }

    /// Returns the words of a list. Asks about each word that probably means another one.
    private static func words(of text: String, _ question: SetupQuestion) -> [String] {
        text.split { $0 == " " || $0 == "," }.map(String.init).map { word in
            guard let meant = question.meant(word),
                TerminalPrompt.confirm("  \(Sanitizer.line(word)): did you mean \(Sanitizer.line(meant))?")
            else { return word }
            return meant
        }
    }

    private mutating func fillSecret(
        _ question: SetupQuestion, isRequired: Bool, in setup: inout ConfigurationSetup
    ) throws {
        StandardStream.note(
            """
            \(question.words): where is it kept?
              f  in a file that only you can read: type it now, and the file is written
              e  in an environment variable, which you set: type its name
            \(isRequired ? "" : "  n  nowhere: there is none\n")
            """)
        let choices = isRequired ? "f or e" : "f, e or n"
        let way = try answer("Choose \(choices)" + (isRequired ? "" : " [n]")) {
            ["f", "e"].contains($0) || !isRequired && ["n", ""].contains($0) ? nil : choices
        }
        switch way {
        case "f":
            guard let secret = TerminalPrompt.askHidden("\(question.words) (not shown)") else { throw Ended() }
            let file = "\(setup.name.replacing("/", with: "-")).\(question.key)"
            secrets.append((file, secret))
            setup.set(secret: question.key, file: file)
        case "e":
            setup.set(
                secret: question.key, variable: try answer("Name of the variable") { $0.isEmpty ? "a name" : nil })
        default:
            return setup.set(secret: question.key)
        }
        setAlso(question, in: &setup)
    }

    private func write(_ text: String) throws {
        while true {
            guard let answer = TerminalPrompt.ask("Write it to (-: only show it) [scrollback.toml]") else {
                throw Ended()
            }
            if answer == "-" { return try StandardStream.output.write(text) }
            let path = answer.isEmpty ? "scrollback.toml" : ConfigurationFile.resolve(answer, beside: "", home: home)
            let folder = path.parentFolder
            guard folder.isEmpty || access(folder, F_OK) == 0 else {
                StandardStream.note("  no such folder: \(Sanitizer.line(folder)); create it, or choose another\n")
                continue
            }
            let files =
                secrets.map { (folder.isEmpty ? $0.file : folder + "/" + $0.file, $0.secret + "\n") } + [(path, text)]
            if let there = files.first(where: { access($0.0, F_OK) == 0 }) {
                StandardStream.note("  \(Sanitizer.line(there.0)) exists; choose another file or folder\n")
                continue
            }
            do {
                try Self.create(files)
            } catch let error as ServiceError {
                StandardStream.note("  \(error.description)\n")
                continue
            }
            let option = answer.isEmpty ? "" : " --config \(Sanitizer.line(path))"
            return StandardStream.note(
                """
                wrote \(Sanitizer.line(files.map(\.0).joined(separator: ", ")))
                next: scrollback config check\(option); scrollback listen\(option)\n
                """)
        }
    }

    /// Creates all files, or none.
    private static func create(_ files: [(String, String)]) throws {
        for (index, (path, content)) in files.enumerated() {
            do {
                try create(path, content)
            } catch {
                for (made, _) in files[..<index] { unlink(made) }
                throw error
            }
        }
    }

    /// Creates a file that only its owner can read.
    private static func create(_ path: String, _ content: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ServiceError(
                .notPermitted, "can't create \(Sanitizer.line(path)): \(String(cString: strerror(errno)))",
                hint: "check the owner and mode of its folder")
        }
        defer { close(descriptor) }
        try FileDescriptorWriter(descriptor: descriptor).write(content)
    }

    /// Asks until the answer is right.
    ///
    /// - Parameter expected: Returns what is expected instead of a wrong answer.
    private func answer(_ words: String, _ expected: (String) -> String?) throws -> String {
        while true {
            guard let text = TerminalPrompt.ask(words) else { throw Ended() }
            guard let expected = expected(text) else { return text }
            StandardStream.note("  expected \(expected)\n")
        }
    }
}
