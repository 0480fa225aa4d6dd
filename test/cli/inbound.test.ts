import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { engineImage } from '../fixtures/engine-image.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const PUBLIC_URL = 'https://fax.example.com';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({
    ...sendingSettings(cli.emulator),
    INBOUND_ENABLED: 'true',
    PUBLIC_API_URL: PUBLIC_URL,
  });
});
afterAll(() => cli.close());

test('faxdesk inbound lists, shows, saves, tries out and fetches again', async () => {
  const made = await cli.run(['inbound', 'test', '--from', '+12025550177', '--json']);
  expect(made.code, made.err).toBe(0);
  const { id } = JSON.parse(made.out) as { id: string };
  const file = join(cli.folder, 'test.pdf');
  expect((await cli.run(['inbound', 'pdf', id, '--output', file])).code).toBe(0);
  expect((await readFile(file)).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const again = await cli.run(['inbound', 'fetch', id]);
  expect([again.code, again.err]).toEqual([6, expect.stringMatching(/nothing to fetch\.\n$/u)]);

  cli.emulator.setFault({ kind: 'refused', status: 404, path: /\/file$/u });
  const fax = cli.emulator.receive({ from: '+12025550199', to: '+12025550100', document: textPdf(2) });
  const url = /http:\S+:\d+/u.exec(cli.ready)?.[0] ?? '';
  await cli.emulator.sendCallback(String(fax.id), {
    url: `${url}/cloudone-inbound`,
    signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
    file: null,
  });
  const waiting = await vi.waitFor(async () => {
    const { out } = await cli.run(['inbound', 'list', '--status', 'waiting']);
    expect(out).toContain('Waiting for the document');
    return out.split('\n')[1]?.split(' ')[0] ?? '';
  }, 20_000);
  expect((await cli.run(['inbound', 'pdf', waiting, '--output', file])).code).toBe(5);
  await vi.waitFor(async () => {
    const shown = await cli.run(['inbound', 'show', waiting]);
    expect(shown.out).toContain('does not have the document');
  }, 20_000);
  expect((await cli.run(['inbound', 'fetch', waiting])).code).toBe(0);
  await vi.waitFor(async () => {
    const { out } = await cli.run(['inbound', 'list', '--from', '+12025550199']);
    expect(out).toMatch(/Received +2 /u);
  }, 20_000);
}, 120_000);

test('faxdesk inbound recover brings in the images that the telephone engine left', async () => {
  await writeFile(join(cli.folder, 'inbound', 'left-behind.tif'), engineImage());
  const found = await cli.run(['inbound', 'recover']);
  expect([found.code, found.out], found.err).toEqual([0, expect.stringMatching(/^Images: +1\n/u)]);
  const id = await vi.waitFor(async () => {
    const { out } = await cli.run([
      'inbound',
      'list',
      '--search',
      'unknown',
      '--status',
      'received',
      '--json',
    ]);
    const [fax] = (JSON.parse(out) as { items: { id: string }[] }).items;
    expect(fax).toBeDefined();
    return fax?.id ?? '';
  }, 20_000);
  const { out } = await cli.run(['inbound', 'show', id]);
  expect(out).toMatch(/^To: .*\(not reported; our only number\)$/mu);
  expect(out).toMatch(/^Recovered: /mu);
  expect((await cli.run(['inbound', 'recover'])).out).toBe('The telephone engine left no images.\n');
}, 60_000);

test('faxdesk inbound move and rules apply move faxes that are in no mailbox', async () => {
  expect((await cli.run(['mailboxes', 'create', '--label', 'Ward'])).code).toBe(0);
  const made = async (to: string) => {
    const { out } = await cli.run(['inbound', 'test', '--to', to, '--json']);
    return (JSON.parse(out) as { id: string }).id;
  };
  const id = await made('+12025550155');
  const other = await made('+12025550156');
  expect((await cli.run(['inbound', 'move', id, '--mailbox', 'Elsewhere'])).code).toBe(5);
  const moved = await cli.run(['inbound', 'move', id, '--mailbox', 'Ward']);
  expect([moved.code, moved.out]).toEqual([0, expect.stringMatching(/Mailbox: +Ward/u)]);
  expect((await cli.run(['inbound', 'move', id, '--mailbox', 'Ward'])).code).toBe(6);
  expect((await cli.run(['rules', 'create', '+12025550156', '--mailbox', 'Ward'])).code).toBe(0);
  const applied = await cli.run(['rules', 'apply']);
  expect([applied.code, applied.out]).toEqual([0, expect.stringMatching(/Moved: +1\n/u)]);
  expect((await cli.run(['inbound', 'show', other])).out).toMatch(/Mailbox: +Ward/u);
}, 120_000);
