import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InboundGateway } from './inbound-setup.ts';

let inbound: InboundGateway;
beforeEach(async () => {
  inbound = await InboundGateway.start();
});
afterEach(() => inbound.close());

/** The files of the store in which the text can be read. */
async function holding(text: string): Promise<string[]> {
  const { dataFolder } = inbound.gateway;
  const found: string[] = [];
  for (const name of (await readdir(dataFolder)).filter((each) => each.startsWith('faxdesk.sqlite')))
    if ((await readFile(join(dataFolder, name), 'latin1')).includes(text)) found.push(name);
  return found;
}

test('a provider’s report of a received fax can be read by people who may see the fax, and not in the store', async () => {
  const fax = inbound.arrive();
  await inbound.notify(fax, { fax: { caller_name: 'Practice of Dr. Quillfeather' } });
  const { id } = await inbound.only();
  expect(JSON.stringify(await inbound.evidence(id))).toContain('Quillfeather');
  expect(await holding('Quillfeather')).toEqual([]);
  // A repeated notification is recognized.
  await inbound.notify(fax, { fax: { caller_name: 'Practice of Dr. Quillfeather' } });
  expect((await inbound.evidence(id)).filter(({ kind }) => kind === 'notification')).toHaveLength(1);
});

test('the number of a request as it was typed is compared and not kept in plain sight', async () => {
  const headers = { 'Idempotency-Key': 'one-letter' };
  const { id } = await inbound.gateway.send({ to: '(202) 555-0147' }, headers);
  expect((await inbound.gateway.send({ to: '(202) 555-0147' }, headers)).id).toBe(id);
  await expect(inbound.gateway.send({ to: '(202) 555-0148' }, headers)).rejects.toThrow('409');
  expect(await holding('(202) 555-0147')).toEqual([]);
});
