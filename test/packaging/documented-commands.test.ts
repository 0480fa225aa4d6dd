import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';
import { createProgram } from '../../server/cli/program.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { sendingSettings, startTestEmulator } from '../setup/gateway.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';
import { documentedCommands, serverLines } from './documented-commands.ts';
import { type FreshCheckout, freshCheckoutUnavailable, makeFreshCheckout } from './fresh-checkout.ts';

const INSTALL_MS = 900_000;
const FIRST = 'npm run serve -- --help';
const SERVE = 'npm run serve -- --data /srv/faxdesk --port 8080 --host 127.0.0.1';
const START = 'npm start';
/** While a gateway runs, in this order. */
const WHILE_IT_RUNS = [
  'npm run -s faxdesk -- settings change FAX_ORGANIZATION="Example Clinic" FAX_NUMBER=+12025550100',
  'npm run -s faxdesk -- settings change FAX_BACKEND=cloudone CLOUDONE_API_KEY=- CLOUDONE_API_SECRET=-',
  'npm run -s faxdesk -- settings validate cloudone',
  'npm run -s faxdesk -- send "(202) 555-0123" referral.pdf --wait',
  'npm run -s faxdesk -- keys create --name "Practice system" --scope fax:send --scope fax:read',
  'npm run -s faxdesk -- keys create --name Prometheus --scope diagnostics:read',
  'faxdesk keys create --name "Practice system" --scope fax:send --scope fax:read',
  'faxdesk owner enroll --login maria --name "Maria Example"',
  'faxdesk users create --login ines --name "Ines Duarte"',
  'faxdesk mailboxes create --label Clinic',
  'faxdesk rules create "(202) 555-0123" --mailbox Clinic',
  'faxdesk groups create --name Reception',
  'faxdesk groups add-member Reception ines',
  'faxdesk grants create role_fax_operator --to-group Reception --on Clinic',
  'faxdesk grants why ines',
  'faxdesk settings change HTTPS_ENABLED=true',
  'faxdesk https show',
  'faxdesk https root --output faxdesk-root.crt',
  'faxdesk settings change HTTPS_ANNOUNCED=true',
  'faxdesk data-key replace',
  'faxdesk data-key show',
  'faxdesk settings change S3_BUCKET=faxes S3_PREFIX=office/ S3_REGION=eu-central-1 STORAGE_BACKEND=s3',
  'faxdesk storage show',
  'faxdesk storage move',
];
const LEFT_OUT: Readonly<Record<string, string>> = {
  'faxdesk archives verify faxdesk-2023.zip --fingerprint <fingerprint>':
    'test/cli/archives.test.ts runs it.',
  'faxdesk archives list faxdesk-2023.zip --search 5550123': 'test/cli/archives.test.ts runs it.',
  'faxdesk archives show faxdesk-2023.zip <id> --output fax.pdf': 'test/cli/archives.test.ts runs it.',
  'npm run bench -- gateways': 'It measures for minutes, on a quiet machine.',
  'npm run bench -- move': 'It measures for an hour, on a quiet machine.',
  'npm run bench -- large-document': 'It measures for minutes, on a quiet machine.',
  'npm run bench -- switch': 'It measures for minutes, on a quiet machine.',
  'npm run year': 'It plays the faxes of a year, for hours.',
  'faxdesk backup create-key --output identity.txt': 'test/cli/backup-encrypted.test.ts runs it.',
  'faxdesk settings change BACKUP_RECIPIENTS=age1…': 'The key is that of the line before.',
  'faxdesk backup check monday.zip.age --identity identity.txt': 'test/cli/backup-encrypted.test.ts runs it.',
  'faxdesk restore monday.zip.age --identity identity.txt': 'test/cli/backup-encrypted.test.ts runs it.',
  'npm run -s faxdesk -- settings change OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 OTEL_EXPORTER_OTLP_HEADERS=-':
    'There is no collector here; test/api/outbound-telemetry.test.ts has one.',
  'npm test': 'It runs this test.',
  'npm run -s faxdesk --': 'The begin of commands.',
  'npm run pack -- server': 'The tests of the package for servers make it.',
  'npm run screens': 'It takes half an hour, and pictures are looked at by a person.',
  'npm run serve -- --data <folder> --port <n> [--host <address>]':
    'A pattern, of which the README has a case.',
};

/** The command of the command line that words begin with, and whether it has their options. */
function isKnown(words: readonly string[]): boolean {
  let command: Command = createProgram();
  const options = [...command.options];
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
    options.push(...command.options);
  }
  const named = words.filter((word) => word.startsWith('--'));
  const isLeaf = command.commands.length === 0 || command.name() === words.at(-1);
  return isLeaf && named.every((name) => options.some(({ long }) => long === name));
}

