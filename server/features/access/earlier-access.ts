import { LIMITS } from '../../../shared/limits.ts';
import { INSTALLATION } from '../../../shared/permissions.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import { epochOf } from '../../platform/clock.ts';
import { derivedId } from '../../platform/ids.ts';
import { recordedActor, type SecurityAudit } from '../audit/service.ts';
import {
  insertMailboxes,
  insertRules,
  knownKeys,
  knownMailboxes,
  mailboxesByLabel,
  mailboxesByNumber,
} from './store/earlier.ts';
import { insertAssignment } from './store/grants.ts';
import { insertKey } from './store/keys.ts';
import { bumpPolicy } from './store/policy.ts';
import { insertPrincipal } from './store/principals.ts';
import { insertRole } from './store/roles.ts';
import { type EarlierKey, type EarlierMailbox, type EarlierRule, LOCAL_OPERATOR } from './types.ts';

/** Access records of an earlier release. Every function works inside a transaction that nobody else writes beside. */
interface EarlierAccess {
  knownMailboxes(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Ids of the mailboxes by label. */
  mailboxesByLabel(db: ReadDb): Promise<Map<string, string>>;
  /** Ids of the mailboxes by the number (E.164) of their rules. */
  mailboxesByNumber(db: ReadDb): Promise<Map<string, string>>;
  knownKeys(db: ReadDb, keyIds: readonly string[]): Promise<ReadonlySet<string>>;
  addMailboxes(tx: WriteTx, mailboxes: readonly EarlierMailbox[]): Promise<void>;
  addRules(tx: WriteTx, rules: readonly EarlierRule[]): Promise<void>;
  /** Adds keys, each with an integration of its own, and records in the audit what each may do and lost. */
  addKeys(tx: WriteTx, keys: readonly EarlierKey[]): Promise<void>;
}

export function createEarlierAccess(audit: SecurityAudit): EarlierAccess {
  return {
    knownMailboxes,
    mailboxesByLabel,
    mailboxesByNumber,
    knownKeys,
    addMailboxes: (tx, mailboxes) =>
      insertMailboxes(
        tx,
        mailboxes.map(({ id, label, createdAt, updatedAt }) => ({
          id,
          label,
          enabled: 1,
          cover_id: null,
          version: 1,
          created_at: createdAt,
          updated_at: updatedAt,
        })),
      ),
    addRules: (tx, rules) =>
      insertRules(
        tx,
        rules.map(({ id, toNumber, mailboxId, createdAt }) => ({
          id,
          to_number: toNumber,
          mailbox_id: mailboxId,
          version: 1,
          created_at: createdAt,
          updated_at: createdAt,
        })),
      ),
    async addKeys(tx, keys) {
      if (keys.length === 0) return;
      const policyVersion = await bumpPolicy(tx);
      for (const key of keys) {
        const principalId = await addIntegration(tx, key);
        await addKey(tx, key, principalId);
        await audit.record(tx, {
          ...recordedActor(LOCAL_OPERATOR),
          operation: 'key.take_over',
          target: { kind: 'api_key', id: key.keyId },
          outcome: 'done',
          policyVersion,
          details: {
            name: key.name,
            principal_id: principalId,
            ceiling: key.scopes.map((permission) => `${permission} on ${INSTALLATION}`),
            removed_permissions: key.removed,
            state: key.state,
            revoked: key.revokedAt !== null,
          },
        });
      }
    },
  };
}

/** The key's own integration, which holds its permissions through a role that no screen shows. */
async function addIntegration(tx: WriteTx, { keyId, name, scopes, createdAt }: EarlierKey): Promise<string> {
  const at = epochOf(createdAt);
  const stamps = { version: 1, created_at: createdAt, updated_at: createdAt };
  const id = derivedId(at, `integration of ${keyId}`);
  const roleId = derivedId(at, `role of ${keyId}`);
  const displayName = [...`API key: ${name ?? keyId}`].slice(0, LIMITS.displayNameLength).join('');
  await insertPrincipal(tx, {
    id,
    kind: 'integration',
    login: null,
    display_name: displayName,
    enabled: 1,
    password_hash: null,
    password_change_required: 0,
    ...stamps,
  });
  const flags = { built_in: 0, hidden: 1, enabled: 1, requires_two_factor: 0 } as const;
  const description = 'The scopes of one API key.';
  await insertRole(tx, { id: roleId, name: `API key ${keyId}`, description, ...flags, ...stamps }, scopes);
  await insertAssignment(tx, {
    id: derivedId(at, `assignment of ${keyId}`),
    subject_kind: 'principal',
    subject_id: id,
    role_id: roleId,
    resource_id: INSTALLATION,
    version: 1,
    created_at: createdAt,
  });
  return id;
}

async function addKey(tx: WriteTx, key: EarlierKey, principalId: string): Promise<void> {
  await insertKey(tx, {
    key_id: key.keyId,
    principal_id: principalId,
    name: key.name,
    note: key.note,
    owner: key.owner,
    made_by: null,
    made_by_name: 'Earlier release',
    maker_left_at: '',
    secret_hash: key.secretHash,
    hash_kind: key.hashKind,
    test: 0,
    ceiling: JSON.stringify(key.scopes.map((permission) => ({ permission, resource_id: INSTALLATION }))),
    state: key.state,
    version: 1,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  });
}
