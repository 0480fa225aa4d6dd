import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHead } from '../../server/adapters/mail/mail-header.ts';
import { createMailReader, MESSAGE_MS } from '../../server/adapters/mail/mail-threads.ts';
import { readMail } from '../../server/adapters/mail/read-mail.ts';
import type { ReadMail } from '../../server/adapters/mail/reading-port.ts';
import { trustedVerdict } from '../../server/adapters/mail/trusted-results.ts';
import { DAY } from '../setup/manual-clock.ts';
import { ManualTimers } from '../setup/manual-timers.ts';
import { dnsOf, MailDomain, mail } from '../setup/signed-mail.ts';

const NOW = Date.UTC(2026, 10, 24, 12);
const clinic = new MailDomain('clinic.example');
const stranger = new MailDomain('stranger.example');
const COVERED =
  'from:to:cc:subject:date:message-id:content-type:content-transfer-encoding:content-disposition';
const without = (field: string) =>
  COVERED.split(':')
    .filter((each) => each !== field)
    .join(':');

let folder: string;
let written = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-mail-attacks-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function saved(message: Uint8Array): Promise<{ path: string; into: string }> {
  written += 1;
  const path = join(folder, `${written}`);
  await writeFile(path, message);
  return { path, into: await mkdtemp(`${path}-`) };
}

const letter = async (given: object = {}) =>
  mail({
    from: 'ann@clinic.example',
    to: 'fax@office.example',
    subject: '+1 202 555 0123',
    date: new Date(NOW),
    messageId: '<1@clinic.example>',
    text: 'A page.',
    ...given,
  });

const sign = async (given: object = {}, headers = COVERED, time = new Date(NOW)) =>
  clinic.sign(await letter(given), { headers, time });

const above = (line: string, message: Uint8Array) => Buffer.concat([Buffer.from(`${line}\r\n`), message]);

const within = (message: Buffer, from: string, to: string) =>
  Buffer.from(message.toString('latin1').replace(from, to), 'latin1');

/** What becomes of a message whose clinic.example signs its mail. */
async function judged(message: Uint8Array, trustedServer: string | null = null): Promise<string> {
  const { path, into } = await saved(message);
  const options = { into, trustedServer, arrivedAt: NOW };
  const { check } = await readMail(path, options, dnsOf([clinic, stranger]));
  return check.kind === 'passed' ? 'passed' : check.sentence;
}

