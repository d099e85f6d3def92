import Foundation
import SearchText
import Testing

@Suite struct AnalyserTests {
    @Test(arguments: [
        ("우리집", "우리 리집 집", "우 리 집"),
        ("다", "다", "다"),
        ("서버down", "서버 버 down", "서 버"),
        ("東京タワー", "東京 京タ タワ ワー ー", "東 京 タ ワ ー"),
        ("食べ", "食べ べ", "食 べ"),
        ("修改youer服务端", "修改 改 youer 服务 务端 端", "修 改 服 务 端"),
        ("한글".decomposedStringWithCanonicalMapping, "한글 글", "한 글"),
    ])
    func `runs become pairs and their last character`(body: String, text: String, chars: String) {
        #expect(Analyser.analyse(body) == IndexedText(text: text, chars: chars))
    }
}
