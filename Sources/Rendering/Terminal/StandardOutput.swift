import Foundation

/// The three streams of the process, written without a buffer of our own.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    package var isTerminal: Bool {
        isatty(rawValue) == 1
    }

    /// Takes the numbers of streams that were closed before we began (`>&-`), so that no file of ours is given one of them
    /// and then written to as if it were that stream. First thing in the process.
    ///
    /// Opened the wrong way round, so that using such a stream still fails.
    package static func occupyClosed() {
        for (number, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(Int32(number), F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
    }

    /// As ``write(_:)-(ArraySlice<UInt8>)`` does.
    package func write(_ text: String) throws {
        try write(Array(text.utf8)[...])
    }

    /// - Throws: ``ReaderLeft`` when nobody reads any more (`| head`); ``OutputError`` for a full disk and the like.
    package func write(_ bytes: ArraySlice<UInt8>) throws {
        do {
            try FileDescriptorWriter(descriptor: rawValue).write(bytes)
        } catch  where error.code == EPIPE {
            throw ReaderLeft()
        } catch {
            throw OutputError(.output, "output: \(error.reason)", hint: nil)
        }
    }

    /// For notes and errors: when even those can't be written there is nowhere to say so.
    package static func note(_ text: String) {
        try? FileDescriptorWriter(descriptor: Self.error.rawValue).write(text)
    }
}

extension Rendered {
    /// The output first, so that the notes stand below it on a terminal.
    package func write() throws {
        if !output.isEmpty { try StandardStream.output.write(output) }
        if !notes.isEmpty { StandardStream.note(notes) }
    }
}

/// Whoever read our output has gone, which is no error: the program ends quietly.
package struct ReaderLeft: Error {}
