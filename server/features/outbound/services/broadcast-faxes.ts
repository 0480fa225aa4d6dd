import type { FaxEdits } from '../../../../shared/api/outbound-edits.ts';
import type { PageForm } from '../../../../shared/encoded-pages.ts';
import type { PageEdits } from '../../../../shared/page-edits.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { PrintedLine } from '../../../documents/documents.ts';
import { RefusalError } from '../../../platform/errors.ts';
import { aboutOf, type FaxAbout } from '../../../platform/fax-about.ts';
import { assertSealing } from '../../../platform/seal.ts';
import type { Caller } from '../../access/service.ts';
import type { ContactName } from '../../contacts/types.ts';
import type { CoverRequest } from '../../covers/types.ts';
import type { PlacedSignature } from '../../desk/service.ts';
import type { Acceptance } from '../accept/accept.ts';
import { checkTimes } from '../accept/accepted-times.ts';
import { withEdits } from '../accept/edited-source.ts';
import type { FaxSender } from '../accept/send-request.ts';
import { senderMailbox } from '../accept/sender-mailbox.ts';
import type { Sending } from '../accept/sending.ts';
import type { DocumentFacts, SentDocument, SentDocuments, UploadedSource } from '../accept/sent-document.ts';
import { documentNameOf, storeWithLine } from '../accept/sent-document.ts';
import { FaxRefusalError, filesAndPreview, filesOrPreview } from '../errors.ts';
import { decideGuard, type GuardActions, sentenceOf } from '../guard/decide.ts';
import { besideDocument } from '../kept-original.ts';
import type { Commands } from '../outcome/commands.ts';
import type { OutboundParts } from '../parts.ts';
import { capturePlan } from '../plan/plan.ts';
import type { Previews } from '../preview/preview.ts';
import { storedSendAt } from '../queue/send-later.ts';
import { findJob } from '../store/job-store.ts';
import type { Actor } from '../types.ts';

/** The stored document of a broadcast. */
interface BroadcastDocument {
  /** Name in the storage. */
  readonly artifact: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pages: number;
  readonly sourceDigest: string;
  /** Expected duration of its call, in seconds; null unless every page was measured. */
  readonly callSeconds: number | null;
  /** Changes to its pages, with the original that is stored beside it; null where there are none. */
  readonly edits: FaxEdits | null;
}

/** The same, as one fax of the broadcast gets it. */
type SentBroadcastDocument = BroadcastDocument & {
  /** Printed on a page behind the cover page; null where the document has it, or there is none. */
  readonly line: PrintedLine | null;
};

/** Fax to one recipient of a broadcast. */
interface RecipientFax {
  readonly broadcastId: string;
  /** E.164. */
  readonly to: string;
  readonly document: SentBroadcastDocument;
  /** With the values of this recipient; null for none. */
  readonly cover: CoverRequest | null;
  /** Sender as the cover page names them; null where none is known. */
  readonly caller: Caller | null;
  readonly sendBy: string | null;
  readonly sendWhen: 'now' | 'cheap_hours';
  readonly sender: FaxSender;
  readonly mailboxId: string | null;
  readonly about: FaxAbout;
  readonly cleanGreys: boolean;
  readonly pageForm: PageForm;
  readonly byCall: boolean;
  readonly isTest: boolean;
  /** Runs in the transaction that records the fax; throws where it may not be sent. */
  readonly link: (tx: WriteTx, faxId: string) => Promise<void>;
}

/** Finding about a number in a list of recipients. */
interface RecipientFinding {
  readonly contact: ContactName | null;
  /** Sentence why no fax is sent to it; null if one is. */
  readonly problem: string | null;
  /** Sentence about a number that is sent to all the same; null for none. */
  readonly warning: string | null;
}

