import CAssets
import HTTPTypes
import Hummingbird
import Rendering

/// The files that every page loads. They have nothing from the archive, so they need no login.
struct AssetRoutes {
    /// A file with its address, which changes with its content.
    struct Asset: Sendable {
        var path: String
        var type: String
        var bytes: [UInt8]
    }

    static let all: [String: Asset] = {
        var all: [String: Asset] = [:]
        for place in 0..<asset_count() {
            let file = asset_at(place)
            let name = String(cString: file.name)
            // The pages show messages in the same way as exported files do.
            let shared = name == "style.css" ? Array((HTMLStyle.messages + HTMLStyle.media).utf8) : []
            let bytes = shared + Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
            all[name] = Asset(path: "\(root)\(hash(bytes))/\(name)", type: type(of: name), bytes: bytes)
        }
        return all
    }()

    private static let root = "/assets/"

    /// Returns the address of a file.
    static func address(_ name: String) -> String { HTMLAddress.local(path(name)) }

    private static func path(_ name: String) -> String { all[name]?.path ?? "" }

    static func isPublic(_ path: String) -> Bool { path.hasPrefix(root) || path == "/favicon.ico" }

    func add(to router: Router<ServeContext>) {
        for asset in Self.all.values {
            let document = Answer.Document(
                ByteBuffer(bytes: asset.bytes), type: asset.type,
                headers: [.cacheControl: "public, max-age=31536000, immutable"])
            router.get(RouterPath(asset.path)) { request, _ in document.response(to: request) }
        }
        router.get("/favicon.ico") { _, _ in Response.redirect(to: Self.path("icon.svg")) }
    }

    private static func type(of name: String) -> String {
        name.hasSuffix(".css")
            ? "text/css; charset=utf-8"
            : name.hasSuffix(".js")
                ? "text/javascript; charset=utf-8" : "image/svg+xml"
    }

    private static func hash(_ bytes: [UInt8]) -> String {
        // FNV-1a: only a change of the program changes a file.
        let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