describe('a message that a signature does not prove as it is', () => {
  const cases: [string, () => Promise<Uint8Array>, RegExp | 'passed'][] = [
    ['is none when all is signed', () => sign(), 'passed'],
    ...['from', 'subject', 'date', 'message-id', 'to', 'content-type', 'content-transfer-encoding'].map(
      (field): [string, () => Promise<Uint8Array>, RegExp] => [
        `has an unsigned ${field}`,
        () => sign({}, without(field)),
        field === 'from' ? /From|No signature/u : /does not cover its/u,
      ],
    ),
    ['has an unsigned Cc', () => sign({ cc: 'bob@office.example' }, without('cc')), /its Cc field/u],
    ['got another Cc', async () => above('Cc: fax@office.example', await sign()), /its Cc field/u],
    [
      'got a Content-Disposition',
      async () => above('Content-Disposition: attachment', await sign()),
      /Disposition field/u,
    ],
    [
      'got a second Subject',
      async () => above('Subject: +12025550199', await sign()),
      /more than one Subject/u,
    ],
    [
      'got a second To in capitals',
      async () => above('TO: fax@office.example', await sign()),
      /more than one To/u,
    ],
    [
      'got a second Date',
      async () => above(`Date: ${new Date(NOW).toUTCString()}`, await sign()),
      /more than one Date/u,
    ],
    [
      'got another Content-Type',
      async () => above('Content-Type: text/html', await sign()),
      /more than one Content-Type/u,
    ],
    [
      'has a name with a space before its colon',
      async () => above('Subject : +12025550199', await sign()),
      /not written as/u,
    ],
    ['has a line that is no field', async () => above('From eve', await sign()), /not written as/u],
    [
      'has a carriage return within a line',
      async () => above('X: a\rSubject: +12025550199', await sign()),
      /not written as/u,
    ],
    [
      'has an empty line in its header',
      async () => above('X: a\r\n \r\n b', await sign()),
      /not written as/u,
    ],
    [
      'is signed for its beginning alone',
      async () => within(await sign(), ' bh=', ' l=3; bh='),
      /part of it only/u,
    ],
    ['says l= in capitals', async () => within(await sign(), ' bh=', ' L=3; bh='), /part of it only/u],
    [
      'has two signatures that cover all of it together',
      async () => {
        const message = await letter();
        const one = await clinic.sign(message, { headers: without('subject'), time: new Date(NOW) });
        const other = await clinic.sign(message, { headers: without('date'), time: new Date(NOW) });
        return Buffer.concat([one.subarray(0, one.length - message.length), other]);
      },
      /does not cover its/u,
    ],
    ['was written two days ago', () => sign({ date: new Date(NOW - 2 * DAY) }), /a day old/u],
    ['was signed two days ago', () => sign({}, COVERED, new Date(NOW - 2 * DAY)), /a day old/u],
    ['is of next week', () => sign({ date: new Date(NOW + 7 * DAY) }), /in the future/u],
    [
      'has no date that can be read',
      async () => clinic.sign(within(await letter(), 'Date: ', 'Date: soon\r\nX-Date: ')),
      /no date/u,
    ],
    [
      'is signed by somebody else',
      async () => stranger.sign(await letter(), { time: new Date(NOW) }),
      /No signature shows/u,
    ],
    ['was altered', async () => within(await sign(), 'A page.', 'A cage.'), /No signature shows/u],
  ];
  test.each(cases)('%s', async (_name, message, expected) => {
    const found = await judged(await message()).catch(
      (error: { publicMessage?: string }) => error.publicMessage ?? 'thrown',
    );
    expect(found).toMatch(expected);
  });
});

describe('the verdict of a server that is trusted', () => {
  const good = 'mx.example; dmarc=pass header.from=clinic.example';
  const verdict = (...lines: string[]) =>
    trustedVerdict(
      lines.map((line) => ({ key: 'authentication-results', line: `Authentication-Results: ${line}` })),
      'mx.example',
      'clinic.example',
    )?.passed ?? false;
  test.each([
    good,
    'mx.example 1; dmarc = pass (p=reject; "x") header.from = "clinic.example"; spf=none',
    'mx.example; dkim=pass header.b="a;b" header.s=s header.b2=ab+/cd==;\r\n\tdmarc=pass action=none header.from=clinic.example',
    '"mx.example"; dmarc/1=pass reason="a \\" ; dmarc=fail" header.from=clinic.example',
  ])('is read: %s', (line) => expect(verdict(line)).toBe(true));
  test.each([
    ['mx.example; spf=pass smtp.mailfrom="x; dmarc=pass header.from=clinic.example"@evil.example'],
    ['mx.example; spf=pass smtp.mailfrom="x\\"; dmarc=pass header.from=clinic.example; y"@evil.example'],
    ['mx.example; spf=pass (a ( b ; dmarc=pass header.from=clinic.example) smtp.mailfrom=evil.example'],
    ['mx.example; spf=pass (a \\) ; dmarc=pass header.from=clinic.example'],
    ['mx.example; dkim=pass reason="; dmarc=pass header.from=clinic.example'],
    ['mx.example; dmarc=fail header.from=clinic.example; dmarc=pass header.from=clinic.example'],
    ['mx.example; dmarc=pass header.from=evil.example header.from=clinic.example'],
    ['mx.example; dmarc="pass" header.from=clinic.example'],
    ['mx.example; dkim=fail dmarc=pass header.from=clinic.example'],
    ['mx.example; "dmarc"=pass header.from=clinic.example'],
    ['mx.example.evil.example; dmarc=pass header.from=clinic.example'],
    ['(mx.example) evil.example; dmarc=pass header.from=clinic.example'],
    [good, good],
    ['mx.example; none', good],
    ['mx.evil.example; none', good],
    [good, 'MX.example; dmarc=fail header.from=clinic.example'],
  ])('is none: %s', (...lines) => expect(verdict(...lines)).toBe(false));
  test('is read in linear time', () => {
    for (const piece of ['(', '"', '()', '\\', '=', ';', ' ', 'a=', 'a=b ', '"a" '])
      expect(verdict(`mx.example; ${piece.repeat(8000)}`)).toBe(false);
  });
  test('counts for what a signature leaves open only when the domain handed the message in itself', async () => {
    const by = (line: string, message: Uint8Array) => above(`Authentication-Results: ${line}`, message);
    const open = await sign({}, without('to'));
    expect(await judged(by(good, open), 'mx.example')).toMatch(/its To field/u);
    expect(await judged(by(`${good}; spf=pass smtp.mailfrom=evil.example`, open), 'mx.example')).toMatch(
      /its To/u,
    );
    expect(await judged(by(`${good}; spf=fail smtp.mailfrom=clinic.example`, open), 'mx.example')).toMatch(
      /its To/u,
    );
    expect(await judged(by(`${good}; spf=pass smtp.mailfrom=ann@clinic.example`, open), 'mx.example')).toBe(
      'passed',
    );
    const old = await sign({ date: new Date(NOW - 2 * DAY) });
    expect(await judged(by(`${good}; spf=pass smtp.mailfrom=clinic.example`, old), 'mx.example')).toMatch(
      /a day old/u,
    );
  });
});

