import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(if: Tool.find("chromium") != nil, "needs chromium, which .ci/fetch-tools fetches"),
    .enabled(if: Tool.findInVenv("playwright") != nil, "needs .venv with playwright, which .ci/make-venv makes"))
struct BrowserTests {
    /// In parts, so that no other test waits for this one.
    @Test(arguments: 1...4) func `the pages work in a browser, with and without JavaScript`(part: Int) async throws {
        let chromium = try #require(Tool.find("chromium"))
        let python = try #require(Tool.findInVenv("python3"))
        let driver = "\(#filePath)".components(separatedBy: "/ServingTests/")[0] + "/Pages/pages.py"
        var environment = chromium.environment
        environment["CHROMIUM"] = chromium.path
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        if chromium.root != "/" {
            // A fetched Chromium ends if fontconfig finds no font. Its packages have fonts.
            let fonts = """
                <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
                <fontconfig>
                <dir>\(chromium.root)/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir>\(folder.path)</cachedir>
                </fontconfig>
                """
            environment["FONTCONFIG_FILE"] = folder.path + "/fonts.conf"
            try fonts.write(toFile: folder.path + "/fonts.conf", atomically: false, encoding: .utf8)
        }
        let result = try await python.run(
            [driver, Program.path + "-server", "--part", "\(part)/4"], environment: environment, within: .seconds(1200))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
}
