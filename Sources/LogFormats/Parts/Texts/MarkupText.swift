import Bytes

/// The text of an element of HTML or XML: each `br` and paragraph begins a line, and a link is `words (address)`.
struct MarkupText {
    private(set) var string = ""
    /// The places of pictures.
    private(set) var images: [String] = []

    /// More than a message has.
    private static let maximumImages = 500

    init(_ bytes: ArraySlice<UInt8>) {
        var scanner = HTMLScanner(bytes)
        var link: (address: String, start: Int)?
        while let token = scanner.next() {
            switch token {
            case .text(let text): string += HTMLText(text).string
            case .opening(let tag):
                if tag.isNamed("br") || tag.isNamed("BR") { string += "\n" }
                if tag.isNamed("p"), !string.isEmpty { string += "\n" }
                if tag.isNamed("img"), let source = tag.attribute("src"), images.count < Self.maximumImages {
                    images.append(source)
                }
                if tag.isNamed("a") { link = tag.attribute("href").map { ($0, string.utf8.count) } }
            case .closing(let name):
                guard name.elementsEqual("a".utf8), let (address, start) = link else { continue }
                link = nil
                let words = String(decoding: string.utf8.dropFirst(start), as: UTF8.self)
                // The words of a link are often its address.
                if !address.isEmpty, !address.contains(words), !words.contains(address) { string += " (\(address))" }
            }
        }
    }
}