describe('a message that is made to take long', () => {
  const asked: string[] = [];
  const counted: typeof dns = async (name, type) => {
    asked.push(name);
    return dns(name, type);
  };
  const dns = dnsOf([clinic, stranger]);
  test('has no more than a few signatures looked at, and none of strangers', async () => {
    const message = await sign();
    const signature = (domain: string, selector: number) =>
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=s${selector}; h=${COVERED}; bh=AAAA; b=AAAA`;
    const many = (domain: string) =>
      Array.from({ length: 900 }, (_, at) => signature(domain, at)).join('\r\n');
    for (const [domain, outcome] of [
      ['evil.example.net', 'passed'],
      ['clinic.example', 'failed'],
    ] as const) {
      asked.length = 0;
      const { path, into } = await saved(above(many(domain), message));
      const { check } = await readMail(path, { into, trustedServer: null, arrivedAt: NOW }, counted);
      expect(check.kind).toBe(outcome);
      expect(asked.length).toBeLessThan(20);
    }
  });
  test.each([
    ['a header without an end', Buffer.from('From: ann@clinic.example\r\nX: '.padEnd(300_000, 'x'))],
    ['a header of many lines', Buffer.from(`From: ann@clinic.example\r\n${'X: a\r\n'.repeat(20_000)}\r\n`)],
    [
      'a field of many lines',
      Buffer.from(`From: ann@clinic.example\r\nX: a\r\n${' a\r\n'.repeat(20_000)}\r\n`),
    ],
  ])('is refused for %s before anything is checked', (_name, message) => {
    expect(() => readHead(message.subarray(0, 256 * 1024))).toThrow('header of the message is too long');
  });
  test('is checked later when the DNS never answers, while the next one is read', async () => {
    const timers = new ManualTimers();
    const silent = createMailReader(
      async (name, type) => (name.includes('stranger') ? new Promise(() => undefined) : dns(name, type)),
      timers,
    );
    const slow = await stranger.sign(await letter({ from: 'eve@stranger.example' }), { time: new Date(NOW) });
    const read = async (message: Uint8Array): Promise<ReadMail> => {
      const { path, into } = await saved(message);
      return silent.read(path, { into, trustedServer: null, arrivedAt: NOW });
    };
    const first = read(slow);
    expect((await read(await sign())).check.kind).toBe('passed');
    await expect.poll(() => timers.waits.some(({ ms }) => ms === MESSAGE_MS), { timeout: 60_000 }).toBe(true);
    timers.ring(MESSAGE_MS);
    expect((await first).check).toMatchObject({
      kind: 'later',
      sentence: expect.stringMatching(/DNS did not answer|10 seconds/u),
    });
    expect((await read(await sign())).check.kind).toBe('passed');
  }, 120_000);
});
