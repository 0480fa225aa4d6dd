import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkReport } from '../../server/features/outbound/proof/verify-report.ts';
import { membersByDirectory } from '../../server/platform/read-stored-zip.ts';
import { referee } from '../fixtures/referees.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { HOUR } from '../setup/manual-clock.ts';
import { needTools } from '../setup/tools.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  // The clock of the tests begins at 9:00 UTC, which is the day before there.
  await gateway.set({ TIME_ZONE: 'Pacific/Honolulu' });
});
afterAll(() => gateway.close());

async function saved(day: string): Promise<{ path: string; bytes: Buffer }> {
  const answer = await gateway.request('GET', `/fax/reports?date=${day}`);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/zip']);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const path = join(gateway.dataFolder, 'reports.zip');
  await writeFile(path, bytes);
  return { path, bytes };
}

const contentOf = (path: string, name: string) => referee('unzip', ['-p', path, name]);
const today = () => new Date(gateway.clock.now() - 10 * HOUR).toISOString().slice(0, 10);

describe('the reports of a day', () => {
  test('rule (outbound): the reports of a day are a zip of signed reports with a list, by the clocks of the office', async (context) => {
    needTools(context, 'unzip');
    const day = today();
    const first = await gateway.send({ subject: 'Knee X-ray' });
    const second = await gateway.send({ reference: '=1+1' });
    gateway.clock.advance(24 * HOUR);
    const later = await gateway.send();
    const { path } = await saved(day);
    expect(referee('unzip', ['-t', path]).toString()).toContain('No errors detected');
    const names = (await membersByDirectory(path))?.map(({ name }) => name);
    expect(names).toEqual([`${second.id}.pdf`, `${first.id}.pdf`, 'index.csv']);
    const { intact, facts } = checkReport(contentOf(path, `${first.id}.pdf`));
    expect([intact, facts?.fax.id]).toEqual([true, first.id]);
    const lines = contentOf(path, 'index.csv').toString().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFfile,fax_id,accepted_at,to,/u);
    expect(lines[1]).toContain(`${second.id}.pdf,${second.id},`);
    expect(lines[1]).toContain(",'=1+1,");
    expect(lines[2]).toContain('Knee X-ray');
    expect(lines).toHaveLength(4);
    const other = await saved(today());
    expect((await membersByDirectory(other.path))?.map(({ name }) => name)).toEqual([
      `${later.id}.pdf`,
      'index.csv',
    ]);
  });

  test('are refused for what is no day', async () => {
    for (const date of ['', '2026-13-01', '2026-02-30', 'today'])
      expect((await gateway.request('GET', `/fax/reports?date=${date}`)).status).toBe(400);
    expect((await gateway.request('GET', '/fax/reports')).status).toBe(400);
    const { bytes } = await saved('2020-02-29');
    expect(bytes.includes('index.csv')).toBe(true);
  });

  test('of 300 faxes are made while they are read, without more memory for more of them', async () => {
    gateway.clock.advance(48 * HOUR);
    for (let count = 0; count < 300; count += 1) await gateway.send();
    const answer = await gateway.request('GET', `/fax/reports?date=${today()}`);
    let bytes = 0;
    let early = 0;
    let highest = 0;
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      const used = arrayBuffers + heapUsed;
      if (bytes < 2_000_000) early = Math.max(early, used);
      highest = Math.max(highest, used);
    }
    expect(bytes).toBeGreaterThan(300 * 10_000);
    expect(highest - early).toBeLessThan(60 * 1024 * 1024);
  }, 120_000);
});
