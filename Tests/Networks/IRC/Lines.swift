import IRCWire

extension Array<UInt8> {
    init(_ text: String) {
        self.init(text.utf8)
    }

    /// In two at every place.
    var splits: [[[UInt8]]] {
        indices.dropFirst().map { [Array(self[..<$0]), Array(self[$0...])] }
    }

    /// One byte at a time.
    var single: [[UInt8]] { map { [$0] } }

    var text: String { String(decoding: self, as: UTF8.self) }
}

extension IRCMessage {
    /// A line written out in a test.
    init(_ line: String) {
        do { self = try IRCMessage(line: Array(line)) } catch { self.init("INVALID", error.detail) }
    }

    /// As it is sent, without its end; what can't be written says why.
    var line: String {
        do { return try Array(encoded(limits: .server).dropLast(2)).text } catch { return error.detail }
    }
}
