import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signReport, splitReport } from '../../server/features/outbound/proof/report-file.ts';
import { checkReport } from '../../server/features/outbound/proof/verify-report.ts';
import { canonicalJson } from '../../server/platform/canonical-json.ts';
import { keyFingerprint } from '../../server/platform/key-fingerprint.ts';
import { referee } from '../fixtures/referees.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';
import { factsOfReport } from '../setup/report-facts.ts';
import { needTools } from '../setup/tools.ts';

let gateway: TestGateway;
let fingerprint: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.set({ FAX_ORGANIZATION: 'Example Clinic', TIME_ZONE: 'America/New_York' });
  const answer = await gateway.request('GET', '/signing/keys');
  const { keys } = (await answer.json()) as { keys: { fingerprint: string }[] };
  fingerprint = keys[0]?.fingerprint ?? '';
});
afterAll(() => gateway.close());

async function reportOf(id: string): Promise<Buffer> {
  const answer = await gateway.request('GET', `/fax/${id}/report`);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await answer.arrayBuffer());
}

async function printed(bytes: Buffer): Promise<string> {
  const path = join(gateway.dataFolder, 'report.pdf');
  await writeFile(path, bytes);
  return referee('pdftotext', ['-layout', path, '-']).toString().replaceAll(/\s+/gu, ' ');
}

async function delivered(fields: Record<string, string> = {}): Promise<Fax> {
  const { id } = await gateway.send(fields);
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  gateway.emulator.complete(provider_sid ?? '');
  await gateway.request('POST', `/fax/${id}/refresh`, { json: {} });
  const fax = await gateway.fax(id);
  expect(fax.delivery_state).toBe('success');
  return fax;
}

const factsOf = (bytes: Buffer) => factsOfReport(bytes, fingerprint);

