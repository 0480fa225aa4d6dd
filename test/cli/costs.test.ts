import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const TO = '+12025550177';
let cli: CommandLine;
let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  cli = await openCommandLine();
  gateway = await startTestGateway();
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-costs-'));
});
afterAll(async () => {
  await gateway.close();
  await cli.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...words: string[]) =>
  cli.run(['costs', ...words, '--url', gateway.url, '--key', INSTALLATION_KEY]);

/** A fax of one page, for which the provider reports so many cents; 0 for nothing. */
async function sent(to: string, cost: number): Promise<void> {
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  gateway.emulator.complete(String((await gateway.fax(id)).provider_sid), { cost });
  gateway.clock.advance(5 * MINUTE);
  await gateway.processAll();
}

/** Adds, quotes and changes the prices of a provider; earlier versions stay. */
async function pricesAreEntered(): Promise<string> {
  const prices = ['--per-page', '0.07', '--monthly-fee', '9.90', '--included-pages', '1'];
  const added = await run('cards', 'create', 'cloudone', 'USD', ...prices, '--prefix', '+1');
  expect([added.code, added.err]).toEqual([0, '']);
  expect((await run('cards', 'create', 'cloudone', 'USD', '--per-page', '0,07')).code).toBe(9);
  expect((await run('cards', 'create', 'cloudone', 'USD', '--per-fax', '1', '--prefix', '+1')).code).toBe(6);
  const [card] = (JSON.parse((await run('cards', 'list', '--json')).out) as { items: { id: string }[] })
    .items;
  const quoted = await run('quote', TO, '3');
  expect(quoted.out).toMatch(/^Cost: +\$0\.14$/mu);
  expect(quoted.out).toMatch(/The monthly fee pays for 1 page\.$/mu);
  await run('cards', 'change', card?.id ?? '', 'USD', ...prices, '--per-fax', '0.01', '--prefix', '+1');
  expect((await run('quote', TO, '3')).out).toMatch(/^Cost: +\$0\.15$/mu);
  const shown = await run('cards', 'show', card?.id ?? '');
  expect(shown.out.match(/0\.07/gu)?.length).toBeGreaterThanOrEqual(2);
  return card?.id ?? '';
}

test('faxdesk costs enters prices, adds what was charged by currency, counts what is unknown, and says which pages of a fee are left', async () => {
  const card = await pricesAreEntered();
  await sent(TO, 0);
  await sent('+12025550178', 23);
  await sent('+442079460958', 0);
  const sums = await run('sums', '--by', 'country');
  expect(sums.out).toMatch(/^COUNTRY +AMOUNT +KNOWN +UNKNOWN$/mu);
  expect(sums.out).toMatch(/^United Kingdom +- +0 +1$/mu);
  expect(sums.out).toMatch(/^All together +\$0\.24 +2 +1$/mu);
  expect((await run('numbers')).out).toMatch(/^\+12025550178 +- +\$0\.23 +1$/mu);
  expect((await run('plans')).out).toMatch(/^Phaxio +\+1 +\$9\.90 +1 +1 +0$/mu);
  expect((await run('sums', '--from', 'yesterday')).code).toBe(9);

  const best = 'Phaxio delivered 1 of 1 in 30 days and costs $0.23 a page.';
  expect((await run('destinations', '--limit', '2')).out).toContain(best);
  const one = (await run('destination', '202-555-0178')).out;
  expect(one).toMatch(/^Phaxio +30 +1 +0 +0 +\$0\.23 +0$/mu);
  expect(one).toContain(best);
  expect((await run('destination', '12')).code).toBe(9);

  const file = join(folder, 'costs.csv');
  expect((await run('sums', '--by', 'country', '--output', file)).code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('country,GB,United Kingdom,,,1\r\n');
  expect((await run('sums', '--output', file)).code).toBe(6);

  expect((await run('cards', 'remove', card)).out).toBe('Removed the rate card of cloudone.\n');
  const quoted = await run('quote', TO, '1');
  expect(quoted.out).toMatch(/^Cost: +-$/mu);
  expect(quoted.out).toContain('so the cost is unknown.');
});
