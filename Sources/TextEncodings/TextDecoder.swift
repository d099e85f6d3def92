import Glibc
import Synchronization

/// Decodes text of one encoding, line by line, to UTF-8.
package final class TextDecoder: Sendable {
    package let encoding: TextEncoding
    /// iconv's descriptor, which only one thread may use at a time; nil for encodings that need none.
    private let converter: Mutex<Converter?>

    /// The decoders that were opened: opening loads a module of iconv.
    private static let opened = Mutex<[TextEncoding: TextDecoder]>([:])

    /// Returns the decoder of an encoding, which all callers share.
    ///
    /// - Throws: ``MissingConverter`` if the machine's iconv lacks the encoding.
    package static func of(_ encoding: TextEncoding) throws(MissingConverter) -> TextDecoder {
        if let known = opened.withLock({ $0[encoding] }) { return known }
        let decoder = try TextDecoder(encoding, iconvName: encoding.iconvName)
        return opened.withLock { opened in
            if let other = opened[encoding] { return other }
            opened[encoding] = decoder
            return decoder
        }
    }

    /// - Parameter iconvName: The name of the encoding for iconv; nil if iconv isn't needed.
    init(_ encoding: TextEncoding, iconvName: String?) throws(MissingConverter) {
        self.encoding = encoding
        guard let iconvName else {
            converter = Mutex(nil)
            return
        }
        guard let converter = Converter(from: iconvName) else { throw MissingConverter(encoding: encoding) }
        self.converter = Mutex(converter)
    }

    /// Returns a line in UTF-8; nil if its bytes are invalid in the encoding.
    ///
    /// - Parameter isCut: True if the line may end within a character, which is then left out.
    package func decode(_ line: ArraySlice<UInt8>, isCut: Bool = false) -> [UInt8]? {
        let decoded = decoded(line, isCut: isCut)
        return decoded.isValid ? decoded.bytes : nil
    }

    /// Returns a line in UTF-8, with U+FFFD for each byte that is invalid in the encoding. In `windows-1252`, such a
    /// byte becomes a control character.
    package func repaired(_ line: ArraySlice<UInt8>) -> [UInt8] {
        decoded(line, isCut: false).bytes
    }

    /// Returns true if the bytes have an escape sequence that begins Japanese characters in ISO-2022-JP.
    package static func isEscapedJapanese(_ line: ArraySlice<UInt8>) -> Bool {
        EscapedJapanese.begins(in: line)
    }

    private func decoded(_ line: ArraySlice<UInt8>, isCut: Bool) -> (bytes: [UInt8], isValid: Bool) {
        guard encoding.iconvName != nil else { return encoding == .utf8 ? Self.utf8(line) : western(line) }
        let bytes = encoding == .iso2022JP ? EscapedJapanese.unescaped(line)[...] : line
        return converter.withLock { $0?.convert(bytes, isCut: isCut) } ?? ([], false)
    }

    private static func utf8(_ line: ArraySlice<UInt8>) -> (bytes: [UInt8], isValid: Bool) {
        line.isUTF8 ? (Array(line), true) : (Array(String(decoding: line, as: UTF8.self).utf8), false)
    }

    private func western(_ line: ArraySlice<UInt8>) -> (bytes: [UInt8], isValid: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count + line.count / 4)
        for byte in line {
            if byte < 0x80 {
                bytes.append(byte)
            } else {
                bytes += UTF8.encode(WesternTable.scalar(byte, in: encoding)) ?? UTF8.encodedReplacementCharacter
            }
        }
        return (bytes, !line.contains { WesternTable.isUnassigned($0, in: encoding) })
    }
}

/// The machine's iconv has no converter for an encoding.
package struct MissingConverter: Error, Hashable {
    package let encoding: TextEncoding

    /// A reason for people.
    package var reason: String { "this machine can't decode \(encoding.title)" }

    /// Advice for people: the packages that have the converters. Minimal images leave them out.
    package static let hint = """
        install iconv's converters (Debian: libc6 or libc-gconv-modules-extra, Fedora: glibc-gconv-extra)
        """
}

/// A conversion of iconv to UTF-8.
private struct Converter: ~Copyable {
    private let descriptor: iconv_t

    init?(from name: String) {
        descriptor = iconv_open("UTF-8", name)
        // iconv_open(3): (iconv_t) -1 is an error.
        if Int(bitPattern: descriptor) == -1 { return nil }
    }

    deinit {
        iconv_close(descriptor)
    }

    /// Converts a line. Each byte that can't be converted becomes U+FFFD.
    ///
    /// - Parameter isCut: True to leave out a character that the end of the line cuts.
    mutating func convert(_ line: ArraySlice<UInt8>, isCut: Bool) -> (bytes: [UInt8], isValid: Bool) {
        var (output, isValid) = ([UInt8](), true)
        // Most characters have two bytes and become three. The next call converts the bytes that don't fit.
        var buffer = [UInt8](repeating: 0, count: line.count * 2 + 16)
        // Resets the converter, because an earlier line may have left another state.
        iconv(descriptor, nil, nil, nil, nil)
        line.withUnsafeBytes { input in
            var place = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var remaining = input.count
            while remaining > 0 {
                let code = step(&place, &remaining, &buffer, into: &output)
                guard code != 0, code != E2BIG else { continue }
                if code == EINVAL, isCut { return }
                isValid = false
                output += UTF8.encodedReplacementCharacter
                place = place.map { $0 + 1 }
                remaining -= 1
            }
        }
        return (output, isValid)
    }

    /// Converts until the input ends, the buffer is full or a byte is invalid. Returns 0 or the error.
    private func step(
        _ place: inout UnsafeMutablePointer<CChar>?, _ remaining: inout Int, _ buffer: inout [UInt8],
        into output: inout [UInt8]
    ) -> Int32 {
        buffer.withUnsafeMutableBytes { room in
            var target = room.baseAddress?.assumingMemoryBound(to: CChar.self)
            var free = room.count
            let before = remaining
            let code = iconv(descriptor, &place, &remaining, &target, &free) == -1 ? errno : 0
            output += room.prefix(room.count - free)
            // A converter that stops without an error and without progress would be called for ever.
            return code != EINVAL && code != EILSEQ && remaining > 0 && remaining == before ? EILSEQ : code
        }
    }
}
