import Foundation

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("Usage: swift run ShopFixture FOLDER\n".utf8))
  exit(2)
}
try ShopFixture.write(to: URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory))
