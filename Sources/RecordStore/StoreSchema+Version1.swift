extension StoreSchema {
  /// Times without zone are seconds since 1970-01-01 00:00:00 of the meter's own clock; the others are of UTC.
  static let version1: StaticString = """
    CREATE TABLE devices (
      id INTEGER PRIMARY KEY,
      address TEXT NOT NULL,
      address_type TEXT NOT NULL CHECK (address_type IN ('public', 'random')),
      name TEXT, manufacturer TEXT, model TEXT, serial TEXT, firmware TEXT, system_id BLOB,
      feature INTEGER,
      unsupported_requests INTEGER NOT NULL DEFAULT 0,
      UNIQUE (address, address_type)
    ) STRICT;

    CREATE TABLE epochs (
      id INTEGER PRIMARY KEY,
      device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
      service INTEGER NOT NULL,
      number INTEGER NOT NULL,
      mark INTEGER CHECK (mark BETWEEN 0 AND 65535),
      mark_base_time BLOB,
      runs_since_full_fetch INTEGER NOT NULL DEFAULT 0,
      UNIQUE (device_id, service, number)
    ) STRICT;

    CREATE TABLE commits (
      epoch_id INTEGER NOT NULL REFERENCES epochs (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      time INTEGER NOT NULL,
      request BLOB NOT NULL,
      is_full_fetch INTEGER NOT NULL,
      stored INTEGER NOT NULL,
      already_held INTEGER NOT NULL,
      conflicting INTEGER NOT NULL,
      PRIMARY KEY (epoch_id, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE records (
      epoch_id INTEGER NOT NULL REFERENCES epochs (id) ON DELETE CASCADE,
      sequence INTEGER NOT NULL CHECK (sequence BETWEEN 0 AND 65535),
      variant INTEGER NOT NULL CHECK (variant >= 0),
      commit_number INTEGER NOT NULL,
      value BLOB NOT NULL,
      time_offset INTEGER,
      context_missing INTEGER NOT NULL,
      base_time INTEGER,
      time INTEGER,
      concentration REAL,
      unit TEXT,
      type INTEGER,
      location INTEGER,
      status INTEGER,
      PRIMARY KEY (epoch_id, sequence, variant)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE contexts (
      epoch_id INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      variant INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      value BLOB NOT NULL,
      carbohydrate INTEGER, carbohydrate_kg REAL,
      meal INTEGER,
      tester INTEGER, health INTEGER,
      exercise_s INTEGER, exercise_percent INTEGER,
      medication INTEGER, medication_amount REAL, medication_unit TEXT,
      hba1c_percent REAL,
      PRIMARY KEY (epoch_id, sequence, variant, ordinal),
      FOREIGN KEY (epoch_id, sequence, variant) REFERENCES records (epoch_id, sequence, variant) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE orphan_contexts (
      epoch_id INTEGER NOT NULL REFERENCES epochs (id) ON DELETE CASCADE,
      sequence INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      value BLOB NOT NULL,
      PRIMARY KEY (epoch_id, sequence, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE runs (
      id INTEGER PRIMARY KEY,
      device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
      outcome TEXT NOT NULL,
      detail TEXT,
      is_complete INTEGER NOT NULL,
      started REAL,
      duration REAL NOT NULL,
      transfer_duration REAL NOT NULL,
      request BLOB NOT NULL,
      received INTEGER NOT NULL,
      contexts INTEGER NOT NULL,
      stored INTEGER NOT NULL,
      already_held INTEGER NOT NULL,
      deleted INTEGER NOT NULL,
      epoch INTEGER NOT NULL,
      mark INTEGER,
      count INTEGER,
      security_level INTEGER NOT NULL,
      key_size INTEGER NOT NULL,
      round_trips INTEGER NOT NULL,
      used_cache INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX runs_of_device ON runs (device_id);

    CREATE TABLE attribute_caches (
      device_id INTEGER PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
      value BLOB NOT NULL
    ) STRICT;

    CREATE TABLE bonds (
      device_id INTEGER PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
      identity_resolving_key BLOB CHECK (length(identity_resolving_key) = 16)
    ) STRICT;

    CREATE TABLE long_term_keys (
      device_id INTEGER NOT NULL REFERENCES bonds (device_id) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      type INTEGER NOT NULL,
      is_central INTEGER NOT NULL,
      key_size INTEGER NOT NULL,
      diversifier INTEGER NOT NULL,
      random INTEGER NOT NULL,
      value BLOB NOT NULL CHECK (length(value) = 16),
      PRIMARY KEY (device_id, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE forgotten_epochs (
      address TEXT NOT NULL,
      address_type TEXT NOT NULL,
      service INTEGER NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (address, address_type, service)
    ) STRICT, WITHOUT ROWID;

    CREATE VIEW readings AS
    SELECT devices.address, devices.name, epochs.number AS epoch, records.sequence, records.variant,
      datetime(records.base_time, 'unixepoch') AS base_time, records.time_offset,
      datetime(records.time, 'unixepoch') AS time,
      records.concentration, records.unit,
      round(CASE records.unit WHEN 'kg/L' THEN records.concentration * 100000
        ELSE records.concentration * 18020 END, 3) AS mg_dl,
      round(CASE records.unit WHEN 'mol/L' THEN records.concentration * 1000
        ELSE records.concentration * 100000 / 18.02 END, 3) AS mmol_l,
      records.type, records.location, records.status, contexts.meal, contexts.carbohydrate_kg,
      contexts.medication, contexts.medication_amount, contexts.medication_unit, records.context_missing
    FROM records
    JOIN epochs ON epochs.id = records.epoch_id
    JOIN devices ON devices.id = epochs.device_id
    LEFT JOIN contexts ON contexts.epoch_id = records.epoch_id AND contexts.sequence = records.sequence
      AND contexts.variant = records.variant AND contexts.ordinal = 0;
    """
}
