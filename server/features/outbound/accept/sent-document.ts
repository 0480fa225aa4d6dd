import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaxEdits } from '../../../../shared/api/outbound-edits.ts';
import { StorageMissingError } from '../../../adapters/storage/port.ts';
import type {
  DocumentContent,
  DocumentSource,
  PreparedDocument,
  PrintedLine,
} from '../../../documents/documents.ts';
import { newId } from '../../../platform/ids.ts';
import type { Caller } from '../../access/service.ts';
import type { PlacedSignature } from '../../desk/service.ts';
import { documentGone, noSuchPage } from '../errors.ts';
import { besideDocument, editsOf, originalArtifact } from '../kept-original.ts';
import type { OutboundParts } from '../parts.ts';
import type { DocumentIdentity } from '../store/guard-store.ts';
import { type JobRow, type PacketDocument, packetOf } from '../types.ts';
import { refuseBadDocuments } from './document-refusal.ts';
import { areEdited, editFacts, sentDigestOf, unedited } from './edited-source.ts';
import { documentFingerprintOf } from './idempotency.ts';
import { withSignatures } from './placed-signatures.ts';

/** An uploaded file with the digest of what was sent. */
export type UploadedSource = DocumentSource & { readonly digest: string };

/** Facts of the prepared PDF that a fax records. */
export type DocumentFacts = Pick<PreparedDocument, 'sha256' | 'sizeBytes' | 'pages' | 'sourceMediaType'> & {
  /** Documents of a case packet; left out for other faxes. */
  readonly packet?: readonly PacketDocument[];
  /** Changes to its pages, with the original that is stored beside it; left out where there are none. */
  readonly edits?: FaxEdits;
  /** Signatures and stamps that the sender put on its pages; left out where there are none, and for a copy. */
  readonly placed?: readonly PlacedSignature[];
};

/** Composes the cover page of a fax with so many pages of its own. Throws a refusal. */
export type ComposeCover = (pages: number) => Promise<UploadedSource>;

/** The document of a fax that is being accepted. */
export interface SentDocument {
  /** Names of the uploaded files, in order. */
  readonly fileNames: readonly string[];
  /** Digests of the same files: two requests with the same ones have the same document. */
  readonly digests: readonly string[];
  /** Recognizes the same document in another fax. */
  readonly identity: DocumentIdentity;
  /** Expected duration of its call, in seconds; null unless every page was measured. */
  readonly callSeconds: number | null;
  /**
   * Stores the prepared PDF under this name, flushed, behind its cover page where it has one. Throws a refusal for what
   * cannot be sent.
   */
  store(artifact: string, cover: ComposeCover | null): Promise<DocumentFacts>;
}

/** Lends the document for the time of `work`. Throws a refusal when it is gone. */
export type LendDocument = <T>(work: (document: SentDocument) => Promise<T>) => Promise<T>;

/** Makes the documents of faxes that are being accepted. */
export interface SentDocuments {
  /** Files that came with the request: they are prepared in their place in the storage. */
  ofUpload(sources: readonly UploadedSource[], by: { caller: Caller; cleanGreys: boolean }): SentDocument;
  /** The document of an earlier fax, which was prepared when that one was accepted. Throws a 404 refusal when it is gone. */
  ofFax(job: JobRow): SentDocument;
  /** The document that a broadcast keeps for its faxes. Each has it under a second name of the same file. */
  ofBroadcast(document: KeptDocument): SentDocument;
  /** The pages of the document of an earlier fax from number `from` (counted from 1) on. Throws a 404 refusal when it is gone. */
  ofPages(job: JobRow, from: number): SentDocument;
}

/** Document that is stored under a name of its own. */
interface KeptDocument {
  readonly artifact: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pages: number;
  readonly sourceDigest: string;
  readonly callSeconds: number | null;
  /** Changes to its pages, with the original that is stored beside it; null where there are none. */
  readonly edits: FaxEdits | null;
  /** Printed on a page of the whole, behind a cover page; null for none. */
  readonly line: PrintedLine | null;
}

