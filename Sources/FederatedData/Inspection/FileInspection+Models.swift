extension FileInspection {
  mutating func inspectFolder() throws { self.note = "a folder" }
  mutating func inspectModel() throws { self.kind = .xcodeModel }
}
