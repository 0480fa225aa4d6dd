import { StorageMissingError } from '../../../adapters/storage/port.ts';
import { readingError } from '../../../adapters/storage/reading-port.ts';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { isoTime } from '../../../platform/clock.ts';
import { SealError } from '../../../platform/errors.ts';
import type { FileToRead } from '../../../platform/file-cipher.ts';
import { paperOf } from '../../../platform/paper.ts';
import type { Caller } from '../../access/service.ts';
import type { Signer } from '../../signing/types.ts';
import type { OutboundParts } from '../parts.ts';
import type { FaxRecord } from '../types.ts';
import { type FirstPage, REPORT_FORMAT } from './facts.ts';
import { captionOf, reportContent } from './report-content.ts';
import { readFacts } from './report-facts.ts';
import { FACTS_FILE, KEY_FILE, signReport } from './report-file.ts';

/** Returns the key that signs reports. Throws SealError (503) while it cannot be read. */
export type ReportSigner = () => Promise<Signer>;

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'storage' | 'documents' | 'transports' | 'settings'> & {
  readonly signer: ReportSigner;
};

/** Creates transmission reports. */
export interface TransmissionReports {
  /**
   * Creates the signed report: the result, the facts, a picture of page 1 while it is kept, every attempt, what was
   * confirmed and the history. Throws SealError (503) while the signing key cannot be read.
   */
  create(caller: Caller, fax: FaxRecord): Promise<Buffer>;
}

export function createTransmissionReports(parts: Parts): TransmissionReports {
  return { create: (caller, fax) => createReport(parts, caller, fax) };
}

async function createReport(parts: Parts, caller: Caller, record: FaxRecord): Promise<Buffer> {
  const { settings, storage } = parts;
  const { artifact } = record.job;
  const signer = await parts.signer();
  const factsWith = await readFacts(parts, record, {
    format: REPORT_FORMAT,
    created_at: isoTime(parts.clock.now()),
    issuer: {
      organization: settings.organization(),
      fax_number: settings.ownNumber(),
      key_fingerprint: signer.key.fingerprint,
      public_key: signer.key.publicKey,
    },
  });
  const draw = async (firstPage: FirstPage, pdfPath: FileToRead | null) => {
    const facts = factsWith(firstPage);
    const json = Buffer.from(canonicalJson(facts));
    const content = reportContent(facts, wordsOf(parts));
    const picture = { pdfPath, caption: captionOf(firstPage, facts.fax) };
    const pdf = await parts.documents
      .for(caller.principal.id)
      .transmissionReport({ ...content, picture, attachments: attachmentsOf(json, signer) });
    return signReport(pdf, json, (bytes) => signer.sign(bytes));
  };
  if (artifact === null) return draw('not_kept', null);
  try {
    return await storage.withFile(artifact, (file) => draw('shown', file));
  } catch (thrown) {
    const error = readingError(thrown);
    // The report can be drawn without the document.
    if (error instanceof StorageMissingError || error instanceof SealError) return draw('unreadable', null);
    throw error;
  }
}

function wordsOf({ settings }: Pick<Parts, 'settings'>) {
  return {
    country: settings.country(),
    timeZone: settings.timeZone(),
    referenceLabel: settings.referenceLabel(),
    paper: paperOf(settings.country()),
  };
}

const attachmentsOf = (facts: Uint8Array, { key }: Signer) => [
  {
    name: FACTS_FILE,
    mediaType: 'application/json',
    description: 'Signed facts of this report',
    bytes: facts,
  },
  {
    name: KEY_FILE,
    mediaType: 'application/x-pem-file',
    description: 'Public key that signed this report',
    bytes: Buffer.from(key.publicKey),
  },
];
