/**
 * The messages and wordings that the contract fixes to the letter: programs and people compare them, so that they are never
 * worded anew. `test/unit/fixed-words.test.ts` has them once more.
 */
export const FIXED_WORDS = {
  noProvider: 'No fax provider set up yet.',
  workItemChanged: 'This item changed; reload and try again.',
  documentNotReceivedYet: 'The document has not been received yet.',
  invalidConfiguration: 'Invalid configuration input.',
  /** A number that nobody reported. */
  unknownNumber: 'Unknown',
  /** Of e-mails with a received fax, where a connector has no subject of its own. */
  emailSubject: 'Fax from {from_number}',
  /** `status_text` of a received fax; the contract leaves the word for `received` open. */
  receivedFax: {
    waiting: 'Waiting for the document',
    received: 'Received',
    failed: 'Not received',
  },
  workItem: {
    waiting: 'Waiting for an owner',
    assigned: 'Assigned',
    overdue: 'Overdue',
    escalated: 'Escalated',
    acknowledged: 'Acknowledged',
    done: 'Done',
  },
  /** `status` of a sent fax for earlier clients. */
  sentFax: ['queued', 'in_progress', 'SUCCESS', 'FAILED', 'disabled'],
  /** `status` of an import that was taken. */
  importResult: ['received', 'duplicate'],
} as const;
