import Rendering

/// The first page of an archive without rooms: the ways to fill it.
enum EmptyArchivePage {
    /// - Parameter folder: The data folder that the server reads; nil for a reader who is not its owner.
    static func html(folder: String?) -> HTML {
        guard let folder else { return forReaders }
        let data = HTMLText.line(NextCommand.word(folder))
        let content: HTML = """
            <main class="notice" id="main">
            <h2 class="page-title">This archive is empty</h2>
            <p>Fill it in one of three ways, then reload this page.</p>
            <ul class="ways">
            <li><h3>Import files that you have</h3>
            <p>Logs of IRC clients, and exports of Discord, Slack, Telegram, WhatsApp and others. Scrollback recognises the format.</p>
            <pre>scrollback import ~/logs -a old --data \(data)</pre></li>
            <li><h3>Listen on IRC from now on</h3>
            <p>The first command asks for the network and writes a configuration. The second one archives what is said.</p>
            <pre>scrollback init
            scrollback listen --data \(data)</pre></li>
            <li><h3>See it work first</h3>
            <p>Shows a room in which invented people talk, and the commands that read it. It needs no network and leaves nothing behind.</p>
            <pre>scrollback demo</pre></li>
            </ul>
            </main>

            """
        return PageFrame(title: "Rooms").page(content)
    }

    private static let forReaders = PageFrame(title: "Rooms").page(
        """
        <main class="notice" id="main">
        <h2 class="page-title">There are no rooms for you</h2>
        <p>Ask the person who runs this server for access.</p>
        </main>

        """)
}
