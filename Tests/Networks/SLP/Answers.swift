import Foundation
import SLPWire

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }

    func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

/// What became of an answer: its elements, and how it ended.
struct Cut: Hashable {
    enum End: Hashable { case complete, cut, failed(SplitError.Code) }

    var elements: [ElementSplitter.Element] = []
    var end: End

    init(_ pieces: [[UInt8]], key: String? = "chats", limits: ElementSplitter.Limits = .init()) {
        var splitter = ElementSplitter(key: key, limits: limits)
        do {
            for piece in pieces {
                splitter.read(piece)
                while let element = try splitter.next() { elements.append(element) }
            }
            end = splitter.isComplete ? .complete : .cut
        } catch {
            end = .failed(error.code)
        }
    }

    init(_ text: String, key: String? = "chats", limits: ElementSplitter.Limits = .init()) {
        self.init([Array(text)], key: key, limits: limits)
    }

    /// Those that are whole, as text.
    var texts: [String] {
        elements.compactMap { if case .whole(let bytes) = $0 { bytes.text } else { nil } }
    }
}
