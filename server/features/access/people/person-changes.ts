import type { AuditOperation } from '../../../../shared/audit-operations.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { assertMayChange, isThemselves } from '../authority/may-change.ts';
import { changedFields, type Patch, patched } from '../changed-fields.ts';
import { AccessConflictError, AccessValueError, MissingError } from '../errors.ts';
import { LEAVER_MS } from '../keys/key-rules.ts';
import { issueTemporaryPassword } from '../sign-in/passwords.ts';
import { keysMadeFor, setMakerLeft } from '../store/keys.ts';
import { deletePasskeysOf } from '../store/passkeys.ts';
import { type PersonColumns, updatePerson } from '../store/people.ts';
import { BOOTSTRAP_ID, findPrincipalRow, hasSecondFactor, NO_SECOND_FACTOR } from '../store/principals.ts';
import { deleteQuickSignIn } from '../store/quick-sign-in.ts';
import { revokeOtherSessions, shortenSessionsOfKey } from '../store/sessions.ts';
import { deleteRecoveryCodes } from '../store/two-factor.ts';
import type { ActorWithGrants, ChangeResult, ItemVersion } from '../types.ts';
import { type PeopleParts, type Person, refuseTakenLogin, seen } from './people.ts';

interface PersonFields {
  readonly login: string | null;
  readonly display_name: string;
  readonly enabled: boolean;
}

/**
 * Changes to people and integrations. Refusals: 400 a sign-in name or password for an integration, 403 for a principal
 * with more permissions than the actor, 404, 409 stale, a sign-in name that is taken, or the last owner.
 */
export interface PersonChanges {
  /** Disabling ends the sessions, and the keys open nothing before the person is enabled again. */
  change(
    actor: ActorWithGrants,
    item: ItemVersion,
    patch: Patch<PersonFields>,
  ): Promise<ChangeResult<Person>>;
  /** The same for integrations only: people are not found. */
  changeIntegration(
    actor: ActorWithGrants,
    item: ItemVersion,
    patch: Patch<PersonFields>,
  ): Promise<ChangeResult<Person>>;
  /** A new temporary password, shown once; ends the sessions. */
  resetPassword(
    actor: ActorWithGrants,
    item: ItemVersion,
  ): Promise<ChangeResult<Person> & { temporaryPassword: string }>;
  /** Removes the second factor with its passkeys and recovery codes; ends the sessions. */
  resetTwoFactor(actor: ActorWithGrants, item: ItemVersion): Promise<ChangeResult<Person>>;
  /** Removes the PIN and the card; ends the sessions. */
  resetQuickSignIn(actor: ActorWithGrants, item: ItemVersion): Promise<ChangeResult<Person>>;
}

interface Work {
  readonly tx: WriteTx;
  readonly actor: ActorWithGrants;
  readonly before: PrincipalTable;
  readonly now: string;
}

export function createPersonChanges(parts: PeopleParts): PersonChanges {
  return {
    change: changeAs(parts, 'user.change', null),
    changeIntegration: changeAs(parts, 'integration.change', 'integration'),

    async resetPassword(actor, item) {
      const { text: password, columns } = await issueTemporaryPassword(parts.hasher, parts.clock);
      const changed = await changing(parts, actor, item, {
        operation: 'user.reset_password',
        work: (work) => resetSignIn(work, columns),
        details: ({ login, display_name: person }) => ({ login, person }),
      });
      return { ...changed, temporaryPassword: password };
    },

    resetTwoFactor: (actor, item) =>
      changing(parts, actor, item, {
        operation: 'user.reset_two_factor',
        work: async (work) => {
          await deleteRecoveryCodes(work.tx, item.id);
          await deletePasskeysOf(work.tx, item.id);
          return await resetSignIn(work, NO_SECOND_FACTOR);
        },
        details: (before) => ({
          login: before.login,
          person: before.display_name,
          was_on: hasSecondFactor(before),
        }),
      }),

    resetQuickSignIn: (actor, item) =>
      changing(parts, actor, item, {
        operation: 'user.reset_quick_sign_in',
        work: async (work) => {
          await deleteQuickSignIn(work.tx, item.id);
          return await resetSignIn(work, {});
        },
        details: ({ login, display_name: person }) => ({ login, person }),
      }),
  };
}

