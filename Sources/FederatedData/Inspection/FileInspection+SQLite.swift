extension FileInspection {
  mutating func inspectSQLite() throws { self.kind = .otherSQLite }
}
