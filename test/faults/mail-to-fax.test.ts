import { describe, expect, test } from 'vitest';
import { mailToFax } from '../endure/episodes/mail-to-fax.ts';
import { judgeMail, type MailEvidence } from '../endure/world/mailbox-judge.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';
import { runEpisode } from './run-episode.ts';

const reason = mailToFax.unavailable();

describe.skipIf(reason !== null)(`a mailbox${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test.each(STORES)(
    `has each message become one fax through kills, power failures and troubles of its server on %s${withoutPostgres}`,
    async (store) => {
      const { kills, sent } = await runEpisode(mailToFax, { store });
      expect(kills).toBeGreaterThan(0);
      expect(sent).toBeGreaterThan(0);
    },
    180_000,
  );
});

const MESSAGE = '<letter@clinic.example>';
const reply = (kind: string, mailId = 'one') =>
  `Message-ID: <reply.${mailId}.${kind}.desk@office.example>\r\nIn-Reply-To: ${MESSAGE}\r\n\r\nText`;
const answer = (kind: string, state = 'sent') => ({ kind, state, sentence: null });

const GOOD: MailEvidence = {
  letters: [
    {
      kind: 'fax',
      messageId: MESSAGE,
      raw: Buffer.from('A letter.'),
      copies: 1,
      fax: { key: MESSAGE, to: '+12022000000', id: 'fax', sha256: null, isCancelled: false },
    },
  ],
  messages: [
    {
      message_id: MESSAGE,
      state: 'accepted',
      fax_id: 'fax',
      sentence: null,
      replies: [answer('accepted'), answer('ended')],
    },
  ],
  numbers: ['+12022000000'],
  ended: new Set(['fax']),
  replies: [reply('accepted'), reply('ended')],
  folders: { 'Faxdesk sent': 1 },
};
const [MESSAGE_TOLD] = GOOD.messages;
const reportedAs = (changes: object) => ({ messages: [{ ...MESSAGE_TOLD, ...changes }] as never });

describe('the judge of messages', () => {
  test('finds nothing where each became a fax and was answered once', () => {
    expect(judgeMail(GOOD)).toEqual([]);
  });

  test.each<[string, Partial<MailEvidence>, RegExp]>([
    ['one that is not there', { messages: [] }, /is not there instead of accepted/u],
    [
      'one that was refused',
      reportedAs({ state: 'refused', replies: [answer('refused')] }),
      /is refused instead/u,
    ],
    ['a reply that came twice', { replies: [reply('accepted'), reply('accepted', 'two')] }, /: twice/u],
    ['a reply that nobody has', { replies: [reply('accepted')] }, /nobody has it: false/u],
    [
      'a reply that was never planned',
      reportedAs({ replies: [answer('accepted')] }),
      /instead of accepted,ended/u,
    ],
    [
      'a reply that waits for ever',
      reportedAs({ replies: [answer('accepted'), answer('ended', 'pending')] }),
      /: stuck/u,
    ],
    ['a fax that nobody wrote', { numbers: ['+12022000000', '+12022000009'] }, /nobody wrote/u],
    ['a message that is gone', { folders: {} }, /1 messages were to be sent and 0 refused/u],
    ['a message that lies there still', { folders: { 'Faxdesk sent': 1, INBOX: 1 } }, /INBOX/u],
  ])('finds %s', (_what, changes, sentence) => {
    expect(judgeMail({ ...GOOD, ...changes }).join('\n')).toMatch(sentence);
  });
});
