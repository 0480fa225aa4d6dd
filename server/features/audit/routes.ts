import { Readable } from 'node:stream';
import { auditRoutes as routes } from '../../../shared/api/audit.ts';
import type { Caller } from '../../http/caller.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import { storedTime } from '../../platform/clock.ts';
import type { AuditedFax } from './port.ts';
import type { AuditReader, SecurityEntry, SecurityEventFilter } from './service.ts';

/** Returns the faxes among the targets of entries that exist and that the caller may see, by id. */
export type FindAuditedFaxes = (
  caller: Caller,
  targets: readonly { readonly kind: string; readonly id: string | null }[],
) => Promise<ReadonlyMap<string, AuditedFax>>;

/** The security audit, page by page and as a file. */
export function auditServedRoutes(audit: AuditReader, findFaxes: FindAuditedFaxes): ServedRoute[] {
  const presentFor = (caller: Caller) => async (entries: readonly SecurityEntry[]) => {
    const faxes = await findFaxes(
      caller,
      entries.map(({ target }) => target),
    );
    return entries.map((entry) => present(entry, faxes.get(entry.target.id ?? '') ?? null));
  };
  return [
    serve(routes.listAudit, async ({ query, caller }) => {
      const { limit, cursor } = query;
      const page = await audit.list({ ...filterOf(query), limit, cursor });
      return { ...page, items: await presentFor(caller)(page.items) };
    }),
    serve(routes.verifyAudit, () => audit.verify()),
    serve(routes.exportAudit, async ({ query, caller }) => {
      const filter = filterOf(query);
      const isCsv = query.format === 'csv';
      const lines = isCsv ? audit.csv(filter) : audit.json(filter, presentFor(caller));
      const fileName = `faxdesk-audit-${audit.today()}.${query.format}`;
      return new FileReply(Readable.from(lines, { objectMode: false }), {
        contentType: isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
      });
    }),
  ];
}

interface AuditQuery {
  actor_id?: string | undefined;
  target_id?: string | undefined;
  operation?: readonly string[] | undefined;
  outcome?: SecurityEntry['outcome'] | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

function filterOf(query: AuditQuery): SecurityEventFilter {
  const { actor_id: actorId, target_id: targetId, operation: operations, outcome } = query;
  const { since, until } = query;
  return { actorId, targetId, operations, outcome, since: storedTime(since), until: storedTime(until) };
}

function present(entry: SecurityEntry, fax: AuditedFax | null) {
  return {
    id: entry.id,
    at: entry.occurredAt,
    last_at: entry.lastAt,
    count: entry.count,
    actor: entry.actor,
    credential_kind: entry.credentialKind,
    operation: entry.operation,
    target: entry.target,
    outcome: entry.outcome,
    policy_version: entry.policyVersion,
    request_id: entry.requestId,
    details: entry.details,
    fax,
    seq: entry.seq,
    digest: entry.digest,
  };
}