function changeAs(
  parts: PeopleParts,
  operation: AuditOperation,
  kind: PrincipalTable['kind'] | null,
): PersonChanges['change'] {
  return (actor, item, patch) =>
    changing(parts, actor, item, {
      operation,
      work: (work) => {
        if (kind !== null && work.before.kind !== kind) throw new MissingError('no_such_person');
        return change(work, patch);
      },
      isTheirOwn: (who) => isLeaving(who, patch),
      details: (before, after) => ({
        person: after.display_name,
        ...changedFields(fieldsOf(before), fieldsOf(after)),
      }),
    });
}

/** Makes one change to a principal that is as the actor read it. */
async function changing(
  parts: PeopleParts,
  actor: ActorWithGrants,
  item: ItemVersion,
  what: {
    operation: AuditOperation;
    work(work: Work): Promise<PrincipalTable>;
    /** Returns true when the change only reduces the actor's own access. */
    isTheirOwn?(who: Pick<Work, 'actor' | 'before'>): boolean;
    details(before: PrincipalTable, after: PrincipalTable): Record<string, unknown>;
  },
): Promise<ChangeResult<Person>> {
  const now = isoTime(parts.clock.now());
  const { result, policyVersion } = await refuseTakenLogin(
    parts.changePolicy({
      actor,
      operation: what.operation,
      expectedVersion: item.expectedVersion,
      work: async (tx) => {
        const before = await loadAsRead(tx, item);
        if (!what.isTheirOwn?.({ actor, before }))
          await assertMayChange(tx, parts.resources, actor, { kind: 'person', id: before.id });
        return { before, after: await seen(tx, await what.work({ tx, actor, before, now })) };
      },
      describe: ({ before, after }) => ({
        target: { kind: 'principal', id: item.id },
        details: what.details(before, after),
      }),
    }),
  );
  return { result: result.after, policyVersion };
}

const fieldsOf = ({ login, display_name, enabled }: PrincipalTable): PersonFields => ({
  login,
  display_name,
  enabled: enabled === 1,
});

/** Throws 404 for an unknown principal, 400 for the installation key, 409 when it changed since. */
async function loadAsRead(tx: WriteTx, { id, version }: ItemVersion): Promise<PrincipalTable> {
  if (id === BOOTSTRAP_ID) throw new AccessValueError('installation_key_fixed');
  const row = await findPrincipalRow(tx, id);
  if (!row) throw new MissingError('no_such_person');
  if (row.version !== version) throw new AccessConflictError();
  return row;
}

async function change(work: Work, patch: Patch<PersonFields>): Promise<PrincipalTable> {
  const { tx, before, now } = work;
  if (patch.login !== undefined) assertSignsIn(before);
  const fields = patched(fieldsOf(before), { ...patch, login: patch.login?.toLowerCase() });
  const enabled = fields.enabled ? 1 : 0;
  const after = await update(work, { ...fields, enabled });
  if (enabled === 0 && before.enabled === 1) await leave(tx, before.id, now);
  if (enabled === 1 && before.enabled === 0) await setMakerLeft(tx, await keysMadeFor(tx, before.id), '');
  return after;
}

async function resetSignIn(work: Work, columns: PersonColumns): Promise<PrincipalTable> {
  const { tx, before, now } = work;
  assertSignsIn(before);
  const after = await update(work, columns);
  await revokeOtherSessions(tx, { principalId: before.id, keep: '', now });
  return after;
}

/**
 * Ends their sessions and pairing; keys that they made for others stop in seven days, unless another person takes them
 * over.
 */
async function leave(tx: WriteTx, id: string, now: string): Promise<void> {
  await revokeOtherSessions(tx, { principalId: id, keep: '', now });
  const keyIds = await keysMadeFor(tx, id);
  await setMakerLeft(tx, keyIds, now);
  for (const keyId of keyIds) await shortenSessionsOfKey(tx, keyId, isoTime(epochOf(now) + LEAVER_MS));
}

async function update({ tx, before, now }: Work, columns: PersonColumns): Promise<PrincipalTable> {
  const after = await updatePerson(tx, before, columns, now);
  if (!after) throw new AccessConflictError();
  return after;
}

/** Returns true when people disable themselves and change nothing else. */
function isLeaving({ actor, before }: Pick<Work, 'actor' | 'before'>, patch: Patch<PersonFields>): boolean {
  const { display_name = before.display_name, login = before.login, enabled } = patch;
  const isSame = display_name === before.display_name && login === before.login;
  return enabled === false && isSame && isThemselves(actor, { principalId: before.id, keyId: null });
}

function assertSignsIn({ kind }: PrincipalTable): void {
  if (kind !== 'user') throw new AccessValueError('integration_cannot_sign_in');
}
