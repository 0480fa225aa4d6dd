import { afterAll, beforeAll, expect, test } from 'vitest';
import { WEBHOOKS_ON } from '../api/webhooks-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';
import { WebhookReceiver } from '../setup/webhook-receiver.ts';
import { eachKilled, endRun, type Run, RunTemplate, restart } from './killed-run.ts';

const PUBLIC_URL = 'https://fax.example.com';
const JSON_BODY = { 'Content-Type': 'application/json' };

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL, ...WEBHOOKS_ON });
});
afterAll(() => template.close());

async function post<T>(run: Run, path: string, body: object): Promise<T> {
  return (await run.child.request<T>('POST', path, JSON.stringify(body), JSON_BODY)) as T;
}

/** Makes a webhook of an integration that sees received faxes. */
async function connect(run: Run, receiver: WebhookReceiver): Promise<void> {
  const version = async () => ({
    expected_policy_version: (await run.child.request<{ policy_version: number }>('GET', '/auth/me'))
      ?.policy_version,
  });
  type Item = { id: string; version: number };
  const { user } = await post<{ user: Item }>(run, '/access/integrations', {
    display_name: 'Records system',
    ...(await version()),
  });
  const { role } = await post<{ role: Item }>(run, '/access/roles', {
    name: 'Sees received faxes',
    permissions: ['inbound:list'],
    ...(await version()),
  });
  await post(run, '/access/assignments', {
    subject: { kind: 'principal', id: user.id, version: user.version },
    role: { id: role.id, version: role.version },
    resource_id: 'installation',
    ...(await version()),
  });
  await post(run, '/webhooks/endpoints', {
    integration_id: user.id,
    url: receiver.url,
    events: ['inbound.received'],
  });
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

test('rule (webhooks): a gateway killed at any step announces a received fax, and repeats it under the same id only', {
  timeout: 300_000,
}, async () => {
  const receiver = await WebhookReceiver.start();
  const run = await template.startCopied();
  const found: string[] = [];
  try {
    await connect(run, receiver);
    run.child.order({ arm: true });
    await notify(run, run.child.url);
    await expect.poll(() => receiver.messages.length, { interval: 50, timeout: 60_000 }).toBe(1);
    const deliveries = async () =>
      (await run.child.request<{ items: { state: string }[] }>('GET', '/webhooks/deliveries'))?.items;
    await expect.poll(deliveries, { interval: 50, timeout: 60_000 }).toMatchObject([{ state: 'delivered' }]);
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label } of eachKilled(run)) {
      receiver.clear();
      const gateway = await restart(run);
      try {
        // The provider repeats a notification that was not answered.
        await notify(run, gateway.url);
        for (const ms of [0, MINUTE, DAY]) {
          gateway.clock.advance(ms);
          await gateway.processAll();
        }
        const answer = await gateway.request('GET', '/webhooks/deliveries');
        const { items } = (await answer.json()) as { items: { webhook_id: string; state: string }[] };
        expect([label, items.map(({ state }) => state)]).toEqual([label, ['delivered']]);
        expect([label, receiver.ids.every((id) => id === items[0]?.webhook_id)]).toEqual([label, true]);
        found.push(`sent ${receiver.messages.length} more`);
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
    await receiver.close();
  }
  // Once, however it was killed: again only where the outcome was not recorded, and never twice more.
  expect([...new Set(found)].sort()).toEqual(['sent 0 more', 'sent 1 more']);
});
