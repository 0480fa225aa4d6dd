import { describe, expect, test } from 'vitest';
import { readHead } from '../../server/adapters/mail/mail-header.ts';
import { readMail } from '../../server/adapters/mail/read-mail.ts';
import { trustedVerdict } from '../../server/adapters/mail/trusted-results.ts';
import { isOwnAddress } from '../../server/features/mail-to-fax/addresses.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import {
  above,
  COVERED,
  checkMessage,
  clinic,
  dns,
  keepMessages,
  letter,
  NOW,
  neighbor,
  SECOND_PART,
  saved,
  sign,
  signedAs,
  stranger,
  surgery,
  ward,
  within,
  without,
} from './mail-attacks-setup.ts';

keepMessages();

describe('rule (mail-to-fax): one signature covers everything in a message that decides about its fax', () => {
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
      /not a valid e-mail/u,
    ],
    ['has a line that is no field', async () => above('From eve', await sign()), /not a valid e-mail/u],
    [
      'has a carriage return within a line',
      async () => above('X: a\rSubject: +12025550199', await sign()),
      /not a valid e-mail/u,
    ],
    [
      'has an empty line in its header',
      async () => above('X: a\r\n \r\n b', await sign()),
      /not a valid e-mail/u,
    ],
    [
      'is signed for its beginning alone',
      async () => within(await sign(), ' bh=', ' l=3; bh='),
      /only part of the/u,
    ],
    ['says l= in capitals', async () => within(await sign(), ' bh=', ' L=3; bh='), /only part of the/u],
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
    [
      'is signed by a part of the organization',
      async () => ward.sign(await letter(), { headers: COVERED, time: new Date(NOW) }),
      'passed',
    ],
    [
      'is signed by a neighbor below a public suffix',
      async () => neighbor.sign(await letter({ from: 'ann@surgery.co.uk' }), { time: new Date(NOW) }),
      /No signature shows/u,
    ],
    [
      'has a whole signature of somebody else beside its own',
      async () => stranger.sign(await sign({}, without('to')), { headers: COVERED, time: new Date(NOW) }),
      /its To field/u,
    ],
    [
      'has a signature that has ended',
      async () =>
        clinic.sign(await letter(), {
          headers: COVERED,
          time: new Date(NOW - 2 * HOUR),
          expires: new Date(NOW - HOUR),
        }),
      /No signature shows/u,
    ],
    ['is signed ahead of its time', () => sign({}, COVERED, new Date(NOW + 2 * DAY)), /in the future/u],
    [
      'was written a minute more than a day ago',
      () => sign({ date: new Date(NOW - DAY - MINUTE) }),
      /a day old/u,
    ],
    [
      'came with other line ends',
      async () => Buffer.from((await sign()).toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
      'passed',
    ],
    ['got something below its text', async () => Buffer.concat([await sign(), SECOND_PART]), /No signature/u],
    [
      'has a From that programs read differently',
      () => signedAs('From: ann@clinic.example <eve@clinic.example>'),
      /names several senders/u,
    ],
    [
      'has a From with two addresses in brackets',
      () => signedAs('From: <ann@clinic.example> <eve@clinic.example>'),
      /names several senders/u,
    ],
    [
      'has a name with a space beyond ASCII before its colon',
      async () => above('Subject\u00A0: +12025550199', await sign()),
      /not a valid e-mail/u,
    ],
    ['was altered', async () => within(await sign(), 'A page.', 'A cage.'), /No signature shows/u],
  ];
  test.each(cases)('%s', async (_name, message, expected) => {
    const found = await checkMessage(await message()).catch(
      (error: { publicMessage?: string }) => error.publicMessage ?? 'thrown',
    );
    expect(found).toMatch(expected);
  });
});

describe('a message that names the mailbox where nobody is addressed', () => {
  test.each([
    'To: "fax@office.example" <eve@elsewhere.example>',
    'To: "x, fax@office.example" <eve@elsewhere.example>',
    'To: eve@elsewhere.example (fax@office.example)',
    'To: =?utf-8?q?fax=40office=2Eexample?= <eve@elsewhere.example>',
    'To: =?utf-8?q?a_=3Cfax=40office=2Eexample=3E=2C?= <eve@elsewhere.example>',
    'To: "fax@office.example"@elsewhere.example',
    'To: fax@office.example.elsewhere.example, eve+fax@office.example, faxes@office.example',
    'To: eve@elsewhere.example\r\nBcc: fax@office.example\r\nReply-To: fax@office.example',
    'To: eve@elsewhere.example\r\nResent-To: fax@office.example\r\nDelivered-To: fax@office.example',
  ])('is none for it: %s', async (to) => {
    const message = within(await letter(), 'To: fax@office.example', to);
    const { path, into } = await saved(await clinic.sign(message, { time: new Date(NOW) }));
    const { check, recipients } = await readMail(path, { into, trustedServer: null, arrivedAt: NOW }, dns);
    expect(check.kind).toBe('passed');
    expect(recipients.filter((address) => isOwnAddress(address, ['fax@office.example']))).toEqual([]);
  });
});

