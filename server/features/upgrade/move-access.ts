import type { EarlierMailbox, EarlierRule } from '../access/types.ts';
import { eachPage } from './pages.ts';
import type { PartContext } from './parts.ts';
import { readKey, readMailbox, readRule } from './read-access.ts';
import type { UpgradeNote, UpgradePart } from './types.ts';
import { shown } from './values.ts';

/** Ids of mailboxes by the label of the earlier release. */
type MailboxesByLabel = ReadonlyMap<string, string>;

/** Moves the mailboxes over. One with the same label as a mailbox that is here becomes that one. */
export async function moveMailboxes(context: PartContext): Promise<void> {
  const { db, takers } = context;
  const labels = await takers.access.mailboxesByLabel(db.read);
  await eachPage(context, { part: 'mailboxes', table: 'mailboxes', next: 'rules' }, async (rows) => {
    const read = rows.flatMap((row) => readMailbox(row, context)?.value ?? []);
    const known = await takers.access.knownMailboxes(
      db.read,
      read.map(({ id }) => id),
    );
    const fresh: EarlierMailbox[] = [];
    for (const mailbox of read) {
      if (known.has(mailbox.id) || labels.has(mailbox.label)) continue;
      labels.set(mailbox.label, mailbox.id);
      fresh.push(mailbox);
    }
    return {
      counts: { mailboxes_moved: fresh.length, mailboxes_present: rows.length - fresh.length },
      notes: [],
      write: (tx) => takers.access.addMailboxes(tx, fresh),
    };
  });
}

/**
 * Returns the mailboxes by label: those that are here, and those of the earlier release, which a dry run has not
 * written.
 */
export async function findMailboxes(context: PartContext): Promise<MailboxesByLabel> {
  const labels = await context.takers.access.mailboxesByLabel(context.db.read);
  for (let after: string | null = null; ; ) {
    const page = await context.earlier.page('mailboxes', after, PAGE);
    for (const row of page.rows) {
      const read = readMailbox(row, context);
      if (read !== null && !labels.has(read.value.label)) labels.set(read.value.label, read.value.id);
    }
    if (page.after === null) return labels;
    after = page.after;
  }
}
const PAGE = 500;

/** Moves the number rules over. The first rule of a number stays. */
export async function moveRules(context: PartContext): Promise<void> {
  const { db, takers } = context;
  const labels = await findMailboxes(context);
  const numbers = await takers.access.mailboxesByNumber(db.read);
  await eachPage(context, { part: 'rules', table: 'inbound_rules', next: 'keys' }, async (rows) => {
    const notes: UpgradeNote[] = [];
    const fresh: EarlierRule[] = [];
    let present = 0;
    for (const row of rows) {
      const { id, number, numberText, label, createdAt } = readRule(row, context);
      const mailboxId = label === null ? undefined : labels.get(label);
      const problem =
        number === null
          ? 'that is no fax number'
          : mailboxId === undefined
            ? 'there is no such mailbox'
            : null;
      if (number === null || mailboxId === undefined) {
        const text = `Faxes to ${shown(numberText)} went to the mailbox ${shown(label)}. The rule was left out: ${problem}.`;
        notes.push({ kind: 'rule_left', subjectId: null, text });
        continue;
      }
      const taken = numbers.get(number);
      if (taken === undefined) {
        numbers.set(number, mailboxId);
        fresh.push({ id, toNumber: number, mailboxId, createdAt });
      } else if (taken === mailboxId) present += 1;
      else
        notes.push({
          kind: 'rule_left',
          subjectId: null,
          text: `A second rule for ${number} names the mailbox ${shown(label)}. It was left out: a number has one mailbox.`,
        });
    }
    return {
      counts: {
        rules_moved: fresh.length,
        rules_present: present,
        rules_left: rows.length - fresh.length - present,
      },
      notes,
      write: (tx) => takers.access.addRules(tx, fresh),
    };
  });
}

/** Moves the API keys over, each to an integration of its own. */
export async function moveKeys(context: PartContext): Promise<void> {
  const { db, takers, upgradedAt, country } = context;
  const part: UpgradePart = 'keys';
  await eachPage(context, { part, table: 'api_keys', next: 'received' }, async (rows) => {
    const { hashKind } = takers.access;
    const read = rows.map((row) => readKey(row, { upgradedAt, country, hashKind }));
    const known = await takers.access.knownKeys(
      db.read,
      read.flatMap(({ value }) => value?.keyId ?? []),
    );
    const fresh = read.filter(({ value }) => value !== null && !known.has(value.keyId));
    const keys = fresh.flatMap(({ value }) => value ?? []);
    const unusable = read.filter(({ value }) => value === null);
    const waiting = keys.filter(({ state, revokedAt }) => state === 'review' && revokedAt === null);
    return {
      counts: {
        keys_moved: keys.length,
        keys_present: known.size,
        keys_waiting: waiting.length,
        keys_left: unusable.length,
      },
      notes: [...fresh, ...unusable].flatMap(({ notes }) => notes),
      write: (tx) => takers.access.addKeys(tx, keys),
    };
  });
}
