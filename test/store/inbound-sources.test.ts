import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CheckedReport, SourcedFax } from '../../server/features/inbound/types.ts';
import { RefusalError } from '../../server/platform/errors.ts';
import { fileDigest } from '../../server/platform/hash.ts';
import { newId } from '../../server/platform/ids.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { type InboundProcess, startInbound } from '../setup/inbound-room.ts';

/** A room above that has letters in a box: what a fax names there is the box and the letter. */
const LETTER = { box: 'office', letter: 7 };
const ACCOUNT = { backend: 'mail', accountId: 'mail:office' } as const;

let inbound: InboundProcess;
let take: (fax: SourcedFax) => Promise<'gone' | 'left'>;
let asked: unknown[] = [];

beforeAll(async () => {
  inbound = await startInbound();
  inbound.room.addSource({
    backend: 'mail',
    name: 'Mail server',
    take: (fax) => {
      asked.push(fax.source());
      return take(fax);
    },
  });
});
afterAll(() => inbound.stop());
beforeEach(() => {
  asked = [];
  take = keep(textPdf(1), 'gone');
});

/** Files a document; `rest` says whether the letter is still in the box afterwards. */
function keep(pdf: Buffer, rest: 'gone' | 'left') {
  return async ({ id }: SourcedFax) => {
    const path = join(inbound.process.folder, 'work', newId());
    await writeFile(path, pdf);
    await inbound.room.service.keepDocument(id, path, 'The letter was stored.');
    return rest;
  };
}

const reported = (given: Partial<CheckedReport> = {}): CheckedReport => ({
  report: {
    providerId: newId(),
    from: '+12025550199',
    to: null,
    pages: null,
    rawStatus: '',
    state: 'complete',
    isTest: false,
    completedAt: null,
  },
  account: ACCOUNT,
  source: LETTER,
  checkedBy: 'none',
  text: 'The mail server has a letter.',
  notification: null,
  hasDocument: false,
  ...given,
});

const record = (given?: Partial<CheckedReport>) => inbound.room.service.record(reported(given));
const shown = (id: string) => inbound.room.service.get(fakeCaller(), id);
const textsOf = async (id: string) =>
  (await inbound.room.service.evidence(fakeCaller(), id)).items.map(({ actor, text }) => `${actor}: ${text}`);

async function hasSource({ id }: SourcedFax): Promise<boolean> {
  const faxes = await inbound.room.service.listWithSource(ACCOUNT.backend);
  return faxes.some((fax) => fax.id === id);
}

describe('a fax whose document a higher room has', () => {
  test('rule (inbound): a received fax stores the reference of its source sealed, and only the source can read it', async () => {
    const fax = await record();
    expect([fax.status, fax.source(), await hasSource(fax)]).toEqual(['waiting', LETTER, true]);
    const { captured } = await inbound.process.database.read
      .selectFrom('inbound_fax')
      .select('captured')
      .where('id', '=', fax.id)
      .executeTakeFirstOrThrow();
    expect(captured).not.toContain('letter');
    expect(await inbound.fetch(fax.id)).toEqual({ kind: 'done' });
    expect(asked).toEqual([LETTER]);
    expect(await shown(fax.id)).toMatchObject({ status: 'received', backend: 'mail', pages: 1 });
    expect(await hasSource(fax)).toBe(false);
    expect(await textsOf(fax.id)).toEqual([
      'Mail server: The mail server has a letter.',
      'Faxdesk: The letter was stored.',
    ]);
  });

  test('is named there as long as the room has something of it', async () => {
    const fax = await record();
    take = keep(textPdf(1), 'left');
    await inbound.fetch(fax.id);
    expect([(await shown(fax.id)).status, await hasSource(fax)]).toEqual(['received', true]);
    take = keep(textPdf(1), 'gone');
    await inbound.fetch(fax.id);
    expect([await hasSource(fax), (await shown(fax.id)).conflicts]).toEqual([false, 0]);
    await inbound.fetch(fax.id);
    expect(asked).toHaveLength(2);
  });

  test('waits with the sentence of the room', async () => {
    const fax = await record();
    take = async () => {
      throw new RefusalError('image_refused', { sentence: 'The letter is sealed.' });
    };
    expect(await inbound.fetch(fax.id)).toMatchObject({ kind: 'retry', reason: 'The letter is sealed.' });
    expect(await shown(fax.id)).toMatchObject({ status: 'waiting', problem: 'The letter is sealed.' });
    take = keep(Buffer.from('no PDF'), 'gone');
    await inbound.fetch(fax.id);
    const { problem } = await shown(fax.id);
    expect(problem).toBe('The document from the mail server is not a PDF whose pages can all be read.');
    expect(await hasSource(fax)).toBe(true);
  });

  test('keeps the first document when the room has another one', async () => {
    const fax = await record();
    await inbound.fetch(fax.id);
    const { sha256 } = await shown(fax.id);
    const another = { ...LETTER, letter: 8 };
    expect((await inbound.room.service.offer(fax.id, another)).source()).toEqual(another);
    take = keep(textPdf(2), 'gone');
    await inbound.fetch(fax.id);
    expect(asked.at(-1)).toEqual(another);
    expect(await shown(fax.id)).toMatchObject({ sha256, conflicts: 1 });
    expect((await textsOf(fax.id)).at(-1)).toMatch(/^Faxdesk: The mail server delivered another document/u);
    expect(await hasSource(fax)).toBe(false);
  });

  test('names nothing when its document only comes along', async () => {
    const fax = await record({ source: null, hasDocument: true });
    expect([fax.source(), await hasSource(fax)]).toEqual([null, false]);
    const path = join(inbound.process.folder, 'work', newId());
    await writeFile(path, textPdf(1));
    expect(await inbound.room.service.recordAnotherDocument(fax.id, await fileDigest(path))).toBeNull();
    expect(await inbound.room.service.keepDocument(fax.id, path, 'The letter was stored.')).toBe('filed');
    expect(await inbound.fetch(fax.id)).toEqual({ kind: 'done' });
    expect(asked).toEqual([]);
  });

  test('is the same fax however often it is reported', async () => {
    const once = reported();
    const fax = await inbound.room.service.record(once);
    expect((await inbound.room.service.record(once)).id).toBe(fax.id);
    const { providerId } = once.report;
    const known = await inbound.room.service.findOfAccount(ACCOUNT.accountId, [providerId, 'none']);
    expect([...known].map(([id, { status }]) => [id, status])).toEqual([[providerId, 'waiting']]);
  });
});

test('one room has the documents of a backend', () => {
  const second = { backend: 'mail', name: 'Another', take: async () => 'gone' as const };
  expect(() => inbound.room.addSource(second)).toThrow('mail has a source already');
});
