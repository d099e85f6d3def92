import Testing

@testable import Options

/// The candidates for a command line that is being typed.
struct CompletionRequestTests {
    private func request(_ words: [String], shell: String = "zsh") throws -> CompletionRequest {
        try #require(
            CompletionRequest(HouseCommand.self, [CompletionRequest.word, shell, "house"] + words) { $1 })
    }

    private func answer(_ words: [String], names: [String] = []) throws -> [String] {
        try request(words).answer(names).split(separator: "\n").map(String.init)
    }

    @Test func `commands are offered with their descriptions`() throws {
        #expect(
            try answer([""]) == [
                "words", "store\tKeep things.", "paint\tPaint walls.", "build\tBuild a wall.", "find\tFind things.",
                "help\tShow the help of a command.",
            ])
        #expect(try answer(["help", "store", ""]) == ["words", "add\tAdd a thing.", "list\tList the things."])
        #expect(try answer(["store", "l"]).contains("list\tList the things."))
    }

    @Test func `bash gets the words with the typed beginning, without descriptions`() throws {
        #expect(try request(["p"], shell: "bash").answer([]) == "words\npaint\n")
        #expect(try request(["paint", "--c"], shell: "bash").answer([]) == "words\n--color\n--coats\n--config\n")
    }

    @Test func `options are offered until they are given, and repeatable ones always`() throws {
        let lines = try answer(["paint", "-w", "-a", "x", "hall", "-"])
        #expect(!lines.contains { $0.hasPrefix("--wet") || $0.hasPrefix("-w") })
        #expect(lines.contains("--helper\tA helper; may be repeated.") && lines.contains("--no-glossy\tShine."))
        #expect(lines.contains("--help\tShow help information."))
    }

    @Test(arguments: [["paint", "--color", ""], ["paint", "-c", "r"], ["paint", "--color", "="]])
    func `the values of an option are offered after it`(words: [String]) throws {
        #expect(try answer(words) == ["words", "red", "green", "blue"])
    }

    @Test func `the values of an option are offered after its equals sign`() throws {
        #expect(try answer(["paint", "--color=r"]) == ["words", "--color=red", "--color=green", "--color=blue"])
    }

    @Test func `rooms and accounts are completed from the archive`() throws {
        let room = try request(["paint", "-w", "ha"])
        #expect(room.wanted == .rooms && room.typedName == "ha")
        #expect(room.answer(["hall"]) == "words\nhall\n")
        #expect(try request(["paint", "--between", "1", "2", ""]).wanted == .rooms)
        #expect(try request(["paint", "--", "-"]).wanted == .rooms)
        let account = try request(["paint", "--helper=w"])
        #expect(account.wanted == .accounts && account.typedName == "w")
        #expect(account.answer(["work"]) == "words\n--helper=work\n")
        #expect(try request(["find", "-a", ""]).wanted == .none)
    }

    @Test func `files and folders are completed by the shell`() throws {
        #expect(try answer(["paint", "--data", ""]) == ["folders"])
        #expect(try answer(["paint", "--config", "x"]) == ["files toml"])
    }

    @Test func `nothing is offered where nothing can follow`() throws {
        #expect(try answer(["store", "list", "x"]) == ["words"])
        #expect(try answer(["find", "--limit", ""]) == ["words"])
    }

    @Test func `the value of an option is found in any split of the words`() throws {
        func data(_ words: [String]) throws -> String? { try request(words + [""]).value(of: "--data") }
        #expect(try data(["paint", "--data", "x", "lo"]) == "x")
        #expect(try data(["paint", "--data=a b", "--data", "=", "y"]) == "y")
        #expect(try data(["paint", "--data"]) == nil)
        #expect(try data([]) == nil)
    }

    @Test func `the accounts in the words are found`() throws {
        func accounts(_ words: [String]) throws -> [String] { try request(words + [""]).accounts }
        #expect(try accounts(["paint", "hall", "-a", "x", "--helper=y", "--between", "1", "2", "den"]) == ["x", "y"])
        #expect(try accounts(["store", "add", "thing"]) == [])
    }

    @Test(arguments: [["---completion"], ["---completion", "tcsh", "house", ""], ["paint"], []])
    func `other words are not a request for completion`(words: [String]) {
        #expect(CompletionRequest(HouseCommand.self, words) { $1 } == nil)
    }

    @Test func `each known shell has a script`() throws {
        #expect(try CompletionShell.script(for: ["--generate-completion-script", "fish"])?.isEmpty == false)
        #expect(try CompletionShell.script(for: ["--generate-completion-script=bash"])?.isEmpty == false)
        #expect(try CompletionShell.script(for: ["paint"]) == nil)
        #expect(throws: CommandLineError.self) { try CompletionShell.script(for: ["--generate-completion-script"]) }
    }
}
