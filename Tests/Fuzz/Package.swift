// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the library is built anew with the fuzzer's eyes in it, and no command stands in the way.
let package = Package(
  name: "FederatedDataFuzz",
  dependencies: [.package(name: "FederatedData", path: "../..")],
  targets: [
    .executableTarget(
      name: "Fuzz", dependencies: [.product(name: "FederatedData", package: "FederatedData")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
        .unsafeFlags(["-parse-as-library"]),
      ])
  ],
  swiftLanguageModes: [.v6]
)
