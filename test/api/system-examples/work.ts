import { setTimeout } from 'node:timers/promises';
import type { Examples } from './examples.ts';

/** The work queue, of the person who is signed in. */
export async function callWork(
  x: Examples,
  session: Record<string, string>,
  personId: string,
): Promise<void> {
  const as = { key: null, session };
  const received = await x.call('testInbound', { json: { to_number: '+12025550100' } });
  await x.gateway.processAll();
  const params = { id: received.work_item_id };
  await x.call('listWork', { ...as, query: { view: 'todo' } });
  await x.call('countWork', as);
  let item = await x.call('getWork', { ...as, params });
  await x.call('listWorkAssignees', { ...as, params });
  const change = async (id: string, json: object): Promise<void> => {
    item = await x.call(id, { ...as, params, json: { ...json, version: item.version } });
  };
  await change('assignWork', { principal_id: personId });
  await change('acknowledgeWork', {});
  await change('noteWork', { note: 'Called back' });
  await change('finishWork', { note: 'Filed' });
  await change('undoWork', {});
  await change('finishWork', { note: 'Filed' });
  await change('reopenWork', {});
  await x.call('changeWork', {
    ...as,
    json: { action: 'assign', principal_id: personId, items: [{ id: item.id, version: item.version }] },
  });
  await x.call('getWorkHistory', { ...as, params });
  await x.call('exportWork', { ...as, params });
  await callArchives(x);
  await x.call('getWorkNotes', as);
  await x.call('getWorkStatistics');
  await x.call('exportWorkStatistics');
  await x.call('reportPresence', { ...as, json: { window: 'window-1', fax_id: received.id } });
  await x.call('listPresence', as);
}

/** Targets of a mailbox, once there is one. */
export async function callWorkSettings(x: Examples, personId: string): Promise<void> {
  const { mailboxes } = await x.call('getWorkSettings');
  const { mailbox_id, version } = mailboxes[0];
  await x.call('changeWorkSettings', {
    json: { mailboxes: [{ mailbox_id, acknowledge_hours: 4, backup_principal_id: personId, version }] },
  });
}

async function callArchives(x: Examples): Promise<void> {
  await x.call('exportArchive', { params: { year: '2023' }, query: { month: '5' } });
  const archive = await x.gateway.request('GET', '/archives/2023?month=5');
  const upload_id = '5d41402abc4b2a76b9719d911017c592';
  const piece = new File([new Uint8Array(await archive.arrayBuffer())], 'piece');
  await x.call('addArchivePiece', { params: { id: upload_id }, query: { offset: '0' }, form: { piece } });
  const { id } = await x.call('createArchiveRemoval', { json: { upload_id, year: 2023, month: 5 } });
  const params = { id };
  while ((await removalOf(x, id)).state === 'checking') await setTimeout(20);
  await x.call('listArchiveRemovals');
  const { version } = await x.call('getArchiveRemoval', { params });
  const started = await x.call('startArchiveRemoval', { params, json: { version } });
  await x.call('endArchiveRemoval', { params, json: { version: started.version } });
}

async function removalOf(x: Examples, id: string): Promise<{ state: string }> {
  return (await (await x.gateway.request('GET', `/archive-removals/${id}`)).json()) as { state: string };
}
