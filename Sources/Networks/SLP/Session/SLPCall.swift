import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SLPWire

/// One call, with its tokens.
struct SLPCall {
    var route: SLPRoute
    var access: String?
    var refresh: String?
    var body: [UInt8]?
    /// The first wanted byte of a file, and the entity tag that identifies its content.
    var resume: (offset: Int, tag: String?)?

    func request(_ configuration: SLPConfiguration) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: configuration.base + route.target)
        request.method = HTTPMethod(rawValue: route.method.rawValue)
        request.headers = [
            "SesacKey": configuration.credentials.appKey, "Accept": "*/*", "User-Agent": "scrollback",
        ]
        if let access { request.headers.add(name: "Authorization", value: access) }
        if let refresh { request.headers.add(name: "RefreshToken", value: refresh) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
        }
        if let resume, resume.offset > 0 {
            request.headers.add(name: "Range", value: "bytes=\(resume.offset)-")
            if let tag = resume.tag { request.headers.add(name: "If-Range", value: tag) }
        }
        return request
    }
}
