import { afterAll, beforeAll, expect, test } from 'vitest';
import { EncodedPages, sha256 } from '../api/outbound-encoded-setup.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { eachKilled, endRun, type Run, RunTemplate, restart } from './killed-run.ts';

const PUBLIC_URL = 'https://fax.example.com';

let template: RunTemplate;
let pages: Buffer;
let original: string;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL });
  const sender = await EncodedPages.start();
  await sender.contact({ encoded_pages: 'plain' });
  const sent = await sender.sendPages();
  pages = sent.pages;
  original = sent.fax.document.sha256 ?? '';
  await sender.close();
});
afterAll(() => template.close());

async function notify(run: Run, url: string): Promise<void> {
  const [known] = run.emulator.faxes.keys();
  const received = { from: '+12025550199', to: '+12025550100', document: pages };
  const id = known ?? run.emulator.receive(received).id;
  await run.emulator.sendCallback(String(id), {
    url: `${url}/cloudone-inbound`,
    signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
  });
}

type Received = { id: string; status: string; decode: { state: string } | null };

test('rule (inbound): a gateway killed at any step recovers the original of a received fax once', {
  timeout: 300_000,
}, async () => {
  const run = await template.startCopied();
  try {
    run.child.order({ arm: true });
    await notify(run, run.child.url);
    const list = async () => (await run.child.request<Received[]>('GET', '/inbound')) ?? [];
    await expect
      .poll(list, { interval: 50, timeout: 60_000 })
      .toMatchObject([{ decode: { state: 'decoded' } }]);
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label } of eachKilled(run)) {
      const gateway = await restart(run);
      try {
        // The provider repeats a notification that was not answered.
        await notify(run, gateway.url);
        for (const ms of [0, MINUTE, 10 * MINUTE]) {
          gateway.clock.advance(ms);
          await gateway.processAll();
        }
        const faxes = (await (await gateway.request('GET', '/inbound')).json()) as Received[];
        expect([label, faxes]).toMatchObject([label, [{ status: 'received', decode: { state: 'decoded' } }]]);
        const [fax] = faxes;
        const file = await gateway.request('GET', `/inbound/${fax?.id}/original`);
        expect([label, sha256(Buffer.from(await file.arrayBuffer()))]).toEqual([label, original]);
        const { items } = (await (await gateway.request('GET', `/inbound/${fax?.id}/evidence`)).json()) as {
          items: { kind: string }[];
        };
        expect([label, items.filter(({ kind }) => kind === 'decoded')]).toMatchObject([label, [{}]]);
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
  }
});
