# Reads the runs (tool, capture, frames, seconds, processor seconds, KiB, status) and prints the table, the ratios and the goals.
{
  key = $1 FS $2
  if (!(key in best)) {
    order[++rows] = key; frames[key] = $3 + 0
    best[key] = $4 + 0; processor[key] = $5 + 0; peak[key] = $6 + 0; status[key] = $7 + 0
  }
  if ($4 + 0 < best[key]) best[key] = $4 + 0
  if ($5 + 0 < processor[key]) processor[key] = $5 + 0
  if ($6 + 0 > peak[key]) peak[key] = $6 + 0
  if ($7 + 0 > status[key]) status[key] = $7 + 0
}
function cost(key) { return processor[key] * 1e9 / frames[key] }
function wait(key) { return best[key] * 1e9 / frames[key] }
function grouped(number,  text, out) {
  text = sprintf("%d", number)
  while (length(text) > 3) { out = "," substr(text, length(text) - 2) out; text = substr(text, 1, length(text) - 3) }
  return text out
}
function name(capture) {
  if (capture == "bench") return "4,000 links of 500 records"
  if (capture == "peers") return "the first 480 of them"
  if (capture == "single") return "one link of 2,000,000 records"
  if (capture == "few") return "400 links of 400 meters"
  if (capture == "distinct") return "4,000 links of 4,000 meters"
  if (capture == "long") return "40,000 links of 500 records"
  return capture
}
function goal(text, value, limit, unit) {
  printf "%-64s %8.1f %s  (goal: at most %s)  %s\n", text, value, unit, limit, value <= limit ? "met" : "MISSED"
}
function reach(text, value, limit, unit) {
  printf "%-64s %8.1f %s  (goal: at least %s)  %s\n", text, value, unit, limit, (value >= limit ? "met" : "MISSED")
}
END {
  print "| capture | frames | tool | seconds | ns a frame | processor seconds | ns of it a frame | peak memory |"
  print "|---|---:|---|---:|---:|---:|---:|---:|"
  for (row = 1; row <= rows; row++) {
    key = order[row]
    split(key, part, FS)
    if (status[key] >= 128) {
      printf "| %s | %s | `%s` | ended by signal %d | | | | |\n", name(part[2]), grouped(frames[key]), part[1], status[key] - 128
      continue
    }
    if (status[key] > 0) {
      printf "| %s | %s | `%s` | failed with exit code %d | | | | |\n", name(part[2]), grouped(frames[key]), part[1], status[key]
      continue
    }
    printf "| %s | %s | `%s` | %.3f | %s | %.3f | %s | %.1f MiB |\n", name(part[2]), grouped(frames[key]), part[1], best[key],
      grouped(wait(key) + 0.5), processor[key], grouped(cost(key) + 0.5), peak[key] / 1024
  }
  print ""
  show = "racpscope show"; lint = "racpscope lint"; records = "racpscope records --format csv"
  theirs[1] = "tshark -T fields"; theirs[2] = "btmon -r"
  for (t = 1; t <= 2; t++) {
    key = theirs[t] FS peers
    if (!(key in best) || status[key]) continue
    printf "Against `%s`, in frames a second over the same file: show %.0f times, records %.0f times, lint %.0f times as many (of processor time %.0f, %.0f and %.0f); memory %.1f MiB against %.1f.\n",
      theirs[t], wait(key) / wait(show FS peers), wait(key) / wait(records FS peers), wait(key) / wait(lint FS peers),
      cost(key) / cost(show FS peers), cost(key) / cost(records FS peers), cost(key) / cost(lint FS peers),
      peak[show FS peers] / 1024, peak[key] / 1024
  }
  printf "Against reading and walking the file alone: show %.1f times, records %.1f times the cost.\n\n",
    cost(show FS "bench") / cost("walk-capture" FS "bench"), cost(records FS "bench") / cost("walk-capture" FS "bench")
  key = theirs[1] FS peers
  if ((key in best) && !status[key]) {
    reach("show: against tshark", wait(key) / wait(show FS peers), 150, "times")
    reach("records: against tshark", wait(key) / wait(records FS peers), 50, "times")
    reach("lint: against tshark", wait(key) / wait(lint FS peers), 75, "times")
  }
  goal("lint: all rules, above links and records alone", cost("run-stage lint" FS "bench") - cost("run-stage track" FS "bench"), 80, "ns a frame")
  goal("show: peak memory, 4,000 links", peak[show FS "bench"] / 1024, 40, "MiB")
  goal("records: peak memory, 4,000 links", peak[records FS "bench"] / 1024, 40, "MiB")
  goal("lint: peak memory, 4,000 links", peak[lint FS "bench"] / 1024, 40, "MiB")
  goal("show: one long link, times the cost of many links", cost(show FS "single") / cost(show FS "bench"), 3, "")
  goal("records: one long link, times the cost of many links", cost(records FS "single") / cost(records FS "bench"), 3, "")
  # A record, and a context with every tenth.
  goal("show: one long link, octets a retained PDU", (peak[show FS "single"] - peak["walk-capture" FS "single"]) * 1024 / 2.2e6, 100, "")
  goal("records: one long link, octets a retained PDU", (peak[records FS "single"] - peak["walk-capture" FS "single"]) * 1024 / 2.2e6, 100, "")
  # 3,600 meters and links more, each with 500 records of its own and the KiB a link may take.
  goal("show: growth, octets a distinct record, links included", (peak[show FS "distinct"] - peak[show FS "few"]) * 1024 / 1.8e6, 18, "")
  goal("records: growth, octets a distinct record, links included", (peak[records FS "distinct"] - peak[records FS "few"]) * 1024 / 1.8e6, 18, "")
  if ((show FS "long") in best) {
    goal("show: peak memory, 40,000 links", peak[show FS "long"] / 1024, 40, "MiB")
    goal("records: peak memory, 40,000 links", peak[records FS "long"] / 1024, 40, "MiB")
    goal("lint: peak memory, 40,000 links", peak[lint FS "long"] / 1024, 40, "MiB")
    goal("show: growth, KiB a link", (peak[show FS "long"] - peak[show FS "bench"]) / 36000, 1, "")
    goal("records: growth, KiB a link", (peak[records FS "long"] - peak[records FS "bench"]) / 36000, 1, "")
  }
}
