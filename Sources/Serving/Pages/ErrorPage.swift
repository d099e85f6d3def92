import HTTPTypes
import Hummingbird
import Rendering

/// A problem as a page, for people.
enum ErrorPage {
    static func response(_ problem: Problem) -> Response {
        let hints = [problem.hint.map(capitalised)] + (problem.status == .unauthorized ? [reader] : [])
        let hint = hints.compactMap(\.self).map { "<p>\(HTMLText.line($0))</p>\n" as HTML }.joined()
        let content: HTML = """
            <main class="notice" id="main">
            <h2 class="page-title">\(HTMLText.line(Self.capitalised(problem.detail)))</h2>
            \(hint)<p><a class="button" href="\(HTMLAddress.local("/"))">Go to all rooms</a></p>
            </main>

            """
        var frame = PageFrame(title: problem.status.reasonPhrase)
        frame.hasSearch = problem.status != .unauthorized
        var response = Response(
            status: problem.status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: frame.page(content).text)))
        if problem.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// Advice for a person who did not start the server.
    private static let reader =
        "If you do not run this server: ask the person who runs it for access. They can send you an address with a key, "
        + "or let you in through their proxy."

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
