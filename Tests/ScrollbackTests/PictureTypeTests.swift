import Foundation
import Testing

@testable import Exporting

struct PictureTypeTests {
    @Test(arguments: [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], PictureType.png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        (Array("GIF87a".utf8), .gif), (Array("GIF89a…".utf8), .gif), (Array("RIFF1234WEBPVP8 ".utf8), .webp),
        (box(["avif", "\0\0\0\0", "mif1"]), .avif), (box(["mif1", "\0\0\0\0", "miaf", "avif"]), .avif),
    ])
    func `a picture is recognised by its first bytes`(bytes: [UInt8], type: PictureType) {
        #expect(PictureType(beginning: bytes) == type)
        // A beginning that is cut is not enough.
        #expect(PictureType(beginning: Array(bytes.prefix(2))) == nil)
    }

    @Test(arguments: [
        SamplePicture.html, SamplePicture.svg, Array("<?xml version=\"1.0\"?><svg/>".utf8), Array("%PDF-1.7".utf8),
        Array("RIFF1234WAVEfmt ".utf8), Array("BM1234".utf8), box(["heic", "\0\0\0\0", "mif1"]), box(["isom", "avif"]),
        [], Array(" GIF89a".utf8),
    ])
    func `documents, sounds, videos and other pictures are not recognised`(bytes: [UInt8]) {
        #expect(PictureType(beginning: bytes) == nil)
    }

    @Test func `brands beyond the box, or in a box of any size, do not count`() {
        let short = box(["mif1", "\0\0\0\0"]) + Array("avif".utf8)
        #expect(PictureType(beginning: short) == nil)
        for size: UInt8 in [0, 1, 7, 8, 11, 255] {
            var bytes = box(["mif1", "\0\0\0\0", "miaf"])
            bytes.replaceSubrange(0..<4, with: [size, size, size, size])
            #expect(PictureType(beginning: bytes) == nil)
        }
    }
}

/// A file type box: the major brand, the version, and the compatible brands.
private func box(_ words: [String]) -> [UInt8] {
    [0, 0, 0, UInt8(8 + 4 * words.count)] + Array("ftyp".utf8) + words.flatMap { Array($0.utf8) }
}
