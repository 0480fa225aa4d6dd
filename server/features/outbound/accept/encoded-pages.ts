import { createHash } from 'node:crypto';
import {
  type EncodedPages,
  MAX_ENCODED_DELAY,
  MAX_ENCODED_PAGES,
  type PageForm,
} from '../../../../shared/encoded-pages.ts';
import {
  type DocumentToEncode,
  type EncodedEstimate,
  typicalCallSeconds,
} from '../../../documents/documents.ts';
import type { FileToRead } from '../../../platform/file-cipher.ts';
import { paperOf } from '../../../platform/paper.ts';
import { encodedSeconds } from '../encoded-time.ts';
import { encryptedOnly, keyMissing, tooManyEncodedPages } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import type { ChosenStep } from '../port.ts';
import { isCall } from '../queue/together.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { findJob } from '../store/job-store.ts';
import { type EncodedFacts, encodedArtifact, NOT_ENCODED } from '../transmitted-pages.ts';

type Parts = Pick<OutboundParts, 'db' | 'storage' | 'documents' | 'settings' | 'contacts'>;

/** A fax whose pages are to be chosen. */
interface FaxToEncode {
  /** E.164. */
  readonly to: string;
  /** Form that its contact chose. */
  readonly mode: EncodedPages;
  readonly plan: { readonly steps: readonly Pick<ChosenStep, 'transport' | 'account'>[] };
  readonly form: PageForm;
  /** The fax that this one sends again; null for none. */
  readonly resendOf: string | null;
  /** True where the form was copied from that fax and nobody asked for it now. */
  readonly isCopy: boolean;
  /** True for the page with the code of a partner, which is always an ordinary one. */
  readonly isCode: boolean;
}

/** Chosen pages of a fax: encoded ones with their key, null in clear; or ordinary ones. */
export interface ChosenPages {
  readonly encoded: { readonly mode: 'plain' | 'encrypted'; readonly key: string | null } | null;
  /** True where a person asked for encoded pages, however long they take. */
  readonly isForced: boolean;
  /** Sentence of the history; null where there is nothing to say. */
  readonly note: string | null;
}

/** A choice of encoded pages. */
type EncodedChoice = Pick<ChosenPages, 'isForced'> & {
  readonly encoded: NonNullable<ChosenPages['encoded']>;
};

/** A stored document whose encoded pages are made. */
interface StoredFax extends Omit<CarriedDocument, 'documentPath'> {
  readonly id: string;
  readonly artifact: string;
}

/** Encoded pages of a fax with the sentence of the history; the facts are null where ordinary pages are sent. */
export interface EncodedDocument {
  readonly facts: EncodedFacts;
  readonly note: string | null;
}

/** Longest chain of faxes sent again that is looked through. */
const MAX_CHAIN = 10;
/** Speed of a line, in bits per second, from which on encoded pages make sense. */
const MIN_RATE = 9_600;

/**
 * Chooses the form of the pages of a fax that is accepted now. Throws a refusal where encrypted pages are asked for and
 * cannot be sent: they never become pages in clear.
 */
export async function choosePages(
  parts: Pick<Parts, 'db' | 'contacts'>,
  fax: FaxToEncode,
): Promise<ChosenPages> {
  const ordinary = (note: string | null): ChosenPages => ({ encoded: null, isForced: false, note });
  const { mode } = fax;
  const isForced = fax.form === 'encoded';
  if (fax.isCode || !fax.plan.steps.some(isCall)) return ordinary(null);
  if (mode === 'encrypted') {
    if (fax.form === 'ordinary' && !fax.isCopy) throw encryptedOnly();
    const key = await parts.contacts.sharedKeyOf(fax.to);
    if (key === null) throw keyMissing();
    return { encoded: { mode, key }, isForced, note: null };
  }
  if (mode === 'off')
    return ordinary(isForced ? `${ORDINARY} the contact is not marked as able to read encoded pages.` : null);
  if (fax.form === 'ordinary') return ordinary('Ordinary pages are sent this time, as requested.');
  if (isForced) return { encoded: { mode, key: null }, isForced, note: null };
  const problem = (await slowLineProblem(parts, fax)) ?? (await earlierProblem(parts, fax.resendOf));
  return problem === null ? { encoded: { mode, key: null }, isForced, note: null } : ordinary(problem);
}

const ORDINARY = 'Ordinary pages are sent, because';

/** Returns the sentence for a number whose calls over the line are too slow; null for others. */
async function slowLineProblem(
  { db, contacts }: Pick<Parts, 'db' | 'contacts'>,
  { to, plan }: FaxToEncode,
): Promise<string | null> {
  const first = plan.steps.find(isCall);
  if (first?.transport.kind !== 'line') return null;
  const { mostRate } = await contacts.lineCalls.limitsTo(db.read, to, first.account.id);
  if (mostRate === null || mostRate >= MIN_RATE) return null;
  return `${ORDINARY} calls to this number are slow.`;
}

/** Returns the sentence for a fax of which an earlier try with encoded pages ended without a receipt; null for others. */
async function earlierProblem({ db }: Pick<Parts, 'db'>, resendOf: string | null): Promise<string | null> {
  for (let id = resendOf, i = 0; id !== null && i < MAX_CHAIN; i += 1) {
    const attempt = await newestAttempt(db.read, id);
    const isDoubted = attempt?.phase !== 'success' && attempt?.unreached === null;
    if (attempt && attempt.encoded_pages !== null && attempt.submitted_at !== null && isDoubted)
      return `${ORDINARY} an earlier try with encoded pages ended without a receipt.`;
    id = (await findJob(db.read, id))?.resend_of ?? null;
  }
  return null;
}

