import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../platform/ids.ts';
import { formatNumber, requestedNumber } from '../../../platform/phone-number.ts';
import type { Caller } from '../../access/service.ts';
import {
  type ComposedPacket,
  composePacket,
  type DeliveredDocument,
  type Packet,
  packetFileName,
} from '../accept/packet-document.ts';
import { senderMailbox } from '../accept/sender-mailbox.ts';
import type { PacketOrder, Sending } from '../accept/sending.ts';
import type { UploadedSource } from '../accept/sent-document.ts';
import { badNumber } from '../errors.ts';
import { recordsOf } from '../list/records.ts';
import type { OutboundParts } from '../parts.ts';
import type { Previews } from '../preview/preview.ts';
import { deliveredPackets, listCases } from '../store/case-list.ts';
import { type FaxRecord, type JobRow, packetOf } from '../types.ts';
import { mayRead, testFaxesFor, visibleFaxes } from '../visibility.ts';
import type { FaxFinder } from './find-fax.ts';

/** Maximum number of delivered packets, newest first, in which documents are looked up. */
const LOOKED_UP_PACKETS = 200;

/** Request for a packet: the documents of a case for a recipient. */
interface PacketRequest {
  readonly caseId: string;
  /** As typed. */
  readonly to: string;
  readonly documents: readonly { readonly title: string; readonly source: UploadedSource }[];
  /** True to list documents that were delivered before in the index only, if the contact accepts that. */
  readonly namesSent: boolean;
}

type SendPacketRequest = PacketRequest &
  Omit<PacketOrder, 'packet' | 'caller' | 'mailbox' | 'to'> & {
    /** By ID or label; null leaves the choice to the gateway. */
    readonly mailbox: string | null;
  };

interface CaseRecord {
  readonly caseId: string;
  /** Count of its faxes that the caller may see. */
  readonly faxes: number;
  readonly newest: FaxRecord;
}

/** Sends the documents of cases, and lists the cases. */
export interface PacketService {
  sendPacket(caller: Caller, request: SendPacketRequest): Promise<FaxRecord>;
  /** Composes a packet and begins its preview; `to` is E.164. No fax is recorded. */
  previewPacket(
    caller: Caller,
    request: PacketRequest & { readonly byCall: boolean },
  ): Promise<ComposedPacket & { readonly to: string; readonly previewId: string }>;
  /** Lists the cases with faxes that the caller may see, the one with the newest fax first. */
  listCases(
    caller: Caller,
    request: {
      q?: string | undefined;
      include_test?: boolean | undefined;
      limit: number;
      cursor?: string | undefined;
    },
  ): Promise<{ items: CaseRecord[]; next_cursor: string | null }>;
}

type Parts = Pick<
  OutboundParts,
  | 'db'
  | 'clock'
  | 'storage'
  | 'documents'
  | 'settings'
  | 'workDirectory'
  | 'contacts'
  | 'progress'
  | 'costs'
  | 'received'
  | 'holds'
> & {
  readonly sending: Sending;
  readonly previews: Previews;
  readonly finder: FaxFinder;
};

export function createPacketService(parts: Parts): PacketService {
  const { db, sending, finder } = parts;
  return {
    async sendPacket(caller, { caseId, to, documents, namesSent, mailbox, ...order }) {
      const number = recipientOf(parts, to);
      const packet = await packetFor(parts, caller, { caseId, to: number, documents, namesSent });
      const resolve = () => senderMailbox(db.read, caller, mailbox);
      const job = await sending.sendPacket({
        ...order,
        packet,
        to,
        caller,
        mailbox: { named: mailbox, resolve },
      });
      return finder.recordOf(caller, job);
    },
    async previewPacket(caller, { byCall, ...request }) {
      const to = recipientOf(parts, request.to);
      const packet = await packetFor(parts, caller, { ...request, to });
      return previewOf(parts, caller, packet, { to, byCall });
    },
    async listCases(caller, { q, include_test, limit, cursor }) {
      const page = await listCases(db.read, {
        scope: visibleFaxes(caller),
        testFaxes: testFaxesFor(caller, include_test ?? false),
        part: q?.trim().toLowerCase() || undefined,
        limit,
        cursor,
      });
      const records = await recordsOf(
        parts,
        caller,
        page.items.map(({ job }) => job),
      );
      const items = page.items.map(({ case_id, faxes }, i) => ({
        caseId: case_id,
        faxes,
        newest: records[i] as FaxRecord,
      }));
      return { items, next_cursor: page.next_cursor };
    },
  };
}

function recipientOf({ settings }: Pick<Parts, 'settings'>, typed: string): string {
  const number = requestedNumber(typed, settings.country());
  if (!number) throw badNumber();
  return number;
}

async function packetFor(
  parts: Pick<Parts, 'db' | 'contacts'>,
  caller: Caller,
  { caseId, to, documents, namesSent }: PacketRequest,
): Promise<Packet> {
  const contact = (await parts.contacts.namesOf(caller, [to])).get(to);
  const { acceptsReferences } = await parts.contacts.preferencesFor(to);
  const delivered =
    namesSent && acceptsReferences
      ? await deliveredDocuments(parts, caller, { caseId, to })
      : new Map<string, DeliveredDocument>();
  return {
    caseId,
    recipient: [contact?.name, formatNumber(to)].filter(Boolean).join(', '),
    documents: documents.map(({ title, source }) => ({
      title,
      source,
      named: delivered.get(source.digest) ?? null,
    })),
    namesSent,
  };
}

/** Returns the documents of the case that were delivered to the number, by digest, from faxes that the caller may read. */
async function deliveredDocuments(
  { db }: Pick<Parts, 'db'>,
  caller: Caller,
  { caseId, to }: { caseId: string; to: string },
): Promise<Map<string, DeliveredDocument>> {
  const jobs = await deliveredPackets(db.read, {
    caseId,
    to,
    isTest: caller.isTest,
    limit: LOOKED_UP_PACKETS,
  });
  return new Map(jobs.filter((job) => mayRead(caller, job)).flatMap(deliveredIn));
}

function deliveredIn(job: JobRow): [string, DeliveredDocument][] {
  return packetOf(job)
    .filter(({ named }) => named === null)
    .map(({ sha256, pages }) => [sha256, { faxId: job.id, sentAt: job.updated_at, pages }]);
}

async function previewOf(
  parts: Parts,
  caller: Caller,
  packet: Packet,
  { to, byCall }: { to: string; byCall: boolean },
): Promise<ComposedPacket & { readonly to: string; readonly previewId: string }> {
  const path = join(parts.workDirectory, `${newId()}.pdf`);
  const seal = parts.storage.newKey();
  try {
    const composed = await composePacket(parts, packet, { caller, path, seal, durable: false });
    const source = {
      path,
      ...(seal === null ? {} : { key: seal.key }),
      fileName: packetFileName(packet),
      declaredType: 'application/pdf',
      digest: composed.sha256,
    };
    const options = { caller, cleanGreys: false, byCall, wait: false, to };
    const { drawing } = await parts.previews.make([source], options);
    return { ...composed, to, previewId: drawing.id };
  } finally {
    // A preview that was made has moved the file.
    await rm(path, { force: true });
  }
}
