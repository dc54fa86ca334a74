// swift-tools-version: 6.2
import PackageDescription

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The three targets that face C also mark every unsafe operation.
let facingC: [SwiftSetting] = common + [.strictMemorySafety()]

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.target(name: name), "TestSupport"] + dependencies,
    swiftSettings: common)
}

let package = Package(
  name: "FederatedData",
  products: [
    .library(name: "FederatedData", targets: ["FederatedData"]),
    .library(name: "FederatedStore", targets: ["FederatedStore"]),
    .library(name: "FederatedStoreTesting", targets: ["FederatedStoreTesting"]),
    .executable(name: "federate", targets: ["FederatedTool"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "FederatedModel", swiftSettings: common),
    .target(name: "XMLStream", dependencies: ["CXML2"], swiftSettings: facingC),

    .target(name: "FederatedStore", dependencies: ["FederatedModel"], swiftSettings: common),
    .target(
      name: "FederatedModelFiles", dependencies: ["FederatedModel", "XMLStream", "CZlib"],
      swiftSettings: facingC),

    .target(
      name: "FederatedSQLiteStore", dependencies: ["FederatedModel", "FederatedStore", "CSQLite"],
      swiftSettings: facingC),
    .target(
      name: "FederatedXMLStore", dependencies: ["FederatedModel", "FederatedStore", "XMLStream"],
      swiftSettings: common),
    .target(
      name: "FederatedRuntime", dependencies: ["FederatedModel", "FederatedStore"],
      swiftSettings: common),
    .target(
      name: "FederatedStoreTesting", dependencies: ["FederatedModel", "FederatedStore", "FederatedRuntime"],
      swiftSettings: common),

    .target(
      name: "FederatedData",
      dependencies: [
        "FederatedModel", "FederatedStore", "FederatedRuntime", "FederatedModelFiles",
        "FederatedSQLiteStore", "FederatedXMLStore",
      ],
      swiftSettings: common),

    .executableTarget(
      name: "FederatedTool", dependencies: ["FederatedData"], swiftSettings: common),
    .executableTarget(
      name: "FederatedBenchmarks",
      dependencies: [
        "FederatedData", "FederatedModel", "FederatedStore", "FederatedRuntime", "CSQLite", "CXML2",
      ],
      swiftSettings: common),

    .executableTarget(
      name: "ShopFixture", dependencies: ["FederatedData"], path: "Tests/ShopFixture", swiftSettings: common),
    .executableTarget(
      name: "CrashingSaver", dependencies: ["FederatedData"], path: "Tests/CrashingSaver",
      swiftSettings: common),
    .target(
      name: "TestSupport",
      dependencies: ["FederatedModel", "FederatedStore", "FederatedRuntime", "FederatedStoreTesting"],
      path: "Tests/TestSupport",
      swiftSettings: common),
    tests("FederatedModel"),
    tests("XMLStream"),
    tests("FederatedModelFiles", "FederatedModel"),
    tests("FederatedStore", "FederatedModel", "FederatedStoreTesting"),
    tests("FederatedSQLiteStore", "FederatedModel", "FederatedStore", "FederatedStoreTesting"),
    tests("FederatedXMLStore", "FederatedModel", "FederatedStore", "FederatedStoreTesting"),
    tests("FederatedRuntime", "FederatedModel", "FederatedStore"),
    tests(
      "FederatedData", "ShopFixture", "CrashingSaver", "FederatedModel", "FederatedStore",
      "FederatedStoreTesting",
      "FederatedSQLiteStore"),
    tests("FederatedTool", "FederatedData", "FederatedStore", "FederatedSQLiteStore"),
  ],
  swiftLanguageModes: [.v6]
)
