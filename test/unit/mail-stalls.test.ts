import { describe, expect, test } from 'vitest';
import { readHead } from '../../server/adapters/mail/mail-header.ts';
import { createMailReader, MESSAGE_MS } from '../../server/adapters/mail/mail-threads.ts';
import { readMail } from '../../server/adapters/mail/read-mail.ts';
import type { ReadMail } from '../../server/adapters/mail/reading-port.ts';
import { ManualTimers } from '../setup/manual-timers.ts';
import {
  above,
  COVERED,
  dns,
  keepMessages,
  letter,
  NOW,
  saved,
  sign,
  stranger,
  within,
} from './mail-attacks-setup.ts';

keepMessages();

describe('a message that is made to take long', () => {
  const asked: string[] = [];
  const counted: typeof dns = async (name, type) => {
    asked.push(name);
    const failed = (code: string) => Object.assign(new Error('no answer'), { code });
    if (/[^.]{64}/u.test(name)) throw failed('EBADNAME');
    if (name.startsWith('gone.')) throw failed('ETIMEOUT');
    return dns(name, type);
  };
  const reader = createMailReader(counted, new ManualTimers());
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
  test('is read in linear time, whatever stands in its header', () => {
    // Each took minutes in which the gateway did nothing else.
    for (const piece of ['\r', '\r\t']) {
      const message = Buffer.from(
        `From: ann@clinic.example\r\nX: ${piece.repeat(250_000 / piece.length)}a\r\n\r\n`,
      );
      expect(() => readHead(message)).toThrow('not a valid e-mail');
    }
    for (const piece of ['(', '"', '\\', '<', 'a:', 'a,', ' ', '"\\', '@']) {
      const message = Buffer.from(
        `From: ${piece.repeat(1900 / piece.length)}\r\nX: ${' '.repeat(200_000)}x\r\n\r\n`,
      );
      expect(readHead(message).messageId).toBe(null);
    }
  });
  test('has nothing looked up of a neighbor below a public suffix, nor a name that cannot be', async () => {
    const by = async (domain: string, selector: string) => {
      asked.length = 0;
      const line = `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=${selector}; h=${COVERED}; bh=AAAA; b=AAAA`;
      const { path, into } = await saved(above(line, await letter({ from: 'ann@surgery.co.uk' })));
      return (await reader.read(path, { into, trustedServer: null, arrivedAt: NOW })).check.kind;
    };
    expect(await by('neighbor.co.uk', 'office')).toBe('failed');
    expect(await by(`${'.'.repeat(100_000)}surgery.co.uk`, 'office')).toBe('failed');
    expect(asked).toEqual([]);
    expect(await by('surgery.co.uk', 'x'.repeat(200))).toBe('failed');
  });
  test('has its header checked without its text, and no name looked up again that nobody answered for', async () => {
    const whole = await sign({ text: 'A page. '.repeat(1000) });
    const silent = new Set<string>();
    const headOf = async (message: Buffer) => {
      const { path, into } = await saved(message.subarray(0, message.indexOf('\r\n\r\n') + 20));
      const options = { into, isBeginning: true, trustedServer: null, arrivedAt: NOW };
      return (await reader.read(path, options, silent)).check.kind;
    };
    expect(await headOf(whole)).toBe('passed');
    expect(await headOf(within(whole, 'Subject: +1 202', 'Subject: +1 203'))).toBe('failed');
    const gone = within(whole, ' s=office', ' s=gone');
    asked.length = 0;
    expect([await headOf(gone), await headOf(gone)]).toEqual(['later', 'later']);
    expect(asked.filter((name) => name.startsWith('gone.'))).toHaveLength(1);
    expect(await headOf(whole)).toBe('passed');
  });
  test('rule (mail-to-fax): a message that takes long to check delays neither the gateway nor other messages', async () => {
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
