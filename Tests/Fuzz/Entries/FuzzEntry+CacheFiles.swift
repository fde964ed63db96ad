import BluetoothWire
import LinkTrace

extension FuzzEntry {
  /// The octets as a file for `--gatt`.
  static let cacheFiles = FuzzEntry(
    name: "cache-files",
    run: { octets in
      do throws(CacheFileError) {
        let databases = try CacheFile.databases(in: octets, name: "00:00:5E:00:53:01")
        return databases.reduce(0) { $0 + $1.database.attributes.count }
      } catch {
        return error.message(file: "input").utf8.count
      }
    },
    seeds: { [("report", Array(report.utf8)), ("cache", Array(cache.utf8))] }
  )

  private static let report = """
    {"schema":"racpscope/gatt/1","devices":[{"server":"peer","address":"00:00:5E:00:53:01","addressType":"random",
    "attributes":[{"handle":16,"kind":"service","uuid":"1808","groupEnd":30,"properties":null},
    {"handle":18,"kind":"value","uuid":"00002a18-0000-1000-8000-00805f9b34fb","properties":["notify","read"],
    "provenance":"inferred","name":"\\u00e9\\ud83d\\ude00","x":[1.5e3,true,false,-7]}]}]}
    """
  private static let cache = """
    [ServiceChanged]
    # a comment
    [Attributes]
    0010=2800:001e:1808
    0011=2803:0012:10:2a18
    0013=2902
    0014=2803:0015:02:00112233445566778899aabbccddeeff:2b2a
    0016=2802:0020:0030:180a
    0017=0000:00002900-0000-1000-8000-00805f9b34fb

    """
}
