import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LineGateway, startLineGateway } from './outbound-line-setup.ts';

let line: LineGateway;
beforeAll(async () => {
  line = await startLineGateway({ TRUNK_LINES: '1' });
});
afterAll(async () => {
  await line.gateway.close();
  await line.engine.close();
});

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
async function create(fields: object): Promise<[number, any]> {
  const json = { backend: 'sip', prefixes: [], ...fields };
  const answer = await line.gateway.request('POST', '/routing/routes', { json });
  return [answer.status, await answer.json()];
}

test('several trunks of one Asterisk carry faxes side by side, each with lines of its own', async () => {
  const { gateway, engine } = line;
  // As lines of a command and programs bear them: digits as text, and as a number where the setting is a text.
  const own = {
    TRUNK_NAME: 'carrier-b',
    TRUNK_LINES: '1',
    TRUNK_DIAL_FORMAT: 'e164',
    TRUNK_MOST_RATE: 9600,
    TRUNK_ECM: 'off',
  };
  expect((await create({ name: 'Carrier A', prefixes: ['+1202'] }))[0]).toBe(201);
  expect((await create({ name: 'Carrier B', prefixes: ['+1360'], account: own }))[0]).toBe(201);
  const sent: { id: string }[] = [];
  for (const to of ['+12025550131', '+13605550132', '+12025550133', '+13605550134'])
    sent.push(await gateway.send({ to }));
  await gateway.processAll();
  // One call on each trunk; the other two wait for theirs.
  expect(engine.calls.map(({ dialed, trunk }) => `${dialed}@${trunk}`).sort()).toEqual([
    '+12025550131@faxdesk-trunk',
    '13605550132@carrier-b',
  ]);
  expect(
    engine.calls
      .map(({ variables }) => [variables['FAXDESK_MAXRATE'], variables['FAXDESK_ECM']].join())
      .sort(),
  ).toEqual(['14400,yes', '9600,no']);
  for (const { id } of engine.calls) engine.deliver(id);
  await gateway.processAll();
  await expect.poll(async () => (await gateway.processAll(), engine.calls.length)).toBe(4);
  for (const { id } of engine.calls.slice(2)) engine.deliver(id);
  await expect
    .poll(async () => {
      await gateway.processAll();
      return Promise.all(sent.map(async ({ id }) => (await gateway.fax(id)).delivery_state));
    })
    .toEqual(['success', 'success', 'success', 'success']);
  const faxes = await Promise.all(sent.map(({ id }) => gateway.fax(id)));
  expect(faxes.map(({ route, attempt }) => `${route?.name}: ${attempt?.provider_account}`)).toEqual([
    'Carrier A: sip:office1',
    'Carrier B: sip:office1',
    'Carrier A: sip:office1',
    'Carrier B: sip:office1',
  ]);
});

test('a call that failed leaves no note at the engine when the next route has the fax', async () => {
  const { gateway, engine } = line;
  const account = { TRUNK_NAME: 'carrier-c' };
  expect((await create({ name: 'Carrier C', prefixes: ['+1202'], priority: 500, account }))[0]).toBe(201);
  const before = engine.calls.length;
  engine.plans.push({ kind: 'fail', cause: 34 });
  const { id } = await gateway.send({ to: '+12025550139' });
  await expect.poll(async () => (await gateway.processAll(), engine.calls.length - before)).toBe(2);
  expect(engine.calls.slice(before).map(({ trunk }) => trunk)).toEqual(['faxdesk-trunk', 'carrier-c']);
  const [failed, next] = engine.calls.slice(before).map((call) => call.id);
  const noted = () => new Set([...engine.database.keys()].map((key) => key.split('/')[1]));
  await expect.poll(noted).toEqual(new Set([next]));
  expect(noted()).not.toContain(failed);
  engine.deliver(next ?? '');
  await expect
    .poll(async () => (await gateway.processAll(), (await gateway.fax(id)).delivery_state))
    .toBe('success');
  await expect.poll(noted).toEqual(new Set());
});

test('what cannot be a trunk beside that of the settings is refused with a sentence', async () => {
  const refused = (sentence: string) => [400, { detail: expect.stringContaining(sentence) }];
  expect(await create({ name: 'C', account: { TRUNK_LINES: 'three' } })).toEqual(
    refused('Simultaneous calls must be a whole number from 1 to 60.'),
  );
  expect(await create({ name: 'C', account: { TRUNK_LINES: 3 } })).toEqual(
    refused('needs its name in Asterisk (TRUNK_NAME)'),
  );
  // The password of one engine is not sent to another.
  expect(await create({ name: 'C', account: { TELEPHONY_HOST: '127.0.0.2' } })).toEqual(
    refused('set the password of the telephone engine first'),
  );
  const other = { TELEPHONY_HOST: '127.0.0.2', TELEPHONY_PASSWORD: 'other', TRUNK_PASSWORD: 'other' };
  expect((await create({ name: 'C', account: other, enabled: false }))[0]).toBe(201);
});
