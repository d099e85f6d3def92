import FoundationEssentials
import Glibc
import Rendering
package import Settings

/// The temporary folder of the demonstration, which only its owner can read.
package struct DemoFolder {
    package let path: String

    /// Creates the folder; ``remove()`` removes it.
    ///
    /// - Throws: ``DemoError`` with the code `temporaryFolder`.
    package init() throws(DemoError) {
        let parent = FileManager.default.temporaryDirectory.path
        // mkdtemp(3) creates the folder with mode 0700, under a name that is not in use.
        var template = Array("\(parent)/scrollback-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw DemoError(
                .temporaryFolder,
                "no temporary folder in \(Sanitizer.line(parent)): \(String(cString: strerror(errno)))",
                hint: "choose another folder with TMPDIR")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes the folder and everything in it. Ignores failures.
    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes the output of `scrollback init streamchat` with its blanks filled, and reads it as `listen` does.
    ///
    /// The demonstration ends each message with a line feed. So no message merges with the next on a slow machine, and
    /// people who join with `nc` see one message a line.
    package func configuration(port: Int) throws -> Configuration {
        let file = path + "/scrollback.toml"
        let text = (KnownNetworks.template(network: "streamchat") ?? "")
            .replacing("# data = \"~/.local/share/scrollback\"", with: "data = \"scrollback-data\"")
            .replacing("server = \"\"", with: "server = \"tcp://127.0.0.1:\(port)\"")
            .replacing("nick = \"\"", with: "nick = \"archiver\"")
            .replacing("# framing = \"chunk\"", with: "framing = \"lf\"")
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return try Configuration(try ConfigurationFile.read(file), home: path)
    }
}
