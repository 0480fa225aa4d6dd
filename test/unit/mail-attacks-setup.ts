import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { readMail } from '../../server/adapters/mail/read-mail.ts';
import { dnsOf, MailDomain, mail } from '../setup/signed-mail.ts';

export const NOW = Date.UTC(2026, 10, 24, 12);
export const clinic = new MailDomain('clinic.example');
export const ward = new MailDomain('ward.clinic.example');
export const stranger = new MailDomain('stranger.example');
/** Two who have nothing to do with each other. */
export const [surgery, neighbor] = [new MailDomain('surgery.co.uk'), new MailDomain('neighbor.co.uk')];
export const dns = dnsOf([clinic, ward, stranger, surgery, neighbor]);
export const COVERED =
  'from:to:cc:subject:date:message-id:content-type:content-transfer-encoding:content-disposition';
export const without = (field: string) =>
  COVERED.split(':')
    .filter((each) => each !== field)
    .join(':');

let folder: string;
let written = 0;
/** Keeps the messages of a test file in a folder of its own. */
export function keepMessages(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faxdesk-mail-attacks-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });
}

export async function saved(message: Uint8Array): Promise<{ path: string; into: string }> {
  written += 1;
  const path = join(folder, `${written}`);
  await writeFile(path, message);
  return { path, into: await mkdtemp(`${path}-`) };
}

export const letter = async (given: object = {}) =>
  mail({
    from: 'ann@clinic.example',
    to: 'fax@office.example',
    subject: '+1 202 555 0123',
    date: new Date(NOW),
    messageId: '<1@clinic.example>',
    text: 'A page.',
    ...given,
  });

export const sign = async (given: object = {}, headers = COVERED, time = new Date(NOW)) =>
  clinic.sign(await letter(given), { headers, time });

/** Signed with another From. */
export const signedAs = async (from: string) =>
  clinic.sign(within(await letter(), 'From: ann@clinic.example', from), { time: new Date(NOW) });

export const SECOND_PART = Buffer.from('\r\n--x\r\nContent-Type: text/plain\r\n\r\nMore.\r\n');

export const above = (line: string, message: Uint8Array) =>
  Buffer.concat([Buffer.from(`${line}\r\n`), message]);

export const within = (message: Buffer, from: string, to: string) =>
  Buffer.from(message.toString('latin1').replace(from, to), 'latin1');

/** Checks a message whose clinic.example signs its mail. */
export async function checkMessage(
  message: Uint8Array,
  trustedServer: string | null = null,
): Promise<string> {
  const { path, into } = await saved(message);
  const options = { into, trustedServer, arrivedAt: NOW };
  const { check } = await readMail(path, options, dns);
  return check.kind === 'passed' ? 'passed' : check.sentence;
}
