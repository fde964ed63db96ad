// A dump shows the members of a value whatever its description says: keys have none to show.

extension LongTermKey: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension IdentityKey: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
