import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct DownloadTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    private func room(_ name: String, _ served: ServedProgram) async throws -> String {
        let path = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await served.owner().get("/room/demo/\(path)")
        return try #require(answer.header("Location"))
    }

    @Test func `a downloaded room equals the commands' output`() async throws {
        try await archive.fill(2500)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let path = try await room("#example", served) + "/download"
        let text = try await owner.get(path + "?utc=1")
        #expect(text.status == 200 && text.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(
            text.header("Content-Disposition")
                == "attachment; filename=\"messages.txt\"; filename*=UTF-8''%23example.txt")
        #expect(text.body == (try await scrollback("history", "demo/#example", "-n", "all", "--utc").output))
        let lines = try await owner.get(path + "?format=jsonl")
        #expect(lines.header("Content-Type") == "application/x-ndjson")
        #expect(
            lines.body == (try await scrollback("history", "demo/#example", "-n", "all", "--format", "jsonl").output))
        let page = try await owner.get(path + "?format=html&hide=joins")
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        let count = try await scrollback(
            "history", "demo/#example", "-n", "all", "--hide", "joins", "--format", "jsonl"
        ).output.split(separator: "\n").count
        #expect(count > 400)
        #expect(page.body.matches(of: /<li class="m[ "]/).count == count)
        #expect(page.body.hasSuffix("</html>\n") && !page.body.contains("<script") && !page.body.contains("src=\"/"))
    }

    @Test func `a HEAD request has the length of the file`() async throws {
        try await archive.fill(1500)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let path = try await room("#example", served) + "/download"
        for query in ["", "?format=jsonl", "?format=html", "?day=2023-11-20&utc=1", "?day=1999-01-01"] {
            let (head, file) = (try await owner.send("HEAD", path + query), try await owner.get(path + query))
            #expect(head.status == 200 && head.bytes.isEmpty, "\(query)")
            #expect(head.header("Content-Length") == "\(file.bytes.count)", "\(query)")
            #expect(head.header("Content-Disposition") == file.header("Content-Disposition"))
        }
    }

    @Test(arguments: ["", "/download"])
    func `unread messages and a day together are refused`(suffix: String) async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let path = try await room("#example", served) + suffix
        let both = try await owner.get(path + "?unread=1&day=2023-11-20")
        #expect(both.status == 400 && both.body.contains(/can(&#39;|')t be combined/), "\(both.body)")
        for one in ["?unread=1", "?day=2023-11-20"] { #expect(try await owner.get(path + one).status == 200) }
    }

    @Test func `a day, a time and the hits of a search are downloaded`() async throws {
        try await archive.fill(300)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let path = try await room("가족", served) + "/download"
        let day = try await owner.get(path + "?day=2023-11-20&utc=1")
        #expect(
            day.header("Content-Disposition")
                == "attachment; filename=\"messages.txt\"; filename*=UTF-8''%EA%B0%80%EC%A1%B1%202023-11-20.txt")
        #expect(
            day.body
                == (try await scrollback("history", "demo/가족", "--day", "2023-11-20", "-n", "all", "--utc").output))
        #expect(day.body.contains("2023-11-20") && !day.body.contains("2023-11-21"))
        let part = try await owner.get(path + "?after=2023-11-17&before=2023-11-19&utc=1&format=jsonl")
        #expect(
            part.body
                == (try await scrollback(
                    "history", "demo/가족", "--after", "2023-11-17", "--before", "2023-11-19", "-n", "all", "--utc",
                    "--format", "jsonl"
                ).output))
        let hits = try await owner.get("/search/download?q=%EC%84%9C%EB%B2%84%20OR%20server&format=jsonl")
        let found = try await scrollback("search", "서버 OR server", "--sort", "oldest", "-n", "all", "--format", "jsonl")
        #expect(hits.body == found.output && hits.body.split(separator: "\n").count > 100)
        let time = "after=2023-11-16&before=2023-11-18&utc=1"
        let page = try await owner.get("/search?q=server&\(time)").body
        let link = try #require(page.firstMatch(of: /href="(\/search\/download[^"]*jsonl)"/)?.1)
        let within = try await scrollback(
            "search", "server", "--after", "2023-11-16", "--before", "2023-11-18", "--utc", "--sort", "oldest",
            "-n", "all", "--format", "jsonl")
        #expect(try await owner.get(String(link.replacing("&amp;", with: "&"))).body == within.output, "\(link)")
        #expect(!(try await owner.get("/search?regex=dep.oy").body.contains("/search/download")))
        #expect(
            try await owner.get("/search/download?q=hello").header("Content-Disposition")?.contains("hello") == true)
    }

    @Test func `a page links the downloads, and each address works`() async throws {
        try await archive.fill(50)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let path = try await room("#example", served)
        let page = try await owner.get(path).body
        #expect(page.contains("<form action=\"\(path)/download\">"))
        for format in ["text", "jsonl", "html"] {
            #expect(page.contains("<option value=\"\(format)\">"))
            #expect(try await owner.get("\(path)/download?day=&format=\(format)").status == 200)
        }
        let search = try await owner.get("/search?q=hello&context=3&sort=relevance&limit=5").body
        let links = search.matches(of: /href="(\/search\/download[^"]*)"/).map {
            String($0.1).replacing("&amp;", with: "&")
        }
        #expect(links.count == 3)
        for link in links { #expect(try await owner.get(link).status == 200, "\(link)") }
    }

    @Test func `a download has only what the reader may see`() async throws {
        try await archive.fill(200)
        let served = try await scrollback.serve()
        let member = served.program(try await scrollback.token("member", "--room", "demo/#example"))
        let hidden = try await room("가족", served)
        #expect(try await member.get(hidden + "/download").status == 404)
        let hits = try await member.get("/search/download?q=hello&format=jsonl").body
        #expect(
            hits
                == (try await scrollback(
                    "search", "hello in:demo/#example", "--sort", "oldest", "-n", "all", "--format", "jsonl"
                ).output))
        #expect(try await WebClient(server: served.server).get(hidden + "/download").status == 401)
    }

    @Test func `an impossible download is refused before the file begins`() async throws {
        try await archive.fill(10)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let path = try await room("#example", served) + "/download"
        for (address, status) in [
            ("/room/demo/99/download", 404), (path + "?format=pdf", 400), (path + "?around=2023-11-20", 400),
            (path + "?day=soon", 400), ("/search/download", 400), ("/search/download?regex=x", 400),
            ("/search/download?q=-x&sort=newest", 400),
        ] {
            let answer = try await owner.get(address)
            #expect(
                answer.status == status && answer.header("Content-Disposition") == nil, "\(address) \(answer.status)")
        }
    }
}
