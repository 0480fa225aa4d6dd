import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { rawPdf, rawStream } from '../fixtures/pdf-parts.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { dnsOf } from '../setup/signed-mail.ts';
import { clinic, elsewhere, MailGateway, signed } from './mail-to-fax-setup.ts';

const ROUNDS = 50;
const MB = 1024 * 1024;

const page = { filename: 'page.txt', content: 'A page.' };

/** A PDF of one page with so much that nobody sees that its message has more than 30 MB. */
function heavyPdf(): Buffer {
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    rawStream('', Buffer.from('0 0 m 100 100 l S')),
    rawStream('', Buffer.alloc(23 * MB, 7)),
  ]);
}

/** Ten messages: three faxes of which two come again, two that are forged, one that goes in a circle, two that are no message. */
async function roundOf(round: number): Promise<Uint8Array[]> {
  const mine = async (given: object = {}) => signed({ attachments: [page], ...given });
  const [first, second] = [await mine(), await mine()];
  const forged = async () => signed({ attachments: [page] }, elsewhere);
  const loop = await mine({ headers: { 'Auto-Submitted': 'auto-replied' } });
  const head = `Subject: ${round}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n`;
  const broken = [`${head}--x\r\n\0\xFF--`, `${head}${'--x\r\n\r\n'.repeat(300)}`].map((text) =>
    Buffer.from(text),
  );
  return [first, second, first, await forged(), second, loop, await mine(), ...broken, await forged()];
}

test('rule (mail-to-fax): every message becomes one fax or one refusal, over outages of the mail server and restarts', async (context) => {
  // Held faxes suffice here: delivery at the provider is not tested.
  let office = await MailGateway.start(context, {
    settings: { MAX_FILE_SIZE_MB: '40', FAX_DISABLED: 'true' },
  });
  try {
    for (let round = 0; round < ROUNDS; round += 1) await office.dovecot.deliver(...(await roundOf(round)));
    await office.dovecot.deliver(
      await signed({ attachments: [{ filename: 'plan.pdf', content: heavyPdf() }] }),
    );
    const looking = office.poll();
    // The mail server goes away in the middle, and the gateway after it.
    await expect
      .poll(async () => (await office.messages()).length, { interval: 20, timeout: 60_000 })
      .toBeGreaterThan(40);
    await office.dovecot.stop();
    await looking;
    await office.dovecot.start();
    office = await office.restart();
    const messages = await office.poll();
    const states = Map.groupBy(messages, ({ state }) => state);
    expect(Object.fromEntries([...states].map(([state, some]) => [state, some.length]))).toEqual({
      accepted: 3 * ROUNDS + 1,
      duplicate: 2 * ROUNDS,
      ignored: ROUNDS,
      refused: 4 * ROUNDS,
    });
    const faxes = await office.faxes();
    expect(faxes).toHaveLength(3 * ROUNDS + 1);
    const ids = messages.flatMap(({ state, fax_id }) => (state === 'accepted' ? [fax_id] : []));
    expect(new Set(ids)).toEqual(new Set(faxes.map(({ id }) => id)));
    expect(await office.dovecot.folders()).toEqual({
      'Faxdesk sent': 5 * ROUNDS + 1,
      'Faxdesk refused': 5 * ROUNDS,
    });
  } finally {
    await office.close();
  }
}, 600_000);

test('a message whose gateway is killed each time rests longer and longer before it is given up', async (context) => {
  const asked = { isKilled: true, atMinutes: [] as number[], left: {} as Record<string, unknown> };
  const store = () => new BetterSqlite(join(office.gateway.dataFolder, 'faxdesk.sqlite'));
  const known = dnsOf([clinic]);
  const office = await MailGateway.start(context, {
    settings: { FAX_DISABLED: 'true' },
    resolveDns: async (name, type) => {
      if (!asked.isKilled || !name.startsWith('office._domainkey')) return known(name, type);
      // The row that a gateway leaves behind when it is killed now.
      const db = store();
      asked.left = db.prepare('select state, begun, retry_at from mail_message').get() as never;
      db.close();
      asked.atMinutes.push(minute);
      throw Object.assign(new Error('killed'), { code: 'ESERVFAIL' });
    },
  });
  let minute = 0;
  const look = async (minutes: number) => {
    minute += minutes;
    const before = asked.atMinutes.length;
    await office.poll(minutes * MINUTE);
    if (asked.atMinutes.length === before) return;
    await office.gateway.stop();
    const db = store();
    const changes = db.prepare('update mail_message set problem = null, state = ?, begun = ?, retry_at = ?');
    changes.run(asked.left['state'], asked.left['begun'], asked.left['retry_at']);
    db.close();
    await office.restart();
  };
  try {
    await office.dovecot.deliver(await signed({ attachments: [page] }));
    for (const minutes of [1, 1, 1, 4, 1]) await look(minutes);
    expect(asked.atMinutes).toEqual([1, 2, 3, 8]);
    asked.isKilled = false;
    await office.poll(20 * MINUTE);
    expect((await office.messages()).map(({ state }) => state)).toEqual(['accepted']);
  } finally {
    await office.close();
  }
}, 600_000);
