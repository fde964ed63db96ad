PRAGMA application_id = 0x52414350;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE devices (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL,
  address_type TEXT NOT NULL CHECK (address_type IN ('public', 'random')),
  name TEXT, manufacturer TEXT, model TEXT, serial TEXT, firmware TEXT, system_id BLOB,
  feature INTEGER,
  unsupported_requests INTEGER NOT NULL DEFAULT 0,
  UNIQUE (address, address_type)
) STRICT;
INSERT INTO devices VALUES(1,'F0:0D:CA:FE:00:01','random','GM-1',NULL,NULL,'77',NULL,NULL,NULL,0);
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
INSERT INTO epochs VALUES(1,1,6152,0,2,X'ea070105060200',1);
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
INSERT INTO commits VALUES(1,1,1796021729,X'0101',0,3,0,0);
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
INSERT INTO records VALUES(1,0,0,1,X'020000ea0701050600007bb011',60,0,1767592800,1767596400,0.0012299999999999999735,'kg/L',1,1,NULL);
INSERT INTO records VALUES(1,1,0,1,X'020100ea0701050601007bb011',60,0,1767592860,1767596460,0.0012299999999999999735,'kg/L',1,1,NULL);
INSERT INTO records VALUES(1,2,0,1,X'120200ea0701050602007bb011',60,0,1767592920,1767596520,0.0012299999999999999735,'kg/L',1,1,NULL);
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
INSERT INTO contexts VALUES(1,2,0,0,X'02020001',NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO runs VALUES(1,1,'synced',NULL,1,NULL,0.0,0.0,X'',0,0,0,0,0,0,NULL,NULL,1,0,0,0);
CREATE TABLE attribute_caches (
  device_id INTEGER PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
  value BLOB NOT NULL
) STRICT;
CREATE TABLE bonds (
  device_id INTEGER PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
  identity_resolving_key BLOB CHECK (length(identity_resolving_key) = 16)
) STRICT;
INSERT INTO bonds VALUES(1,X'b0b1b2b3b4b5b6b7b8b9babbbcbdbebf');
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
INSERT INTO long_term_keys VALUES(1,0,1,1,16,65244,-81985529216486896,X'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf');
INSERT INTO long_term_keys VALUES(1,1,2,0,7,0,0,X'afaeadacabaaa9a8a7a6a5a4a3a2a1a0');
CREATE TABLE forgotten_epochs (
  address TEXT NOT NULL,
  address_type TEXT NOT NULL,
  service INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (address, address_type, service)
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_of_device ON runs (device_id);
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
COMMIT;
