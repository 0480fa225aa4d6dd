/**
 * A signed report is one file: a PDF, and after it one line with the place of its facts and the signature. The signature is over
 * every byte before it, so nothing can be changed, removed or added. The facts are attached to the PDF as they are.
 */

/** Name of the attachment with the facts. */
export const FACTS_FILE = 'faxdesk-report.json';
/** Name of the attachment with the public key. */
export const KEY_FILE = 'signing-key.pem';

const MARK = '%faxdesk-report-1';
const SIGNATURE_BYTES = 64;
/** Of the signature in hex and the end of the line. */
const TAIL = SIGNATURE_BYTES * 2 + 1;
const LINE = /%faxdesk-report-1 (?<at>[1-9]\d{0,9}) (?<length>[1-9]\d{0,9}) (?<signature>[0-9a-f]{128})\n$/u;
/** More than the line has. */
const MAX_LINE = 200;

/** Signs a PDF that has the facts as an attachment, uncompressed. */
export function signReport(
  pdf: Uint8Array,
  facts: Uint8Array,
  sign: (bytes: Uint8Array) => Uint8Array,
): Buffer {
  const at = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).indexOf(facts);
  if (at === -1) throw new Error('the report does not have its facts');
  const signed = Buffer.concat([pdf, Buffer.from(`${MARK} ${at} ${facts.length} `)]);
  return Buffer.concat([signed, Buffer.from(`${Buffer.from(sign(signed)).toString('hex')}\n`)]);
}

/** Parts of a report as they are in the file, unchecked. */
interface ReportParts {
  /** Bytes that the signature is over. */
  readonly signed: Buffer;
  readonly signature: Buffer;
  readonly facts: Buffer;
}

/** Returns the parts of a report, or a sentence that says why the file is none as it was made. */
export function splitReport(file: Buffer): ReportParts | string {
  const tail = file.subarray(Math.max(0, file.length - MAX_LINE)).toString('latin1');
  const found = LINE.exec(tail)?.groups;
  if (!found) return noLine(file);
  const at = Number(found['at']);
  const length = Number(found['length']);
  if (at + length > file.length) return 'The place of its facts was altered.';
  return {
    signed: file.subarray(0, file.length - TAIL),
    signature: Buffer.from(found['signature'] ?? '', 'hex'),
    facts: file.subarray(at, at + length),
  };
}

function noLine(file: Buffer): string {
  const at = file.lastIndexOf(MARK);
  const end = at === -1 ? -1 : file.indexOf('\n', at);
  if (end !== -1 && LINE.test(file.subarray(at, end + 1).toString('latin1')))
    return end + 1 < file.length
      ? `${file.length - end - 1} bytes were added after its end.`
      : 'The line with its signature was altered.';
  const isReport = file.includes(FACTS_FILE) || at !== -1;
  return isReport
    ? 'It was cut off, or the line with its signature was altered.'
    : 'This is not a report that Faxdesk signed.';
}
