/** Contacts in the field To, on the Send screen. */
export const recipient = {
  suggestions: 'Matching contacts and numbers',
  unknownCode: (code: string) => `No country uses the code ${code}`,
  isItRight: 'Is the number right?',
  changeNumber: 'Change the number',
  keepNumber: 'Yes, use it',
  lastUsed: (when: string) => `Last used ${when}`,
  isBlocked: 'Blocked',
  inDirectory: 'Office directory',
  failedLately: (count: number) => (count === 1 ? 'Failed lately' : `Failed ${count} times lately`),
  noSuchName: 'Choose a contact, or enter a fax number.',
};
