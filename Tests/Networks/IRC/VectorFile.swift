/// What the vectors' YAML says: maps, lists and one-line strings, told apart by indentation.
indirect enum VectorValue: Equatable {
    case text(String)
    case list([VectorValue])
    case map([String: VectorValue])

    subscript(_ key: String) -> VectorValue? {
        if case .map(let map) = self { map[key] } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var list: [VectorValue] {
        if case .list(let list) = self { list } else { [] }
    }

    var map: [String: VectorValue] {
        if case .map(let map) = self { map } else { [:] }
    }

    /// The `tests` of a file.
    static func tests(_ file: [UInt8]) -> [VectorValue] {
        var reader = VectorReader(String(decoding: file, as: UTF8.self))
        return reader.value(indentation: 0)["tests"]?.list ?? []
    }
}

struct VectorReader {
    private var lines: [(indentation: Int, text: Substring)]

    init(_ text: String) {
        lines = text.split(separator: "\n").compactMap { line in
            let content = line.drop { $0 == " " }
            return content.isEmpty || content.first == "#" ? nil : (line.count - content.count, content)
        }
        lines.reverse()
    }

    mutating func value(indentation: Int) -> VectorValue {
        guard let next = lines.last, next.indentation >= indentation else { return .text("") }
        return next.text.hasPrefix("- ") ? list(at: next.indentation) : map(at: next.indentation)
    }

    private mutating func list(at indentation: Int) -> VectorValue {
        var items: [VectorValue] = []
        while let next = lines.last, next.indentation == indentation, next.text.hasPrefix("- ") {
            lines.removeLast()
            let content = next.text.dropFirst(2)
            if content.first == "\"" {
                items.append(.text(unquoted(content)))
            } else {
                lines.append((indentation + 2, content))
                items.append(map(at: indentation + 2))
            }
        }
        return .list(items)
    }

    private mutating func map(at indentation: Int) -> VectorValue {
        var map: [String: VectorValue] = [:]
        while let next = lines.last, next.indentation == indentation, !next.text.hasPrefix("- ") {
            lines.removeLast()
            let key = next.text.prefix { $0 != ":" }
            let content = next.text[key.endIndex...].dropFirst().drop { $0 == " " }
            // A list may stand under its key without being indented.
            let isList = lines.last.map { $0.indentation == indentation && $0.text.hasPrefix("- ") } ?? false
            map[unquoted(key)] =
                content.isEmpty ? value(indentation: isList ? indentation : indentation + 1) : .text(unquoted(content))
        }
        return .map(map)
    }

    /// The escapes that the vectors have.
    private func unquoted(_ text: Substring) -> String {
        guard text.first == "\"" else { return String(text) }
        var (rest, result) = (text.dropFirst().dropLast(), "")
        while let first = rest.popFirst() {
            guard first == "\\", let escape = rest.popFirst() else {
                result.append(first)
                continue
            }
            switch escape {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "t": result.append("\t")
            case "x":
                result.unicodeScalars.append(UInt8(rest.prefix(2), radix: 16).map(Unicode.Scalar.init) ?? "?")
                rest = rest.dropFirst(2)
            default: result.append(escape)
            }
        }
        return result
    }
}
