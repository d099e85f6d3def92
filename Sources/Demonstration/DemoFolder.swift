import Foundation
import Rendering
package import Service

/// Where the demonstration keeps all that it makes: its owner's alone, and gone with it.
package struct DemoFolder {
    package let path: String

    package init() throws(DemoError) {
        let parent = FileManager.default.temporaryDirectory.path
        // mkdtemp(3) makes it 0700, under a name that nobody has.
        var template = Array("\(parent)/scrollback-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw DemoError(
                .temporaryFolder,
                "no temporary folder in \(Sanitizer.line(parent)): \(String(cString: strerror(errno)))",
                hint: "TMPDIR names another place")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// What `scrollback init streamchat` prints, its blanks filled, in a file; read back as `listen` would.
    ///
    /// The demonstration ends each message with a line feed: then no message can run into the next, however slow the
    /// machine, and whoever joins with `nc` sees a line each.
    package func configuration(port: Int) throws -> Configuration {
        let file = path + "/scrollback.toml"
        let text = (KnownNetworks.template(network: "streamchat") ?? "")
            .replacing("server = \"\"", with: "server = \"tcp://127.0.0.1:\(port)\"")
            .replacing("nick = \"\"", with: "nick = \"archiver\"")
            .replacing("# framing = \"chunk\"", with: "framing = \"lf\"")
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return try Configuration(try ConfigurationFile.read(file), home: path)
    }
}
