import Glibc
import Rendering

/// The functions of ncursesw, which draws on terminals, loaded when a reader starts.
///
/// Linking it would cost every command its loading. The signatures are those of ncurses 6.4's `curses.h` with wide
/// characters; all of them are in every `libncursesw.so.6`.
struct NCurses: @unchecked Sendable {
    typealias Window = OpaquePointer
    typealias Stream = OpaquePointer

    /// An event of the mouse.
    struct MouseEvent {
        var id: Int16 = 0
        var x: CInt = 0
        var y: CInt = 0
        var z: CInt = 0
        /// A bit for each button and what happened to it.
        var state: UInt32 = 0
    }

    let newTerminal: @convention(c) (UnsafePointer<CChar>?, Stream, Stream) -> OpaquePointer?
    let end: @convention(c) () -> CInt
    let deleteScreen: @convention(c) (OpaquePointer) -> Void
    let raw: @convention(c) () -> CInt
    let noEcho: @convention(c) () -> CInt
    let noNewline: @convention(c) () -> CInt
    let setEscapeDelay: @convention(c) (CInt) -> CInt
    let setCursor: @convention(c) (CInt) -> CInt
    let startColour: @convention(c) () -> CInt
    let hasColours: @convention(c) () -> Bool
    let useDefaultColours: @convention(c) () -> CInt
    let initPair: @convention(c) (Int16, Int16, Int16) -> CInt
    let mouseMask: @convention(c) (UInt32, UnsafeMutablePointer<UInt32>?) -> UInt32
    let mouseInterval: @convention(c) (CInt) -> CInt
    /// Takes the place of a ``MouseEvent``.
    let getMouse: @convention(c) (UnsafeMutableRawPointer) -> CInt
    let resize: @convention(c) (CInt, CInt) -> CInt
    let update: @convention(c) () -> CInt
    let keypad: @convention(c) (Window, Bool) -> CInt
    let nodelay: @convention(c) (Window, Bool) -> CInt
    let meta: @convention(c) (Window, Bool) -> CInt
    let getKey: @convention(c) (Window, UnsafeMutablePointer<UInt32>) -> CInt
    let move: @convention(c) (Window, CInt, CInt) -> CInt
    let setAttributes: @convention(c) (Window, UInt32, Int16, UnsafeMutableRawPointer?) -> CInt
    let addText: @convention(c) (Window, UnsafePointer<wchar_t>, CInt) -> CInt
    let clearToEnd: @convention(c) (Window) -> CInt
    let forgetLines: @convention(c) (Window, CInt, CInt) -> CInt
    let refresh: @convention(c) (Window) -> CInt
    private let standardScreen: UnsafeMutablePointer<Window?>
    private let colourCount: UnsafeMutablePointer<CInt>

    /// The window of the whole screen; nil before ``newTerminal``.
    var window: Window? { standardScreen.pointee }
    /// The number of the terminal's colours.
    var colours: CInt { colourCount.pointee }

    /// The environment variable with another path of the library.
    static let variable = "SCROLLBACK_NCURSES"

    private static let loaded = Result<NCurses, OutputError> { () throws(OutputError) in
        try NCurses(path: getenv(variable).map { String(cString: $0) } ?? "libncursesw.so.6")
    }

    /// Loads the library once.
    ///
    /// - Throws: ``OutputError`` if it is missing.
    static func load() throws(OutputError) -> NCurses { try loaded.get() }

    private init(path: String) throws(OutputError) {
        let library = try Library(path: path)
        newTerminal = try library.find("newterm")
        end = try library.find("endwin")
        deleteScreen = try library.find("delscreen")
        raw = try library.find("raw")
        noEcho = try library.find("noecho")
        noNewline = try library.find("nonl")
        setEscapeDelay = try library.find("set_escdelay")
        setCursor = try library.find("curs_set")
        startColour = try library.find("start_color")
        hasColours = try library.find("has_colors")
        useDefaultColours = try library.find("use_default_colors")
        initPair = try library.find("init_pair")
        mouseMask = try library.find("mousemask")
        mouseInterval = try library.find("mouseinterval")
        getMouse = try library.find("getmouse")
        resize = try library.find("resizeterm")
        update = try library.find("doupdate")
        keypad = try library.find("keypad")
        nodelay = try library.find("nodelay")
        meta = try library.find("meta")
        getKey = try library.find("wget_wch")
        move = try library.find("wmove")
        setAttributes = try library.find("wattr_set")
        addText = try library.find("waddnwstr")
        clearToEnd = try library.find("wclrtoeol")
        forgetLines = try library.find("wredrawln")
        refresh = try library.find("wnoutrefresh")
        standardScreen = try library.address("stdscr").assumingMemoryBound(to: Window?.self)
        colourCount = try library.address("COLORS").assumingMemoryBound(to: CInt.self)
    }

    /// The library, from which functions and variables are taken by their names.
    private struct Library {
        private let handle: UnsafeMutableRawPointer
        private let path: String

        init(path: String) throws(OutputError) {
            guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
                let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
                throw NCurses.failure("the library for full screens can't be loaded (\(Sanitizer.line(reason)))")
            }
            (self.handle, self.path) = (handle, path)
        }

        func address(_ name: String) throws(OutputError) -> UnsafeMutableRawPointer {
            guard let address = dlsym(handle, name) else {
                throw NCurses.failure("\(Sanitizer.line(path)) has no \(name)")
            }
            return address
        }

        func find<Function>(_ name: String) throws(OutputError) -> Function {
            unsafeBitCast(try address(name), to: Function.self)
        }
    }

    private static func failure(_ detail: String) -> OutputError {
        OutputError(
            .terminal, detail, hint: "on Debian: apt-get install libncursesw6; other commands need no such library")
    }
}
