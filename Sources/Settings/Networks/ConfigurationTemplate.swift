/// The parts of the configuration that `scrollback init` prints which several networks have.
package enum ConfigurationTemplate {
    package static let attachments = """
        # The files to fetch with messages: "none" or "all". "scrollback attachments --fetch" fetches them at any time.
        # attachments = "none"

        # The size limit of files to fetch.
        # attachment_size_limit = "20MB"
        """

    package static let signOfLife = """
        # The interval at which the archiver records that the connection is alive. A crash can leave a gap this long.
        # sign_of_life_seconds = 10
        """

    /// - Parameter file: The file's name in the example.
    package static func authorities(_ file: String) -> String {
        """
        # For a server whose certificate no public authority has signed: a file with the certificates in PEM that sign
        # it.
        # ca_file = "\(file)"
        """
    }

    package static func buffer(_ bytes: Int = TableReader.usualBuffer) -> String {
        """
        # The limit of bytes that wait to be stored. At the limit, the archiver stops reading from the server.
        # buffer_bytes = \(bytes)
        """
    }
}

extension NetworkSettings {
    /// Returns the configuration that `scrollback init` prints.
    ///
    /// - Parameters:
    ///   - subject: The subject of the configuration, such as `an IRC network`.
    ///   - name: The account's name in the example.
    ///   - keys: The network's own keys.
    package static func makeTemplate(for subject: String, name: String, keys: String) -> String {
        """
        # A configuration for \(subject). Save it as scrollback.toml, fill in each BLANK, and try it:
        #
        #     scrollback config check
        #     scrollback listen
        #
        # A line such as "# key = value" shows the default or an example. Remove the "# " to set the key.

        # The data folder (default: scrollback in $XDG_DATA_HOME, or else in ~/.local/share). A relative path begins at this
        # file.
        # data = "~/.local/share/scrollback"

        [[account]]
        # A name of your choice. Commands take it, for example: scrollback history NAME/ROOM
        name = "\(name)"
        network = "\(network)"

        \(keys)
        """
    }
}

extension TableReader {
    /// 4 MiB.
    package static let usualBuffer = 4_194_304

    /// Reads `buffer_bytes`, the bytes that may wait to be stored before reading stops.
    mutating func bufferBytes(default usual: Int = TableReader.usualBuffer) -> Int {
        integer("buffer_bytes", in: 65_536...1_073_741_824, default: usual)
    }

    /// Reads `sign_of_life_seconds`.
    mutating func signOfLifeInterval() -> Duration {
        .seconds(integer("sign_of_life_seconds", in: 1...3600, default: 10))
    }
}
