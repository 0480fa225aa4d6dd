/** As long as the suffix of documents, from whose names the id of the fax is read. */
const SUFFIX = '.org';

/** Returns the name of an original in the storage: `inbound/<fax_id>-<first 12 of the SHA-256>.org`. */
export function originalName(faxId: string, sha256: string): string {
  return `inbound/${faxId}-${sha256.slice(0, 12)}${SUFFIX}`;
}
