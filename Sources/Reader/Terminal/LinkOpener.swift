import Glibc
import Rendering

/// Opens links in the person's browser.
enum LinkOpener {
    /// Opens a link with `BROWSER`, else with `xdg-open`.
    ///
    /// - Returns: False if there is no browser, as on a server that one has reached by SSH.
    static func open(_ link: String) -> Bool {
        guard getenv("SSH_CONNECTION") == nil else { return false }
        let chosen = getenv("BROWSER").map { String(cString: $0) } ?? ""
        guard !chosen.isEmpty || getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return false }
        // The link is an argument, so that no shell reads it.
        let script = "\(chosen.isEmpty ? "xdg-open" : chosen) \"$@\""
        return spawn(["/bin/sh", "-c", script, "open", link])
    }

    private static func spawn(_ words: [String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A browser writes to the terminal, which shows the screen.
        for (number, mode) in [(0, O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", mode, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, which Ctrl-Z and the end of the terminal do not reach.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var arguments = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var id: pid_t = 0
        return posix_spawn(&id, words[0], &actions, &attributes, &arguments, environ) == 0
    }
}
