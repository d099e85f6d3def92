import HTTPTypes
import Hummingbird
import Rendering

/// A problem as a page, for people.
enum ErrorPage {
    static func response(_ problem: Problem) -> Response {
        let hint = problem.hint.map { "<p>\(HTMLText.line($0))</p>\n" } ?? ""
        let body =
            "<main class=\"notice\"><h1>\(HTMLText.line(problem.detail))</h1>\n\(hint)<p><a href=\"/\">All rooms</a></p></main>\n"
        var response = Response(
            status: problem.status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: PageFrame.page(title: problem.status.reasonPhrase, body: body))))
        if problem.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }
}
