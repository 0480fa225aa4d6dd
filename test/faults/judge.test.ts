import { expect, test } from 'vitest';
import { isClean, judge, type Verdict } from '../endure/world/judge.ts';
import type { Evidence } from '../endure/world/records.ts';

const client = { key: 'k', to: '+12022000001', id: 'f1', sha256: 'aa', isCancelled: false };
const vendorFax = { vendor: 'cloudone', id: 'v1', to: client.to, state: 'success', sha256: 'aa' } as const;
const reportedFax = {
  id: 'f1',
  to: client.to,
  state: 'success',
  reason: null,
  sha256: 'aa',
  downloaded: 'aa',
};
const incomingFax = { vendor: 'cloudtwo', id: 'r1', pages: 2, sha256: 'bb', isAcknowledged: true };
const reportedIncomingFax = {
  vendor: 'cloudtwo',
  id: 'r1',
  status: 'received',
  pages: 2,
  problem: null,
  sha256: 'bb',
  downloaded: 'bb',
};

/** Evidence about one delivered and one received fax, without a fault. */
const GOOD: Evidence = {
  clients: [client],
  vendors: [vendorFax],
  incoming: [incomingFax],
  hasJumped: false,
  reportedFaxes: [reportedFax],
  reportedIncoming: [reportedIncomingFax],
  stored: new Set(['aa', 'bb']),
  found: new Set(['aa', 'bb']),
};

test('a trial in which all went well is judged so', () => {
  expect(isClean(judge(GOOD))).toBe(true);
});

const doubled = { ...vendorFax, id: 'v2' };
const open = { ...vendorFax, state: 'open' } as const;
const needsConfirmation = { ...reportedFax, state: 'reconciliation_required' };

test.each<[string, keyof Verdict, Partial<Evidence>]>([
  ['an accepted fax that is not there', 'lost', { reportedFaxes: [] }],
  ['an acknowledged fax that is not there', 'lost', { reportedIncoming: [] }],
  ['a fax that the provider has twice', 'twice', { vendors: [vendorFax, doubled] }],
  ['a fax that is recorded twice', 'twice', { reportedFaxes: [reportedFax, { ...reportedFax, id: 'f2' }] }],
  [
    'a received fax that is listed twice',
    'twice',
    { reportedIncoming: [reportedIncomingFax, reportedIncomingFax] },
  ],
  ['a delivery that the provider does not show', 'false', { vendors: [open] }],
  ['a delivery of what the provider never had', 'false', { vendors: [] }],
  [
    'a failure that the provider does not show',
    'false',
    { reportedFaxes: [{ ...reportedFax, state: 'failed' }] },
  ],
  [
    'a fax that was given up although its provider has it',
    'false',
    { hasJumped: true, reportedFaxes: [{ ...reportedFax, state: 'failed', reason: 'Waited for a day.' }] },
  ],
  ['a cancelled fax that goes out', 'false', { reportedFaxes: [{ ...reportedFax, state: 'cancelled' }] }],
  ['a fax whose client was told of another document', 'false', { clients: [{ ...client, sha256: 'cc' }] }],
  ['another document at the provider', 'false', { vendors: [{ ...vendorFax, sha256: 'cc' }] }],
  [
    'a document that opens as another one',
    'false',
    { reportedFaxes: [{ ...reportedFax, downloaded: 'cc' }] },
  ],
  [
    'a received fax with too few pages',
    'false',
    { reportedIncoming: [{ ...reportedIncomingFax, pages: 1 }] },
  ],
  ['a received fax that never came in', 'false', { incoming: [] }],
  [
    'a received fax with another document',
    'false',
    { reportedIncoming: [{ ...reportedIncomingFax, sha256: 'cc' }] },
  ],
  ['a document that cannot be opened', 'deleted', { reportedFaxes: [{ ...reportedFax, downloaded: null }] }],
  [
    'a received document that cannot be opened',
    'deleted',
    { reportedIncoming: [{ ...reportedIncomingFax, downloaded: null }] },
  ],
  ['a document that is nowhere any more', 'deleted', { found: new Set(['aa']) }],
  [
    'a fax that waits for ever',
    'stuck',
    { reportedFaxes: [{ ...reportedFax, state: 'submitting' }], vendors: [open] },
  ],
  ['a question without a reason', 'stuck', { reportedFaxes: [needsConfirmation] }],
  [
    'a received fax that waits for ever',
    'stuck',
    { reportedIncoming: [{ ...reportedIncomingFax, status: 'waiting' }] },
  ],
])('%s is found', (_name, kind, change) => {
  const verdict = judge({ ...GOOD, ...change });
  expect(verdict[kind]).not.toEqual([]);
});

test('a question with a reason, and a fax that a person sent again, are as they should be', () => {
  const again = { ...client, isSentAgain: true };
  expect(
    judge({ ...GOOD, reportedFaxes: [{ ...needsConfirmation, reason: 'Check with the recipient.' }] }),
  ).toEqual(judge(GOOD));
  expect(judge({ ...GOOD, clients: [again], vendors: [vendorFax, doubled] })).toEqual(judge(GOOD));
});