export function createSentDocuments(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings' | 'workDirectory' | 'desk'>,
): SentDocuments {
  return {
    ofUpload: (sources, by) => uploadedDocument(parts, sources, by),
    ofFax: (job) => storedDocument(parts, job),
    ofBroadcast: (document) => keptDocument(parts, document),
    ofPages: (job, from) => storedPages(parts, job, from),
  };
}

function uploadedDocument(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings' | 'workDirectory' | 'desk'>,
  uploaded: readonly UploadedSource[],
  { caller, cleanGreys }: { caller: Caller; cleanGreys: boolean },
): SentDocument {
  return {
    fileNames: uploaded.map(({ fileName }) => fileName),
    digests: uploaded.map(sentDigestOf),
    identity: identityOf(uploaded),
    callSeconds: null,
    async store(artifact, cover) {
      const { id: by, displayName: signer } = caller.principal;
      const { sources, placed } = await withSignatures(parts.desk.signatures, caller, uploaded);
      const sent = await (cover === null
        ? prepareInto(parts, artifact, { sources, by, cleanGreys, fromPage: 1 })
        : storeCovered(parts, artifact, { sources, by, cleanGreys, cover }));
      if (!areEdited(sources)) return sent;
      const given = { sources: unedited(sources), by, cleanGreys: false, fromPage: 1 };
      const original = await prepareInto(parts, besideDocument(artifact), given);
      const edits = editFacts(sources, original, { sentPages: ownPages(sent, cover), signer });
      return { ...sent, edits, placed };
    },
  };
}

/** Stores files behind a cover page, which counts their pages. */
export async function storeCovered(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings'>,
  artifact: string,
  wanted: {
    sources: readonly UploadedSource[];
    by: string;
    cleanGreys: boolean;
    cover: ComposeCover;
    /** Printed on a page; left out for none. */
    line?: PrintedLine | null;
  },
): Promise<DocumentFacts> {
  const { sources, by, cleanGreys, cover, line = null } = wanted;
  const checks = await refuseBadDocuments(parts.documents.for(by).quickCheck([...sources]));
  const page = await cover(
    checks.reduce((sum, { pages }, i) => sum + (sources[i]?.edits?.length ?? pages), 0),
  );
  const facts = await prepareInto(parts, artifact, {
    sources: [page, ...sources],
    by,
    cleanGreys,
    fromPage: 1,
    line,
  });
  const types = new Set(checks.map(({ mediaType }) => mediaType));
  const [only] = types;
  return { ...facts, sourceMediaType: types.size === 1 && only ? only : 'application/pdf' };
}

/** Stores a document with a line of text on its first or last page. Throws the errors of its `store`. */
export async function storeWithLine(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings'>,
  artifact: string,
  { document, by, line }: { document: SentDocument; by: string; line: PrintedLine },
): Promise<DocumentFacts> {
  // The file that a killed gateway leaves is removed like any document that nobody keeps.
  const plain = artifact.replace(/\.pdf$/u, '-plain.pdf');
  const facts = await document.store(plain, null);
  try {
    const printed = await parts.storage.withFile(plain, (file) => {
      const content = typeof file === 'string' ? { path: file } : file;
      const source = { ...content, fileName: 'document.pdf', declaredType: 'application/pdf' };
      return prepareInto(parts, artifact, { sources: [source], by, cleanGreys: false, fromPage: 1, line });
    });
    const { sourceMediaType, placed = [], edits } = facts;
    if (edits) await copyStored(parts.storage, besideDocument(plain), besideDocument(artifact));
    return { ...printed, sourceMediaType, placed, ...(edits && { edits }) };
  } finally {
    await parts.storage.remove(plain);
    if (facts.edits) await parts.storage.remove(besideDocument(plain));
  }
}

/** Returns the pages of a stored document without its cover page. */
export const ownPages = ({ pages }: Pick<DocumentFacts, 'pages'>, cover: ComposeCover | null): number =>
  cover === null ? pages : pages - 1;

