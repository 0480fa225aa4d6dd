import { describe, expect, test } from 'vitest';
import { findEarlierResult } from '../../renderer/api/earlier-result.ts';

const MARA = { id: 'mara', display_name: 'Mara Okafor' };
const DONE = {
  kind: 'done',
  actor_id: 'mara',
  actor: 'Mara Okafor',
  text: 'Mara Okafor marked it as done: Filed.',
  owner: null,
  version: 4,
};

/** A gateway with these entries in the history of each item and fax. */
const gatewayWith =
  (events: readonly object[], fax: object = {}) =>
  async (path: string): Promise<unknown> => {
    if (path === '/auth/me') return { principal: MARA };
    if (path.endsWith('/history')) return { events };
    if (path.startsWith('/work?')) return { items: [{ id: 'item' }, { id: 'other' }] };
    return fax;
  };

const done = { path: '/work/item/done', body: { version: 3, note: 'Filed.' } };

describe('an act that was carried out before its answer was lost', () => {
  test('is found by the entry that followed the version the person saw', async () => {
    expect(await findEarlierResult(gatewayWith([DONE]), done)).toEqual({ id: 'item' });
  });

  test.each([
    ['somebody else did it', { ...DONE, actor_id: 'jonas' }],
    ['the note is another', { ...DONE, text: 'Mara Okafor marked it as done: Sent on.' }],
    ['it is another act', { ...DONE, kind: 'noted' }],
    ['something else came first', { ...DONE, version: 5 }],
  ])('is not found where %s', async (_name, entry) => {
    expect(await findEarlierResult(gatewayWith([entry]), done)).toBeNull();
  });

  test('is found for several items only where all of them have it', async () => {
    const items = [
      { id: 'item', version: 3 },
      { id: 'other', version: 3 },
    ];
    const act = { path: '/work', body: { action: 'done', note: 'Filed.', items } };
    expect(await findEarlierResult(gatewayWith([DONE]), act)).toEqual({
      items: [{ id: 'item' }, { id: 'other' }],
    });
    const later = { ...act, body: { ...act.body, items: [items[0], { id: 'other', version: 9 }] } };
    expect(await findEarlierResult(gatewayWith([DONE]), later)).toBeNull();
  });

  test('is found for a person who was given the item, and for no other owner', async () => {
    const assigned = { ...DONE, kind: 'assigned', owner: { id: 'jonas' } };
    const to = (principal_id: string) => ({ path: '/work/item/assign', body: { version: 3, principal_id } });
    expect(await findEarlierResult(gatewayWith([assigned]), to('jonas'))).toEqual({ id: 'item' });
    expect(await findEarlierResult(gatewayWith([assigned]), to('nora'))).toBeNull();
  });

  test('is found for a canceled fax, and not where somebody else canceled it', async () => {
    const canceled = { kind: 'cancelled', actor: 'Mara Okafor', text: '' };
    const act = { path: '/fax/one/cancel', body: { delivery_version: 1 } };
    const fax = { delivery_state: 'cancelled' };
    expect(await findEarlierResult(gatewayWith([canceled], fax), act)).toEqual(fax);
    expect(await findEarlierResult(gatewayWith([{ ...canceled, actor: 'Jonas' }], fax), act)).toBeNull();
  });

  test('is not looked for where nothing proves it', async () => {
    const act = { path: '/admin/settings', body: { expected_revision_id: 'r1' } };
    expect(await findEarlierResult(gatewayWith([DONE]), act)).toBeNull();
  });
});
