import SQLite

/// SQLite's own tokenizer.
enum Unicode61 {
    /// - Returns: the tokens of each text.
    static func tokens(of texts: [String]) throws -> [[String]] {
        let database = try DatabaseQueue()
        return try database.write { database in
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE raw USING fts5(text, content='', tokenize='unicode61');
                    CREATE VIRTUAL TABLE token USING fts5vocab(raw, 'instance');
                    """)
            let insert = try database.cachedStatement(sql: "INSERT INTO raw (rowid, text) VALUES (?, ?)")
            for (id, text) in texts.enumerated() {
                try insert.execute(arguments: [id, text])
            }
            var tokens = [[String]](repeating: [], count: texts.count)
            for (doc, term) in try database.allRows(
                sql: "SELECT doc, term FROM token ORDER BY doc, offset", { try (Int($0.integer(0)), $0.text(1)) })
            { tokens[doc].append(term) }
            return tokens
        }
    }
}
