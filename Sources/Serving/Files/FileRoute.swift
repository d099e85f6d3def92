import Bytes
import CNIOLinux
import ChatModel
import Dispatch
import Files
import FoundationEssentials
import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Reading

/// Archived files by their SHA-256: whole or in part.
struct FileRoute {
    let site: Site

    static let path = APIRoutes.root + "/files"

    /// The bytes that are read at once.
    private static let chunk = ResponseBody.chunk

    func add(to router: Router<ServeContext>) {
        let path = RouterPath("\(Self.path)/{sha256}")
        router.get(path) { request, context in try await answer(request, context) }
        APIRoutes.refuseOthers(than: .get, at: path, router)
    }

    private func answer(_ request: Request, _ context: ServeContext) async throws -> Response {
        let visitor = try context.known()
        let hash = context.parameters.get("sha256") ?? ""
        guard let found = try await site.read(as: visitor, { try $0.files.file(hash) }) else { throw Problem.notFound }
        return try serve(found, hash, request)
    }

    private func serve(_ file: ArchivedFile, _ hash: String, _ request: Request) throws -> Response {
        guard site.reserve.hasFree else { throw Problem.busy }
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            throw Problem.notFound
        }
        let opened = OpenDescriptor(descriptor)
        let size = Int64(status.st_size)
        var headers = headers(file, hash)
        if request.headers[.ifNoneMatch]?.contains("\"\(hash)\"") == true {
            return Response(status: .notModified, headers: headers)
        }
        let isConditionMet = request.headers[.ifRange].map { $0 == "\"\(hash)\"" } ?? true
        let wanted = isConditionMet ? request.headers[.range].map { ByteRange.parse($0, size: size) } ?? .whole : .whole
        switch wanted {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(opened, 0..<size))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return Response(status: .partialContent, headers: headers, body: body(opened, range))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    private func headers(_ file: ArchivedFile, _ hash: String) -> HTTPFields {
        let type =
            file.format.map { FileType(name: "image/\($0.rawValue)", isShown: true) }
            ?? FileType.of(file.isPicture ? "" : file.name)
        let name = PercentCode.encode(String(file.name.unicodeScalars.prefix(200).map(Character.init)))
        return [
            .contentType: type.name, .eTag: "\"\(hash)\"", .acceptRanges: "bytes",
            .contentDisposition: "\(type.isShown ? "inline" : "attachment"); filename*=UTF-8''\(name)",
            // Nothing in a file runs, even if a browser opens it as a page.
            .contentSecurityPolicy:
                "sandbox; default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; img-src 'self'",
            // A browser asks again after a day, when the file may be gone or no longer for this reader.
            .cacheControl: "private, max-age=86400",
        ]
    }

    private func body(_ file: OpenDescriptor, _ range: Range<Int64>) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            let thread = DispatchQueue(label: "a file")
            var place = range.lowerBound
            while place < range.upperBound {
                let count = min(Self.chunk, Int(range.upperBound - place))
                let start = place
                let bytes = try await thread.runBlocking { try file.read(count, at: start) }
                try await writer.write(ByteBuffer(bytes: bytes))
                place += Int64(bytes.count)
            }
            try await writer.finish(nil)
        }
    }
}

/// A descriptor that closes when it is released.
private final class OpenDescriptor: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Reads bytes. A file that ends early ends the connection, so that no client takes a part for the whole.
    func read(_ count: Int, at place: Int64) throws -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
            size = max(0, pread(descriptor, buffer.baseAddress, count, Int(place)))
        }
        guard !bytes.isEmpty else { throw CocoaError(.fileReadUnknown) }
        return bytes
    }
}

/// The `Range` of a request (RFC 9110 §14).
enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// Reads a header. Returns the whole for several ranges, other units and invalid texts, as the RFC permits.
    static func parse(_ header: String, size: Int64) -> ByteRange {
        guard let match = header.wholeMatch(of: /bytes=([0-9]{0,18})-([0-9]{0,18})/) else { return .whole }
        switch (Int64(match.1), Int64(match.2)) {
        case (nil, nil): return .whole
        case (nil, let last?):
            // The last bytes.
            return last == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - last)..<size)
        case (let first?, let last):
            if let last, last < first { return .whole }
            guard first < size else { return .unsatisfiable }
            return .part(first..<min(size, (last ?? size - 1) + 1))
        }
    }
}

/// The media type of a file, by the end of its name.
struct FileType: Equatable {
    var name: String
    /// True for files that a browser may show in place: pictures, sounds and videos. SVG is a document that may have
    /// scripts.
    var isShown: Bool

    static func of(_ file: String) -> FileType {
        let ending = file.split(separator: ".").dropFirst().last?.lowercased() ?? ""
        if let name = shown[ending] { return FileType(name: name, isShown: true) }
        return FileType(name: others[ending] ?? "application/octet-stream", isShown: false)
    }

    private static let shown = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "bmp": "image/bmp", "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "ogg": "audio/ogg", "opus": "audio/ogg", "oga": "audio/ogg",
        "m4a": "audio/mp4", "wav": "audio/wav", "flac": "audio/flac", "aac": "audio/aac",
    ]
    private static let others = ["txt": "text/plain; charset=utf-8", "pdf": "application/pdf"]
}
