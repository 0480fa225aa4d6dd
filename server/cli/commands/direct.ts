import type { Command } from 'commander';
import type { directRoutes } from '../../../shared/api/direct.ts';
import type { AnswerOf } from '../../../shared/api/route.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts } from '../terminal.ts';

type OwnCard = AnswerOf<typeof directRoutes.getCard>;

/** Adds `faxdesk direct` and returns it, for the commands of partners and documents. */
export function addDirectCommands(program: Command): Command {
  const direct = program
    .command('direct')
    .description('Direct delivery: the card of this installation, and receipts of partners.');
  addCard(direct);
  addRotate(direct);
  addVerifyReceipt(direct);
  return direct;
}

interface CardOptions {
  readonly qr?: true;
  readonly text?: true;
}

function addCard(direct: Command): void {
  direct
    .command('card')
    .description('Show the card of this installation, which partners paste or scan.')
    .option('--text', 'only the line of text')
    .option('--qr', 'a QR code for a phone')
    .action(
      action<CardOptions>(async ({ options, client, answer }) => {
        const { renderUnicodeCompact } = await import('uqr');
        // Light modules are drawn, so that a camera reads it from a dark terminal.
        const qrCode = (text: string) => renderUnicodeCompact(text, { ecc: 'L', border: 4 });
        answer(await (await client()).direct.getCard(), (own) =>
          options.qr ? qrCode(own.text) : describeCard(own, options),
        );
      }),
    );
}

function describeCard(own: OwnCard, { text }: Pick<CardOptions, 'text'>): string {
  if (text) return own.text;
  const { organization, fax_number, endpoint } = own.card;
  const known = facts([
    ['Organization', organization],
    ['Fax number', fax_number],
    ['Address', endpoint],
    ['Fingerprint', own.fingerprint],
    ['Keys made', own.keys_made_at],
  ]);
  return `${known}\n\n${own.text}`;
}

function addRotate(direct: Command): void {
  direct
    .command('rotate')
    .description('Make new keys for direct delivery. Partners accept the former ones for 30 more days.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).direct.rotateKeys(), (own) => describeCard(own, {}));
      }),
    );
}

interface VerifyOptions {
  readonly document?: string;
  readonly fingerprint?: string;
}

function addVerifyReceipt(direct: Command): void {
  direct
    .command('verify-receipt')
    .description('Check the signed receipts of a file, on any computer and without a gateway.')
    .argument('<file>', 'a receipt, or the output of: faxdesk --json direct deliveries')
    .option('--document <pdf>', 'the document that was sent: whether the receipt is for it')
    .option('--fingerprint <hex>', 'fingerprint of the partner’s key, as you got it from the partner')
    .addHelpText('after', '\nThe exit code is 1 if a receipt is not valid.')
    .action(
      action<VerifyOptions>(async ({ options, answer }, path = '') => {
        const receipts = await readReceipts(path);
        assertFingerprint(receipts, options.fingerprint);
        await assertDocument(receipts, options.document);
        answer({ receipts: receipts.map(present) }, (shown) =>
          shown.receipts.map((each) => describe(each, options)).join('\n\n'),
        );
      }),
    );
}

type Receipts = Awaited<ReturnType<typeof readReceipts>>;

async function readReceipts(path: string) {
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(path);
  const { verifyReceiptFile } = await import('../../features/direct/offline.ts');
  try {
    return verifyReceiptFile(bytes);
  } catch (error) {
    if (error instanceof Error && error.name === 'WireError')
      throw new CommandFailure(`The receipt is not valid. ${error.message}`);
    throw error;
  }
}

function assertFingerprint(receipts: Receipts, given: string | undefined): void {
  if (given === undefined) return;
  const fingerprint = given.replaceAll(/[\s:-]/gu, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/u.test(fingerprint))
    throw new CommandFailure('A fingerprint must have 64 hex digits.', EXIT.badValues);
  if (receipts.some(({ recipientFingerprint }) => recipientFingerprint !== fingerprint))
    throw new CommandFailure('The receipt is signed by another key than the one with that fingerprint.');
}

async function assertDocument(receipts: Receipts, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const { fileDigest } = await import('../../platform/hash.ts');
  const { sha256 } = await fileDigest(path);
  if (receipts.some(({ manifest }) => manifest.sha256 !== sha256))
    throw new CommandFailure('The receipt is for another document.');
}

const present = ({ manifest, receipt, senderFingerprint, recipientFingerprint }: Receipts[number]) => ({
  message_id: manifest.message_id,
  recipient_number: manifest.recipient_number,
  sha256: manifest.sha256,
  size_bytes: manifest.size_bytes,
  sent_at: manifest.time,
  received_at: receipt.statement.received_at,
  sender_fingerprint: senderFingerprint,
  recipient_fingerprint: recipientFingerprint,
});

function describe(receipt: ReturnType<typeof present>, options: VerifyOptions): string {
  const known = facts([
    ['Message', receipt.message_id],
    ['To', receipt.recipient_number],
    ['SHA-256', receipt.sha256],
    ['Bytes', receipt.size_bytes],
    ['Sent', receipt.sent_at],
    ['Received', receipt.received_at],
    ['Signed by', receipt.recipient_fingerprint],
  ]);
  const compare =
    options.fingerprint === undefined
      ? '\nCompare the fingerprint of the key with the one that you got from the partner.'
      : '';
  const document = options.document === undefined ? '' : ' It is for this document.';
  return `The receipt is valid.${document}\n${known}${compare}`;
}
