import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import type { MailDelivery } from '../../shared/api/intake.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';
import { Postfix, postfixUnavailable } from '../setup/postfix.ts';
import { eachKilled, endRun, type Run, RunTemplate, restart } from './killed-run.ts';

type Delivery = z.infer<typeof MailDelivery>;

const PUBLIC_URL = 'https://fax.example.com';
const ALICE = 'alice@example.com';

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL });
});
afterAll(() => template.close());

/** Server that receives the e-mails. */
interface Server {
  readonly port: number;
  /** Returns the number of messages in each inbox. */
  counts(): Promise<Record<string, number>>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

async function startKeeping(): Promise<Server> {
  const mail = await startMailServer();
  return {
    port: mail.port,
    counts: async () => mail.inboxes,
    clear: async () => void (mail.mails.length = 0),
    close: () => mail.close(),
  };
}

async function startPostfix(): Promise<Server> {
  const { certificate, key } = await issueServer(
    await issueRoot('Root', Date.now()),
    ['localhost'],
    Date.now(),
  );
  return Postfix.start({ certificate, key, senders: {}, maxBytes: 2_000_000 });
}

const SERVERS = [
  { name: 'a server of this test', start: startKeeping, whyNot: () => null },
  { name: 'Postfix', start: startPostfix, whyNot: postfixUnavailable },
];

/** Files a fax that is to be mailed; every step of that is taken when the gateway has ended. */
async function mailOne(run: Run, mail: Server): Promise<void> {
  const connector = {
    name: 'Desk',
    host: '127.0.0.1',
    port: mail.port,
    security: 'none',
    from_address: 'fax@example.org',
    recipients: [ALICE],
  };
  await run.child.request('POST', '/intake/connectors', JSON.stringify(connector), {
    'Content-Type': 'application/json',
  });
  await run.child.request('GET', '/intake/items');
  run.child.order({ arm: true });
  await notify(run, run.child.url);
  await expect
    .poll(
      async () => {
        const { items } = (await run.child.request<{ items: Delivery[] }>('GET', '/intake/items')) ?? {
          items: [],
        };
        return items.map(({ state }) => state);
      },
      { interval: 50, timeout: 240_000 },
    )
    .toEqual(['delivered']);
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
  const rows = store.prepare('select state from intake_item').all() as { state: string }[];
  store.close();
  await rm(copy, { recursive: true, force: true });
  return rows[0]?.state ?? 'nothing';
}

test.for(SERVERS)(
  'rule (intake): a gateway killed at any step of an e-mail sends it once, or marks it as doubtful and does not repeat it [$name]',
  { timeout: 300_000 },
  async ({ start, whyNot }, context) => {
    const reason = whyNot();
    if (reason !== null) context.skip(reason);
    const mail = await start();
    const run = await template.startCopied();
    const found: string[] = [];
    try {
      await mailOne(run, mail);
      expect(await mail.counts()).toEqual({ [ALICE]: 1 });
      for await (const { label } of eachKilled(run)) {
        const stored = await storedState(run.folder);
        await mail.clear();
        const gateway = await restart(run);
        try {
          if (stored === 'nothing') await notify(run, gateway.url);
          for (const ms of [0, MINUTE, DAY]) {
            gateway.clock.advance(ms);
            await gateway.processAll();
          }
          const { items } = (await (await gateway.request('GET', '/intake/items')).json()) as {
            items: Delivery[];
          };
          const { [ALICE]: sent = 0 } = await mail.counts();
          found.push(`${stored}, ${items.map(({ state }) => state).join()}, ${sent}`);
          expect([label, items.length]).toEqual([label, 1]);
        } finally {
          await gateway.stop();
        }
      }
    } finally {
      await endRun(run);
      await mail.close();
    }
    // Nothing was handed over before `sending` was stored, so what waits is sent; the rest never is.
    expect([...new Set(found)].sort()).toEqual([
      'delivered, delivered, 0',
      'nothing, delivered, 1',
      'received, delivered, 1',
      'sending, uncertain, 0',
    ]);
  },
);
