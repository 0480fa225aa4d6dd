import { z } from 'zod';
import { DIRECT_BACKEND } from '../../../../shared/backends.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { DirectDelivery } from '../../outbound/port.ts';
import {
  directReference,
  EMPTY_REPORT,
  type FaxToSend,
  type ReceiptFact,
  type SubmittedFax,
  type Transport,
  TransportError,
  type TransportReport,
} from '../../outbound/transport-port.ts';
import { keysFor } from '../own-keys.ts';
import { isNumberConfirmed } from '../partners/standing.ts';
import { targetOf } from '../peer-target.ts';
import { findDelivery, settleDelivery } from '../store/delivery-store.ts';
import { findConfirmedPartner, findPartner, markExchange } from '../store/partner-store.ts';
import type { DeliveryRow, PartnerRow } from '../types.ts';
import { keyDigest } from '../wire/keys.ts';
import { signRequest } from '../wire/request-signature.ts';
import { type Expected, everyKeyOf, type Finding, judgeStatus, judgeUpload } from './judge-answer.ts';
import type { SendingParts } from './parts.ts';
import { manifestOf, receiptColumns, receiptOf } from './receipt.ts';
import { NOT_DELIVERED } from './refusal-words.ts';
import { uploadDocument } from './send-document.ts';

/** Values that the step captures. */
const Credentials = z.strictObject({ partner_id: z.string() });

/** Creates the transport that hands originals to the installations of partners. */
export function createDirectDelivery(parts: SendingParts): DirectDelivery {
  return {
    transport: directTransport(parts),
    async recipientOf(to) {
      if (!isReady(parts)) return null;
      const found = await findConfirmedPartner(parts.db.read, to, isoTime(parts.clock.now()));
      return found ? { id: found.id, organization: found.organization } : null;
    },
  };
}

const isReady = ({ settings }: Pick<SendingParts, 'settings'>): boolean =>
  settings.enabled() && settings.faxNumber() !== null;

function directTransport(parts: SendingParts): Transport {
  return {
    kind: 'direct',
    backend: DIRECT_BACKEND,
    traits: {
      polls: true,
      callbacks: false,
      printsOurTime: true,
      numbersPages: true,
      printsHeader: false,
      stops: false,
    },
    callbacks: null,
    async reach(credentials) {
      await usablePartner(parts, credentials);
    },
    submit: (credentials, fax) => submit(parts, credentials, fax),
    fetchReport: (credentials, reference) => fetchReport(parts, credentials, reference),
    // Our own ID is the reference, so it is never lost.
    findSent: async (_credentials, { attemptId }) => [
      {
        report: { reference: directReference(attemptId), ...WAITING },
        attemptId,
        beganAt: null,
        documentPages: null,
        callbackUrl: null,
      },
    ],
    describeReceipt: (reference) => describeReceipt(parts, reference),
  };
}

type SettledFinding = Exclude<Finding, { readonly kind: 'open' }>;

const WAITING = { outcome: 'in_progress', rawStatus: 'uncertain', ...EMPTY_REPORT } as const;

/** Returns the partner while documents go there. Throws TransportError `not_accepted` otherwise: nothing was sent. */
async function usablePartner(parts: SendingParts, credentials: unknown): Promise<PartnerRow> {
  const partner = await partnerOf(parts, credentials);
  if (partner && isReady(parts) && isNumberConfirmed(partner, isoTime(parts.clock.now()))) return partner;
  throw notAccepted('Direct delivery to this number is off now.');
}

async function partnerOf({ db }: Pick<SendingParts, 'db'>, credentials: unknown) {
  const { partner_id } = Credentials.parse(credentials);
  return findPartner(db.read, partner_id);
}

/** Never throws once something may have been sent: the partner is asked then. */
async function submit(parts: SendingParts, credentials: unknown, fax: FaxToSend): Promise<SubmittedFax> {
  const partner = await usablePartner(parts, credentials);
  const keys = await keysFor(parts, partner);
  const sender = parts.settings.faxNumber() ?? '';
  const reference = directReference(fax.attemptId);
  const finding = await deliver().catch((error: unknown): Finding => {
    parts.logger.error({ error, message_id: reference }, 'a document could not be delivered directly');
    return { kind: 'open', reason: 'Something went wrong while the document was being sent.' };
  });
  if (finding.kind === 'accepted') return { reference, report: delivered(reference, finding, fax.pages) };
  if (finding.kind === 'not_delivered') throw notAccepted(NOT_DELIVERED[finding.reason]);
  return { reference };

  async function deliver(): Promise<Finding> {
    const upload = await uploadDocument(parts, { partner, keys, sender, fax });
    if (upload === null) return { kind: 'open', reason: 'It was sent before.' };
    const expected = await expect(parts, partner, upload.manifest.message_id);
    const found = judgeUpload(upload.result, { ...expected, manifest: upload.manifest });
    await record(parts, { messageId: reference, partner }, found);
    return found;
  }
}

