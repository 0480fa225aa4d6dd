import type { PacketResult } from '../../../documents/documents.ts';
import { epochOf } from '../../../platform/clock.ts';
import type { NewFileKey } from '../../../platform/file-cipher.ts';
import { localDate } from '../../../platform/local-time.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import type { Caller } from '../../access/service.ts';
import type { OutboundParts } from '../parts.ts';
import type { PacketDocument } from '../types.ts';
import { refuseBadDocuments } from './document-refusal.ts';
import { documentFingerprintOf } from './idempotency.ts';
import type { SentDocument, UploadedSource } from './sent-document.ts';

type Parts = Pick<OutboundParts, 'clock' | 'storage' | 'documents' | 'settings'>;

/** A document that an earlier fax delivered. */
export interface DeliveredDocument {
  readonly faxId: string;
  /** Time of the delivery, ISO 8601 UTC: a scheduled fax is accepted long before. */
  readonly sentAt: string;
  /** Its own pages. */
  readonly pages: number;
}

/** The documents of a case that are to be sent as one fax. */
export interface Packet {
  readonly caseId: string;
  /** Name and number of the recipient, as the index shows them. */
  readonly recipient: string;
  /** With `named` a document is only named in the index. */
  readonly documents: readonly {
    readonly title: string;
    readonly source: UploadedSource;
    readonly named: DeliveredDocument | null;
  }[];
  /** True when documents that were delivered before are to be named only: such a request is another one. */
  readonly namesSent: boolean;
}

/** A packet as one file, with its documents. */
export type ComposedPacket = PacketResult & { readonly packet: readonly PacketDocument[] };

/** The document of a fax that a packet becomes: composed when it is stored, so that a repeated request composes nothing. */
export function packetDocument(parts: Parts, packet: Packet, caller: Caller): SentDocument {
  const { storage } = parts;
  return {
    fileNames: [packetFileName(packet)],
    digests: digestsOf(packet),
    identity: { sourceDigest: documentFingerprintOf(digestsOf(packet)), onlyFileDigest: null },
    callSeconds: null,
    async store(artifact) {
      const composed = await storage.create(artifact, (place) =>
        composePacket(parts, packet, { caller, ...place }),
      );
      return { ...composed, sourceMediaType: 'application/pdf' };
    },
  };
}

export const packetFileName = ({ caseId }: Pick<Packet, 'caseId'>): string => `Case ${caseId}.pdf`;

/** Composes a packet as one PDF at `path`. Throws a refusal that names the document at fault. */
export async function composePacket(
  parts: Pick<Parts, 'clock' | 'documents' | 'settings'>,
  { caseId, recipient, documents }: Packet,
  {
    caller,
    path,
    seal,
    durable,
  }: { caller: Caller; path: string; seal: NewFileKey | null; durable: boolean },
): Promise<ComposedPacket> {
  const { settings, clock } = parts;
  const where = { country: settings.country(), timeZone: settings.timeZone() };
  const sender = [settings.organization(), formatNumber(settings.ownNumber() ?? '')]
    .filter(Boolean)
    .join(', ');
  const composed = await refuseBadDocuments(
    parts.documents.for(caller.principal.id).packet(
      {
        caseId,
        heading: [
          `To: ${recipient}`,
          ...(sender === '' ? [] : [`From: ${sender}`]),
          localDate(clock.now(), where),
        ],
        entries: documents.map(({ title, named }) => ({
          title,
          note:
            named &&
            `Already sent on ${localDate(epochOf(named.sentAt), where)} (${named.pages === 1 ? '1 page' : `${named.pages} pages`}), not sent again.`,
        })),
        sources: documents.flatMap(({ source, named }) => (named === null ? source : [])),
      },
      path,
      { maxBytes: settings.maxFileBytes(), seal, durable },
    ),
  );
  return {
    ...composed,
    packet: documents.map((document, i) => placedDocument(document, composed.documents[i] ?? null)),
  };
}

function placedDocument(
  { title, source: { digest: sha256 }, named }: Packet['documents'][number],
  place: PacketResult['documents'][number],
): PacketDocument {
  if (place !== null) return { title, pages: place.pages, first_page: place.firstPage, sha256, named: null };
  const before = named && { fax_id: named.faxId, sent_at: named.sentAt };
  return { title, pages: named?.pages ?? 0, first_page: null, sha256, named: before };
}

/** Two requests with the same case, titles and files, in the same order, have the same packet. */
function digestsOf({ caseId, documents, namesSent }: Packet): string[] {
  return [`case ${caseId} ${namesSent}`, ...documents.flatMap(({ title, source }) => [title, source.digest])];
}