describe('the transmission report', () => {
  test('rule (outbound): a report is signed with the key of the installation, with every attempt, who sent it and what was confirmed by whom', async () => {
    const fax = await delivered({
      subject: 'Knee X-ray',
      reference: 'Patient 4711',
      document_type: 'Referral',
    });
    const report = await reportOf(fax.id);
    const facts = factsOf(report);
    expect(facts).toMatchObject({
      format: 'faxdesk-report-1',
      issuer: { organization: 'Example Clinic', key_fingerprint: fingerprint },
      fax: {
        id: fax.id,
        to: fax.to,
        subject: 'Knee X-ray',
        reference: 'Patient 4711',
        document_type: 'Referral',
        sent_by: 'Installation key',
        delivery_state: 'success',
        document: { sha256: fax.document.sha256, first_page: 'shown' },
      },
      attempts: [
        { number: 1, by: 'Phaxio', reference: fax.provider_sid, phase: 'success', pages_confirmed: 1 },
      ],
      confirmations: [{ kind: 'provider', by: 'Phaxio', text: 'Reported the fax as delivered, 1 page.' }],
    });
    expect(facts.history.at(-1)).toMatchObject({ kind: 'success' });
  });

  test('shows people what its facts say, in the time zone of the office', async (context) => {
    needTools(context, 'pdftotext', 'pdfimages', 'pdfdetach', 'qpdf');
    const fax = await delivered({ subject: 'Knee X-ray' });
    const report = await reportOf(fax.id);
    const text = await printed(report);
    for (const part of [
      'Example Clinic',
      'Fax transmission report',
      'Delivered',
      '1 of 1 page confirmed by Phaxio.',
      'Subject Knee X-ray',
      'Page 1 of 1, as it is sent',
      'Attempts',
      'What was confirmed, and by whom',
      'Phaxio (provider)',
      'It does not show who read them.',
      'History',
      `Fax ID ${fax.id}`,
      'Page 1 of 1',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/E[SD]T/u);
    expect(text.replaceAll(' ', '')).toContain(fingerprint);
    const path = join(gateway.dataFolder, 'report.pdf');
    expect(referee('pdfimages', ['-list', path]).toString()).toMatch(/1728/u);
    expect(referee('pdfdetach', ['-list', path]).toString()).toMatch(
      /faxdesk-report\.json[^]*signing-key\.pem/u,
    );
    expect(referee('qpdf', ['--check', path]).toString()).toContain('No syntax or stream encoding errors');
  });

  test('names the person who decided a doubtful fax, and claims nothing that was not confirmed', async (context) => {
    needTools(context, 'pdftotext');
    gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
    const { id } = await gateway.send();
    await gateway.processAll();
    const doubtful = await reportOf(id);
    expect(factsOf(doubtful)).toMatchObject({ confirmations: [], attempts: [{ phase: 'uncertain' }] });
    const text = await printed(doubtful);
    expect(text).toContain('Unknown: needs confirmation by a person');
    expect(text).toContain('Nobody has confirmed anything about the delivery.');
    const { delivery_version } = await gateway.fax(id);
    gateway.clock.advance(MINUTE);
    await gateway.request('POST', `/fax/${id}/reconcile`, {
      json: { delivery_version, outcome: 'success', note: 'Dr. Lee has it.' },
    });
    const decided = await reportOf(id);
    expect(factsOf(decided).confirmations).toMatchObject([
      {
        kind: 'person',
        by: 'Installation key',
        text: 'Recorded as delivered by Installation key. Note: Dr. Lee has it.',
      },
    ]);
    expect(await printed(decided)).toContain('Delivered, confirmed by Installation key');
  });

  test('says so when the document is no longer kept', async (context) => {
    needTools(context, 'pdftotext');
    const fax = await delivered();
    await gateway.set({ ARTIFACT_TTL_DAYS: 1 });
    gateway.clock.advance(2 * DAY);
    await gateway.processAll();
    await gateway.set({ ARTIFACT_TTL_DAYS: 30 });
    const report = await reportOf(fax.id);
    expect(factsOf(report).fax.document).toMatchObject({
      first_page: 'not_kept',
      sha256: fax.document.sha256,
    });
    expect(await printed(report)).toContain('Not shown: the document is no longer kept.');
  });
});

describe('an altered report', () => {
  test('rule (outbound): a report is refused after any change of its bytes, wherever it is', async () => {
    const report = await reportOf((await delivered()).id);
    expect(checkReport(report).intact).toBe(true);
    const line = report.length - 180;
    // Every byte of the end, and some of each part before it.
    const places = Array.from({ length: report.length }, (_, at) => at).filter(
      (at) => at >= line || at % 41 === 0,
    );
    for (const at of places) {
      const bit = 1 << (at % 8);
      const altered = Buffer.from(report);
      altered[at] = (altered[at] ?? 0) ^ bit;
      const { intact, facts, faults } = checkReport(altered);
      if (intact || facts !== null || faults.length === 0) throw new Error(`byte ${at} was not missed`);
    }
    for (const at of [0, 5, 100, line, report.length - 129, report.length - 1]) {
      expect(checkReport(report.subarray(0, at)).intact).toBe(false);
      expect(checkReport(Buffer.concat([report.subarray(0, at), report.subarray(at + 1)])).intact).toBe(
        false,
      );
      expect(
        checkReport(Buffer.concat([report.subarray(0, at), Buffer.from(' '), report.subarray(at)])).intact,
      ).toBe(false);
    }
    const sentence = (bytes: Buffer) => checkReport(bytes).faults[0];
    expect(sentence(Buffer.concat([report, Buffer.from('more')]))).toBe('4 bytes were added after its end.');
    expect(sentence(Buffer.concat([report, report]))).toBe(
      'The signature does not match: a part of the file was altered.',
    );
    expect(sentence(report.subarray(0, -1))).toBe(
      'It was cut off, or the line with its signature was altered.',
    );
    expect(sentence(Buffer.from('%PDF-1.5 of somewhere else'))).toBe(
      'This is not a report that Faxdesk signed.',
    );
    expect(sentence(Buffer.alloc(0))).toBe('This is not a report that Faxdesk signed.');
  });

  test('rule (outbound): a report that another key signed is refused when the fingerprint is compared', async () => {
    const report = await reportOf((await delivered()).id);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const own = keyFingerprint(publicKey);
    const parts = splitReport(report);
    if (typeof parts === 'string') throw new Error(parts);
    const facts = JSON.parse(parts.facts.toString()) as ReturnType<typeof factsOf>;
    const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const forge = (issuer: object) => {
      const json = Buffer.from(canonicalJson({ ...facts, issuer: { ...facts.issuer, ...issuer } }));
      const at = report.indexOf(parts.facts);
      const pdf = Buffer.concat([report.subarray(0, at), json, report.subarray(at + parts.facts.length)]);
      return signReport(pdf, json, (bytes) => sign(null, bytes, privateKey));
    };
    expect(checkReport(forge({ public_key, key_fingerprint: own }))).toMatchObject({
      intact: true,
      fingerprint: own,
    });
    expect(checkReport(forge({ public_key, key_fingerprint: own }), fingerprint)).toMatchObject({
      intact: false,
      facts: null,
      faults: [`It was signed with another key: its fingerprint is ${own}.`],
    });
    expect(checkReport(forge({ public_key })).faults).toEqual(['It names another key than the one in it.']);
    expect(checkReport(forge({}), fingerprint).faults).toEqual([
      'The signature does not match: a part of the file was altered.',
    ]);
    expect(
      checkReport(report, fingerprint.toUpperCase().replaceAll(/(?<pair>..)/gu, '$<pair>:')).intact,
    ).toBe(true);
  });

  test('is refused in time that grows with its size, whatever is in it', () => {
    const marks = Buffer.from('%faxdesk-report-1 '.repeat(200_000));
    const begun = performance.now();
    expect(checkReport(marks).intact).toBe(false);
    expect(
      checkReport(Buffer.from(`%faxdesk-report-1 9999999999 9999999999 ${'0'.repeat(128)}\n`)).faults,
    ).toEqual(['The place of its facts was altered.']);
    const deep = Buffer.from('['.repeat(500_000));
    const nested = signReport(deep, deep, () => Buffer.alloc(64));
    expect(checkReport(nested).intact).toBe(false);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