/** Prepares a document in its place in the storage. */
async function prepareInto(
  { documents, settings, storage }: Pick<OutboundParts, 'storage' | 'documents' | 'settings'>,
  artifact: string,
  wanted: {
    sources: readonly DocumentSource[];
    by: string;
    cleanGreys: boolean;
    fromPage: number;
    line?: PrintedLine | null;
  },
): Promise<DocumentFacts> {
  const { sources, by, cleanGreys, fromPage, line = null } = wanted;
  const maxBytes = settings.maxFileBytes();
  return storage.create(artifact, ({ path, durable, seal }) => {
    const options = { maxBytes, durable, cleanGreys, fromPage, line, seal };
    return refuseBadDocuments(documents.for(by).prepare([...sources], path, options));
  });
}

/** Returns the identity of uploaded files. */
export function identityOf(sources: readonly Pick<UploadedSource, 'digest' | 'edits'>[]): DocumentIdentity {
  const digests = sources.map(sentDigestOf);
  const [only, second] = digests;
  const onlyFileDigest = second === undefined && !areEdited(sources) ? (only ?? null) : null;
  return { sourceDigest: documentFingerprintOf(digests), onlyFileDigest };
}

/** Returns the identity of the document of an earlier fax. */
const identityOfFax = (job: JobRow): DocumentIdentity => ({
  sourceDigest: job.source_digest ?? documentFingerprintOf([job.document_sha256]),
  onlyFileDigest: job.document_sha256,
});

function storedDocument({ storage }: Pick<OutboundParts, 'storage'>, job: JobRow): SentDocument {
  return {
    fileNames: [job.document_name],
    digests: [`${job.id} ${job.document_sha256}`],
    identity: identityOfFax(job),
    callSeconds: job.call_seconds,
    async store(artifact) {
      await copyStored(storage, job.artifact, artifact);
      const edits = await copyOriginal({ storage }, job, artifact);
      return {
        ...(edits && { edits }),
        sha256: job.document_sha256,
        sizeBytes: job.document_size,
        pages: job.document_pages,
        sourceMediaType: job.document_media_type as DocumentFacts['sourceMediaType'],
        ...(job.packet === null ? {} : { packet: packetOf(job) }),
      };
    },
  };
}

function keptDocument(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings'>,
  kept: KeptDocument,
): SentDocument {
  const { storage } = parts;
  return {
    fileNames: [kept.fileName],
    digests: [`${kept.artifact} ${kept.sha256}`],
    identity: { sourceDigest: kept.sourceDigest, onlyFileDigest: null },
    callSeconds: kept.callSeconds,
    async store(artifact, cover) {
      const facts = await storeKept(parts, artifact, { kept, cover });
      if (kept.edits === null) return facts;
      await copyStored(storage, besideDocument(kept.artifact), besideDocument(artifact));
      return { ...facts, edits: kept.edits };
    },
  };
}

/** Stores the document of a broadcast as one fax of it gets it. */
async function storeKept(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings'>,
  artifact: string,
  { kept, cover }: { kept: KeptDocument; cover: ComposeCover | null },
): Promise<DocumentFacts> {
  if (cover !== null) return storeKeptCovered(parts, artifact, { kept, cover });
  await copyStored(parts.storage, kept.artifact, artifact);
  return {
    sha256: kept.sha256,
    sizeBytes: kept.sizeBytes,
    pages: kept.pages,
    sourceMediaType: kept.mediaType as DocumentFacts['sourceMediaType'],
  };
}

/** Stores the document of a broadcast behind a cover page of this fax alone. */
async function storeKeptCovered(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings'>,
  artifact: string,
  { kept, cover }: { kept: KeptDocument; cover: ComposeCover },
): Promise<DocumentFacts> {
  const facts = await withArtifact(parts, kept.artifact, (content) => {
    const { fileName, sha256: digest, line } = kept;
    const source = { ...content, fileName, declaredType: 'application/pdf', digest };
    return storeCovered(parts, artifact, {
      sources: [source],
      by: kept.artifact,
      cleanGreys: false,
      cover,
      line,
    });
  });
  return { ...facts, sourceMediaType: kept.mediaType as DocumentFacts['sourceMediaType'] };
}

