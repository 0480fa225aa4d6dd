import type { Letter } from './letters.ts';

/** Message as the gateway reports it. */
export interface ReportedMessage {
  readonly message_id: string | null;
  readonly state: string;
  readonly fax_id: string | null;
  readonly sentence: string | null;
  readonly replies: readonly {
    readonly kind: string;
    readonly state: string;
    readonly sentence: string | null;
  }[];
}

export interface MailEvidence {
  readonly letters: readonly Letter[];
  readonly messages: readonly ReportedMessage[];
  /** The numbers that the gateway has faxes to. */
  readonly numbers: readonly string[];
  /** Ids of faxes that came to their end. */
  readonly ended: ReadonlySet<string>;
  /** The whole replies that the server has. */
  readonly replies: readonly string[];
  /** Number of messages in each folder of the mailbox. */
  readonly folders: Readonly<Record<string, number>>;
}

/** Returns the findings, one sentence each. That each fax is there once is judged as that of any other client. */
export function judgeMail(evidence: MailEvidence): string[] {
  const { letters, numbers } = evidence;
  const wanted = new Set(letters.filter(isFax).map(({ fax }) => fax.to));
  return [
    ...letters.flatMap((letter) => listProblems(letter, evidence)),
    ...numbers.filter((to) => !wanted.has(to)).map((to) => `nobody wrote the fax to ${to}: false`),
    ...listUnknownMessages(evidence),
    ...listWrongFolders(evidence),
    ...listDuplicateReplies(evidence),
  ];
}

const isFax = ({ kind }: Letter) => kind === 'fax';

function listProblems(letter: Letter, evidence: MailEvidence): string[] {
  const { kind, messageId, copies } = letter;
  const reported = evidence.messages.filter(({ message_id }) => message_id === messageId);
  const states = reported.map(({ state }) => state).sort();
  const first = kind === 'fax' ? 'accepted' : 'refused';
  const expected = [
    first,
    ...Array.from({ length: copies - 1 }, () => (isFax(letter) ? 'duplicate' : first)),
  ];
  const reasons = reported.map(({ sentence }) => sentence ?? 'no reason').join(', ');
  return [
    ...(states.join() === expected.join()
      ? []
      : [
          `the message ${messageId} is ${states.join() || 'not there'} instead of ${expected.join()}: ${reasons}`,
        ]),
    ...reported.flatMap((message) => listWrongReplies(letter, message, evidence)),
  ];
}

/**
 * Lists wrong replies. Senders who are refused or have a fax get one; people whose address another person forged get
 * none.
 */
function listWrongReplies(letter: Letter, message: ReportedMessage, evidence: MailEvidence): string[] {
  const { messageId } = letter;
  const { state, fax_id, replies } = message;
  const planned = { accepted: ['accepted', 'ended'], refused: ['refused'] }[state] ?? [];
  const expected = letter.kind === 'forged' ? [] : planned;
  const kinds = replies.map(({ kind }) => kind).filter((kind) => kind !== 'asked');
  const isOver = fax_id !== null && evidence.ended.has(fax_id);
  return [
    ...(kinds.sort().join() === expected.join()
      ? []
      : [
          `the message ${messageId} has replies ${kinds.join() || 'of no kind'} instead of ${expected.join()}`,
        ]),
    ...replies.flatMap((reply) => {
      const what = `the reply ${reply.kind} to ${messageId}`;
      const isThere = evidence.replies.some((raw) => answerOf(raw) === `${messageId} ${reply.kind}`);
      if (['waiting', 'sending'].includes(reply.state)) return [`${what} is still ${reply.state}: stuck`];
      if (reply.state === 'pending') return isOver ? [`${what} waits for a fax that has ended: stuck`] : [];
      if (reply.state === 'sent') return isThere ? [] : [`${what} is told as sent, and nobody has it: false`];
      return reply.sentence === null ? [`${what} is ${reply.state}, without a reason`] : [];
    }),
  ];
}

/** Messages that are none of the letters, or of which not even the Message-ID was read. */
function listUnknownMessages({ letters, messages }: MailEvidence): string[] {
  const known = new Set<string | null>(letters.map(({ messageId }) => messageId));
  return messages
    .filter(({ message_id }) => !known.has(message_id))
    .map(
      ({ message_id, state, sentence }) =>
        `a message ${message_id ?? 'without a name'} is ${state}: ${sentence}`,
    );
}

/** Every message was put away, and none is gone. */
function listWrongFolders({ letters, folders }: MailEvidence): string[] {
  const count = (some: readonly Letter[]) => some.reduce((sum, { copies }) => sum + copies, 0);
  const sent = count(letters.filter(isFax));
  const refused = count(letters) - sent;
  const reported = JSON.stringify(folders);
  const isRight =
    (folders['Faxdesk sent'] ?? 0) === sent &&
    (folders['Faxdesk refused'] ?? 0) === refused &&
    (folders['INBOX'] ?? 0) === 0;
  return isRight
    ? []
    : [`${sent} messages were to be sent and ${refused} refused, and there are ${reported}`];
}

function listDuplicateReplies({ letters, replies }: MailEvidence): string[] {
  const forged = new Set(letters.filter(({ kind }) => kind === 'forged').map(({ messageId }) => messageId));
  const answers = replies.map(answerOf);
  const maxCounts = new Map(letters.map(({ messageId, copies }) => [`${messageId} refused`, copies]));
  const isTooOften = (answer: string) =>
    answers.filter((each) => each === answer).length > (maxCounts.get(answer) ?? 1);
  return [
    ...[...new Set(answers)]
      .filter(isTooOften)
      .map((answer) => `the reply to ${answer} came more often than the message: twice`),
    ...answers
      .filter((answer) => forged.has(answer.split(' ')[0] ?? ''))
      .map((answer) => `a forged message was answered: ${answer}`),
  ];
}

/** `<letter-1@clinic.example> accepted` of a reply. */
function answerOf(raw: string): string {
  const head = raw.replaceAll(/\r?\n[ \t]+/gu, ' ');
  const answered = /^In-Reply-To: *(\S+)/imu.exec(head)?.[1] ?? 'nothing';
  const kind = /^Message-ID: *<reply\.[^.]+\.([a-z]+)\./imu.exec(head)?.[1] ?? 'unknown';
  return `${answered} ${kind}`;
}
