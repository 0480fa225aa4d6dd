import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTlsFront } from '../setup/connect-proxy.ts';
import { textFile } from '../setup/gateway.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';
import { InboundGateway, ONE_PAGE } from './inbound-setup.ts';

let s3: S3Server;
let inbound: InboundGateway;
beforeEach(async () => {
  s3 = await startS3Server();
  inbound = await InboundGateway.start({
    settings: { ...s3.settings(), INBOUND_RETENTION_DAYS: '30' },
    bucketPatienceMs: 2_000,
  });
});
afterEach(async () => {
  await inbound.close();
  await s3.close();
});

/** Documents in the folder of the gateway. */
async function localDocuments(): Promise<string[]> {
  const files = join(inbound.gateway.dataFolder, 'files');
  const entries = await readdir(files, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'installation.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(files.length + 1));
}

const documents = () => s3.keys().filter((key) => key !== 'office/installation.json');

async function read(path: string): Promise<{ status: number; body: Buffer }> {
  const answer = await inbound.gateway.request('GET', path);
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
}

const detail = ({ body }: { body: Buffer }) => (JSON.parse(body.toString()) as { detail: string }).detail;

async function receive() {
  const fax = inbound.arrive();
  expect((await inbound.notify(fax)).status).toBe(200);
  const [held] = await inbound.list();
  if (!held) throw new Error('nothing was received');
  return held;
}

async function warnings(): Promise<string[]> {
  const answer = await inbound.gateway.request('GET', '/console/status');
  return ((await answer.json()) as { warnings: string[] }).warnings;
}

describe('rule (storage): documents in a bucket', () => {
  test('are the received ones, sealed, and nothing of them is in the folder', async () => {
    await inbound.gateway.set({ ENCRYPT_DOCUMENTS: true });
    const held = await receive();
    expect(documents()).toEqual([`office/inbound/${held.id}-${held.sha256?.slice(0, 12)}.pdf`]);
    expect(
      s3
        .object(documents()[0] ?? '')
        .subarray(0, 7)
        .toString(),
    ).toBe('FAXSEAL');
    expect(await localDocuments()).toEqual([]);
    // The bucket itself may be checked meanwhile.
    const reads = () => s3.requests.filter((each) => each.includes('/office/inbound/')).length;
    const before = reads();
    expect(await read(`/inbound/${held.id}/pdf`)).toEqual({ status: 200, body: ONE_PAGE });
    expect((await read(`/inbound/${held.id}/pages/1.png`)).status).toBe(200);
    // One copy serves both.
    expect(reads() - before).toBe(1);
  });

  test('are the sent ones, which the provider gets as they were prepared', async () => {
    const fax = await inbound.gateway.send();
    expect(documents()).toEqual([`office/fax/${fax.id}.pdf`]);
    expect(await localDocuments()).toEqual([]);
    await inbound.gateway.processAll();
    expect(inbound.gateway.emulator.counts.accepted).toBe(1);
    expect((await read(`/fax/${fax.id}/document`)).body.subarray(0, 5).toString()).toBe('%PDF-');
    const waiting = await inbound.gateway.send({ to: '+12025550124' });
    const json = { delivery_version: waiting.delivery_version };
    await (await inbound.gateway.request('POST', `/fax/${waiting.id}/cancel`, { json })).text();
    const again = await inbound.gateway.request('POST', `/fax/${waiting.id}/resend`, { json: {} });
    expect(again.status).toBe(202);
    await again.text();
    expect(documents()).toHaveLength(3);
    expect(await localDocuments()).toEqual([]);
  });

  test('are read after a restart, and removed with their row', async () => {
    const held = await receive();
    inbound = new InboundGateway(await inbound.gateway.restart());
    expect((await read(`/inbound/${held.id}/pdf`)).body).toEqual(ONE_PAGE);
    inbound.gateway.clock.advance(31 * DAY);
    await inbound.work();
    expect(documents()).toEqual([]);
    expect((await read(`/inbound/${held.id}/pdf`)).status).toBe(404);
  });

  test('whose removal failed are removed later', async () => {
    await receive();
    inbound.gateway.clock.advance(31 * DAY);
    s3.fail('keeps');
    await inbound.work();
    expect(documents()).toHaveLength(1);
    expect(await warnings()).toContainEqual(
      '1 document could not be removed from the bucket yet. Faxdesk tries again.',
    );
    s3.clear();
    inbound.gateway.clock.advance(2 * HOUR);
    await inbound.work();
    expect(documents()).toEqual([]);
  });

  test('that a kill left without a row are unclaimed after six hours, and removed after 30 days', async () => {
    await receive();
    const [key = ''] = documents();
    s3.now = () => new Date(inbound.gateway.clock.now());
    s3.copy(key, 'office/inbound/lost.pdf');
    inbound = new InboundGateway(await inbound.gateway.restart());
    inbound.gateway.clock.advance(365 * DAY);
    await inbound.gateway.set({ INBOUND_RETENTION_DAYS: 0 });
    await inbound.work();
    expect(documents()).not.toContain('office/inbound/lost.pdf');
    const unclaimed = (await localDocuments()).filter((name) => !name.endsWith('.record.json'));
    expect(unclaimed).toEqual([expect.stringMatching(/^unclaimed\/.+-lost\.pdf$/u)]);
    inbound.gateway.clock.advance(31 * DAY);
    await inbound.work();
    expect(await localDocuments()).toEqual([]);
  });

  test('that no row names and Faxdesk did not store stay, below its prefix and elsewhere', async () => {
    await receive();
    s3.put('office/inbound/lost.pdf', Buffer.from('lost'));
    s3.put('elsewhere/inbound/other.pdf', Buffer.from('other'));
    s3.put('office/notes/readme.txt', Buffer.from('no document'));
    // Without a digest it is not one of ours.
    inbound.gateway.clock.advance(3_650 * DAY);
    await inbound.work();
    expect(documents()).toContain('elsewhere/inbound/other.pdf');
    expect(documents()).toContain('office/notes/readme.txt');
    expect(documents()).toContain('office/inbound/lost.pdf');
  });
});

describe('rule (storage): a bucket that does not do what it should', () => {
  test.each([
    [
      'forbidden',
      'Faxdesk is not allowed to use the bucket faxes. Allow it to list, read, write and delete there.',
    ],
    ['slow', 'The bucket faxes is not responding. Faxdesk tries again.'],
    ['broken', 'The bucket faxes reports an error (500). Faxdesk tries again.'],
    ['loses', 'The bucket faxes confirmed a document and does not have it.'],
  ] as const)('takes no fax when %s, and says why', async (fault, sentence) => {
    await receive();
    s3.fail(fault);
    const answer = await inbound.gateway.sendForm({ to: '+12025550123' }, [textFile()]);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { detail: `The document cannot be stored. ${sentence}` },
    ]);
    expect(answer.headers.get('x-error-code')).toBe('storage_unavailable');
    expect(await warnings()).toContainEqual(`The object storage has a problem. ${sentence}`);
    expect((await inbound.notify(inbound.arrive())).status).toBe(503);
    s3.clear();
    await inbound.work();
    expect(await warnings()).not.toContainEqual(expect.stringContaining('object storage'));
    const fax = await inbound.gateway.send();
    expect(documents()).toContain(`office/fax/${fax.id}.pdf`);
    expect(await warnings()).not.toContainEqual(expect.stringContaining('object storage'));
    expect(await localDocuments()).toEqual([]);
  });

  test('has a certificate of an unknown authority: the sentence says so', async () => {
    const front = await startTlsFront('localhost', Number(new URL(s3.url).port));
    const address = `https://localhost:${front.port}`;
    const other = await InboundGateway.start({ settings: { ...s3.settings(), S3_ENDPOINT_URL: address } });
    try {
      const answer = await other.gateway.sendForm({ to: '+12025550123' }, [textFile()]);
      expect([answer.status, await answer.json()]).toEqual([
        503,
        {
          detail:
            'The document cannot be stored. The certificate of localhost is not from an authority that this computer trusts.',
        },
      ]);
    } finally {
      await other.close();
      await front.close();
    }
  });

  test('lets a fax that came meanwhile in when the provider tries again', async () => {
    s3.fail('forbidden');
    const fax = inbound.arrive();
    expect((await inbound.notifyBare(fax)).status).toBe(200);
    await inbound.work();
    expect((await inbound.only()).status).toBe('waiting');
    s3.clear();
    inbound.gateway.clock.advance(HOUR);
    await inbound.work();
    expect((await inbound.only()).status).toBe('received');
    expect(documents()).toHaveLength(1);
  });

  test('returns other bytes: they are never shown, and a fax waits', async () => {
    const held = await receive();
    const fax = await inbound.gateway.send();
    s3.fail('alters');
    const found = await read(`/inbound/${held.id}/pdf`);
    expect(found.status).toBe(503);
    expect(detail(found)).toBe(
      'The document cannot be read. The bucket faxes returns another content than was stored.',
    );
    await inbound.gateway.processAll();
    expect(inbound.gateway.emulator.counts.accepted).toBe(0);
    s3.clear();
    inbound.gateway.clock.advance(HOUR);
    await inbound.gateway.processAll();
    expect(inbound.gateway.emulator.counts.accepted).toBe(1);
    expect((await inbound.gateway.fax(fax.id)).status).not.toBe('FAILED');
  });

  test('does not exist, or is gone: no document counts as removed', async () => {
    const held = await receive();
    const gone = s3.buckets.get('faxes');
    s3.buckets.delete('faxes');
    const found = await read(`/inbound/${held.id}/pdf`);
    expect([found.status, detail(found)]).toEqual([
      503,
      'The document cannot be read. The bucket faxes does not exist. Create it, or correct its name in the settings.',
    ]);
    if (gone) s3.buckets.set('faxes', gone);
    expect((await read(`/inbound/${held.id}/pdf`)).status).toBe(200);
  });

  test('is that of another installation: nothing is stored there', async () => {
    s3.put('office/installation.json', Buffer.from('{"product":"faxdesk","installation":"another"}'));
    inbound = new InboundGateway(await inbound.gateway.restart());
    const answer = await inbound.gateway.sendForm({ to: '+12025550123' }, [textFile()]);
    expect(answer.status).toBe(503);
    expect(((await answer.json()) as { detail: string }).detail).toContain('belong to another installation');
    expect(documents()).toEqual([]);
  });

  test('has other files under the prefix: nothing is stored there, and nothing of it is removed', async () => {
    s3.buckets.set('theirs', new Map());
    s3.put('office/inbound/theirs.pdf', Buffer.from('theirs'), 'theirs');
    const other = await InboundGateway.start({ settings: s3.settings('theirs') });
    const answer = await other.gateway.sendForm({ to: '+12025550123' }, [textFile()]);
    expect(((await answer.json()) as { detail: string }).detail).toContain(
      'has other files and no mark of Faxdesk',
    );
    other.gateway.clock.advance(60 * DAY);
    await other.work();
    expect(s3.keys('theirs')).toEqual(['office/inbound/theirs.pdf']);
    await other.close();
  });

  test('that knows no checksums is read after each document', async () => {
    s3.knowsChecksums = false;
    await receive();
    expect(documents()).toHaveLength(1);
    s3.fail('alters');
    const answer = await inbound.gateway.sendForm({ to: '+12025550123' }, [textFile()]);
    expect(((await answer.json()) as { detail: string }).detail).toContain('returns another content');
  });

  test('cannot be replaced by another one while it has documents', async () => {
    await receive();
    s3.buckets.set('other', new Map());
    await inbound.gateway.set({ S3_BUCKET: 'other' });
    const answer = await inbound.gateway.sendForm({ to: '+12025550123' }, [textFile()]);
    expect(((await answer.json()) as { detail: string }).detail).toContain('Change the settings back');
    expect(s3.keys('other')).toEqual([]);
  });
});

test('rule (storage): a bucket that was used stays in use for its documents when new ones are kept locally', async () => {
  const held = await receive();
  await inbound.gateway.set({ STORAGE_BACKEND: 'local' });
  const fax = await inbound.gateway.send();
  expect(await localDocuments()).toEqual([`fax/${fax.id}.pdf`]);
  expect((await read(`/inbound/${held.id}/pdf`)).body).toEqual(ONE_PAGE);
  const mark = await readFile(join(inbound.gateway.dataFolder, 'files', 'installation.json'), 'utf8');
  expect(JSON.parse(mark)).toMatchObject({ bucket: `${s3.url}/faxes/office/` });
});