async function fetchReport(
  parts: SendingParts,
  credentials: unknown,
  reference: string,
): Promise<TransportReport> {
  const row = await findDelivery(parts.db.read, reference, 'sent');
  const known = row && knownFinding(row);
  if (row && known) return reportOf(reference, known, row);
  const partner = await partnerOf(parts, credentials);
  if (!partner) throw unanswered('The partner was removed.');
  const path = `/direct/deliveries/${reference}`;
  const keys = await keysFor(parts, partner);
  const headers = signRequest({ method: 'GET', path }, keys.signing, parts.clock.now());
  const answer = await parts.peers.get(targetOf(parts, partner, parts.signal), path, headers);
  const expected = await expect(parts, partner, reference);
  const finding = judgeStatus(answer, { ...expected, manifest: row ? manifestOf(row) : null });
  await record(parts, { messageId: reference, partner }, finding);
  if (finding.kind === 'open') throw unanswered(finding.reason);
  return reportOf(reference, finding, row);
}

async function expect(
  { identity }: Pick<SendingParts, 'identity'>,
  partner: PartnerRow,
  messageId: string,
): Promise<Omit<Expected, 'manifest'>> {
  const ownKeys = (await identity.accepted()).map(({ signingKey }) => signingKey);
  return { messageId, ownKeys, partnerKeys: everyKeyOf(partner) };
}

/** Returns the finding that is recorded already; null while the delivery is open. */
function knownFinding(row: DeliveryRow): SettledFinding | null {
  const receipt = receiptOf(row);
  if (receipt !== null) return { kind: 'accepted', receipt };
  return row.state === 'refused' ? { kind: 'not_delivered', reason: 'not_received' } : null;
}

/** Records a finding. A receipt stays whatever comes later. */
async function record(
  { db, clock }: SendingParts,
  { messageId, partner }: { readonly messageId: string; readonly partner: PartnerRow },
  finding: Finding,
): Promise<void> {
  const updated_at = isoTime(clock.now());
  const key = { message_id: messageId, direction: 'sent' } as const;
  await db.transaction(async (tx) => {
    await settleDelivery(tx, key, { ...columnsOf(finding), updated_at });
    if (finding.kind === 'accepted') await markExchange(tx, partner.id, updated_at);
  });
}

function columnsOf(finding: Finding): Partial<DeliveryRow> {
  switch (finding.kind) {
    case 'accepted':
      return {
        state: 'accepted',
        problem: null,
        accepted_at: finding.receipt.statement.received_at,
        ...receiptColumns(finding.receipt),
      };
    case 'not_delivered':
      return { state: 'refused', problem: NOT_DELIVERED[finding.reason] };
    case 'open':
      return { state: 'uncertain', problem: finding.reason };
    default:
      return finding satisfies never;
  }
}

function reportOf(reference: string, finding: SettledFinding, row: DeliveryRow | undefined): TransportReport {
  if (finding.kind === 'accepted') return delivered(reference, finding, row?.pages ?? null);
  return {
    ...EMPTY_REPORT,
    reference,
    outcome: 'failed',
    rawStatus: finding.reason,
    failure: row?.state === 'refused' && row.problem !== null ? row.problem : NOT_DELIVERED[finding.reason],
    noPageTransmitted: true,
  };
}

function delivered(
  reference: string,
  { receipt }: Extract<Finding, { kind: 'accepted' }>,
  pages: number | null,
): TransportReport {
  return {
    ...EMPTY_REPORT,
    reference,
    outcome: 'success',
    rawStatus: 'accepted',
    pages,
    completedAt: receipt.statement.received_at,
  };
}

async function describeReceipt({ db }: SendingParts, reference: string): Promise<readonly ReceiptFact[]> {
  const row = await findDelivery(db.read, reference, 'sent');
  const receipt = row ? receiptOf(row) : null;
  if (!row || receipt === null) return [];
  const partner = await findPartner(db.read, row.partner_id);
  const key = keyDigest(receipt.statement.from);
  return [
    { label: 'Receipt signed by', value: partner?.organization ?? 'the partner' },
    { label: 'Receipt signed', value: receipt.statement.received_at, isTime: true },
    // Shown whole, on two lines, so that it can be compared.
    { label: 'Their key', value: key.slice(0, 32) },
    { label: '', value: key.slice(32) },
  ];
}

function notAccepted(sentence: string): TransportError {
  return new TransportError('not delivered directly', {
    certainty: 'not_accepted',
    category: 'refused',
    publicMessage: sentence,
  });
}

function unanswered(sentence: string): TransportError {
  return new TransportError('the partner gave no usable answer', {
    certainty: 'try_later',
    category: 'provider_unavailable',
    publicMessage: sentence,
  });
}
