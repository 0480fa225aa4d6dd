import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';

// A request that was accepted gets the same answer again, whatever has happened to the installation in between.

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { FAX_DEFAULT_COUNTRY: 'US' } });
});
afterAll(() => gateway.close());

/** More than what is kept in memory, and more than a megabyte. */
const large = () => {
  const bytes = Buffer.concat([textPdf(2), Buffer.alloc(1_200_000, '\n')]);
  return new File([new Uint8Array(bytes)], 'large.pdf', { type: 'application/pdf' });
};
const post = (key: string, file = large()) =>
  gateway.sendForm({ to: '202 555 0123' }, [file], { 'Idempotency-Key': key });
const sentenceOf = async (answer: Response) => ((await answer.json()) as { detail: string }).detail;

test.each<[what: string, change: () => Promise<() => Promise<void>>, refusal: [number, RegExp]]>([
  [
    'a smaller limit for uploads',
    async () => {
      await gateway.set({ MAX_FILE_SIZE_MB: 1 });
      return () => gateway.set({ MAX_FILE_SIZE_MB: null });
    },
    [413, /./u],
  ],
  [
    'a folder that cannot be written to',
    async () => {
      const work = join(gateway.dataFolder, 'work');
      await rename(work, `${work}.away`);
      return () => rename(`${work}.away`, work);
    },
    [500, /./u],
  ],
  [
    'sending through no provider',
    async () => {
      await gateway.set({ FAX_BACKEND: 'sip' });
      return () => gateway.set({ FAX_BACKEND: 'cloudone' });
    },
    [409, /phone line/u],
  ],
  [
    'another country in which numbers are read',
    async () => {
      await gateway.set({ FAX_DEFAULT_COUNTRY: 'IS' });
      return () => gateway.set({ FAX_DEFAULT_COUNTRY: 'US' });
    },
    [400, /./u],
  ],
])('%s refuses a new fax and answers the one that was accepted', async (what, change, [status, sentence]) => {
  const key = what.replaceAll(' ', '-');
  const first = await post(key);
  expect(first.status, await first.clone().text()).toBe(202);
  const { id } = (await first.json()) as Fax;
  const undo = await change();
  try {
    const refused = await post(`${key}-2`);
    expect([refused.status, await sentenceOf(refused)]).toEqual([status, expect.stringMatching(sentence)]);
    const repeat = await post(key);
    expect(repeat.status, await repeat.clone().text()).toBe(202);
    expect(((await repeat.json()) as Fax).id).toBe(id);
    // Another document under the same key is another request.
    const other = await post(key, new File([new Uint8Array(textPdf(1))], 'large.pdf'));
    expect(other.status).toBe(409);
  } finally {
    await undo();
  }
});
