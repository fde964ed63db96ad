// swift-tools-version: 6.2
import PackageDescription

// Lifetimes: the only ~Escapable types are readers over a RawSpan that are used and dropped inside one
// synchronous call; none is stored, captured or passed over a suspension point.
let language: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]
// Strict memory safety stays off in tests: the Testing macros expand to code without `unsafe` markers.
let strict: [SwiftSetting] = language + [.strictMemorySafety()]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: language)
}

let package = Package(
  name: "racpscope",
  products: [
    .executable(name: "racpscope", targets: ["racpscope"]),
    .executable(name: "make-scenario", targets: ["make-scenario"]),
    .executable(name: "store-writer", targets: ["store-writer"]),
    .library(name: "ScriptedMeter", targets: ["ScriptedMeter"]),
    .library(name: "BluetoothWire", targets: ["BluetoothWire"]),
    .library(name: "HealthProfiles", targets: ["HealthProfiles"]),
    .library(name: "CaptureFiles", targets: ["CaptureFiles"]),
    .library(name: "LinkTrace", targets: ["LinkTrace"]),
    .library(name: "ProtocolLint", targets: ["ProtocolLint"]),
    .library(name: "FetchComparison", targets: ["FetchComparison"]),
    .library(name: "RecordCollector", targets: ["RecordCollector"]),
    .library(name: "RecordStore", targets: ["RecordStore"]),
    .library(name: "Reporting", targets: ["Reporting"]),
    .library(name: "Scenarios", targets: ["Scenarios"]),
    .library(name: "FuzzEntries", targets: ["FuzzEntries"]),
    .library(name: "Stages", targets: ["Stages"]),
    .executable(name: "count-allocations", targets: ["count-allocations"]),
  ],
  targets: [
    module("BluetoothWire"),
    module("HealthProfiles", ["BluetoothWire"]),
    .systemLibrary(name: "CArchive", pkgConfig: "libarchive"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CPcap", pkgConfig: "libpcap"),
    module("CaptureFiles", ["BluetoothWire", "CArchive", "CZlib"]),
    module("LinkTrace", ["BluetoothWire", "HealthProfiles", "CaptureFiles", "CCrypto"]),
    module("Scenarios", ["BluetoothWire", "HealthProfiles", "CaptureFiles"]),
    module("ProtocolLint", ["BluetoothWire", "HealthProfiles", "CaptureFiles", "LinkTrace", "Scenarios"]),
    module("FetchComparison", ["BluetoothWire", "HealthProfiles", "LinkTrace"]),
    module("RecordCollector", ["BluetoothWire", "HealthProfiles"]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    module("RecordStore", ["BluetoothWire", "HealthProfiles", "RecordCollector", "CSQLite"]),
    .target(name: "CBluetooth"),
    module("LinuxBluetooth", ["BluetoothWire", "CaptureFiles", "RecordCollector", "CBluetooth"]),
    module(
      "Reporting",
      [
        "BluetoothWire", "HealthProfiles", "CaptureFiles", "LinkTrace", "ProtocolLint", "Scenarios", "FetchComparison",
        "RecordCollector", "RecordStore",
      ]
    ),
    module("CommandLineInterface"),
    .executableTarget(
      name: "racpscope",
      dependencies: [
        "BluetoothWire", "HealthProfiles", "CaptureFiles", "LinkTrace", "ProtocolLint", "FetchComparison",
        "RecordCollector", "RecordStore", "LinuxBluetooth", "Reporting", "CommandLineInterface",
      ],
      swiftSettings: strict
    ),
    .executableTarget(name: "make-scenario", dependencies: ["Scenarios", "CaptureFiles"], swiftSettings: strict),
    // Finds the captures that are no part of the package.
    .target(name: "ReferenceCaptures", path: "Tests/ReferenceCaptures", swiftSettings: language),
    tests("Scenarios", ["Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire"]),
    tests("HealthProfiles", ["HealthProfiles", "BluetoothWire"]),
    tests(
      "CaptureFiles",
      ["CaptureFiles", "BluetoothWire", "ReferenceCaptures", "CArchive", "CZlib", "CPcap"]
    ),
    tests("CommandLineInterface", ["CommandLineInterface"]),
    tests(
      "LinkTrace",
      ["LinkTrace", "Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire", "ReferenceCaptures"]
    ),
    tests(
      "ProtocolLint",
      [
        "ProtocolLint", "Reporting", "LinkTrace", "Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire",
        "ReferenceCaptures",
      ]
    ),
    tests(
      "Reporting",
      [
        "Reporting", "ProtocolLint", "LinkTrace", "Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire",
        "ReferenceCaptures",
      ]
    ),
    tests(
      "FetchComparison",
      ["FetchComparison", "LinkTrace", "Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire"]
    ),
    // A meter as a value, which the collector's, the driver's and the kill tests talk to.
    .target(
      name: "ScriptedMeter",
      dependencies: ["BluetoothWire", "HealthProfiles"],
      path: "Tests/ScriptedMeter",
      swiftSettings: language
    ),
    tests(
      "RecordCollector",
      [
        "RecordCollector", "ScriptedMeter", "ProtocolLint", "Reporting", "LinkTrace", "Scenarios", "CaptureFiles",
        "HealthProfiles", "BluetoothWire",
      ]
    ),
    .executableTarget(
      name: "store-writer",
      dependencies: ["BluetoothWire", "HealthProfiles", "RecordCollector", "RecordStore"],
      path: "Tests/StoreWriter",
      swiftSettings: language
    ),
    tests(
      "RecordStore",
      ["RecordStore", "RecordCollector", "HealthProfiles", "BluetoothWire", "CSQLite", "store-writer"],
      exclude: ["Fixtures"]
    ),
    tests(
      "LinuxBluetooth",
      [
        "LinuxBluetooth", "RecordStore", "RecordCollector", "ScriptedMeter", "Reporting", "CaptureFiles",
        "HealthProfiles", "BluetoothWire",
      ]
    ),
    .executableTarget(
      name: "sync-child",
      dependencies: ["BluetoothWire", "LinuxBluetooth", "RecordCollector", "RecordStore"],
      path: "Tests/KillTests/SyncChild",
      swiftSettings: language
    ),
    .testTarget(
      name: "KillTests",
      dependencies: ["BluetoothWire", "RecordCollector", "RecordStore", "ScriptedMeter", "sync-child"],
      path: "Tests/KillTests/Kills",
      swiftSettings: language
    ),
    tests(
      "Racpscope",
      [
        "racpscope", "Reporting", "CommandLineInterface", "LinuxBluetooth", "RecordStore", "RecordCollector",
        "Scenarios",
        "CaptureFiles", "HealthProfiles", "BluetoothWire", "ReferenceCaptures",
      ],
      exclude: ["Golden"]
    ),
    tests("Architecture", []),
    // Counts every call of malloc in the program that links it: of no library and no test bundle, so that a child
    // process counts for the tests.
    .target(name: "AllocationCounter", path: "Tests/Allocations/AllocationCounter"),
    .target(
      name: "Stages",
      dependencies: ["CaptureFiles", "LinkTrace", "Reporting"],
      path: "Tests/Allocations/Stages",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "count-allocations",
      dependencies: ["AllocationCounter", "Stages", "CaptureFiles", "Scenarios"],
      path: "Tests/Allocations/CountAllocations",
      swiftSettings: strict
    ),
    .testTarget(
      name: "AllocationTests",
      dependencies: ["count-allocations"],
      path: "Tests/Allocations/AllocationTests",
      swiftSettings: language
    ),
    .target(
      name: "FuzzEntries",
      dependencies: ["BluetoothWire", "HealthProfiles", "CaptureFiles", "LinkTrace", "Reporting", "Scenarios"],
      path: "Tests/Fuzz/Entries",
      swiftSettings: strict
    ),
    tests("FuzzReplay", ["FuzzEntries", "ReferenceCaptures"]),
  ],
  swiftLanguageModes: [.v6]
)