test('a message is the same one with other spaces in its Message-ID, which its signature allows', async () => {
  const message = await clinic.sign(
    within(await letter(), '<1@clinic.example>', '<1@clinic.example> (a b)'),
    {
      time: new Date(NOW),
    },
  );
  const other = within(
    message,
    'Message-ID: <1@clinic.example> (a b)',
    'Message-ID:\t<1@clinic.example>  (a \tb) ',
  );
  expect(other).not.toEqual(message);
  expect(await checkMessage(other)).toBe('passed');
  expect(readHead(other).messageId).toBe(readHead(message).messageId);
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
    ['mx.example""; dmarc=pass header.from=clinic.example'],
    ['mx.example\u00A0; dmarc=pass header.from=clinic.example'],
    ['mx.example 1 2; dmarc=pass header.from=clinic.example'],
    ['mx.example.; dmarc=pass header.from=clinic.example'],
    ['mx.example/1; dmarc=pass header.from=clinic.example'],
    ['mx.example; dmarc=pass policy.header.from=clinic.example header.from=evil.example'],
    ['mx.example; arc=pass (dmarc=pass header.from=clinic.example)'],
    ['mx.example; dmarc/2=fail header.from=clinic.example; dmarc=pass header.from=clinic.example'],
    ['mx.example; dmarc=pass\u00A0header.from=clinic.example header.from=evil.example'],
  ])('is none: %s', (...lines) => expect(verdict(...lines)).toBe(false));
  test('is read in linear time', () => {
    for (const piece of ['(', '"', '()', '\\', '=', ';', ' ', 'a=', 'a=b ', '"a" '])
      expect(verdict(`mx.example; ${piece.repeat(8000)}`)).toBe(false);
  });
  test('counts for what a signature leaves open only when the domain handed the message in itself', async () => {
    const by = (line: string, message: Uint8Array) => above(`Authentication-Results: ${line}`, message);
    const open = await sign({}, without('to'));
    expect(await checkMessage(by(good, open), 'mx.example')).toMatch(/its To field/u);
    expect(
      await checkMessage(by(`${good}; spf=pass smtp.mailfrom=evil.example`, open), 'mx.example'),
    ).toMatch(/its To/u);
    expect(
      await checkMessage(by(`${good}; spf=fail smtp.mailfrom=clinic.example`, open), 'mx.example'),
    ).toMatch(/its To/u);
    expect(
      await checkMessage(by(`${good}; spf=pass smtp.mailfrom=ann@clinic.example`, open), 'mx.example'),
    ).toBe('passed');
    const old = await sign({ date: new Date(NOW - 2 * DAY) });
    expect(
      await checkMessage(by(`${good}; spf=pass smtp.mailfrom=clinic.example`, old), 'mx.example'),
    ).toMatch(/a day old/u);
  });
});

test('a server that is trusted vouches for nothing that the signature behind its result may leave open', async () => {
  const by = (line: string, message: Uint8Array) => above(`Authentication-Results: ${line}`, message);
  const good = (domain: string) => `mx.example; dmarc=pass header.from=${domain}`;
  const forged = `DKIM-Signature: v=1; a=rsa-sha256; d=clinic.example; s=office; h=${COVERED}; bh=AA==; b=AA==`;
  const six = above(Array(6).fill(forged).join('\r\n'), await sign({}, without('to')));
  expect(await checkMessage(by(good('clinic.example'), six), 'mx.example')).not.toBe('passed');
  const message = await letter({ from: 'ann@surgery.co.uk' });
  const open = await surgery.sign(message, { headers: without('to'), time: new Date(NOW) });
  const handedInBy = (domain: string) =>
    checkMessage(by(`${good('surgery.co.uk')}; spf=pass smtp.mailfrom=${domain}`, open), 'mx.example');
  expect(await handedInBy('neighbor.co.uk')).toMatch(/its To field/u);
  expect(await handedInBy('"ann@surgery.co.uk"@neighbor.co.uk')).toMatch(/its To field/u);
  expect(await handedInBy('bounces.surgery.co.uk')).toBe('passed');
});
