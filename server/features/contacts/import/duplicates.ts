import { combineEntries } from './combine.ts';
import type { EntryFields } from './read-entry.ts';

/** A valid entry of a file, or several of one contact. */
export interface Line {
  readonly line: number;
  readonly fields: EntryFields;
}

interface Report {
  leaveOut(line: number, sentence: string): void;
  merge(line: number, into: number, number: string): void;
}

/**
 * Merges the entries that share a fax number or are about one stored contact: the first one goes before. `contacts` are
 * the IDs of stored contacts by E.164 number.
 */
export function mergeDuplicates(
  lines: readonly Line[],
  contacts: ReadonlyMap<string, string>,
  report: Report,
): Line[] {
  const groups = new Map<string, { line: number; fields: EntryFields; place: number }>();
  const merged: (Line | null)[] = [];
  for (const { line, fields } of lines) {
    const keys = (some: EntryFields) => some.numbers.flatMap((one) => [one, contacts.get(one) ?? one]);
    const own = keys(fields);
    const known = [...new Set(own.flatMap((key) => groups.get(key) ?? []))].toSorted(
      (a, b) => a.place - b.place,
    );
    const [first, ...others] = known;
    if (!first) {
      const group = { line, fields, place: merged.length };
      merged.push({ line, fields });
      for (const key of own) groups.set(key, group);
      continue;
    }
    const shared = fields.numbers.find((one) => groups.has(one) || groups.has(contacts.get(one) ?? one));
    const combined = [...others, { line, fields }].reduce<ReturnType<typeof combineEntries>>(
      (sum, one) => ('problem' in sum ? sum : combineEntries(sum, one.fields)),
      first.fields,
    );
    if ('problem' in combined) {
      report.leaveOut(
        line,
        `It belongs to line ${first.line}, which has the same number. ${combined.problem}`,
      );
      continue;
    }
    for (const other of others) {
      merged[other.place] = null;
      report.merge(other.line, first.line, shared ?? '');
    }
    report.merge(line, first.line, shared ?? '');
    first.fields = combined;
    merged[first.place] = { line: first.line, fields: combined };
    for (const key of keys(combined)) groups.set(key, first);
  }
  return merged.filter((one) => one !== null);
}
