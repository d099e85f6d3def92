import Exporting
import Foundation

/// Files whose first bytes are those of a kind of picture, which is all that an export looks at.
enum SamplePicture {
    static let png = beginning([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], length: 5000)
    static let gif = beginning(Array("GIF89a".utf8), length: 64)
    static let html = Array("<!DOCTYPE html><script>alert(1)</script>".utf8)
    static let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".utf8)

    static func beginning(_ bytes: [UInt8], length: Int, last: UInt8 = 1) -> [UInt8] {
        let given = bytes.prefix(length)
        return given + (given.count..<length).map { UInt8(truncatingIfNeeded: $0) } + [last]
    }

    static func url(_ type: String, _ bytes: [UInt8]) -> String {
        "data:image/\(type);base64," + Data(bytes).base64EncodedString()
    }
}
