import BluetoothWire
import Reporting
import Testing

@Suite struct ListingTests {
  @Test func titles() {
    #expect(Listing.there([]) == "there is none")
    #expect(Listing.there([], none: "it holds none") == "it holds none")
    #expect(Listing.there(["a"]) == "there is a")
    #expect(Listing.there(["a", "a"]) == "there is a")
    #expect(Listing.there(["b", "a", "b"]) == "there are b, a")
    let many = (1...15).map { "m\($0)" }
    #expect(Listing.there(many).hasSuffix("m11, m12 and 3 more"))
    #expect(Listing.there(many).hasPrefix("there are m1, m2, "))
  }

  @Test func devices() {
    let address = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
    #expect(Listing.device(address, nil) == "F0:0D:CA:FE:00:01")
    #expect(Listing.device(address, Array("GM-1".utf8)) == "F0:0D:CA:FE:00:01 (GM-1)")
    #expect(Listing.device(nil, [0x1B]) == "one of unknown address (\u{1B})")
  }

  @Test func numbersOfLinks() {
    #expect(Listing.links([]) == "it holds no Low Energy link")
    #expect(Listing.links([7]) == "its only link is 7")
    #expect(Listing.links([1, 2]) == "its links are 1 to 2")
    #expect(Listing.links([1, 2, 3, 4, 5]) == "its links are 1 to 5")
    #expect(Listing.links([2, 4, 9]) == "its links are 2, 4, 9")
    #expect(Listing.links([0, .max]) == "its links are 0, 4294967295")
    #expect(Listing.links((1...15).map { $0 * 2 }).hasSuffix("22, 24 and 3 more"))
  }
}
