public import Foundation

/// Where test files stand.
public enum TestFiles {
  /// The package's folder.
  public static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Files of the project's own.
  public static let fixtures = package.appending(path: "Fixtures")

  /// Real files of other people, beside the package; nil on machines that do not have them. A test that
  /// needs one says so and skips: `@Test(.enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))`.
  public static let corpus: URL? = {
    let folder = package.deletingLastPathComponent().appending(path: "shared/corpus")
    return FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) ? folder : nil
  }()
}
