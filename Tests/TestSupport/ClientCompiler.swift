public import Foundation

/// Compiles a file that uses the library, in the language mode that its users have.
public enum ClientCompiler {
  /// The modules of this very build; nil where they do not stand beside the tests.
  public static let modules: URL? = {
    let folders = sequence(first: Bundle.main.bundleURL.absoluteURL) { folder in
      folder.path(percentEncoded: false) == "/" ? nil : folder.deletingLastPathComponent()
    }
    return folders.map { $0.appending(path: "Modules") }.first { folder in
      let module = folder.appending(path: "FederatedModel.swiftmodule")
      return FileManager.default.fileExists(atPath: module.path(percentEncoded: false))
    }
  }()

  /// The errors that the compiler finds; empty when the code is right.
  public static func errors(in code: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let (file, messages) = (folder.file("client.swift"), folder.file("messages.txt"))
    try Data("\(code)\n".utf8).write(to: file)
    try Data().write(to: messages)
    let sources = TestFiles.package.appending(path: "Sources")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", file.path(percentEncoded: false)]
      + ([self.modules] + ["CSQLite", "CXML2", "CZlib"].map { sources.appending(path: $0) })
      .compactMap(\.self).flatMap { ["-I", $0.path(percentEncoded: false)] }
      + ["-I", "/usr/include/libxml2"]
    let output = try FileHandle(forWritingTo: messages)
    compiler.standardError = output
    compiler.standardOutput = output
    try compiler.run()
    compiler.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: messages), as: UTF8.self)
    if compiler.terminationStatus == 0 { return [] }
    let errors = text.split(separator: "\n").filter { $0.contains("error:") }.map(String.init)
    return errors.isEmpty ? [text] : errors
  }
}
