import Reporting
import Testing

@Suite struct JSONWriterTests {
  private func sample(_ layout: JSONWriter.Layout) -> String {
    var json = JSONWriter(OutputBuffer(), layout: layout)
    json.beginObject()
    json.member("name", "a\"b\\c\n\u{1}")
    json.member("count", 3)
    json.key("empty")
    json.beginArray()
    json.endArray()
    json.key("list")
    json.beginArray()
    json.value(1)
    json.beginObject()
    json.member("none", nil as String?)
    json.endObject()
    json.endArray()
    json.member("yes", true)
    json.endObject()
    json.endDocument()
    return json.output.text
  }

  @Test func oneLine() {
    #expect(
      sample(.oneLine)
        == #"{"name":"a\"b\\c\n\u0001","count":3,"empty":[],"list":[1,{"none":null}],"yes":true}"# + "\n"
    )
  }

  @Test func indented() {
    let expected = #"""
      {
        "name": "a\"b\\c\n\u0001",
        "count": 3,
        "empty": [],
        "list": [
          1,
          {
            "none": null
          }
        ],
        "yes": true
      }

      """#
    #expect(sample(.indented) == expected)
  }

  @Test(
    arguments: [
      ([0x41, 0xFF, 0x42], "A\u{FFFD}B"),
      ([0xC3], "\u{FFFD}"),
      ([0xC3, 0xA9], "é"),
      ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF0, 0x9F, 0x92, 0x89], "💉"),
      ([0xE2, 0x80, 0xAE], #"\u202E"#),
    ] as [([UInt8], String)]
  )
  func brokenTextIsRepaired(octets: [UInt8], expected: String) {
    var json = JSONWriter(OutputBuffer())
    json.value(utf8: octets)
    #expect(json.output.text == "\"" + expected + "\"")
  }

  @Test func documentsFollowEachOther() {
    var json = JSONWriter(OutputBuffer())
    for number in 1...2 {
      json.beginObject()
      json.member("n", number)
      json.endObject()
      json.endDocument()
    }
    #expect(json.output.text == "{\"n\":1}\n{\"n\":2}\n")
  }
}
