import Foundation

extension RawCustomersFile {
  /// Writes the layout by hand, through the C library's buffered output.
  func write(to url: URL) throws {
    guard let file = fopen(url.filePath, "wb") else { throw BenchmarkError("\(url.filePath) does not open") }
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: 1 << 16)
    // The close writes what the buffer still holds.
    defer {
      fclose(file)
      buffer.deallocate()
    }
    setvbuf(file, buffer, _IOFBF, 1 << 16)
    fputs(
      """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>7A1C0F52-3D6E-4B7A-9E55-0C1D2E3F4A5B</UUID>
              <nextObjectID>\(self.count + 101)</nextObjectID>
          </databaseInfo>

      """, file)
    for index in 0..<self.count {
      let customer = self.customers[index]
      withVaList([index + 102, customer.credit, customer.joined]) {
        _ = vfprintf(
          file,
          "    <object type=\"CUSTOMER\" id=\"z%ld\">\n        <attribute name=\"creditlimit\" type=\"decimal\">%.2f</attribute>\n        <attribute name=\"joined\" type=\"date\">%.20f</attribute>\n        <attribute name=\"country\" type=\"string\">",
          $0)
      }
      Self.escape(customer.country, into: file)
      fputs("</attribute>\n        <attribute name=\"email\" type=\"string\">", file)
      Self.escape(customer.email, into: file)
      fputs("</attribute>\n        <attribute name=\"name\" type=\"string\">", file)
      Self.escape(customer.name, into: file)
      withVaList([customer.id]) {
        _ = vfprintf(
          file,
          "</attribute>\n        <attribute name=\"id\" type=\"int64\">%ld</attribute>\n    </object>\n", $0)
      }
    }
    fputs("</database>\n", file)
  }

  private static func escape(_ text: RawText?, into file: UnsafeMutablePointer<FILE>) {
    guard let text else { return }
    for index in 0..<text.count {
      switch text.start[index] {
      case 38: fputs("&amp;", file)
      case 60: fputs("&lt;", file)
      case 62: fputs("&gt;", file)
      default: putc_unlocked(Int32(text.start[index]), file)
      }
    }
  }
}
