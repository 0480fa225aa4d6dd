import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyReceiptFile } from '../../server/features/direct/wire/receipt-file.ts';
import { openSigned } from '../../server/features/direct/wire/statement.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { listDirect } from '../setup/direct-partners.ts';
import { type FakePartner, type KeptDocuments, startFakePartner } from '../setup/fake-partner.ts';
import { type Fax, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { addPartnerTo, openDirectTemplate, readCard } from './direct-runs.ts';
import {
  allFaxes,
  type CopiedRun,
  eachKilled,
  endRun,
  KEY,
  type RunTemplate,
  restart,
  sendTo,
  waitForState,
} from './killed-run.ts';

const SENT_TO = '+12025550123';

let template: RunTemplate;
let partner: FakePartner;
beforeAll(async () => {
  template = await openDirectTemplate();
  partner = await startFakePartner('South Pharmacy', SENT_TO);
  await addPartnerTo(template, partner.card());
});
afterAll(() => Promise.all([template?.close(), partner?.close()]));

async function inCopy(run: CopiedRun, work: (gateway: TestGateway) => Promise<void>): Promise<void> {
  const gateway = await restart(run);
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
  }
}

test('rule (direct): a gateway killed at any step of sending to a partner delivers the document once, directly or by one call', {
  timeout: 300_000,
}, async () => {
  const kept = partner.keepDocuments();
  const run = await template.startCopied();
  try {
    await readCard(run.child);
    run.child.order({ arm: true });
    const { id = '' } = (await sendTo(run.child)) ?? {};
    expect(await waitForState(run, id, ['success']), run.child.errors).toBe(true);
    run.child.order({ stop: true });
    await run.child.ended;
    const taken = new Map(kept.taken);
    expect([taken.size, kept.uploads, run.emulator.faxes.size]).toEqual([1, 1, 0]);
    const ends: { diedAt: string; hasArrived: boolean; end: string }[] = [];
    let wasAnswered = false;
    for await (const { label } of eachKilled(run)) {
      wasAnswered ||= label === 'when the provider answered';
      // A request that was on its way at the kill arrived, or did not.
      const isOnItsWay = label === 'before a request to the provider' && !wasAnswered;
      const copy = join(run.copies, 'on its way');
      if (isOnItsWay) await cp(run.folder, copy, { recursive: true });
      for (const hasArrived of isOnItsWay ? [false, true] : [wasAnswered]) {
        if (isOnItsWay && hasArrived) {
          await rm(run.folder, { recursive: true });
          await rename(copy, run.folder);
        }
        setPartner(kept, hasArrived ? taken : new Map());
        const end = await sendOn(run, kept);
        ends.push({ diedAt: label, hasArrived, end });
      }
    }
    expect(ends.filter(({ diedAt }) => diedAt.endsWith('a commit')).length).toBeGreaterThanOrEqual(14);
    expect(ends.filter(({ hasArrived, end }) => hasArrived && end !== 'directly')).toEqual([]);
    expect(ends).toContainEqual({
      diedAt: 'before a request to the provider',
      hasArrived: false,
      end: 'by a call',
    });
  } finally {
    await endRun(run);
  }
});

function setPartner(kept: KeptDocuments, taken: KeptDocuments['taken']): void {
  kept.taken.clear();
  for (const [id, receipt] of taken) kept.taken.set(id, receipt);
  kept.refused.clear();
  kept.uploads = 0;
}

/** The next start until the fax is delivered; its caller, who may have had no answer, sends it again under the same key. */
async function sendOn(run: CopiedRun, kept: KeptDocuments): Promise<'directly' | 'by a call'> {
  run.emulator.state.faxes.clear();
  let end: 'directly' | 'by a call' = 'directly';
  await inCopy(run, async (gateway) => {
    const repeated = await gateway.sendForm({ to: SENT_TO }, [textFile()], { 'Idempotency-Key': KEY });
    expect(repeated.status).toBe(202);
    const { id } = (await repeated.json()) as Fax;
    await expect
      .poll(
        async () => {
          await gateway.processAll();
          for (const [sid, fax] of gateway.emulator.faxes)
            if (fax.completedAt === null) gateway.emulator.complete(sid);
          gateway.clock.advance(MINUTE);
          return (await gateway.fax(id)).delivery_state;
        },
        { interval: 0, timeout: 20_000 },
      )
      .toBe('success');
    const [fax, ...others] = await allFaxes(gateway);
    expect(others).toEqual([]);
    const isDirect = fax?.delivered_by === 'direct';
    end = isDirect ? 'directly' : 'by a call';
    expect([kept.taken.size, gateway.emulator.faxes.size]).toEqual(isDirect ? [1, 0] : [0, 1]);
    const receipts = (await listDirect({ gateway })).filter(({ receipt }) => receipt !== null);
    expect(receipts.map(({ message_id }) => message_id)).toEqual([...kept.taken.keys()]);
    if (isDirect) expect(verifyReceiptFile(Buffer.from(JSON.stringify({ items: receipts })))).toHaveLength(1);
  });
  return end;
}

interface Received {
  readonly id: string;
  readonly status: string;
  readonly sha256: string;
}

test('rule (direct): a gateway killed at any step of receiving from a partner keeps one fax and gives one receipt', {
  timeout: 300_000,
}, async () => {
  const document = textPdf(1);
  const run = await template.startCopied();
  try {
    const form = await partner.deliveryForm(await readCard(run.child), document);
    const upload = async (url: string) => {
      const headers = { Connection: 'close' };
      const answer = await fetch(`${url}/direct/deliveries`, { method: 'POST', headers, body: form });
      expect(answer.status).toBe(200);
      return openSigned(Buffer.from(await answer.arrayBuffer()), ['receipt']).statement;
    };
    run.child.order({ arm: true });
    const given = await upload(run.child.url);
    const list = async () => (await run.child.request<Received[]>('GET', '/inbound')) ?? [];
    await expect.poll(list, { interval: 50, timeout: 60_000 }).toMatchObject([{ status: 'received' }]);
    run.child.order({ stop: true });
    await run.child.ended;
    let found = 0;
    const died: string[] = [];
    for await (const { label, answered } of eachKilled(run)) {
      died.push(label);
      await inCopy(run, async (gateway) => {
        const faxes = async () => (await (await gateway.request('GET', '/inbound')).json()) as Received[];
        const before = await faxes();
        if (before.length > 0) found += 1;
        const receipt = await upload(gateway.url);
        if (answered || before.length > 0) expect([label, receipt]).toEqual([label, given]);
        expect(receipt).toMatchObject({ message_id: given.message_id, sha256: given.sha256 });
        expect(await upload(gateway.url)).toEqual(receipt);
        for (let i = 0; i < 3; i += 1) {
          await gateway.processAll();
          gateway.clock.advance(10 * MINUTE);
        }
        const after = await faxes();
        expect([label, after]).toMatchObject([label, [{ status: 'received', sha256: given.sha256 }]]);
        if (before[0]) expect(after[0]?.id).toBe(before[0].id);
        const deliveries = await listDirect({ gateway });
        expect(deliveries).toMatchObject([{ state: 'accepted', inbound_id: after[0]?.id }]);
        const [verified] = verifyReceiptFile(Buffer.from(JSON.stringify(deliveries[0])));
        expect(verified?.receipt.statement).toEqual(receipt);
        expect(await readdir(join(run.folder, 'files', 'inbound'))).toHaveLength(1);
        expect(await readdir(join(run.folder, 'work'))).toEqual([]);
      });
    }
    expect(died).toContain('when a document was prepared');
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(died.length);
  } finally {
    await endRun(run);
  }
});
