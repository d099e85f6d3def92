import Foundation

/// A terminal of a fixed size with a program in it. It is a tmux on its own socket, which reports the visible text.
///
///     @Test(.enabled(if: Screen.isAvailable, "needs tmux"))
package struct Screen: Sendable {
    package static let isAvailable = Tool.find("tmux") != nil

    /// A place on the screen, in cells from the upper left corner, which is (0, 0).
    package struct Place: Sendable, Hashable {
        package var column: Int
        package var row: Int

        package init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }
    }

    private let tmux: Tool
    private let environment: [String: String]
    private let status: String
    /// Its home lasts as long as the screen.
    private let program: Program
    /// The tmux server, which ends with the value and ends its program.
    private let server: Run

    /// Runs a shell command on a new screen, which shows the command's output also after its end.
    ///
    /// - Parameter program: The program whose home and environment the command gets. Its path is in `$scrollback`.
    package init(_ command: String, for program: Program, columns: Int, rows: Int = 50) async throws {
        guard let tmux = Tool.find("tmux") else { throw WaitedInVain(description: "no tmux") }
        // The socket is not in the program's home, because its path has at most 108 bytes (unix(7)).
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/runs", withIntermediateDirectories: false)
        let own = ["TMUX_TMPDIR": folder.path, "LC_ALL": "C.UTF-8", "scrollback": Program.path]
        (self.tmux, self.program) = (tmux, program)
        status = folder.path + "/status"
        environment = program.environment.merging(own) { $1 }
        // The threads of Swift's tasks have signals blocked, which programs inherit; `env` unblocks them.
        server = try Run(
            ["/usr/bin/env", "--default-signal", tmux.path, "-D", "-f", "/dev/null"],
            environment: environment.merging(tmux.environment) { $1 },
            workingFolder: program.home, folder: folder)
        try await eventually("tmux") { try? await run(["set", "-g", "mode-keys", "vi"]) }
        // The variables that only tmux may need are removed for the command.
        let shell = "unset LD_LIBRARY_PATH\n\(command)\necho $? > \"$TMUX_TMPDIR\"/status; exec sleep infinity"
        try await run([
            "new-session", "-d", "-c", program.home, "-x", String(columns), "-y", String(rows), "/bin/bash", "-c",
            shell,
        ])
    }

    /// Returns the lines on the screen, from top to bottom, without spaces at the end of lines and empty lines at the
    /// end of the screen.
    package func lines() async throws -> [String] {
        try await run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init).reversed().drop(while: \.isEmpty).reversed()
    }

    /// Returns the text of the screen with escape sequences for its colours.
    package func coloredText() async throws -> String {
        try await run(["capture-pane", "-p", "-e"])
    }

    /// Returns true if a line was longer than the screen is wide, so that the terminal broke it.
    package func hasBrokenLines() async throws -> Bool {
        let joined = try await run(["capture-pane", "-p", "-J"])
        return try await run(["capture-pane", "-p"]).count(where: \.isNewline) != joined.count(where: \.isNewline)
    }

    package func type(_ keys: String...) async throws {
        try await run(["send-keys"] + keys)
    }

    /// Changes the size of the screen.
    package func resize(columns: Int, rows: Int) async throws {
        try await run(["resize-window", "-x", String(columns), "-y", String(rows)])
    }

    /// Waits until these words are on the screen.
    package func shows(_ words: String) async throws {
        try await eventually("\"\(words)\" on the screen") {
            let text = try await lines().joined(separator: "\n")
            return text.contains(words) ? true : nil
        }
    }

    /// Waits for the end of the command.
    ///
    /// - Returns: The command's status.
    package func ended() async throws -> Int {
        try await eventually("the end of the command") {
            let text = FileManager.default.contents(atPath: status).map { String(decoding: $0, as: UTF8.self) }
            return text?.hasSuffix("\n") == true ? text.flatMap { Int($0.dropLast()) } : nil
        }
    }

    /// Returns the places of a text without spaces, by tmux's own count of cells; at most 100.
    package func places(of text: String) async throws -> [Place] {
        let next = [";", "send-keys", "-X", "search-forward-text", text, ";", "display", "-p", Self.foundFormat]
        let answer = try await run(
            ["copy-mode", ";", "send-keys", "-X", "history-top", ";", "send-keys", "-X", "start-of-line"]
                + (0..<100).flatMap { _ in next } + [";", "send-keys", "-X", "cancel"])
        var places: [Place] = []
        for line in answer.split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3, numbers[0] == 1 else { break }
            let place = Place(column: numbers[1], row: numbers[2])
            // The search has started again at the top.
            guard place != places.first else { break }
            places.append(place)
        }
        return places
    }

    private static let foundFormat = "#{search_present} #{copy_cursor_x} #{copy_cursor_y}"

    @discardableResult
    private func run(_ arguments: [String]) async throws -> String {
        let result = try await tmux.run(["-N", "-f", "/dev/null"] + arguments, environment: environment)
        guard result.status == 0 else { throw WaitedInVain(description: "tmux \(arguments): \(result.errors)") }
        return result.output
    }
}