/** Gives a stored document a second name. Throws a 404 refusal when it is gone. */
async function copyStored(
  storage: OutboundParts['storage'],
  stored: string | null,
  artifact: string,
): Promise<void> {
  if (stored === null) throw documentGone();
  await storage.duplicate(stored, artifact).catch((error: unknown) => {
    throw error instanceof StorageMissingError ? documentGone() : error;
  });
}

/** Copies the original of a fax whose pages were changed to the copy of the fax. Returns its changes; null for none. */
async function copyOriginal(
  { storage }: Pick<OutboundParts, 'storage'>,
  job: JobRow,
  artifact: string,
): Promise<FaxEdits | null> {
  const edits = editsOf(job);
  if (edits === null) return null;
  await copyStored(storage, originalArtifact(job.id), besideDocument(artifact));
  return edits;
}

function storedPages(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings'>,
  job: JobRow,
  from: number,
): SentDocument {
  return {
    fileNames: [job.document_name],
    digests: [`${job.id} ${job.document_sha256} ${from}`],
    identity: identityOf([{ digest: `${job.id} ${job.document_sha256} ${from}` }]),
    callSeconds: null,
    async store(artifact) {
      const facts = await withStoredFile(parts, job, (source) =>
        prepareInto(parts, artifact, {
          sources: [source],
          by: job.created_by,
          cleanGreys: false,
          fromPage: from,
        }),
      );
      const edits = await copyOriginal(parts, job, artifact);
      const sourceMediaType = job.document_media_type as DocumentFacts['sourceMediaType'];
      return { ...facts, sourceMediaType, ...(edits && { edits }) };
    },
  };
}

/** Lends the prepared PDF of a fax for the time of `work`. Throws a 404 refusal when it is gone. */
async function withStoredFile<T>(
  parts: Pick<OutboundParts, 'storage'>,
  { artifact, document_name: fileName }: JobRow,
  work: (source: DocumentSource) => Promise<T>,
): Promise<T> {
  if (artifact === null) throw documentGone();
  return withArtifact(parts, artifact, (content) =>
    work({ ...content, fileName, declaredType: 'application/pdf' }),
  );
}

/** Lends a stored PDF for the time of `work`. Throws a 404 refusal when it is gone. */
async function withArtifact<T>(
  { storage }: Pick<OutboundParts, 'storage'>,
  artifact: string,
  work: (content: DocumentContent) => Promise<T>,
): Promise<T> {
  return storage
    .withFile(artifact, (file) => work(typeof file === 'string' ? { path: file } : file))
    .catch((error: unknown) => {
      throw error instanceof StorageMissingError ? documentGone() : error;
    });
}

/** Returns the document of a fax from a page (counted from 1) on. Throws a 404 refusal when it is gone or has no such page. */
export async function readPages(
  parts: Pick<OutboundParts, 'storage' | 'documents' | 'settings' | 'workDirectory'>,
  job: JobRow,
  from: number,
): Promise<Uint8Array> {
  if (from > job.document_pages) throw noSuchPage({ page: from, pages: job.document_pages });
  const path = join(parts.workDirectory, `${newId()}.pdf`);
  try {
    await withStoredFile(parts, job, (source) => {
      const options = { maxBytes: parts.settings.maxFileBytes(), fromPage: from };
      return refuseBadDocuments(parts.documents.for(job.created_by).prepare([source], path, options));
    });
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Returns the first file's name without control characters, with the number of further files. */
export function documentNameOf(fileNames: readonly string[]): string {
  const first = (fileNames[0] ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, 200) || 'document';
  return fileNames.length > 1 ? `${first} and ${fileNames.length - 1} more` : first;
}
