import Foundation

extension String {
    /// Returns the text in an encoding, by the machine's iconv.
    ///
    /// - Parameter name: The name of the encoding for iconv, such as `CP949`.
    package func encoded(as name: String) throws -> [UInt8] {
        let converter = iconv_open(name, "UTF-8")
        guard Int(bitPattern: converter) != -1 else { throw EncodingError(name: name) }
        defer { iconv_close(converter) }
        var input = utf8.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: input.count * 4 + 64)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (source, sourceSize) = (input.baseAddress, input.count)
                var (target, targetSize) = (output.baseAddress, output.count)
                let failed = iconv(converter, &source, &sourceSize, &target, &targetSize) == -1
                // Ends a sequence of ISO-2022-JP.
                iconv(converter, nil, nil, &target, &targetSize)
                return failed ? -1 : output.count - targetSize
            }
        }
        guard count >= 0 else { throw EncodingError(name: name) }
        return output.prefix(count).map { UInt8(bitPattern: $0) }
    }
}

/// A text has characters that the encoding lacks, or the encoding is unknown.
package struct EncodingError: Error {
    package let name: String
}
