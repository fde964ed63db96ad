extension StoreSchema {
  /// A meter that numbers its records anew sends readings again that are held: such a row names the one of an earlier
  /// epoch that is the same reading, and is left out wherever readings are given away or counted.
  static let version2: StaticString = """
    ALTER TABLE records ADD COLUMN same_as_epoch INTEGER;
    ALTER TABLE records ADD COLUMN same_as_sequence INTEGER;
    ALTER TABLE records ADD COLUMN same_as_variant INTEGER;

    DROP VIEW readings;
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
      AND contexts.variant = records.variant AND contexts.ordinal = 0
    WHERE records.same_as_epoch IS NULL;
    """
}
