import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Printout } from '../../shared/api/print-rules.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { IppPrinter } from '../setup/emulators/printer/ipp-printer.ts';
import { DAY, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { eachKilled, endRun, type Run, RunTemplate, restart } from './killed-run.ts';

type Answer = z.infer<typeof Printout>;

const PUBLIC_URL = 'https://fax.example.com';
const JSON_BODY = { 'Content-Type': 'application/json' };
/** Age of a killed gateway's last step when the next one starts. */
const LATER_SECONDS = 62;

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL });
});
afterAll(() => template.close());

/** Files a fax that is to be printed; every step of that is taken when the gateway has ended. */
async function printOne(run: Run, printer: IppPrinter): Promise<void> {
  const rule = { name: 'Desk', printer: 'Reception', printer_url: printer.url };
  await run.child.request('POST', '/print-rules', JSON.stringify(rule), JSON_BODY);
  await run.child.request('GET', '/printouts');
  run.child.order({ arm: true });
  await notify(run, run.child.url);
  await expect
    .poll(
      async () => {
        printer.print();
        const { items } = (await run.child.request<{ items: Answer[] }>('GET', '/printouts')) ?? {
          items: [],
        };
        return items.map(({ state }) => state);
      },
      { interval: 50, timeout: 240_000 },
    )
    .toEqual(['printed']);
  run.child.order({ stop: true });
  await run.child.ended;
}

async function notify(run: Run, url: string): Promise<void> {
  const [known] = run.emulator.faxes.keys();
  const document = textPdf(1);
  const id = known ?? run.emulator.receive({ from: '+12025550199', to: '+12025550100', document }).id;
  await run.emulator.sendCallback(String(id), {
    url: `${url}/cloudone-inbound`,
    signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
  });
}

/** Returns the stored state after the kill, before a start recovers it. */
async function storedState(folder: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'faxdesk-look-'));
  for (const name of await readdir(folder))
    if (name.startsWith('faxdesk.sqlite')) await cp(join(folder, name), join(copy, name));
  const store = new BetterSqlite(join(copy, 'faxdesk.sqlite'));
  const rows = store.prepare('select state from printout').all() as { state: string }[];
  store.close();
  await rm(copy, { recursive: true, force: true });
  return rows[0]?.state ?? 'nothing';
}

const PRINTERS = [
  { name: 'that got the job', isThere: true, remembers: true },
  { name: 'that got no job and remembers earlier ones', isThere: false, remembers: true },
  { name: 'that got no job and remembers none', isThere: false, remembers: false },
];

test.for(PRINTERS)(
  'rule (print-rules): a gateway killed at any step of a printing prints the fax once, or makes it a question and does not repeat it [at a printer $name]',
  { timeout: 300_000 },
  async ({ isThere, remembers }) => {
    const printer = new IppPrinter();
    await printer.open();
    const run = await template.startCopied();
    const begun = Date.now();
    const found: string[] = [];
    try {
      if (remembers) printer.addJob('letter', { state: 9, endedAt: 500 });
      await printOne(run, printer);
      const own = printer.jobs.filter(({ name }) => name !== 'letter');
      expect(own).toHaveLength(1);
      for await (const { label } of eachKilled(run)) {
        const stored = await storedState(run.folder);
        // It has the job of a gateway that recorded its answer.
        const has = isThere ? stored !== 'nothing' && stored !== 'waiting' : stored === 'accepted';
        printer.jobs.splice(0);
        if (remembers) printer.addJob('letter', { state: 9, endedAt: 500 });
        if (has) printer.jobs.push(...own);
        printer.upTime = 10_000 + Math.ceil((Date.now() - begun) / SECOND) + LATER_SECONDS;
        const before = printer.submitted;
        const gateway = await restart(run);
        try {
          if (stored === 'nothing') await notify(run, gateway.url);
          for (const ms of [0, MINUTE, MINUTE, DAY]) {
            gateway.clock.advance(ms);
            printer.upTime += ms / SECOND;
            await gateway.processAll();
            printer.print();
          }
          const { items } = (await (await gateway.request('GET', '/printouts')).json()) as {
            items: Answer[];
          };
          const times = printer.submitted - before + (has ? 1 : 0);
          found.push(`${stored}, ${items.map(({ state }) => state).join()}, ${times}`);
          expect([label, items.length]).toEqual([label, 1]);
        } finally {
          await gateway.stop();
        }
      }
    } finally {
      await endRun(run);
      await printer.close();
    }
    const submitting = isThere || remembers ? 'submitting, printed, 1' : 'submitting, doubtful, 0';
    expect([...new Set(found)].filter((each) => !each.startsWith('printed')).sort()).toEqual(
      ['accepted, printed, 1', 'nothing, printed, 1', submitting, 'waiting, printed, 1'].sort(),
    );
  },
);
