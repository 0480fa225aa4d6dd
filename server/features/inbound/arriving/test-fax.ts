import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TEST_BACKEND } from '../../../../shared/backends.ts';
import { fileDigest } from '../../../platform/hash.ts';
import { newId } from '../../../platform/ids.ts';
import { localMoment } from '../../../platform/local-time.ts';
import { toE164 } from '../../../platform/phone-number.ts';
import { type Actor, mailboxFor } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import { recordEvidence } from '../changes.ts';
import { badNumber } from '../errors.ts';
import type { InboundParts } from '../parts.ts';
import { findFax, insertFax } from '../store/fax-store.ts';
import type { FaxRow, KeptDocument } from '../types.ts';
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
  const from = numberOf(parts, order.from_number);
  const to = numberOf(parts, order.to_number) ?? parts.settings.ownNumber();
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
      mailbox_id: await mailboxFor(tx, to),
      is_test: 1,
    });
    if (!(await insertFax(tx, row))) throw new Error(`the test fax ${id} exists already`);
    const text = 'A test fax was created.';
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
