// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the fuzzer brings its own main, and everything under it is built with its instrumentation.
let package = Package(
  name: "racpscope-fuzz",
  dependencies: [.package(name: "racpscope", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [.product(name: "FuzzEntries", package: "racpscope")],
      path: "Driver",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .unsafeFlags(["-parse-as-library"]),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
