import { expect, test } from 'vitest';
import { isClean, judge, type Verdict } from '../endure/world/judge.ts';
import type { Evidence } from '../endure/world/records.ts';

const client = { key: 'k', to: '+12022000001', id: 'f1', sha256: 'aa', isCancelled: false };
const vendorFax = { vendor: 'cloudone', id: 'v1', to: client.to, state: 'success', sha256: 'aa' } as const;
const told = { id: 'f1', to: client.to, state: 'success', reason: null, sha256: 'aa', downloaded: 'aa' };
const came = { vendor: 'cloudtwo', id: 'r1', pages: 2, sha256: 'bb', isAcknowledged: true };
const toldCame = {
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
  incoming: [came],
  hasJumped: false,
  told: [told],
  toldIncoming: [toldCame],
  stored: new Set(['aa', 'bb']),
  found: new Set(['aa', 'bb']),
};

test('a trial in which all went well is judged so', () => {
  expect(isClean(judge(GOOD))).toBe(true);
});

const doubled = { ...vendorFax, id: 'v2' };
const open = { ...vendorFax, state: 'open' } as const;
const asked = { ...told, state: 'reconciliation_required' };

test.each<[string, keyof Verdict, Partial<Evidence>]>([
  ['an accepted fax that is not there', 'lost', { told: [] }],
  ['an acknowledged fax that is not there', 'lost', { toldIncoming: [] }],
  ['a fax that the provider has twice', 'twice', { vendors: [vendorFax, doubled] }],
  ['a fax that is recorded twice', 'twice', { told: [told, { ...told, id: 'f2' }] }],
  ['a received fax that is listed twice', 'twice', { toldIncoming: [toldCame, toldCame] }],
  ['a delivery that the provider does not show', 'false', { vendors: [open] }],
  ['a delivery of what the provider never had', 'false', { vendors: [] }],
  ['a failure that the provider does not show', 'false', { told: [{ ...told, state: 'failed' }] }],
  [
    'a fax that was given up although its provider has it',
    'false',
    { hasJumped: true, told: [{ ...told, state: 'failed', reason: 'Waited for a day.' }] },
  ],
  ['a cancelled fax that goes out', 'false', { told: [{ ...told, state: 'cancelled' }] }],
  ['a fax whose client was told of another document', 'false', { clients: [{ ...client, sha256: 'cc' }] }],
  ['another document at the provider', 'false', { vendors: [{ ...vendorFax, sha256: 'cc' }] }],
  ['a document that opens as another one', 'false', { told: [{ ...told, downloaded: 'cc' }] }],
  ['a received fax with too few pages', 'false', { toldIncoming: [{ ...toldCame, pages: 1 }] }],
  ['a received fax that never came in', 'false', { incoming: [] }],
  ['a received fax with another document', 'false', { toldIncoming: [{ ...toldCame, sha256: 'cc' }] }],
  ['a document that cannot be opened', 'deleted', { told: [{ ...told, downloaded: null }] }],
  [
    'a received document that cannot be opened',
    'deleted',
    { toldIncoming: [{ ...toldCame, downloaded: null }] },
  ],
  ['a document that is nowhere any more', 'deleted', { found: new Set(['aa']) }],
  ['a fax that waits for ever', 'stuck', { told: [{ ...told, state: 'submitting' }], vendors: [open] }],
  ['a question without a reason', 'stuck', { told: [asked] }],
  ['a received fax that waits for ever', 'stuck', { toldIncoming: [{ ...toldCame, status: 'waiting' }] }],
])('%s is found', (_name, kind, change) => {
  const verdict = judge({ ...GOOD, ...change });
  expect(verdict[kind]).not.toEqual([]);
});

test('a question with a reason, and a fax that a person sent again, are as they should be', () => {
  const again = { ...client, isSentAgain: true };
  expect(judge({ ...GOOD, told: [{ ...asked, reason: 'Check with the recipient.' }] })).toEqual(judge(GOOD));
  expect(judge({ ...GOOD, clients: [again], vendors: [vendorFax, doubled] })).toEqual(judge(GOOD));
});
