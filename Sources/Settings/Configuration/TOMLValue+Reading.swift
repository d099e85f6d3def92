internal import CTOML

/// The first mistake in a text that is not TOML.
struct TOMLError: Error, Hashable {
    let place: TOMLValue.Place
    let detail: String
}

extension TOMLValue {
    /// Reads a text, which is a table.
    ///
    /// - Throws: ``TOMLError`` if the text is not TOML, has a key of more than 16 names, or has more than 32 arrays and
    ///   inline tables in each other.
    init(reading text: String) throws(TOMLError) {
        var text = text
        guard let document = text.withUTF8({ ctoml_read($0.baseAddress, $0.count) }) else {
            throw TOMLError(place: Place(line: 1, column: 1), detail: "too little memory")
        }
        defer { ctoml_free(document) }
        let (line, column) = (Int(document.pointee.line), Int(document.pointee.column))
        guard var next = document.pointee.nodes else {
            let detail = document.pointee.error.map { String(cString: $0) } ?? "not TOML"
            throw TOMLError(place: Place(line: line, column: column), detail: detail)
        }
        self.init(taking: &next)
    }

    /// Takes a value and the values in it.
    private init(taking next: inout UnsafePointer<CTOMLNode>) {
        let node = next.pointee
        next += 1
        place = Place(line: Int(node.line), column: Int(node.column))
        content =
            switch node.kind {
            case .table: .table(Self.table(of: node.count, taking: &next))
            case .array: .array((0..<node.count).map { _ in TOMLValue(taking: &next) })
            case .string: .string(Self.string(node.text, size: node.count))
            case .integer: .integer(Int(clamping: node.integer))
            case .number: .number(node.number)
            case .boolean: .boolean(node.boolean)
            case .date: .date
            case .time: .time
            case .dateTime: .dateTime
            }
    }

    /// Takes the values of a table. Of two keys that Unicode takes for the same, the later in the order of bytes counts.
    private static func table(of count: Int, taking next: inout UnsafePointer<CTOMLNode>) -> [String: TOMLValue] {
        var table: [String: TOMLValue] = [:]
        for _ in 0..<count {
            let key = string(next.pointee.key, size: next.pointee.keySize)
            table[key] = TOMLValue(taking: &next)
        }
        return table
    }

    private static func string(_ bytes: UnsafePointer<UInt8>?, size: Int) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes, count: size), as: UTF8.self)
    }
}
