import Testing

@testable import Files

struct ParentFolderTests {
    @Test(arguments: [
        ("d", ""), ("가", ""), ("d/", ""), ("data", ""), ("a/b", "a"), ("a//b", "a"), ("a/b/", "a"), ("./d", "."),
        ("/d", "/"), ("//d", "/"), ("/a/b/c", "/a/b"), ("/", "/"), ("//", "/"), ("", ""), ("a/\u{301}b", "a"),
    ])
    func `the parent folder is the path without its last name`(path: String, folder: String) {
        #expect(path.parentFolder == folder)
    }

    @Test(arguments: [
        ("d", "d"), ("가", "가"), ("d/", "d"), ("a/b", "b"), ("a//b//", "b"), ("/d", "d"), ("/", "/"), ("//", "/"),
        ("", ""),
        ("a/\u{301}b", "\u{301}b"),
    ])
    func `the last name is the path without its folders`(path: String, name: String) {
        #expect(path.lastName.utf8.elementsEqual(name.utf8))
    }
}
