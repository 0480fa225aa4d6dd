import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TEST_BACKEND } from '../../../../shared/backends.ts';
import { fileDigest } from '../../../platform/hash.ts';
import { newId } from '../../../platform/ids.ts';
import { localMoment } from '../../../platform/local-time.ts';
import { toE164 } from '../../../platform/phone-number.ts';
import { type Actor, actorOf, type Caller, mailboxFor, visibleTo } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import { recordEvidence } from '../changes.ts';
import { badNumber, testFaxOutOfReach, testKeyNeeded } from '../errors.ts';
import type { InboundParts } from '../parts.ts';
import { findFax, insertFax } from '../store/fax-store.ts';
import type { FaxRow, KeptDocument } from '../types.ts';
import { mayListFax } from '../visibility.ts';
import { fileNow } from './file-document.ts';
import { documentName, type KeepingParts } from './keep-document.ts';
import { rowWithDocument } from './new-fax.ts';

type TestFaxParts = KeepingParts & Pick<InboundParts, 'audit' | 'settings' | 'workDirectory'>;

const MAX_BYTES = 1024 * 1024;

export interface TestOrder {
  readonly from_number?: string | undefined;
  readonly to_number?: string | undefined;
}

/** Stores a page of our own as a received fax that is marked as a test. Throws a 400 refusal for a bad number. */
export async function makeTestFax(parts: TestFaxParts, order: TestOrder, actor: Actor): Promise<FaxRow> {
  const numbers = numbersOf(parts, order);
  const mailboxId = await mailboxFor(parts.db.read, numbers.to);
  return storeTestFax(parts, {
    ...numbers,
    mailboxId,
    actor,
    isOfKey: false,
    text: 'A test fax was created.',
  });
}

/**
 * Receives a page of our own for a test key, which no person works on. Throws a 403 refusal for a caller without a test key, or
 * whose key does not reach the mailbox of the number, and 400 for a bad number.
 */
export async function receiveTestFax(parts: TestFaxParts, caller: Caller, order: TestOrder): Promise<FaxRow> {
  if (!caller.isTest) throw testKeyNeeded();
  const numbers = numbersOf(parts, order);
  const mailboxId = await mailboxOfKey(parts, caller, {
    ...numbers,
    isChosen: order.to_number !== undefined,
  });
  const actor = actorOf(caller);
  if (!mayListFax(caller, { id: '', mailbox_id: mailboxId, test: 1 })) throw testFaxOutOfReach();
  return storeTestFax(parts, {
    ...numbers,
    mailboxId,
    actor,
    isOfKey: true,
    text: 'A test key asked for this test fax.',
  });
}

/** Returns the mailbox of the number; without a chosen number, the only mailbox that the key reaches. */
async function mailboxOfKey(
  { db }: Pick<TestFaxParts, 'db'>,
  caller: Caller,
  { to, isChosen }: { to: string | null; isChosen: boolean },
): Promise<string | null> {
  const { everything, mailboxIds } = visibleTo(caller, 'inbound:list');
  const [only = null, ...others] = mailboxIds;
  const isOnly = !everything && others.length === 0;
  return !isChosen && isOnly ? only : mailboxFor(db.read, to);
}

interface TestFaxFacts {
  readonly from: string | null;
  readonly to: string | null;
  readonly mailboxId: string | null;
  readonly actor: Actor;
  /** True for a test key: nobody works on the fax. */
  readonly isOfKey: boolean;
  /** One sentence for the evidence. */
  readonly text: string;
}

async function storeTestFax(
  parts: TestFaxParts,
  { from, to, mailboxId, actor, isOfKey, text }: TestFaxFacts,
): Promise<FaxRow> {
  const id = newId();
  const document = await drawPage(parts, id);
  return parts.db.transaction(async (tx) => {
    const row = rowWithDocument(parts.clock, {
      id,
      backend: TEST_BACKEND,
      provider_account: TEST_BACKEND,
      provider_fax_id: `test-${id}`,
      from_number: from,
      to_number: to,
      mailbox_id: mailboxId,
      is_test: 1,
      test: isOfKey ? 1 : 0,
    });
    if (!(await insertFax(tx, row))) throw new Error(`the test fax ${id} exists already`);
    await recordEvidence(parts, tx, id, { kind: 'test', actor: actor.name, text });
    await parts.audit.record(tx, {
      ...recordedActor(actor),
      operation: 'inbound.test',
      target: { kind: 'inbound_fax', id },
      outcome: 'done',
    });
    const stored = (await findFax(tx, id)) ?? row;
    return fileNow(parts, tx, stored, document, { text: 'The test page was stored.', actor: actor.name });
  });
}

function numbersOf(parts: TestFaxParts, order: TestOrder): Pick<TestFaxFacts, 'from' | 'to'> {
  return {
    from: numberOf(parts, order.from_number),
    to: numberOf(parts, order.to_number) ?? parts.settings.ownNumber(),
  };
}

function numberOf(parts: TestFaxParts, text: string | undefined): string | null {
  if (text === undefined) return null;
  const number = toE164(text, parts.settings.country());
  if (number === null) throw badNumber();
  return number;
}

async function drawPage(parts: TestFaxParts, id: string): Promise<KeptDocument> {
  const { settings } = parts;
  const where = { country: settings.country(), timeZone: settings.timeZone() };
  const at = localMoment(parts.clock.now(), where);
  const text = `Test fax\n\nFaxdesk created this page on ${at} to test receiving.\nNobody sent it.\n\n${id}\n`;
  const path = join(parts.workDirectory, newId());
  try {
    const source = { bytes: Buffer.from(text), fileName: 'test.txt', declaredType: 'text/plain' };
    const { pages } = await parts.documents.prepare([source], path, { maxBytes: MAX_BYTES });
    const digest = await fileDigest(path);
    const name = documentName(id, digest.sha256);
    await parts.storage.write(name, { path });
    return { name, ...digest, pages, mediaType: 'application/pdf' };
  } finally {
    await rm(path, { force: true });
  }
}
