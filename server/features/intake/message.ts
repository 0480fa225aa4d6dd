import type { MailAttachment, MailMessage } from '../../adapters/mail/port.ts';
import { epochOf } from '../../platform/clock.ts';
import { escapedHtml as escaped } from '../../platform/escape-html.ts';
import { type Locality, localMoment } from '../../platform/local-time.ts';
import { filledTemplate } from '../../platform/template.ts';
import type { ConnectorRow, ItemRow } from './types.ts';

/** Facts of a fax for a message, in words for people. */
interface FaxWords {
  readonly from_number: string;
  readonly to_number: string;
  readonly pages: string;
  readonly received_at: string;
  readonly mailbox: string;
  /** Contact of the sender's number; empty for none. */
  readonly contact: string;
}

type Fax = Pick<ItemRow, 'from_number' | 'to_number' | 'pages' | 'filed_at' | 'is_test'>;

export function wordsOf(
  fax: Fax,
  where: Locality,
  { mailbox, contact }: { mailbox: string | null; contact: string | null },
): FaxWords {
  return {
    from_number: fax.from_number ?? 'an unknown number',
    to_number: fax.to_number ?? 'an unknown number',
    pages: String(fax.pages),
    received_at: localMoment(epochOf(fax.filed_at), where),
    mailbox: mailbox ?? 'no mailbox',
    contact: contact ?? '',
  };
}

/** Fills a template, in one line. */
function fillTemplate(template: string, words: FaxWords): string {
  return filledTemplate(template, { ...words })
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** The message of an item for some of the recipients. `link` opens the fax in the console; null while it has no address. */
export function messageOf(
  item: ItemRow,
  connector: Pick<ConnectorRow, 'from_address' | 'subject_template'>,
  given: {
    readonly to: readonly string[];
    readonly words: FaxWords;
    readonly link: string | null;
    /** Sentence that says that pages may be missing; null when all came. */
    readonly problem: string | null;
    readonly attachment: MailAttachment | null;
    /** The original that the pages carry; null for none. */
    readonly original: MailAttachment | null;
    readonly at: number;
  },
): MailMessage {
  const { to, words, link, problem, attachment, original, at } = given;
  const lines = [
    ...linesOf(item, words, { isAttached: attachment !== null, problem }),
    ...(original === null
      ? []
      : [`Its pages carry an original, which is attached as well: ${original.fileName}`]),
  ];
  const opens = link === null ? [] : [`Open it in Faxdesk: ${link}`];
  const shown = link === null ? [] : [`<a href="${escaped(link)}">Open it in Faxdesk</a>`];
  return {
    from: connector.from_address,
    to,
    subject: fillTemplate(connector.subject_template, words),
    text: `${[...lines, ...opens].join('\n')}\n`,
    html: `<p>${[...lines.map(escaped), ...shown].join('<br>\n')}</p>\n`,
    messageId: item.message_id,
    at,
    attachments: [attachment, original].filter((each) => each !== null),
  };
}

function linesOf(
  item: ItemRow,
  words: FaxWords,
  { isAttached, problem }: { isAttached: boolean; problem: string | null },
): string[] {
  const { from_number, to_number, contact, received_at, mailbox } = words;
  const what = item.is_test === 1 ? 'A test fax' : 'A fax';
  const sender = contact === '' ? from_number : `${contact} (${from_number})`;
  const pages = item.pages === 1 ? '1 page' : `${item.pages} pages`;
  return [
    `${what} from ${sender} to ${to_number} was received on ${received_at}: ${pages}, ${mailbox}.`,
    ...(problem === null ? [] : [problem]),
    isAttached ? 'The document is attached.' : 'The document is too large to be attached.',
  ];
}

/** `fax-12025550199-2026-11-23.pdf` */
export function fileNameOf({ from_number, filed_at }: Pick<ItemRow, 'from_number' | 'filed_at'>): string {
  const digits = from_number?.replaceAll(/\D/gu, '') ?? '';
  return ['fax', digits, filed_at.slice(0, 10)]
    .filter((part) => part !== '')
    .join('-')
    .concat('.pdf');
}

/** Builds a Message-ID with its angle brackets; the domain is that of the sender. */
export function messageId(name: string, from: string): string {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return `<${name}@${/^[\w.-]+$/u.test(domain) ? domain : 'faxdesk.invalid'}>`;
}

/** Builds the message of a test. */
export function testMessage(
  connector: Pick<ConnectorRow, 'name' | 'from_address'>,
  { to, at, messageId }: Pick<MailMessage, 'to' | 'at' | 'messageId'>,
): MailMessage {
  const line = `This is a test of the e-mail connector “${connector.name}” of Faxdesk. Received faxes will arrive from this address.`;
  return {
    from: connector.from_address,
    to,
    subject: 'Test message from Faxdesk',
    text: `${line}\n`,
    html: `<p>${escaped(line)}</p>\n`,
    messageId,
    at,
    attachments: [],
  };
}