/** Makes the faxes of broadcasts. */
export interface BroadcastFaxService {
  /** Returns the known facts about the E.164 numbers before a broadcast to them. */
  recipientFindings(
    caller: Caller,
    numbers: readonly string[],
  ): Promise<ReadonlyMap<string, RecipientFinding>>;
  /**
   * Checks all that every fax of a broadcast needs, and stores its document. Returns the stored time and the mailbox as
   * well. Throws refusals.
   */
  prepareBroadcast(
    caller: Caller,
    order: {
      readonly artifact: string;
      readonly sources: readonly UploadedSource[];
      /** Changes to the pages of the files; null for none. */
      readonly edits: PageEdits | null;
      readonly previewId: string | null;
      readonly cleanGreys: boolean;
      readonly byCall: boolean;
      readonly firstTo: string;
      readonly mailbox: string | null;
      readonly sendAt: string | undefined;
      readonly sendBy: string | undefined;
      readonly sendWhen: 'now' | 'cheap_hours';
      /** Cover page of the first fax; null for none. */
      readonly cover: CoverRequest | null;
      /** Printed on a page; null for none. */
      readonly line: PrintedLine | null;
    },
  ): Promise<{
    document: BroadcastDocument;
    mailboxId: string | null;
    sendAt: string | null;
    sendBy: string | null;
    /** Name of the cover page; null for none. */
    coverName: string | null;
    /** Name in the header line that the sender set for their faxes; null for that of the office. */
    headerName: string | null;
    /** Signatures and stamps that the sender put on its pages. */
    placed: readonly PlacedSignature[];
  }>;
  /** Records in the audit that the caller put them on the pages of a broadcast. */
  recordPlaced(
    tx: WriteTx,
    caller: Caller,
    broadcast: { readonly id: string; readonly placed: readonly PlacedSignature[] },
  ): Promise<void>;
  /** Removes the document of a broadcast, with the original of changed pages. */
  removeDocument(artifact: string): Promise<void>;
  /** Accepts the fax to one recipient. Throws refusals, and what `link` throws. */
  sendToRecipient(fax: RecipientFax): Promise<void>;
  /** Sends a failed fax of a broadcast again, once however often it is called. Throws refusals. */
  sendFailedAgain(id: string): Promise<void>;
  /** Cancels a fax that is not being sent yet. */
  cancelWaiting(id: string, actor: Actor): Promise<void>;
  isSendingOff(): boolean;
}

type Parts = Pick<
  OutboundParts,
  | 'db'
  | 'covers'
  | 'desk'
  | 'clock'
  | 'seal'
  | 'storage'
  | 'contacts'
  | 'settings'
  | 'transports'
  | 'documents'
  | 'workDirectory'
> & {
  readonly acceptance: Acceptance;
  readonly sending: Sending;
  readonly sentDocuments: SentDocuments;
  readonly previews: Previews;
  readonly commands: Commands;
};

export function createBroadcastFaxService(parts: Parts): BroadcastFaxService {
  return {
    recipientFindings: (caller, numbers) => findingsOf(parts, caller, numbers),
    prepareBroadcast: (caller, order) => prepare(parts, caller, order),
    recordPlaced: (tx, caller, { id, placed }) =>
      parts.desk.signatures.recordPlaced(tx, caller, { placed, target: { kind: 'broadcast', id } }),
    async removeDocument(artifact) {
      await parts.storage.remove(artifact);
      await parts.storage.remove(besideDocument(artifact));
    },
    sendToRecipient: (fax) => sendToRecipient(parts, fax),
    async sendFailedAgain(id) {
      const job = await findJob(parts.db.read, id);
      if (job && job.delivery_state === 'failed') await parts.sending.sendFailedAgain(job);
    },
    async cancelWaiting(id, actor) {
      const job = await findJob(parts.db.read, id);
      if (job?.delivery_state !== 'ready' && job?.delivery_state !== 'held') return;
      try {
        await parts.commands.cancel({ id, version: job.delivery_version, actor });
      } catch (error) {
        // It left or changed in the same moment: the next look decides.
        if (!(error instanceof RefusalError)) throw error;
      }
    },
    isSendingOff: () => parts.settings.sendingDisabled(),
  };
}

