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
    .library(name: "BluetoothWire", targets: ["BluetoothWire"]),
    .library(name: "HealthProfiles", targets: ["HealthProfiles"]),
    .library(name: "CaptureFiles", targets: ["CaptureFiles"]),
    .library(name: "LinkTrace", targets: ["LinkTrace"]),
    .library(name: "ProtocolLint", targets: ["ProtocolLint"]),
    .library(name: "Reporting", targets: ["Reporting"]),
    .library(name: "Scenarios", targets: ["Scenarios"]),
    .library(name: "FuzzEntries", targets: ["FuzzEntries"]),
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
    module("Reporting", ["BluetoothWire", "HealthProfiles", "CaptureFiles", "LinkTrace", "ProtocolLint", "Scenarios"]),
    module("CommandLineInterface"),
    .executableTarget(
      name: "racpscope",
      dependencies: ["CaptureFiles", "LinkTrace", "ProtocolLint", "Reporting", "CommandLineInterface"],
      swiftSettings: strict
    ),
    .executableTarget(name: "make-scenario", dependencies: ["Scenarios", "CaptureFiles"], swiftSettings: strict),
    tests("Scenarios", ["Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire"]),
    tests("HealthProfiles", ["HealthProfiles", "BluetoothWire"]),
    tests("CaptureFiles", ["CaptureFiles", "BluetoothWire", "CArchive", "CZlib", "CPcap"]),
    tests("CommandLineInterface", ["CommandLineInterface"]),
    tests("LinkTrace", ["LinkTrace", "Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire"]),
    tests(
      "ProtocolLint",
      ["ProtocolLint", "Reporting", "LinkTrace", "Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire"]
    ),
    tests(
      "Reporting",
      ["Reporting", "ProtocolLint", "LinkTrace", "Scenarios", "CaptureFiles", "HealthProfiles", "BluetoothWire"]
    ),
    tests("Racpscope", ["racpscope"], exclude: ["Golden"]),
    tests("Architecture", []),
    .target(
      name: "FuzzEntries",
      dependencies: ["BluetoothWire", "HealthProfiles", "CaptureFiles", "LinkTrace", "Reporting", "Scenarios"],
      path: "Tests/Fuzz/Entries",
      swiftSettings: strict
    ),
    tests("FuzzReplay", ["FuzzEntries"]),
  ],
  swiftLanguageModes: [.v6]
)