/** Document that encoded pages would carry, with what ordinary pages of it take. */
interface CarriedDocument {
  readonly documentPath: FileToRead;
  readonly fileName: string;
  readonly pages: number;
  /** Expected duration of the call with ordinary pages, in seconds; null unless every page was measured. */
  readonly callSeconds: number | null;
  /** ID of the person whose request it is. */
  readonly by: string;
}

/** Encoded pages that a call would send; null with the reason, as a sentence of the history, where it sends ordinary ones. */
type Assessment =
  | { readonly estimate: EncodedEstimate; readonly source: DocumentToEncode }
  | { readonly estimate: null; readonly note: string };

/** Computes the pages and the time of encoded pages. Throws a refusal where encrypted pages are too many. */
export async function assessEncodedPages(
  parts: Pick<Parts, 'documents' | 'settings'>,
  { encoded, isForced }: EncodedChoice,
  document: CarriedDocument,
): Promise<Assessment> {
  const source: DocumentToEncode = {
    documentPath: document.documentPath,
    name: pdfNameOf(document.fileName),
    mediaType: 'application/pdf',
    key: encoded.key,
    paper: paperOf(parts.settings.country()),
  };
  const estimate = await parts.documents.for(document.by).estimateEncoded(source);
  if (estimate.pages > MAX_ENCODED_PAGES) {
    if (encoded.mode === 'encrypted') throw tooManyEncodedPages(estimate.pages);
    return { estimate: null, note: `${ORDINARY} ${tooMany(estimate.pages)}` };
  }
  const isSlow = encodedSeconds(estimate) > MAX_ENCODED_DELAY * ordinarySecondsOf(document);
  if (isSlow && !isForced && encoded.mode === 'plain')
    return { estimate: null, note: `${ORDINARY} ${TOO_SLOW}` };
  return { estimate, source };
}

/**
 * Makes the chosen encoded pages of a stored document and stores them beside it. Throws a refusal where encrypted pages
 * are too many; then nothing is stored.
 */
export async function makeEncodedPages(
  parts: Parts,
  chosen: ChosenPages,
  fax: StoredFax,
): Promise<EncodedDocument> {
  const { encoded, isForced, note } = chosen;
  if (encoded === null) return { facts: NOT_ENCODED, note };
  return parts.storage.withFile(fax.artifact, async (documentPath) => {
    const found = await assessEncodedPages(parts, { encoded, isForced }, { ...fax, documentPath });
    if (found.estimate === null) return { facts: NOT_ENCODED, note: found.note };
    return storePages(parts, { ...fax, source: found.source, mode: encoded.mode });
  });
}

const TOO_SLOW = 'encoded pages would take more than three times as long.';
const tooMany = (pages: number) =>
  `the document needs ${pages} encoded pages, more than the ${MAX_ENCODED_PAGES} that are allowed.`;

const ordinarySecondsOf = ({ callSeconds, pages }: Pick<CarriedDocument, 'callSeconds' | 'pages'>): number =>
  callSeconds ?? typicalCallSeconds(pages);

async function storePages(
  parts: Parts,
  fax: StoredFax & { readonly source: DocumentToEncode; readonly mode: 'plain' | 'encrypted' },
): Promise<EncodedDocument> {
  const { storage, documents, settings } = parts;
  const name = encodedArtifact(fax.id);
  const made = await storage.create(name, ({ path, seal }) =>
    documents.for(fax.by).encodePages(fax.source, path, {
      messageId: fax.id.replaceAll('-', ''),
      words: { sender: settings.organization() ?? settings.ownNumber() ?? 'the sender' },
      cap: MAX_ENCODED_PAGES,
      seal,
    }),
  );
  const facts = {
    encoded_mode: fax.mode,
    ...(await digestOf(storage, name)),
    encoded_pages: made.pages,
    encoded_seconds: encodedSeconds(made),
  };
  return { facts, note: noteOf(fax.mode, made.pages, fax.pages) };
}

async function digestOf(
  storage: Parts['storage'],
  name: string,
): Promise<Pick<EncodedFacts, 'encoded_sha256' | 'encoded_size'>> {
  const hash = createHash('sha256');
  const { stream, sizeBytes } = await storage.open(name);
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return { encoded_sha256: hash.digest('hex'), encoded_size: sizeBytes };
}

function noteOf(mode: 'plain' | 'encrypted', pages: number, ordinary: number): string {
  const count = (many: number, word: string) => `${many} ${word}${many === 1 ? '' : 's'}`;
  const form = mode === 'encrypted' ? 'encrypted page' : 'encoded page';
  return `A call sends ${count(pages, form)} that carry the document itself, in place of ${count(ordinary, 'ordinary page')}.`;
}

/** The document is always a PDF, whatever was submitted. */
function pdfNameOf(fileName: string): string {
  return /\.pdf$/iu.test(fileName) ? fileName : `${fileName.replace(/\.[A-Za-z0-9]{1,5}$/u, '')}.pdf`;
}
