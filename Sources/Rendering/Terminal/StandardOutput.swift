import Glibc

/// The standard streams of the process, written without a buffer.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    package var isTerminal: Bool {
        isatty(rawValue) == 1
    }

    /// Opens `/dev/null` for the standard streams that were closed before the program began (`>&-`), so that no other
    /// file gets their number. Call it first in the process.
    ///
    /// Opens each for the wrong direction, so that using it still fails.
    package static func occupyClosed() {
        for (number, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(Int32(number), F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
    }

    /// Writes a text, as ``write(_:)-(ArraySlice<UInt8>)`` writes bytes.
    package func write(_ text: String) throws {
        try write(Array(text.utf8)[...])
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``ReaderLeft`` if the reader has closed the pipe (`| head`); ``OutputError`` for other failures, such
    ///   as a full disk.
    package func write(_ bytes: ArraySlice<UInt8>) throws {
        do {
            try FileDescriptorWriter(descriptor: rawValue).write(bytes)
        } catch  where error.code == EPIPE {
            throw ReaderLeft()
        } catch {
            throw OutputError(.output, "can't write the output: \(error.reason)", hint: nil)
        }
    }

    /// Writes a note or an error to stderr. Ignores failures, because there is nowhere left to report them.
    package static func note(_ text: String) {
        try? FileDescriptorWriter(descriptor: Self.error.rawValue).write(text)
    }
}

extension Rendered {
    /// Writes the output and the notes after it, so that the notes are below it on a terminal.
    package func write() throws {
        if !output.isEmpty { try StandardStream.output.write(output) }
        if !notes.isEmpty { StandardStream.note(notes) }
    }
}

/// The error of writing after the reader of our output has closed it. The program ends quietly in that case.
package struct ReaderLeft: Error {}
