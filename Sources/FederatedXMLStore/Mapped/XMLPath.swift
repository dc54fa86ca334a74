/// A path in the language of mappings, parsed.
///
/// | path | means |
/// | --- | --- |
/// | `/g:gpx/g:wpt` | elements below one another, from the root |
/// | `//part` | elements of that name at any depth |
/// | `*` | an element of any name |
/// | `property[@name='os']` | elements whose attribute has that value |
/// | `key('Tracks')` | the value behind `<key>Tracks</key>` in the dictionary of a property list |
/// | `a/@id` | an attribute, as the last step |
/// | `.` | the record's own text |
/// | `key()` | the key under which the record stands in a dictionary of a property list |
struct XMLPath: Hashable, Sendable {
  var isAbsolute: Bool
  var steps: [Step]
  var end: End

  /// One element further down.
  struct Step: Hashable, Sendable {
    /// At any depth, not directly below.
    var isDescendant = false
    var test: Test
    var filters: [Filter] = []
  }

  enum Test: Hashable, Sendable {
    case name(XMLPathName)
    case any
    case key(String)
  }

  /// An attribute that an element must have, with its value.
  struct Filter: Hashable, Sendable {
    var name: XMLPathName
    var value: String
  }

  /// What of the last element is meant.
  enum End: Hashable, Sendable {
    /// The element: a record, or all text inside it.
    case element
    case attribute(XMLPathName)
    case ownText
    case ownKey
  }
}

/// A name as a path writes it: the prefix is the mapping's own.
struct XMLPathName: Hashable, Sendable {
  var prefix = ""
  var local: String
  /// Where it begins in the path, from 1.
  var column = 1

  var text: String { self.prefix.isEmpty ? self.local : "\(self.prefix):\(self.local)" }
}

/// What is wrong in the text of a path, and where.
struct XMLPathError: Error, Hashable {
  /// From 1.
  var column: Int
  var message: String
}
