import Foundation

/// The value of `--store`: `TYPE=PATH[,configuration=NAME][,readonly]`.
struct StoreArgument {
  let type: String
  let path: String
  let configuration: String?

  /// Options are taken off the end, so that a path may hold commas and equal signs.
  init(_ text: String) throws {
    guard let equal = text.firstIndex(of: "="), equal > text.startIndex,
      text.index(after: equal) < text.endIndex
    else { throw ToolError.usage("--store \(text)", "is not TYPE=PATH[,configuration=NAME][,readonly]") }
    self.type = String(text[..<equal])
    guard ["xml", "sqlite", "auto"].contains(self.type) else {
      throw ToolError.usage("--store \(text)", "'\(self.type)' is no store type; use xml, sqlite or auto")
    }
    var rest = text[text.index(after: equal)...]
    var configuration: String?
    while let comma = rest.lastIndex(of: ",") {
      let option = rest[rest.index(after: comma)...]
      if option.hasPrefix("configuration=") {
        configuration = String(option.dropFirst("configuration=".count))
      } else if option != "readonly" {
        break
      }
      rest = rest[..<comma]
    }
    guard !rest.isEmpty else { throw ToolError.usage("--store \(text)", "names no path") }
    self.path = String(rest)
    self.configuration = configuration
  }

  var url: URL { URL(filePath: self.path) }
}
