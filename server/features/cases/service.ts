import type { z } from 'zod';
import type { casesRoutes } from '../../../shared/api/cases.ts';
import type { Caller } from '../access/service.ts';
import type { OutboundService } from '../outbound/service.ts';
import { packetOf } from '../outbound/types.ts';
import { noSuchCase } from './errors.ts';
import { presentPacket } from './present.ts';

type SentPacket = z.infer<(typeof casesRoutes.sendCase)['answer']['schema']>;
type CasePage = z.infer<(typeof casesRoutes.listCases)['answer']['schema']>;
type PacketPage = z.infer<(typeof casesRoutes.getCase)['answer']['schema']>;
type CaseQuery = z.infer<(typeof casesRoutes.listCases)['query']>;
type PacketQuery = z.infer<(typeof casesRoutes.getCase)['query']>;

/** Sends and lists the packets of cases. Refusals are those of faxes, and a 404 refusal for an unknown case. */
export interface CasesService {
  send(caller: Caller, request: Parameters<OutboundService['sendPacket']>[1]): Promise<SentPacket>;
  /** Composes a packet and begins its preview. No fax is recorded. */
  preview(caller: Caller, request: Parameters<OutboundService['previewPacket']>[1]): Promise<SentPacket>;
  /** Returns the ID of the fax accepted for this caller and Idempotency-Key; null for none. */
  repeatOf(caller: Caller, key: string): Promise<string | null>;
  list(caller: Caller, query: CaseQuery): Promise<CasePage>;
  /** Lists the packets of a case, the newest first. Throws a 404 refusal when the caller may see none. */
  packets(caller: Caller, caseId: string, query: PacketQuery): Promise<PacketPage>;
}

export function createCasesService(outbound: OutboundService): CasesService {
  return {
    async send(caller, request) {
      const { job } = await outbound.sendPacket(caller, request);
      const { to_number: to, document_pages: pages, id: fax_id } = job;
      return { case_id: request.caseId, to, pages, documents: [...packetOf(job)], fax_id, preview_id: null };
    },
    async preview(caller, request) {
      const { to, pages, packet, previewId } = await outbound.previewPacket(caller, request);
      const documents = [...packet];
      return { case_id: request.caseId, to, pages, documents, fax_id: null, preview_id: previewId };
    },
    repeatOf: (caller, key) => outbound.repeatOf(caller, key),
    async list(caller, query) {
      const { items, next_cursor } = await outbound.listCases(caller, query);
      const summaries = items.map(({ caseId, faxes, newest }) => ({
        case_id: caseId,
        packets: faxes,
        newest: presentPacket(newest),
      }));
      return { items: summaries, next_cursor };
    },
    async packets(caller, caseId, query) {
      const { items, next_cursor } = await outbound.list(caller, { ...query, case_id: caseId });
      const isWhole = query.cursor === undefined && query.ids === undefined;
      if (isWhole && items.length === 0) throw noSuchCase();
      return { case_id: caseId, items: items.map(presentPacket), next_cursor };
    },
  };
}
