import type { DocumentPurpose } from '../../../shared/api/values.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { Caller } from '../../http/caller.ts';
import { type CountedEvents, recordedActor } from '../audit/service.ts';
import { actorOf } from './types.ts';

/** A document that somebody got to see, or a part of it. */
export interface DocumentRead {
  /** What they wanted it for; undefined when they did not say. */
  readonly purpose: DocumentPurpose | undefined;
  readonly document: 'received fax' | 'sent fax' | 'transmission report';
  /** Of the fax. */
  readonly id: string;
}

/** Puts into the security audit who got which document to see. Never throws: nobody is kept from a fax by its record. */
export type NoteDocumentRead = (caller: Caller, read: DocumentRead) => Promise<void>;

const OPERATIONS: Readonly<Record<DocumentPurpose, AuditOperation>> = {
  open: 'document.opened',
  print: 'document.printed',
  download: 'document.downloaded',
};

/** One record for the same document, use and person (or key) in an hour, with a count. */
export function createDocumentReads({ counted }: { counted: CountedEvents }): NoteDocumentRead {
  return (caller, { purpose = usualPurpose(caller), document, id }) => {
    const { kind, id: credentialId } = caller.credential;
    return counted.count({
      ...recordedActor(actorOf(caller)),
      operation: OPERATIONS[purpose],
      target: { kind: document === 'received fax' ? 'inbound_fax' : 'fax', id },
      outcome: 'done',
      details: { document, ...(kind === 'key' ? { key: credentialId } : {}) },
    });
  };
}

/** A browser shows the bytes that it gets; what a program does with them nobody knows, but it has them. */
function usualPurpose({ credential: { kind } }: Caller): DocumentPurpose {
  return kind === 'session' ? 'open' : 'download';
}
