import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';

const TO = '+12025550166';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  const json = { name: 'Laboratory', fax_number: TO, send_together_minutes: 5 };
  expect((await gateway.request('POST', '/contacts', { json })).status).toBe(201);
});
afterAll(() => gateway.close());
afterEach(() => gateway.emulator.state.faxes.clear());

const send = (title: string, fields: Record<string, string> = {}) =>
  gateway.send({ to: TO, titles: title, ...fields });
const nowOf = (faxes: Fax[]) => Promise.all(faxes.map(({ id }) => gateway.fax(id)));
const wait = async (ms: number) => {
  gateway.clock.advance(ms);
  await gateway.processAll();
};
/** The text of each page. */
async function textOf(pdf: Buffer): Promise<string[]> {
  const file = join(gateway.dataFolder, 'call.pdf');
  await writeFile(file, pdf);
  return referee('pdftotext', ['-layout', file, '-']).toString().split('\f').slice(0, -1);
}
const given = () => [...gateway.emulator.state.faxes.values()];

describe('a number that sends faxes together', () => {
  const { skip, reason } = unlessMissing('pdftotext');
  test.skipIf(skip)(`has them leave in one call, after a page that lists them${reason}`, async () => {
    const first = await send('Result');
    await wait(MINUTE);
    const second = await send('Referral');
    const leaves_at = new Date(gateway.clock.now() + 4 * MINUTE).toISOString();
    expect(first.together).toEqual({ leaves_at, with: [] });
    expect(second.together).toEqual({ leaves_at, with: [first.id] });
    await wait(4 * MINUTE);
    expect(given()).toHaveLength(1);
    const faxes = await nowOf([first, second]);
    expect(faxes.map(({ together }) => together)).toEqual([
      { leaves_at: null, with: [second.id] },
      { leaves_at: null, with: [first.id] },
    ]);
    expect(faxes[0]?.provider_sid).toBe(faxes[1]?.provider_sid);
    expect(await textOf(given()[0]?.document ?? Buffer.alloc(0))).toEqual([
      expect.stringMatching(
        /2 faxes in one call[^]*Page 2\s+1\. Result, 1 page\s+Page 3\s+2\. Referral, 1 page/u,
      ),
      expect.stringContaining('Dear colleague'),
      expect.stringContaining('Dear colleague'),
    ]);
    gateway.emulator.complete(String(faxes[0]?.provider_sid), { pages: 3 });
    await wait(MINUTE);
    const ended = await nowOf(faxes);
    expect(ended.map(({ delivery_state, pages }) => [delivery_state, pages])).toEqual([
      ['success', 1],
      ['success', 1],
    ]);
  });

  test('lets one leave at once that is sent now, with those that wait, or is urgent, alone', async () => {
    const waiting = await send('Result');
    const urgent = await send('Urgent', { urgent: 'true' });
    await gateway.processAll();
    expect((await nowOf([waiting, urgent])).map(({ delivery_state }) => delivery_state)).toEqual([
      'ready',
      'in_progress',
    ]);
    const now = await send('Now', { send_now: 'true' });
    await gateway.processAll();
    const [a, b] = await nowOf([waiting, now]);
    expect(a?.together.with).toEqual([now.id]);
    expect(b?.together.with).toEqual([waiting.id]);
    expect(given()).toHaveLength(2);
  });

  test('lets a person send a waiting one now, and cancel one before its call', async () => {
    const faxes = [await send('One'), await send('Two'), await send('Three')];
    const [one, two, three] = faxes as [Fax, Fax, Fax];
    const json = { delivery_version: one.delivery_version };
    expect((await gateway.request('POST', `/fax/${one.id}/cancel`, { json })).status).toBe(200);
    const body = { delivery_version: two.delivery_version, send_at: null };
    expect((await gateway.request('POST', `/fax/${two.id}/schedule`, { json: body })).status).toBe(200);
    // Of another version.
    expect((await gateway.request('POST', `/fax/${two.id}/schedule`, { json: body })).status).toBe(409);
    await gateway.processAll();
    const states = (await nowOf(faxes)).map(({ delivery_state }) => delivery_state);
    expect(states).toEqual(['cancelled', 'in_progress', 'in_progress']);
    expect((await gateway.fax(three.id)).together.with).toEqual([two.id]);
  });

  test('names to nobody the faxes that they may not see', async () => {
    await send('Of somebody else');
    const made = await gateway.request('POST', '/admin/api-keys', {
      json: { name: 'Sender', scopes: ['fax:send'] },
    });
    const { token } = (await made.json()) as { token: string };
    const form = new FormData();
    form.append('to', TO);
    form.append('file', textFile());
    const answer = await gateway.request('POST', '/fax', { form, key: token });
    expect(((await answer.json()) as Fax).together.with).toEqual([]);
    await wait(5 * MINUTE);
  });

  test('sends them together after a restart as well, and holds them while sending is off', async () => {
    const faxes = [await send('One'), await send('Two')];
    gateway = await gateway.restart();
    await gateway.set({ FAX_DISABLED: true });
    await wait(6 * MINUTE);
    expect(given()).toHaveLength(0);
    await gateway.set({ FAX_DISABLED: false });
    await wait(MINUTE);
    expect(given()).toHaveLength(1);
    expect((await nowOf(faxes)).map(({ delivery_state }) => delivery_state)).toEqual([
      'in_progress',
      'in_progress',
    ]);
  });
});
