import Bytes

/// Cuts a JSON document of any size into the values at some of its places, as they come; see ``JSONCutter``.
package struct JSONSplitter: Sendable {
    /// The values to cut out below a value.
    package indirect enum Places: Sendable {
        /// The value itself, with at most that many bytes.
        case value(limit: Int)
        /// The members of an object by their keys, and all others.
        case members([String: Places], others: Places? = nil)
        /// The elements of a list.
        case elements(Places)
    }

    /// A value with the keys on the way to it; elements of lists have no key.
    package struct Piece: Sendable, Hashable {
        package var path: [String]
        /// The bytes of the value; nil if it is longer than the limit.
        package var bytes: [UInt8]?
        /// The length of the value in bytes.
        package var length: Int
    }

    private var cutter: JSONCutter

    package init(_ places: Places) {
        var tree = JSONPlaces([])
        tree.add(places, to: JSONPlaces.root)
        cutter = JSONCutter(tree, maximumPiece: 0)
    }

    /// True once the document has ended.
    package var isComplete: Bool { cutter.isComplete }

    /// Takes bytes, and returns the values that end in them.
    ///
    /// - Throws: ``MatrixFormError`` for bytes that are not JSON.
    package mutating func splitPieces(_ bytes: [UInt8]) throws(MatrixFormError) -> [Piece] {
        var found: [Piece] = []
        cutter.cutPieces(bytes[...]) {
            found.append(Piece(path: $0.path, bytes: $0.isCut ? nil : Array($0.bytes), length: $0.length))
        }
        if let fault = cutter.fault { throw MatrixFormError(detail: fault.detail) }
        return found
    }
}

extension JSONPlaces {
    fileprivate mutating func add(_ places: JSONSplitter.Places, to node: Int) {
        switch places {
        case .value(let limit): want(node, limit: limit)
        case .elements(let inner): add(inner, to: element(of: node))
        case .members(let known, let others):
            for (key, inner) in known { add(inner, to: child(of: node, key: key)) }
            if let others { add(others, to: child(of: node, key: nil)) }
        }
    }
}

/// An answer that does not have the protocol's form. The detail is for people, and has none of the server's words.
package struct MatrixFormError: Error, Hashable {
    package var detail: String
}
