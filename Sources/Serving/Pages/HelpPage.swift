import Rendering

/// The keys of the pages, and the query language in short.
enum HelpPage {
    static var html: HTML {
        PageFrame(title: "Help").page(
            """
            <main id="main" class="notice">
            <h2 class="page-title">Keys</h2>
            <dl class="keys">
            \(keys)</dl>
            \(syntax)</main>

            """)
    }

    private static let keys = [
        ("/", "search"), ("r", "go to another room"), ("j k", "next, previous message"),
        ("n N", "next, previous hit of a search"),
        ("[ ]", "previous, next day with messages"), ("g", "go to a date"), ("G", "go to the newest message"),
        ("Enter", "open the message"), ("?", "list the keys"),
    ].map { keys, words -> HTML in
        "<dt>\(keys.split(separator: " ").map { "<kbd>\($0)</kbd>" as HTML }.joined(separator: " "))</dt><dd>\(words)</dd>\n"
    }.joined()

    /// The query language, as `docs/search.md` explains it.
    static let syntax: HTML = """
        <section class="part">
        <h2>What a search can say</h2>
        <table class="words">
        <thead><tr><th scope="col">Write</th><th scope="col">to find messages</th></tr></thead>
        <tbody>
        \(rows)</tbody>
        </table>
        </section>

        """

    private static let rows = [
        ("server down", "with both words, anywhere"),
        ("\"server down\"", "with these words one after the other"),
        ("down OR slow", "with either word"),
        ("-bot", "without the word; also -\"a phrase\" and -from:bot"),
        ("(server down) OR slow", "with all words in the parentheses, or the other word"),
        ("serv*  *boot*", "with a word that begins so, that contains this"),
        ("from:alice", "from alice, under any name she had"),
        ("in:#example", "in this room"),
        ("has:link  has:file", "with a link, with a file"),
        ("has:image  has:video  has:audio", "with a file of that kind"),
        ("has:reaction  is:reply  is:pinned", "with a reaction, that answer another, that are pinned"),
        ("is:edited  is:deleted  is:topic", "that were edited, that were deleted, that set a topic"),
        ("after:2024-05", "from that time on; also before:2024 and on:2024-05-17"),
    ].map { query, words -> HTML in
        "<tr><td><code>\(query)</code></td><td>\(words)</td></tr>\n"
    }.joined()
}
