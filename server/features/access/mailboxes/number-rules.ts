import type { Database, WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { toE164 } from '../../../platform/phone-number.ts';
import { assertMayFile } from '../authority/may-change.ts';
import { changedFields, type Patch, patched } from '../changed-fields.ts';
import { AccessConflictError, AccessValueError, MissingError } from '../errors.ts';
import type { ChangePolicy } from '../policy-change.ts';
import {
  deleteRule,
  findRule,
  listRules,
  ruleOfNumber,
  type StoredRule,
  updateRule,
} from '../store/mailbox-pages.ts';
import { insertInboundRule } from '../store/mailboxes.ts';
import { readPolicy } from '../store/policy.ts';
import type { AccessSettings, ActorWithGrants, ChangeResult, ItemVersion, PageRequest } from '../types.ts';
import { mailboxOf } from './mailboxes.ts';

interface RuleFields {
  /** As typed. */
  readonly number: string;
  readonly mailboxId: string;
}

interface Change {
  readonly before: StoredRule;
  readonly after: StoredRule;
}

/**
 * Number rules; a change leaves filed faxes where they are. Refusals: 400 no number, 403 a number whose faxes the actor
 * does not see now, 404, 409 stale or taken.
 */
export interface NumberRules {
  list(
    wanted: PageRequest & { mailboxId?: string | undefined },
  ): Promise<{ items: StoredRule[]; next_cursor: string | null; policyVersion: number }>;
  create(
    actor: ActorWithGrants,
    rule: RuleFields & { expectedVersion: number },
  ): Promise<ChangeResult<StoredRule>>;
  change(
    actor: ActorWithGrants,
    item: ItemVersion,
    patch: Patch<RuleFields>,
  ): Promise<ChangeResult<StoredRule>>;
  remove(actor: ActorWithGrants, item: ItemVersion): Promise<ChangeResult<StoredRule>>;
}

export function createNumberRules(parts: {
  db: Database;
  clock: Clock;
  changePolicy: ChangePolicy;
  settings: Pick<AccessSettings, 'country'>;
}): NumberRules {
  const { db, changePolicy } = parts;
  const now = () => isoTime(parts.clock.now());
  const numberOf = (typed: string): string => {
    const number = toE164(typed, parts.settings.country());
    if (number === null) throw new AccessValueError('invalid_fax_number');
    return number;
  };
  return {
    async list(wanted) {
      const { version: policyVersion } = await readPolicy(db.read);
      return { ...(await listRules(db.read, wanted)), policyVersion };
    },

    async create(actor, { expectedVersion, number: typed, mailboxId }) {
      const number = numberOf(typed);
      return changePolicy({
        actor,
        operation: 'inbound_rule.create',
        expectedVersion,
        work: (tx) => create(tx, actor, { number, mailboxId }, now()),
        describe,
      });
    },

    async change(actor, item, patch) {
      const number = patch.number === undefined ? undefined : numberOf(patch.number);
      const changed = await changePolicy({
        actor,
        operation: 'inbound_rule.change',
        expectedVersion: item.expectedVersion,
        work: (tx) => change(tx, actor, item, { ...patch, number }, now()),
        describe: ({ before, after }) => ({
          target: describe(after).target,
          details: changedFields(describe(before).details, describe(after).details),
        }),
      });
      return { ...changed, result: changed.result.after };
    },

    remove: (actor, item) =>
      changePolicy({
        actor,
        operation: 'inbound_rule.remove',
        expectedVersion: item.expectedVersion,
        work: (tx) => remove(tx, actor, item),
        describe,
      }),
  };
}

const describe = ({ id, to_number, mailbox_id, label }: StoredRule) => ({
  target: { kind: 'inbound_rule', id },
  details: { to_number, mailbox_id, mailbox: label },
});

async function create(
  tx: WriteTx,
  actor: ActorWithGrants,
  fields: RuleFields,
  now: string,
): Promise<StoredRule> {
  await mailboxOf(tx, fields.mailboxId);
  await assertNumberFree(tx, fields.number, null);
  // Until now its faxes came to no mailbox.
  assertMayFile(actor, null);
  const id = newId();
  const stamps = { version: 1, created_at: now, updated_at: now };
  await insertInboundRule(tx, { id, to_number: fields.number, mailbox_id: fields.mailboxId, ...stamps });
  return ruleOf(tx, id);
}

async function change(
  tx: WriteTx,
  actor: ActorWithGrants,
  { id, version }: ItemVersion,
  patch: Patch<RuleFields>,
  now: string,
): Promise<Change> {
  const before = await ruleOf(tx, id);
  const next = patched({ number: before.to_number, mailboxId: before.mailbox_id }, patch);
  await mailboxOf(tx, next.mailboxId);
  await assertNumberFree(tx, next.number, id);
  assertMayFile(actor, before.mailbox_id);
  if (next.number !== before.to_number) assertMayFile(actor, null);
  const row = { to_number: next.number, mailbox_id: next.mailboxId };
  if (!(await updateRule(tx, { id, version, now }, row))) throw new AccessConflictError();
  return { before, after: await ruleOf(tx, id) };
}

async function remove(
  tx: WriteTx,
  actor: ActorWithGrants,
  { id, version }: ItemVersion,
): Promise<StoredRule> {
  const rule = await ruleOf(tx, id);
  assertMayFile(actor, rule.mailbox_id);
  if (!(await deleteRule(tx, id, version))) throw new AccessConflictError();
  return rule;
}

async function assertNumberFree(tx: WriteTx, number: string, ownId: string | null): Promise<void> {
  const taken = await ruleOfNumber(tx, number);
  if (taken !== null && taken !== ownId) throw new AccessConflictError('number_taken');
}

async function ruleOf(tx: WriteTx, id: string): Promise<StoredRule> {
  const rule = await findRule(tx, id);
  if (!rule) throw new MissingError('no_such_number_rule');
  return rule;
}
