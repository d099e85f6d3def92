import Foundation

/// Returns the bytes of a file in `Tests/Fixtures/IRC`; none if it can't be read.
func fixture(_ name: String) -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/IRC")
    return (try? Data(contentsOf: folder.appending(path: name))).map(Array.init) ?? []
}
