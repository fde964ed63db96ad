/// How what is in a store is written.
public enum StoreFormat: String, CaseIterable, Sendable { case table, csv, jsonl }
