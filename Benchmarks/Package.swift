// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the main one does not measure. The executables of the main package are named as
// dependencies to be built here too, once and with the same settings.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "racpscope") }

let package = Package(
  name: "racpscope-benchmarks",
  dependencies: [.package(name: "racpscope", path: "..")],
  targets: [
    .executableTarget(
      name: "measure-run",
      dependencies: [
        product("racpscope"), product("make-scenario"), product("store-writer"), product("count-allocations"),
      ]
    ),
    .executableTarget(
      name: "measure-collector",
      dependencies: [
        product("RecordCollector"), product("ScriptedMeter"), product("BluetoothWire"), product("HealthProfiles"),
      ],
      swiftSettings: [
        .enableExperimentalFeature("Lifetimes"), .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ]
    ),
    .executableTarget(name: "walk-capture", dependencies: [product("CaptureFiles")], swiftSettings: strict),
    .executableTarget(
      name: "run-stage",
      dependencies: [product("Stages"), product("CaptureFiles")],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
