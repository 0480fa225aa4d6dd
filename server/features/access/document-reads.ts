import type { RouteDefinition } from '../../../shared/api/route.ts';
import type { DocumentPurpose } from '../../../shared/api/values.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { Caller } from '../../http/caller.ts';
import type { Call } from '../../http/handler.ts';
import { type CountedEvents, recordedActor } from '../audit/service.ts';
import { actorOf } from './authenticated-caller.ts';

/** Purpose of a document read: undefined when none was given; `none` for a request whose answer has no bytes (HEAD). */
export type DocumentUse = DocumentPurpose | 'none' | undefined;

/** A read of a document, or of a part of it. */
export interface DocumentRead {
  readonly use: DocumentUse;
  readonly document:
    | 'received fax'
    | 'original of a received fax'
    | 'sent fax'
    | 'original of a sent fax'
    | 'transmission report';
  /** ID of the fax. */
  readonly id: string;
}

/** Records a document read in the security audit. Never throws: a failed record must not keep a person from a fax. */
export type NoteDocumentRead = (caller: Caller, read: DocumentRead) => Promise<void>;

const OPERATIONS: Readonly<Record<DocumentPurpose, AuditOperation>> = {
  open: 'document.opened',
  print: 'document.printed',
  download: 'document.downloaded',
};

/** One record for the same document, use and person (or key) in an hour, with a count. */
export function createDocumentReads({ counted }: { counted: CountedEvents }): NoteDocumentRead {
  return async (caller, { use = usualPurpose(caller), document, id }) => {
    if (use === 'none') return;
    const { kind, id: credentialId } = caller.credential;
    await counted.count({
      ...recordedActor(actorOf(caller)),
      operation: OPERATIONS[use],
      target: { kind: document.endsWith('received fax') ? 'inbound_fax' : 'fax', id },
      outcome: 'done',
      details: { document, ...(kind === 'key' ? { key: credentialId } : {}) },
    });
  };
}

/** Returns the default purpose: a browser shows the bytes; a program's use of them is unknown, but it has them. */
function usualPurpose({ credential: { kind } }: Caller): DocumentPurpose {
  return kind === 'session' ? 'open' : 'download';
}

/** Returns the purpose of a request for a document, or for a part of one. */
export function documentUse(
  { request }: Pick<Call<RouteDefinition>, 'request'>,
  purpose: DocumentPurpose | undefined,
): DocumentUse {
  return request.method === 'HEAD' ? 'none' : purpose;
}
