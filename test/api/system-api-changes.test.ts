import { describe, expect, test } from 'vitest';
import type { Contract } from '../../scripts/api-contract.ts';
import { contractChanges } from '../../scripts/contract-changes.ts';
import { changesSinceRelease, undeclaredChanges } from '../../scripts/describe-changes.ts';

const BEFORE: Contract = {
  routes: {
    sendFax: {
      call: 'POST /fax',
      query: { 'wait?': 'boolean' },
      body: { to: 'string', 'urgent?': 'boolean', 'mode?': ['"fast"', '"slow"'] },
      answer: '#Fax',
    },
    getFax: { call: 'GET /fax/{id}', answer: '#Fax' },
  },
  types: {
    Fax: { id: 'string', error: ['null', 'string'], pages: { '[]': '#Page' } },
    Page: { number: 'integer' },
  },
};

/** The contract with one route or type in another form. */
const withRoute = (id: string, route: object): Contract => ({
  ...BEFORE,
  routes: { ...BEFORE.routes, [id]: { ...(BEFORE.routes[id] as Contract['routes'][string]), ...route } },
});
const withType = (name: string, type: object): Contract => ({
  ...BEFORE,
  types: { ...BEFORE.types, [name]: { ...(BEFORE.types[name] as object), ...type } },
});
const without = (name: string, field: string): Contract => {
  const { [field]: _removed, ...rest } = BEFORE.types[name] as Record<string, string>;
  return { ...BEFORE, types: { ...BEFORE.types, [name]: rest } };
};
const { sendFax: _gone, ...otherRoutes } = BEFORE.routes;
const BODY = BEFORE.routes['sendFax']?.body as object;

const BREAKING: [string, Contract][] = [
  ['POST /fax: removed (`sendFax`)', { ...BEFORE, routes: otherRoutes }],
  ['GET /fax/{id}: now GET /faxes/{id}', withRoute('getFax', { call: 'GET /faxes/{id}' })],
  ['POST /fax query `wait`: removed', withRoute('sendFax', { query: {} })],
  [
    'POST /fax body `to`: removed',
    withRoute('sendFax', { body: { 'urgent?': 'boolean', 'mode?': ['"fast"', '"slow"'] } }),
  ],
  ['POST /fax body `from`: added, required', withRoute('sendFax', { body: { ...BODY, from: 'string' } })],
  ['POST /fax body `mode`: "slow" removed', withRoute('sendFax', { body: { ...BODY, 'mode?': '"fast"' } })],
  ['POST /fax body `to`: string removed', withRoute('sendFax', { body: { ...BODY, to: 'integer' } })],
  ['Fax (answer) `error`: removed', without('Fax', 'error')],
  ['Fax (answer) `id`: integer added', withType('Fax', { id: 'integer' })],
  ['Fax (answer) `id`: null added', withType('Fax', { id: ['null', 'string'] })],
  ['Page (answer) `number`: removed', without('Page', 'number')],
];

const COMPATIBLE: [string, Contract][] = [
  [
    'GET /fax: added (`listFaxes`)',
    { ...BEFORE, routes: { ...BEFORE.routes, listFaxes: { call: 'GET /fax' } } },
  ],
  ['POST /fax body `note`: added', withRoute('sendFax', { body: { ...BODY, 'note?': 'string' } })],
  [
    'POST /fax body `mode`: "best" added',
    withRoute('sendFax', { body: { ...BODY, 'mode?': ['"best"', '"fast"', '"slow"'] } }),
  ],
  ['Fax (answer) `cost`: added', withType('Fax', { cost: 'string' })],
];

describe('a change of the contract', () => {
  test.each(BREAKING)('is breaking: %s', (text, after) => {
    expect(contractChanges(BEFORE, after)).toContainEqual({ text, isBreaking: true });
  });

  test.each(COMPATIBLE)('is compatible: %s', (text, after) => {
    expect(contractChanges(BEFORE, after)).toEqual([{ text, isBreaking: false }]);
  });

  test('is none between equal contracts', () => {
    expect(contractChanges(BEFORE, structuredClone(BEFORE))).toEqual([]);
  });
});

test('rule (api): a change that breaks programs of the last release is declared with its reason', () => {
  expect(
    undeclaredChanges(changesSinceRelease()),
    'keep what the last release had (docs/api-contract.json), or declare the change in docs/api-changes.json with its reason and run `npm run docs`',
  ).toEqual([]);
});
