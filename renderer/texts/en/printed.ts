/** Documents that were printed to Faxdesk. */
export const printed = {
  title: (count: number) => (count === 1 ? 'A printed document waits' : `${count} printed documents wait`),
  help: 'Nothing is sent until you send it.',
  unnamed: 'Printed document',
  facts: (pages: number, when: string, by: string | null) =>
    `${pages === 1 ? '1 page' : `${pages} pages`}, printed ${when}${by === null ? '' : ` by ${by}`}`,
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