test('every documented command is tried here, or is left out with a reason', () => {
  const tried = [FIRST, SERVE, START, ...WHILE_IT_RUNS, ...Object.keys(LEFT_OUT)];
  const documented = documentedCommands();
  const whole = documented.filter(({ isWhole }) => isWhole).map(({ text }) => text);
  expect(whole.sort()).toEqual(tried.sort());
  const parts = documented.filter(({ isWhole }) => !isWhole).map(({ text }) => text.split(' ').slice(1));
  expect(parts.filter((words) => !isKnown(words))).toEqual([]);
});

test('every line that is typed on a server is on a page that the tests of the package follow, or is for containers', () => {
  expect([...serverLines().keys()].toSorted()).toEqual([
    'docs/operating/backup.md',
    'docs/operating/containers.md',
    'docs/operating/install.md',
    'docs/operating/postgresql.md',
    'docs/operating/upgrade.md',
  ]);
});

test('no script of package.json begins Node twice, since a shell goes on with the one that it found first', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(Object.values(scripts).filter((line) => /[&|;]/u.test(line))).toEqual([]);
});

const reason = freshCheckoutUnavailable();
describe.skipIf(reason !== null)(
  `in a fresh checkout, on the older Node.js of the system${reason === null ? '' : `: ${reason}`}`,
  () => {
    let emulator: CloudoneEmulator;
    let bucket: S3Server;
    let checkout: FreshCheckout;
    let place: string;
    let remove: () => Promise<void>;
    beforeAll(async () => {
      ({ checkout, folder: place, remove } = await makeFreshCheckout());
      emulator = await startTestEmulator();
      bucket = await startS3Server();
      await writeFile(join(checkout.folder, 'referral.pdf'), await referral());
    }, INSTALL_MS);
    afterAll(async () => {
      await remove();
      await bucket.close();
      await emulator.close();
    });

    const inPlace = (text: string) =>
      text
        .replace('/srv/faxdesk', join(place, 'data'))
        // As the pages say: on the PATH it is only where the package is installed.
        .replace(/^faxdesk /u, 'npm run -s faxdesk -- ')
        .replace('--port 8080', '--port 0')
        // Input that a person types at the terminal.
        .replace(/^.*=-$/u, `printf '%s\\n%s\\n' "$TYPED_KEY" "$TYPED_SECRET" | $&`)
        // The machine at the other end never answers here.
        .replace(' --wait', '');
    let settings: Record<string, string>;
    const expectDone = async (text: string) => {
      const said = await checkout.run(inPlace(text), {
        FAXDESK_DATA: join(place, 'data'),
        TYPED_KEY: String(settings['CLOUDONE_API_KEY']),
        TYPED_SECRET: String(settings['CLOUDONE_API_SECRET']),
      });
      expect(said, text).toMatchObject({ code: 0 });
      return said;
    };

    test(
      'each documented command does what it says, from the first one on',
      async () => {
        settings = sendingSettings(emulator);
        const first = await checkout.run(FIRST);
        expect(first).toMatchObject({
          code: 0,
          out: expect.stringContaining('Usage: faxdesk serve') as string,
        });
        const {
          STORAGE_BACKEND: _backend,
          S3_BUCKET: _name,
          S3_PREFIX: _prefix,
          ...bucketAddress
        } = bucket.settings();
        // Keeps announcements on this computer.
        const environment = {
          CLOUDONE_API_URL: emulator.url,
          ...bucketAddress,
          HTTPS_HOST: '127.0.0.1',
          HTTPS_PORT: '0',
        };
        await checkout.runUntilReady(inPlace(SERVE), environment);
        for (const text of WHILE_IT_RUNS) await expectDone(text);
        expect(bucket.keys()).toContainEqual(expect.stringMatching(/^office\/.*\.pdf/u));
        await checkout.stop();
        const started = await checkout.runUntilReady(START, { ...environment, PORT: '0' });
        expect(started).toContain('There is no display here, so the gateway runs without a window.');
        expect(await readdir(join(checkout.home, '.local/share/faxdesk'))).toContain('faxdesk.sqlite');
        await checkout.stop();
      },
      INSTALL_MS,
    );
  },
);

async function referral(): Promise<Buffer> {
  const { PDFDocument } = await import('pdf-lib');
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]).drawText('Referral', { x: 60, y: 780 });
  return Buffer.from(await pdf.save());
}
