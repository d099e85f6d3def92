import AsyncHTTPClient
import Bytes
import MatrixWire
package import Sessions

extension MatrixClient: FileClient {
    /// Requests a file of the content repository with the account's token (client-server API v1.11, 10.9).
    ///
    /// - Parameter path: `mxc://SERVER/ID`
    package func file(_ path: String, from offset: Int, tag: String?) async throws -> FetchedFile {
        guard let file = Self.media(path) else {
            throw CallError(code: .foreignOrigin, detail: "it is not a file of a homeserver")
        }
        var call = Call(path: "/v1/media/download/\(PercentCode.encode(file.server))/\(PercentCode.encode(file.id))")
        if offset > 0 {
            call.headers = [("Range", "bytes=\(offset)-")] + (tag.map { [("If-Range", $0)] } ?? [])
        }
        let response = try await open(call)
        return try FetchedFile(
            response, resume: offset, limit: Int(configuration.files.bytes), body: body(of: response))
    }

    /// Returns the parts of an address; nil for anything else, which could lead to another call.
    private static func media(_ path: String) -> (server: String, id: String)? {
        guard let match = path.wholeMatch(of: /mxc:\/\/([A-Za-z0-9.:\[\]-]{1,255})\/([A-Za-z0-9_-]{1,255})/) else {
            return nil
        }
        return (String(match.1), String(match.2))
    }
}
