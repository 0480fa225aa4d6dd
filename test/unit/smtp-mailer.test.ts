import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MailMessage } from '../../server/adapters/mail/port.ts';
import { createSmtpMailer, encodedBytes } from '../../server/adapters/mail/smtp.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';

const MB = 1024 * 1024;
const silentLogger = createLogger({ level: 'error', write: () => undefined });
const mailer = createSmtpMailer(silentLogger);

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterEach(() => {
  server.faults = {};
  server.mails.length = 0;
  server.onBegin = () => undefined;
});
afterAll(() => server.close());

const at = () =>
  ({
    host: '127.0.0.1',
    port: server.port,
    security: 'none',
    username: '',
    password: '',
    accessToken: null,
  }) as const;

function message(open: () => Readable = () => Readable.from([Buffer.from('%PDF')])): MailMessage {
  return {
    from: 'fax@example.org',
    to: ['alice@example.com'],
    subject: 'Fax',
    text: 'A fax.\n',
    html: '<p>A fax.</p>\n',
    messageId: '<1@example.org>',
    at: 0,
    attachments: [
      {
        fileName: 'fax.pdf',
        contentType: 'application/pdf',
        sizeBytes: 4,
        open: async () => open(),
      },
    ],
  };
}

test('rule (intake): `sending` is stored before the first byte of an e-mail leaves', async () => {
  let stored = false;
  let begun: boolean | null = null;
  server.onBegin = () => {
    begun = stored;
  };
  const outcome = await mailer.send(at(), message(), async () => {
    await new Promise((resolve) => setImmediate(resolve));
    stored = true;
  });
  expect([outcome, begun]).toEqual([{ kind: 'accepted', refused: new Map() }, true]);
});

test('when that cannot be stored, nothing is handed over and the reason is thrown', async () => {
  const full = new Error('the disk is full');
  await expect(mailer.send(at(), message(), () => Promise.reject(full))).rejects.toBe(full);
  expect(server.mails).toEqual([]);
});

test('a connection that is cut in the middle of a message leaves no doubt', async () => {
  let cut = () => {};
  const isCut = new Promise<void>((resolve) => {
    cut = resolve;
  });
  async function* halves() {
    yield Buffer.alloc(MB);
    await isCut;
    yield Buffer.alloc(MB);
  }
  server.onBegin = () => {
    server.cut();
    cut();
  };
  const outcome = await mailer.send(
    at(),
    message(() => Readable.from(halves())),
    async () => undefined,
  );
  expect(outcome).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('was lost before') });
  expect(server.mails).toEqual([]);
});

test.for([
  ['at first', 'refused', 0],
  ['after keeping', 'unknown', 1],
] as const)(
  'of an e-mail to a server that says nothing %s the outcome is %s',
  async ([silent, kind, kept]) => {
    server.faults = { silent };
    const impatient = createSmtpMailer(silentLogger, { connect: 300, answer: 2_000 });
    const outcome = await impatient.send(at(), message(), async () => undefined);
    expect(outcome.kind).toBe(kind);
    expect(server.mails).toHaveLength(kept);
  },
);

test.for(['cuts the connection', 'says nothing'])(
  'a server that %s at the sign-in has got nothing',
  async (does) => {
    const signingIn = await startMailServer({
      onAuth: () => {
        if (does === 'cuts the connection') signingIn.cut();
      },
    });
    try {
      const impatient = createSmtpMailer(silentLogger, { connect: 2_000, answer: 2_000 });
      const to = { ...at(), port: signingIn.port, username: 'fax', password: 'secret' };
      expect(await impatient.send(to, message(), async () => undefined)).toMatchObject({ kind: 'refused' });
      expect(signingIn.mails).toEqual([]);
    } finally {
      await signingIn.close();
    }
  },
);

test('a document that cannot be read to its end is not handed over', async () => {
  async function* broken() {
    yield Buffer.alloc(MB);
    throw new Error('a bad sector');
  }
  const outcome = await mailer.send(
    at(),
    message(() => Readable.from(broken())),
    async () => undefined,
  );
  expect(outcome.kind).toBe('refused');
  expect(server.mails).toEqual([]);
});

test.each([
  ['after data', 'unknown'],
  ['after keeping', 'unknown'],
  ['before data', 'refused'],
] as const)('a connection that is cut %s is %s', async (cut, kind) => {
  server.faults = { cut };
  const outcome = await mailer.send(at(), message(), async () => undefined);
  expect([outcome.kind, server.mails.length]).toEqual([kind, cut === 'after keeping' ? 1 : 0]);
});

test('the size that is sent to a server covers the encoding', () => {
  for (const bytes of [0, 1, 56, 57, 58, 114, 1_000_000]) {
    const lines =
      Buffer.alloc(bytes)
        .toString('base64')
        .match(/.{1,76}/gu) ?? [];
    expect(encodedBytes(bytes)).toBeGreaterThanOrEqual(lines.map((line) => `${line}\r\n`).join('').length);
  }
});
