import Foundation
import TestSupport
import Testing

/// The packages of `make deb` and `make dist`, if they were built, and the scripts that build them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct PackageTests {
    private static let top = "\(#filePath)".components(separatedBy: "/Tests/")[0]
    private static let package = built(".deb")
    private static let tarball = built(".tar.gz")

    /// Returns the package in `.build/packages` whose name has an ending; nil if none was built.
    private static func built(_ ending: String) -> String? {
        let folder = top + "/.build/packages"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.first { $0.hasPrefix("scrollback") && $0.hasSuffix(ending) }.map { folder + "/" + $0 }
    }

    @Test(
        .enabled(if: geteuid() == 0, "needs root, for chroot"),
        .enabled(if: Tool.find("debootstrap") != nil, "needs debootstrap, which .ci/fetch-tools fetches"),
        .enabled(if: Tool.find("wget") != nil, "needs wget"),
        .enabled(if: package != nil, "needs the package that make deb builds"))
    func `a clean Debian installs, upgrades, removes and purges the package, and keeps the archive`() async throws {
        let package = try #require(Self.package)
        let bash = try #require(Tool.find("bash"))
        let result = try await bash.run([Self.top + "/packaging/test-deb", package], within: .seconds(540))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.hasSuffix("every check passed\n"), "\(result.output)\(result.errors)")
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: top + "/.build/linked/libstdc++.a"),
            "needs the libraries that make tested links"))
    func `packages name the licence of everything that the programs contain`() async throws {
        let python = try #require(Tool.find("python3"))
        let result = try await python.run(["-B", Self.top + "/packaging/bill", "licences"], within: .seconds(120))
        #expect(result.status == 0, "\(result.errors)")
        for name in ["swift-runtime", "icu", "libstdc++", "boringssl", "swift-nio"] {
            #expect(result.output.contains(name), "\(name) is not named")
        }
    }

    @Test(.enabled(if: tarball != nil, "needs the tarball that make dist builds"))
    func `the tarball matches its checksums, and its installation runs and is removed completely`() async throws {
        let tarball = try #require(Self.tarball)
        let folder = try TemporaryFolder()
        let bash = try #require(Tool.find("bash"))
        let script = """
            set -euo pipefail
            (cd "$(dirname "$1")" && sha256sum --check --quiet SHA256SUMS)
            cd "$2"
            tar -xzf "$1"
            mv scrollback-* unpacked
            unpacked/install "$2/usr"
            usr/bin/scrollback --version
            grep -h ^ExecStart= usr/lib/systemd/user/scrollback.service
            unpacked/install --remove "$2/usr"
            find usr -type f
            """
        let result = try await bash.run(["-c", script, "bash", tarball, folder.path], within: .seconds(120))
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        try #require(lines.count == 4, "\(result.output)")
        #expect(lines[1].hasPrefix("scrollback "))
        #expect(lines[2] == "ExecStart=\(folder.path)/usr/bin/scrollback listen")
        #expect(lines[3].hasPrefix("removed from "))
    }

    @Test(.enabled(if: Tool.find("objdump") != nil, "needs objdump"))
    func `a program that needs another library is not packaged`() async throws {
        let bash = try #require(Tool.find("bash"))
        let result = try await bash.run([Self.top + "/packaging/check-libraries", bash.path])
        #expect(result.status == 1)
        #expect(result.errors.contains("needs libtinfo.so.6, which is not a known library"), "\(result.errors)")
    }

    @Test(
        .enabled(if: Tool.find("objdump") != nil, "needs objdump"),
        arguments: ["scrollback", "scrollback-server"],
        [("NIOPosix", "libraries for networks"), ("CFRunLoop", "all of Foundation")])
    func `scrollback with network libraries or all of Foundation is not packaged`(
        name: String, contents: (text: String, error: String)
    ) async throws {
        let (bash, program) = (try #require(Tool.find("bash")), try #require(Tool.find("true")))
        let folder = try TemporaryFolder()
        let content = try Data(contentsOf: URL(filePath: program.path)) + Data(contents.text.utf8)
        try content.write(to: URL(filePath: folder.path + "/" + name))
        let result = try await bash.run([Self.top + "/packaging/check-libraries", folder.path + "/" + name])
        let isRefused = name == "scrollback"
        #expect(result.errors.contains("/\(name) contains \(contents.error)") == isRefused, "\(result.errors)")
        #expect(result.status == 1 || !isRefused)
    }

    @Test(
        .enabled(if: Program.isPacked, "needs the programs that make test packs"),
        .enabled(if: Tool.find("objdump") != nil, "needs objdump"))
    func `both programs need known libraries, and scrollback contains none for networks`() async throws {
        let bash = try #require(Tool.find("bash"))
        let programs = [Program.path, Program.path + "-server"]
        let result = try await bash.run([Self.top + "/packaging/check-libraries"] + programs)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(.enabled(if: Tool.find("gpg") != nil && Tool.find("gpgv") != nil, "needs gpg and gpgv"))
    func `a signature is valid only for the signed checksums`() async throws {
        let bash = try #require(Tool.find("bash"))
        let folder = try TemporaryFolder()
        let script = """
            set -euo pipefail
            cd "$2"
            export GNUPGHOME=$2/keys
            mkdir -m 700 keys
            trap 'gpgconf --kill gpg-agent' EXIT
            gpg --batch --quiet --passphrase '' --quick-generate-key 'builder <builder@example.invalid>' ed25519 sign never
            echo "0123 tarball" > SHA256SUMS
            echo "an earlier one" > SHA256SUMS.asc
            "$1/packaging/sign" builder@example.invalid SHA256SUMS
            gpg --batch --export > builder.gpg
            gpgv --keyring ./builder.gpg SHA256SUMS.asc SHA256SUMS && echo good
            echo "4567 other" >> SHA256SUMS
            gpgv --keyring ./builder.gpg SHA256SUMS.asc SHA256SUMS || echo bad
            "$1/packaging/sign" nobody@example.invalid SHA256SUMS || ls SHA256SUMS*
            """
        let result = try await bash.run(["-c", script, "bash", Self.top, folder.path])
        #expect(result.output == "signed SHA256SUMS.asc\ngood\nbad\nSHA256SUMS\n", "\(result.output)\(result.errors)")
    }

    @Test(
        .enabled(if: Program.isPacked, "needs the programs that make test packs"),
        .enabled(if: Tool.find("readelf") != nil, "needs readelf"))
    func `both programs are position-independent with read-only relocations`() async throws {
        let bash = try #require(Tool.find("bash"))
        let programs = [Program.path, Program.path + "-server"]
        let result = try await bash.run([Self.top + "/packaging/check-hardening"] + programs)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        .enabled(if: Tool.find("readelf") != nil && Tool.find("cc") != nil, "needs readelf and a C compiler"),
        arguments: [
            ("-pie -Wl,-z,now", nil), ("-no-pie -Wl,-z,now", "lies at a fixed address"),
            ("-pie -Wl,-z,lazy", "finds functions when they are called first (no -z now)"),
            ("-pie -Wl,-z,now,-z,norelro", "has no segment that becomes read-only (-z relro)"),
            ("-pie -Wl,-z,now,-z,execstack", "may execute its stack"),
        ])
    func `a program without hardening is not packaged`(
        options: String, fault: String?
    ) async throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/program"
        try Data("int main(void) { return 0; }\n".utf8).write(to: URL(filePath: program + ".c"))
        let compiler = try #require(Tool.find("cc"))
        let link = try await compiler.run(
            ["-fPIE", "-o", program, program + ".c"] + options.split(separator: " ").map(String.init))
        try #require(link.status == 0, "\(link.errors)")
        let bash = try #require(Tool.find("bash"))
        let result = try await bash.run([Self.top + "/packaging/check-hardening", program])
        #expect(result.status == (fault == nil ? 0 : 1), "\(result.output)\(result.errors)")
        #expect(result.errors == (fault.map { "\(program) \($0)\n" } ?? ""))
    }

    @Test(arguments: ["deb", "dist"])
    func `packaging without built programs names the missing program`(script: String) async throws {
        let bash = try #require(Tool.find("bash"))
        let folder = try TemporaryFolder()
        let result = try await bash.run(
            [Self.top + "/packaging/\(script)"], environment: ["PROGRAMS": folder.path, "OUT": folder.path])
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("no program \(folder.path)/scrollback: "), "\(result.errors)")
    }
}
