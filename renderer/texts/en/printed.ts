/** Documents that were printed to Faxdesk. */
export const printed = {
  title: (count: number, kind: 'printed' | 'scanned' | null) => {
    const name = kind === null ? 'document' : `${kind} document`;
    return count === 1 ? `A ${name} waits` : `${count} ${name}s wait`;
  },
  help: 'Nothing is sent until you send it.',
  notice: (pages: number) =>
    `${pages === 1 ? '1 page' : `${pages} pages`}. Nothing is sent until you send it.`,
  unnamed: 'Printed document',
  unnamedScan: 'Scanned document',
  facts: (pages: number, kind: 'printed' | 'scanned', when: string, by: string | null) =>
    `${pages === 1 ? '1 page' : `${pages} pages`}, ${kind} ${when}${by === null ? '' : ` by ${by}`}`,
  forNumber: (to: string) => `, for ${to}`,
  otherNumber: (name: string, to: string) =>
    `“${name}” was printed for ${to}, and this fax goes to another number. Add it anyway?`,
  addAnyway: 'Add anyway',
  isItYours: 'Is it yours?',
  add: 'Add to the fax',
  addOne: (name: string) => `Add to the fax: ${name}`,
  take: 'Yes, add it',
  takeOne: (name: string) => `Yes, add it: ${name}`,
  added: (name: string) => `“${name}” was added to the fax.`,
  discardOne: (name: string) => `Discard ${name}`,
  question: (name: string) => `Discard “${name}”?`,
  discard: 'Discard',
  keep: 'Keep',
  discarded: (name: string) => `“${name}” was discarded.`,
};
