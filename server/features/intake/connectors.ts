import type { z } from 'zod';
import { type Connector, type ConnectorIn, SUBJECT_PLACEHOLDERS } from '../../../shared/api/intake.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { assertMayOpen } from '../../platform/may-open.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { unknownPlaceholders } from '../../platform/template.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { recipientsOfConnector } from './create-items.ts';
import { badNumber, connectorRefused, noSuchConnector, stale } from './errors.ts';
import type { IntakeParts } from './parts.ts';
import { sealPassword, unencryptedProblem } from './server-of.ts';
import { deleteConnector, findConnector, insertConnector, updateConnector } from './store/connector-store.ts';
import type { ConnectorRow } from './types.ts';

export type ConnectorAnswer = z.infer<typeof Connector>;
export type ConnectorFields = z.infer<typeof ConnectorIn>;
/** Snapshot of a connector at the time it was read. */
export interface ConnectorRead {
  readonly id: string;
  readonly version: number;
}

const NO_OAUTH = { oauth_provider: null, oauth: null, oauth_problem: null } as const;
const NOT_TESTED = { tested_at: null, test_ok: null, test_detail: null } as const;

/** Creates a connector. Throws 403, and 400 for values that cannot be set up. */
export async function createConnector(
  parts: IntakeParts,
  caller: Caller,
  fields: ConnectorFields,
): Promise<ConnectorRow> {
  assertMayChangeConnectors(caller);
  const id = newId();
  const at = isoTime(parts.clock.now());
  const password = fields.password ? sealPassword(parts, id, fields.password) : null;
  const row: ConnectorRow = {
    ...valuesOf(parts, fields),
    ...NOT_TESTED,
    ...NO_OAUTH,
    id,
    password,
    version: 1,
    created_at: at,
    updated_at: at,
  };
  return parts.db.transaction(async (tx) => {
    await insertConnector(tx, row);
    await recordConnector(parts, tx, caller, { operation: 'connector.create', row });
    return row;
  });
}

/** Replaces all fields of a connector. Throws 400, 403, 404, and 409 for one that changed since it was read. */
export async function changeConnector(
  parts: IntakeParts,
  caller: Caller,
  id: string,
  fields: ConnectorFields,
): Promise<ConnectorRow> {
  assertMayChangeConnectors(caller);
  const values = valuesOf(parts, fields);
  return parts.db.transaction(async (tx) => {
    const version = fields.version ?? null;
    if (version === null) throw connectorRefused('The version of the connector is missing. Read it again.');
    const before = await getConnector(tx, { id, version });
    const password = passwordAfter(parts, before, fields);
    const changes = { ...values, ...NOT_TESTED, password, updated_at: isoTime(parts.clock.now()) };
    if (!(await updateConnector(tx, { id, version }, changes))) throw stale();
    const row = { ...before, ...changes, version: version + 1 };
    await recordConnector(parts, tx, caller, { operation: 'connector.change', row });
    return row;
  });
}

/**
 * Removes a connector and returns it as it was. Its faxes may go to those of another one then. Throws 403, 404, and 409
 * for one that changed since it was read.
 */
export async function removeConnector(
  parts: IntakeParts,
  caller: Caller,
  read: ConnectorRead,
): Promise<ConnectorRow> {
  assertMayChangeConnectors(caller);
  return parts.db.transaction(async (tx) => {
    const row = await getConnector(tx, read);
    if (!(await deleteConnector(tx, read))) throw stale();
    await recordConnector(parts, tx, caller, { operation: 'connector.remove', row });
    return row;
  });
}

/**
 * Throws 403 unless the caller may open all received documents: a connector gives them to everyone who reads its
 * e-mails.
 */
export function assertMayChangeConnectors(caller: Caller): void {
  assertMayOpen(caller, ['inbound:document'], 'To change an e-mail connector');
}

export function presentConnector(row: ConnectorRow): ConnectorAnswer {
  const { password, oauth, enabled, tested_at: at, test_ok, test_detail: detail, ...shown } = row;
  return {
    ...shown,
    recipients: recipientsOfConnector(row),
    enabled: enabled === 1,
    has_password: password !== null,
    has_oauth: oauth !== null,
    last_test: at === null || detail === null ? null : { at, ok: test_ok === 1, detail },
  };
}

/** Records the operation in the audit log, with the id and name of the connector only. */
export async function recordConnector(
  { audit }: IntakeParts,
  tx: WriteTx,
  caller: Caller,
  { operation, row }: { operation: AuditOperation; row: Pick<ConnectorRow, 'id' | 'name'> },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'connector', id: row.id },
    outcome: 'done',
    details: { name: row.name },
  });
}

function valuesOf(parts: IntakeParts, fields: ConnectorFields) {
  const { name, host, port, security, username, from_address, subject_template } = fields;
  const unknown = unknownPlaceholders(subject_template, SUBJECT_PLACEHOLDERS);
  if (unknown.length > 0)
    throw connectorRefused(
      `The subject has {${unknown[0]}}, which is not a field. It can have ${SUBJECT_PLACEHOLDERS.map((word) => `{${word}}`).join(', ')}.`,
    );
  const problem = unencryptedProblem(parts, { host, security });
  if (problem !== null) throw connectorRefused(problem);
  const typed = fields.match_number ?? '';
  const match_number = typed === '' ? null : requestedNumber(typed, parts.settings.country());
  if (typed !== '' && match_number === null) throw badNumber();
  return {
    name,
    host,
    port,
    security,
    username,
    from_address,
    recipients: JSON.stringify(addressesOf(fields.recipients)),
    enabled: fields.enabled ? (1 as const) : (0 as const),
    match_number,
    subject_template,
  };
}

/** Removes duplicates, ignoring case: nobody gets a fax twice. */
function addressesOf(all: readonly string[]): string[] {
  return [...new Map(all.map((address) => [address.toLowerCase(), address])).values()];
}

const ENTER_PASSWORD_AGAIN =
  'Enter the password again: the server, its port, the sign-in name or the encryption changed.';

const REMOVE_OAUTH_FIRST =
  'Remove the OAuth sign-in before you change the server, its port, the sign-in name or the encryption.';
const ADDRESS = ['host', 'port', 'username', 'security'] as const;

/** Returns the password after a change. A stored password is used for no other server, port or sign-in name. */
function passwordAfter(parts: IntakeParts, before: ConnectorRow, fields: ConnectorFields): string | null {
  const { password = null } = fields;
  const isElsewhere = ADDRESS.some((name) => before[name] !== fields[name]);
  if (before.oauth !== null && isElsewhere) throw connectorRefused(REMOVE_OAUTH_FIRST);
  if (password !== null) return password === '' ? null : sealPassword(parts, before.id, password);
  if (before.password !== null && isElsewhere) throw connectorRefused(ENTER_PASSWORD_AGAIN);
  return before.password;
}

/** Throws 404, and 409 for one that changed since it was read. */
export async function getConnector(tx: WriteTx, { id, version }: ConnectorRead): Promise<ConnectorRow> {
  const row = await findConnector(tx, id);
  if (!row) throw noSuchConnector();
  if (row.version !== version) throw stale();
  return row;
}