/** Checks that concern the number alone; whoever opted out or is blocked is left out whatever the settings say. */
async function findingsOf(
  { contacts, settings }: Parts,
  caller: Caller,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, RecipientFinding>> {
  const [names, voices] = await Promise.all([
    contacts.namesOf(caller, numbers),
    contacts.voiceNamesOf(caller, numbers),
  ]);
  const found = new Map<string, RecipientFinding>();
  const { voice_number, own_number } = settings.guard();
  const actions: GuardActions = { ...ONLY_NUMBER, voice_number, own_number };
  for (const to of numbers) {
    const { blocked, optedOut } = await contacts.preferencesFor(to);
    const contact = names.get(to) ?? null;
    const findings = decideGuard(
      {
        ...NOTHING_KNOWN,
        to,
        isBlocked: blocked,
        hasOptedOut: optedOut,
        voice: voices.get(to) ?? null,
        isContact: contact !== null,
        isOwn: settings.ownNumber() === to,
      },
      actions,
    );
    // Nobody answers a question about one of a thousand numbers.
    const problem = findings.find(({ action }) => action !== 'warn');
    const warning = findings.find(({ action }) => action === 'warn');
    found.set(to, {
      contact,
      problem: problem?.fact ?? null,
      warning: problem || !warning ? null : sentenceOf(warning),
    });
  }
  return found;
}

const ONLY_NUMBER: GuardActions = {
  blocked: 'refuse',
  opted_out: 'refuse',
  voice_number: 'off',
  own_number: 'off',
  swapped_digits: 'off',
  near_contact: 'off',
  failing: 'off',
  same_document: 'off',
  first_time: 'off',
};

const NOTHING_KNOWN = {
  isUsed: true,
  isReached: true,
  failures: 0,
  neighbors: [],
  isSameDocument: false,
} as const;

async function prepare(
  parts: Parts,
  caller: Caller,
  {
    artifact,
    sources: files,
    edits,
    previewId,
    cleanGreys,
    byCall,
    firstTo,
    line,
    cover,
    ...order
  }: Parameters<BroadcastFaxService['prepareBroadcast']>[1],
): ReturnType<BroadcastFaxService['prepareBroadcast']> {
  assertSealing(parts.seal);
  const sources = withEdits(files, edits);
  if (previewId === null && sources.length === 0) throw filesOrPreview();
  if (previewId !== null && sources.length > 0) throw filesAndPreview();
  const mailboxId = await senderMailbox(parts.db.read, caller, order.mailbox);
  const sendAt = storedSendAt(order.sendAt);
  const sendBy = storedSendAt(order.sendBy);
  const times = { send_at: sendAt, send_by: sendBy, send_when: order.sendWhen };
  await checkTimes(parts, { to_number: firstTo, ...times });
  // Without a provider no list helps.
  const headerName = await parts.desk.headerNameOf(caller);
  const first = { to: firstTo, byCall, preferredRoute: null, isTest: caller.isTest };
  await capturePlan(parts, first, headerName);
  const coverName =
    cover === null ? null : await checkCover(parts, caller, { cover, to: firstTo, mailboxId });
  const keep = async (document: SentDocument) => {
    const facts =
      line === null || cover !== null
        ? await document.store(artifact, null)
        : await storeWithLine(parts, artifact, { document, by: caller.principal.id, line });
    return { document: keptDocument(artifact, document, facts), placed: facts.placed ?? [] };
  };
  const { document, placed } =
    previewId === null
      ? await keep(parts.sentDocuments.ofUpload(sources, { caller, cleanGreys }))
      : await parts.previews.lendDocument(previewId, { caller, cleanGreys }, keep);
  return { document, mailboxId, sendAt, sendBy, coverName, headerName, placed };
}

/** Composes the cover page of the first fax, and returns its name. Throws the refusal of one that cannot be printed. */
async function checkCover(
  { covers }: Parts,
  caller: Caller,
  { cover, to, mailboxId }: { cover: CoverRequest; to: string; mailboxId: string | null },
): Promise<string | null> {
  const template = await covers.choose(caller, cover, { contactCover: null, mailboxId });
  if (template === null) return null;
  const fax = { to, mailboxId, pages: 1, subject: null, reference: null };
  await covers.compose(caller, template, fax, cover.fields);
  return template.name;
}

function keptDocument(artifact: string, document: SentDocument, facts: DocumentFacts): BroadcastDocument {
  return {
    artifact,
    fileName: documentNameOf(document.fileNames),
    mediaType: facts.sourceMediaType,
    sha256: facts.sha256,
    sizeBytes: facts.sizeBytes,
    pages: facts.pages,
    sourceDigest: document.identity.sourceDigest,
    callSeconds: document.callSeconds,
    edits: facts.edits ?? null,
  };
}

async function sendToRecipient(parts: Parts, fax: RecipientFax): Promise<void> {
  const { broadcastId, to, sender, mailboxId, link } = fax;
  const { optedOut } = await parts.contacts.preferencesFor(to);
  if (optedOut)
    throw new FaxRefusalError('guard_refused', { sentence: 'This recipient opted out of faxes.' });
  await parts.acceptance.accept({
    kind: 'fax',
    to,
    previewId: null,
    lendDocument: (work) => work(parts.sentDocuments.ofBroadcast(fax.document)),
    flags: { queue_only: false, send_now: false, urgent: false, send_by_call: fax.byCall },
    idempotencyKey: null,
    resendOf: null,
    caseId: null,
    isTitleCountFree: true,
    mailbox: { named: null, resolve: async () => mailboxId },
    sendAt: null,
    sendBy: fax.sendBy,
    sendWhen: fax.sendWhen,
    cleanGreys: fax.cleanGreys,
    pageForm: fax.pageForm,
    isFormCopied: false,
    titles: [],
    about: aboutOf(fax.about),
    caller: null,
    tryAgainDetails: null,
    cover: fax.cover,
    answers: null,
    broadcast: { id: broadcastId, sender, caller: fax.caller, linkNewFax: link },
    isTest: fax.isTest,
  });
}
