/// The style of pages. Each page contains it, so that a single page is complete.
package enum HTMLStyle {
    /// The hash of ``sheet`` for the pages' policy. A browser applies no other style. A test computes the hash.
    package static let hash = "sha256-o/AO+bx5BkZZkXCkmirqzSnofZGb8owIlDbXLJWi9os="

    /// The hash of ``media`` for the policy of pages with files. A test computes the hash.
    package static let mediaHash = "sha256-kCKJMzGDxGPQBlwPy7XGbID9Ye5RX+eew+cnwDVnpAI="

    /// The colours of names, for light and dark. Each has a contrast of at least 4.5 to 1 to its background (WCAG 2.2
    /// §1.4.3), which a test computes.
    static let nameColors: [(light: String, dark: String)] = [
        ("#9b2c2c", "#f2a1a1"), ("#8a4b08", "#e8b06a"), ("#6b5b00", "#d6c35a"), ("#3f6212", "#a9cf72"),
        ("#13653f", "#7ad3a4"), ("#0f6468", "#6fd0d3"), ("#0b5f8a", "#7cc4ee"), ("#2f51b0", "#9db6f7"),
        ("#5a3fb0", "#bcaaf7"), ("#7d2f9c", "#d9a3ee"), ("#96286e", "#f09fcb"), ("#5c5048", "#cfc3b8"),
    ]
    /// The background of a page.
    package static let ground = (light: "#fcfbf8", dark: "#18191b")

    /// The style sheet of an exported page.
    package static let sheet = "\n" + messages + layout

    /// The style of messages, which exported pages and a server's pages share. Widths are in letters, each colour has a
    /// light and a dark value, and long texts wrap anywhere.
    package static let messages = """
        :root { color-scheme: light dark; --ground: \(ground.light); --text: #262521; --quiet: #6a675f; --line: #e5e2da;
          --soft: #f3f1ea; --link: #1b5a9c; --gap: #7a4a00; --gap-ground: #fdf3dc; \(colors(\.light)) }
        @media screen and (prefers-color-scheme: dark) {
        :root { --ground: \(ground.dark); --text: #dedcd6; --quiet: #9d9a92; --line: #323338; --soft: #212226;
          --link: #8fbcf3; --gap: #eec683; --gap-ground: #2e2717; \(colors(\.dark)) } }
        * { box-sizing: border-box; }
        html { font: 1rem/1.5 system-ui, sans-serif; background: var(--ground); color: var(--text);
          -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: from-font; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
        ol, ul { list-style: none; margin: 0; padding: 0; }
        li[id], span[id] { scroll-margin-top: 3.5rem; }
        .m { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); padding-top: .6rem; }
        .m.f { padding-top: .1rem; }
        .m > .t { padding-top: .15rem; }
        .t { color: var(--quiet); font-size: .8125rem; font-variant-numeric: tabular-nums; text-decoration: none; }
        .t:hover { text-decoration: underline; }
        .m:target, .q :target { background: var(--soft); box-shadow: 0 0 0 .35rem var(--soft); border-radius: .1rem; }
        .n { font-weight: 600; }
        \(names)
        .v { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .b { white-space: pre-wrap; unicode-bidi: plaintext; tab-size: 4; }
        div.b, div.a { overflow: clip; overflow-clip-margin: .5rem; }
        .p { margin: .25rem 0; padding: .5rem .75rem; background: var(--soft); border-radius: .375rem;
          font: .8125rem/1.5 ui-monospace, monospace; overflow: clip; }
        .b.l { max-height: 70vh; overflow: auto; border: 1px solid var(--line); border-radius: .375rem; padding: .5rem .75rem; }
        \(grounds)
        .sb { font-weight: 700; } .si { font-style: italic; } .su { text-decoration: underline; }
        .ss { text-decoration: line-through; } .su.ss { text-decoration: underline line-through; }
        .sm { font-family: ui-monospace, monospace; } .sv { background: var(--text); color: var(--ground); }
        del { text-decoration: none; color: var(--quiet); }
        .k { color: var(--quiet); font-size: .8125rem; font-style: normal; }
        .r { display: block; margin: .1rem 0; padding-left: .6rem; border-left: 3px solid var(--line); color: var(--quiet);
          font-size: .875rem; text-decoration: none; }
        a.r:hover { text-decoration: underline; }
        .x, .e { display: flex; flex-wrap: wrap; gap: .3rem; margin: .25rem 0; font-size: .875rem; }
        .x li, .e li { max-width: 100%; padding: .05rem .55rem; border: 1px solid var(--line); border-radius: .375rem; color: var(--quiet); }
        .e li { border-radius: 1rem; background: var(--soft); }
        .e bdi:first-child { color: var(--text); }
        .q { padding: .6rem 0 0 3.5rem; color: var(--quiet); font-size: .875rem; }
        .q > span, .q details > span { display: inline-block; margin-right: .9rem; }
        .q .n { font-weight: 400; color: inherit; }
        summary { cursor: pointer; }
        .g { margin: .75rem 0 .25rem; padding: .5rem .75rem; border-radius: .375rem; background: var(--gap-ground); color: var(--gap); font-size: .875rem; }
        .g .k { color: inherit; font-weight: 600; }
        @media (max-width: 30rem) {
        .m { grid-template-columns: 3rem minmax(0, 1fr); }
        .q { padding-left: 3rem; } }
        @media print { .b.l { max-height: none; } }

        """

    /// The style of pictures, videos and sounds, which a server's pages have, too, and of a document of several rooms. An
    /// exported page has it only if it may have such parts, so that other exports stay the same.
    package static let media = """

        .pics { display: flex; flex-wrap: wrap; gap: .4rem; margin: .35rem 0 .2rem; }
        .pics img { display: block; height: 13rem; max-width: 100%; object-fit: scale-down; object-position: left center; border-radius: .45rem; }
        .pics video { display: block; height: 16rem; max-width: 100%; border-radius: .45rem; background: #000; }
        .pics audio { display: block; width: min(24rem, 100%); height: 3.25rem; }
        .pics figure { margin: 0; max-width: 100%; }
        .pics figcaption { color: var(--quiet); font-size: .75rem; }
        .face { width: 1.25rem; height: 1.25rem; margin-right: .35rem; border-radius: 50%; object-fit: cover; vertical-align: -.3rem; }
        .chat { margin: 2.5rem 0 0; font-size: 1.25rem; line-height: 1.35; }
        .toc nav { margin: .25rem 0 0; }
        @media print { .m, .pics img { break-inside: avoid; } .chat ~ .chat { break-before: page; } .toc { display: none; } }

        """

    /// The style of the parts around the messages of an exported page.
    private static let layout = """
        body { max-width: 52rem; margin: 0 auto; padding: 0 1.25rem 3rem; overflow-wrap: anywhere; }
        header { padding: 1.5rem 0 1rem; border-bottom: 1px solid var(--line); }
        footer { padding-top: 1rem; border-top: 1px solid var(--line); margin-top: 2rem; }
        header p, footer p { margin: .25rem 0 0; color: var(--quiet); font-size: .875rem; }
        nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem; }
        nav a { padding: .25rem 0; }
        h1 { margin: .75rem 0 0; font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; }
        h1 span { color: var(--quiet); font-weight: 400; white-space: nowrap; }
        section { margin-top: 1.5rem; }
        section h2 { position: sticky; top: 0; z-index: 1; margin: 0 0 .5rem; padding: .5rem 0; font-size: .875rem;
          font-weight: 600; color: var(--quiet); background: var(--ground); border-bottom: 1px solid var(--line); }
        .rooms > li { padding: 1rem 0; border-bottom: 1px solid var(--line); }
        .rooms h2 { margin: 0; font-size: 1.125rem; line-height: 1.35; }
        .rooms h2 a { text-decoration: none; }
        .rooms h2 a:hover { text-decoration: underline; }
        .rooms p, main > p, details { margin: .15rem 0; color: var(--quiet); font-size: .875rem; }
        main > p { margin-top: .75rem; }
        main > .g { color: var(--gap); padding: .5rem .75rem; }
        details li { padding: .1rem 0 .1rem 1rem; }
        .months { display: flex; flex-wrap: wrap; gap: .2rem 1.25rem; margin: .3rem 0; }
        main > .months { display: block; columns: 14rem; margin-top: 1rem; }
        .months small { color: var(--quiet); font-size: .8125rem; }
        @media (max-width: 30rem) { body { padding: 0 .875rem 2rem; } }
        @media print { section h2 { position: static; } nav { display: none; } }

        """

    private static func colors(_ scheme: KeyPath<(light: String, dark: String), String>) -> String {
        nameColors.enumerated().map { "--c\($0): \($1[keyPath: scheme]);" }.joined(separator: " ")
    }

    private static var names: String {
        nameColors.indices.map { ".c\($0) { color: var(--c\($0)); }" }.joined(separator: "\n")
    }

    // MARK: Styles of IRC

    /// Returns the CSS classes of a style. Its colours are those of names, which are readable in light and dark.
    static func classes(of style: TextStyle) -> [String] {
        let switches = [
            ("sb", style.isBold), ("si", style.isItalic), ("su", style.isUnderlined), ("ss", style.isStruck),
            ("sm", style.isMonospace), ("sv", style.isReversed),
        ]
        let colour =
            style.isReversed
            ? nil
            : style.ground.map { "s\($0.number)" } ?? style.colour.flatMap { ircColors[$0.number] }.map { "c\($0)" }
        return switches.filter(\.1).map(\.0) + (colour.map { [$0] } ?? [])
    }

    /// The nearest of ``nameColors`` for each of IRC's colours; nil for white and black, which become the page's own.
    private static let ircColors: [Int?] = [nil, nil, 7, 4, 0, 0, 9, 1, 2, 3, 5, 6, 7, 10, 11, 11]

    /// The classes of backgrounds. The text on one is black or white, whichever is easier to read.
    private static var grounds: String {
        IRCColour.all.map { ground in
            let digits = String(ground.value, radix: 16)
            return ".s\(ground.number) { background: #\(String(repeating: "0", count: 6 - digits.count))\(digits); "
                + "color: #\(ground.takesBlackText ? "000" : "fff"); }"
        }.joined(separator: "\n")
    }
}
