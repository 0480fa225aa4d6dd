import { LIMITS } from '../../../shared/limits.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { type ListedNumber, readNumberList } from '../../platform/read-number-list.ts';
import type { Caller } from '../access/service.ts';
import { noRecipients, tooManyRecipients, whichRecipients } from './errors.ts';
import type { BroadcastsParts } from './parts.ts';
import type { SentBroadcastAnswer } from './types.ts';

/** The list of recipients in one of the ways in which it may come. */
export interface GivenRecipients {
  readonly text: string | null;
  readonly file: Uint8Array | null;
  /** Tag of contacts. */
  readonly tag: string | null;
}

export interface CheckedRecipient extends ListedNumber {
  /** E.164; null if it is no number. */
  readonly to: string | null;
  /** Sentence why no fax is sent to it; null if one is. */
  readonly problem: string | null;
  /** Sentence about a number that is sent to all the same; null for none. */
  readonly warning: string | null;
}

export type UsableRecipient = CheckedRecipient & { readonly to: string };

export const isUsable = (recipient: CheckedRecipient): recipient is UsableRecipient =>
  recipient.problem === null && recipient.to !== null;

/** Reads and checks a list of recipients. Throws 400 refusals for a list that cannot be read. */
export async function checkRecipients(
  parts: Pick<BroadcastsParts, 'outbound' | 'contacts' | 'country'>,
  caller: Caller,
  given: GivenRecipients,
): Promise<CheckedRecipient[]> {
  const listed = await listRecipients(parts, caller, given);
  const country = parts.country();
  const numbered = listed.map((each) => ({ ...each, to: requestedNumber(each.text, country) }));
  const numbers = [...new Set(numbered.flatMap(({ to }) => to ?? []))];
  if (numbers.length > LIMITS.broadcastRecipients) throw tooManyRecipients();
  const findings = await parts.outbound.recipientFindings(caller, numbers);
  const lineOf = new Map<string, number>();
  return numbered.map((each) => {
    const { to } = each;
    if (to === null) return { ...each, problem: each.text === '' ? NO_NUMBER : BAD_NUMBER, warning: null };
    const found = findings.get(to);
    const name = each.name ?? found?.contact?.name ?? null;
    const before = lineOf.get(to);
    if (before !== undefined) return { ...each, name, problem: duplicateOf(before), warning: null };
    lineOf.set(to, each.line);
    return { ...each, name, problem: found?.problem ?? null, warning: found?.warning ?? null };
  });
}

/** Lines of a list that are read at all. */
const MAX_LINES = 20_000;
const NO_NUMBER = 'This line has no fax number.';
const BAD_NUMBER = 'This fax number is incomplete or not valid.';
const duplicateOf = (line: number) => `This number is already in line ${line}.`;

async function listRecipients(
  parts: Pick<BroadcastsParts, 'contacts'>,
  caller: Caller,
  { text, file, tag }: GivenRecipients,
): Promise<ListedNumber[]> {
  const ways = [text, file, tag].filter((way) => way !== null);
  if (ways.length !== 1) throw whichRecipients();
  const list = text ?? file;
  return list === null ? listTagged(parts, caller, tag ?? '') : readRecipients(list);
}

async function readRecipients(list: string | Uint8Array): Promise<ListedNumber[]> {
  const listed = await readNumberList(list, { refuse: noRecipients, maxLines: MAX_LINES });
  // Some may be duplicates.
  if (listed.length > 2 * LIMITS.broadcastRecipients) throw tooManyRecipients();
  return listed;
}

/** Lists the contacts with a tag by name; each is a line. */
async function listTagged(
  { contacts }: Pick<BroadcastsParts, 'contacts'>,
  caller: Caller,
  tag: string,
): Promise<ListedNumber[]> {
  // A caller who may not see contacts finds none.
  if (!caller.holds('contacts:read')) return [];
  const listed: ListedNumber[] = [];
  let cursor: string | undefined;
  do {
    const page = await contacts.list(caller, { tag, limit: LIMITS.listLimit.most, cursor });
    for (const { fax_number, name } of page.items)
      listed.push({ line: listed.length + 1, text: fax_number, name, fields: {} });
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && listed.length <= LIMITS.broadcastRecipients);
  return listed;
}

/** Returns a checked line as it is shown. */
export function presentChecked({
  line,
  text,
  to,
  name,
  problem,
  warning,
  fields,
}: CheckedRecipient): SentBroadcastAnswer['checked'][number] {
  return { line, text, to, name, problem, warning, fields: { ...fields } };
}
