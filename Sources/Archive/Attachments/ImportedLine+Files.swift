import ChatModel
import Files
import Writing

extension [ImportedLine] {
    /// Returns the lines with the hashes of only those files that the folder has.
    func knowingFiles(in folder: AttachmentFolder) -> [ImportedLine] {
        func known(_ sha256: String?, _ size: Int64?) -> String? {
            sha256.flatMap { folder.has(FileDigest(sha256: $0, size: size ?? -1)) ? $0 : nil }
        }
        let hasFiles = contains {
            if case .message(let message) = $0 { message.hasFiles || message.facts != nil } else { false }
        }
        guard hasFiles else { return self }
        return map { line in
            guard case .message(var message) = line, message.hasFiles || message.facts != nil else { return line }
            if let picture = message.facts?.picture {
                message.facts?.picture?.sha256 = known(picture.sha256, picture.size)
            }
            if let picture = message.facts?.roomPicture {
                message.facts?.roomPicture?.sha256 = known(picture.sha256, picture.size)
            }
            for index in message.files.indices {
                message.files[index].sha256 = known(message.files[index].sha256, message.files[index].size)
            }
            for index in message.exact?.files.indices ?? 0..<0 {
                guard let file = message.exact?.files[index] else { continue }
                message.exact?.files[index].sha256 = known(file.sha256, file.bytes)
            }
            return .message(message)
        }
    }
}
