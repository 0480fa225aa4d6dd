import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { EngineGateway, orderOf } from '../api/telephony-setup.ts';
import { engineImage } from '../fixtures/engine-image.ts';
import { type AmiEmulator, startAmiEmulator } from '../setup/emulators/ami/index.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';

const OWN = '+12025550100';
const clock = new ManualClock();
let engine: AmiEmulator;
const webConsole = testConsole(async () => {
  engine = await startAmiEmulator(() => clock.now());
  return { clock, settings: { FAX_BACKEND: '', FAX_ORGANIZATION: 'Alder Street Clinic', FAX_NUMBER: '' } };
});
afterAll(() => engine.close());

/** A line that is set up but for what a test takes away. */
const READY = {
  FAX_BACKEND: 'sip',
  FAX_NUMBER: OWN,
  INBOUND_ENABLED: true,
  TRUNK_HOST: 'sip.example.com',
  TRUNK_USER: 'office1',
  TRUNK_PASSWORD: 'trunk-secret',
  TRUNK_LINES: 2,
};
const NOTHING = Object.fromEntries([...Object.keys(READY), 'TELEPHONY_PASSWORD'].map((name) => [name, null]));

beforeEach(() => webConsole.gateway.set({ ...NOTHING, INBOUND_ENABLED: false, TRUNK_LINES: 2 }));

async function setUp(changes: Record<string, unknown> = {}): Promise<void> {
  const { gateway } = webConsole;
  const { port, account } = engine;
  await gateway.set({ ...READY, TELEPHONY_PORT: port, TELEPHONY_PASSWORD: account.password, ...changes });
  const answer = await gateway.request('POST', '/telephony/configuration', { json: {} });
  const { folder } = (await answer.json()) as { folder: string };
  const text = await readFile(join(folder, 'extensions.conf'), 'utf8');
  engine.line.fingerprint = /^FAXDESK_CONFIGURATION=(\w+)$/mu.exec(text)?.[1] ?? null;
}

async function saved(name: string): Promise<unknown> {
  const answer = await webConsole.gateway.request('GET', '/admin/settings');
  const { settings } = (await answer.json()) as { settings: { name: string; value: unknown }[] };
  return settings.find((setting) => setting.name === name)?.value;
}

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click();
const part = (page: Page, name: string) => page.getByRole('region', { name });

test('is filled in from a carrier, with numbers and header line beside it', async (context) => {
  const { page } = await webConsole.open(context, { path: '/settings/phone-line' });
  await page.getByRole('button', { name: /Carrier/u }).click();
  await page.getByRole('option', { name: 'VoIP.ms' }).click();
  await expect.poll(() => page.getByLabel('Trunk host').inputValue()).toBe('atlanta1.voip.ms');
  await expect.poll(() => page.getByRole('switch', { name: 'T.38', exact: true }).isChecked()).toBe(false);
  await page.getByText('Compare the values with the setup page of VoIP.ms').waitFor();
  await page.getByText(/^Not verified with the carrier yet: Trunk host, Trunk port,/u).waitFor();
  await part(page, 'Calls').getByText('No calls yet. Every call that sends or receives a fax is').waitFor();
  await page.getByLabel('Own fax number').fill(OWN);
  await page.getByText(/Alder Street Clinic \+1 ?202 ?555 ?0100/u).waitFor();
  await page.getByLabel('Station ID').fill('ALDER CLINIC');
  await part(page, 'Asterisk configuration').getByText('Save your changes first.').waitFor();
  expect(await saved('TRUNK_HOST')).toBe(null);
  await save(page);
  await expect.poll(() => saved('TRUNK_HOST')).toBe('atlanta1.voip.ms');
  expect(await saved('FAX_NUMBER')).toBe(OWN);
  const missing = 'The phone line is not set up yet: set the password of the telephone engine first.';
  await part(page, 'Asterisk configuration').getByText(missing).waitFor();
  await part(page, 'A fax to itself').getByText(missing).waitFor();
  await page.getByRole('button', { name: 'Check the line' }).click();
  await page.getByRole('list', { name: 'Results of the check' }).getByText(missing).waitFor();
  await page.getByRole('button', { name: 'Create a password' }).click();
  await expect.poll(() => page.getByLabel('Engine password').inputValue()).toMatch(/^[0-9a-f]{32}$/u);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Discard' }).click();
  const names = ['PRESET', 'PORT', 'DIAL_FORMAT', 'CODECS', 'T38', 'STATION_ID'];
  await webConsole.gateway.set(Object.fromEntries(names.map((name) => [`TRUNK_${name}`, null])));
});

test('says at each field what is wrong, before anything is saved', async (context) => {
  const { page } = await webConsole.open(context, { path: '/settings/phone-line' });
  for (const [label, wrong, sentence] of [
    ['Trunk host', 'sip:pbx.example.com', 'Enter a host name or an IP address, without a port'],
    ['Trunk host', 'pbx.example.com:5060', 'Enter a host name or an IP address, without a port'],
    ['Trunk port', '70000', 'Use a whole number from 1 to 65,535.'],
    ['Trunk user', 'office one', 'Use letters, digits and . _ + @ - without spaces.'],
    ['Dial prefix', '9,', 'Use at most 20 digits, * and #.'],
    ['Station ID', 'clinic', 'Use at most 20 digits, spaces, + and capital letters.'],
    ['Local networks', '192.168.1.0', 'Enter networks such as 192.168.1.0/24.'],
    ['Data folder at the engine', 'C:\\Faxdesk', 'Enter the whole path of a folder, such as /srv/faxdesk'],
    ['Own fax number', '555 0100', 'Enter the whole number with + and the country code.'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(wrong);
    await page.getByText(sentence).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText(sentence).waitFor({ state: 'detached' });
  }
});

test('is written for Asterisk, with the steps for each place where it runs', async (context) => {
  await setUp({ TRUNK_PORT: 5070 });
  const { page } = await webConsole.open(context, { path: '/settings/phone-line' });
  await page.getByText('5070, was 5060').waitFor();
  const configuration = part(page, 'Asterisk configuration');
  const { dataFolder } = webConsole.gateway;
  await configuration.getByText(`in ${dataFolder}/telephony/configuration on the Faxdesk computer`).waitFor();
  await configuration.getByText('sudo systemctl restart asterisk').waitFor();
  await configuration.getByText(`cd ${dataFolder} && sudo chgrp -R asterisk inbound telephony`).waitFor();
  const choose = async (place: string) => {
    await configuration.getByRole('button', { name: /Asterisk runs/u }).click();
    await page.getByRole('option', { name: place }).click();
  };
  await choose('In a container on that computer');
  await configuration.getByText(`-v ${dataFolder}/inbound:${dataFolder}/inbound`).waitFor();
  await choose('In WSL on Windows');
  await configuration.getByText('networkingMode=mirrored').waitFor();
  await choose('On another computer');
  await configuration.getByText('Allow only the Faxdesk computer to reach TCP port 5038 there').waitFor();
  const again = configuration.getByRole('button', { name: 'Write the configuration again' });
  await expect.poll(() => again.isDisabled()).toBe(true);
  await configuration.getByLabel('Address at which Asterisk reaches Faxdesk').fill('desk/fax');
  await configuration.getByText('Enter a web address without a path').waitFor();
  await configuration
    .getByLabel('Address at which Asterisk reaches Faxdesk')
    .fill('http://192.168.1.10:8080');
  await page.getByLabel('Station ID').fill('ALDER');
  await save(page);
  await configuration.getByText('Settings were changed since the configuration was written').waitFor();
  await expectAccessible(page);
  await again.click();
  await configuration.getByText(/^Written/u).waitFor();
  const written = (name: string) => readFile(join(dataFolder, 'telephony', 'configuration', name), 'utf8');
  expect(await written('faxdesk-hand-over.sh')).toContain("address='http://192.168.1.10:8080'\n");
  await webConsole.gateway.set({ TRUNK_STATION_ID: null, TRUNK_PORT: null });
});

test('is where the first start leads, whose test fax says what is wrong with the line', async (context) => {
  const { page } = await webConsole.open(context, { path: '/setup/provider' });
  await page.getByRole('radio', { name: /Phone line/u }).check({ force: true });
  await page.getByText('The phone line has a separate page').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set up the phone line' }).click();
  await page.waitForURL('**/settings/phone-line');
  await page.getByLabel('Trunk host').waitFor();
  expect(await saved('FAX_BACKEND')).toBe('sip');
  // A port without a listener.
  await setUp({ TELEPHONY_PORT: 1 });
  await page.goto('/admin/ui/setup/provider');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'What should the header line say?' }).waitFor();
  await page.goto('/admin/ui/setup/receiving');
  await page.getByText('arrive over the phone line, seconds after each call').waitFor();
  await expectAccessible(page);
  await page.goto('/admin/ui/setup/test');
  await page.getByLabel('Fax number for the test page').fill('+1 202 555 0142');
  await page.getByRole('button', { name: 'Send the test fax' }).click();
  await page.getByText('Nothing was sent because the line is not ready').waitFor();
  await page.getByText(/^No telephone engine answers at 127\.0\.0\.1:1\./u).waitFor();
  await expectAccessible(page);
});

test('sends a fax to itself, shows the call, and counts the pages that came back', async (context) => {
  await setUp({ TRUNK_LINES: 1, INBOUND_ENABLED: false, FAX_BACKEND: null });
  const { gateway } = webConsole;
  const { page } = await webConsole.open(context, { path: '/settings/phone-line' });
  const itself = part(page, 'A fax to itself');
  const send = itself.getByRole('button', { name: 'Send a fax to itself' });
  await itself.getByText('This line does not send faxes yet.').waitFor();
  await gateway.set({ FAX_BACKEND: 'sip' });
  await itself.getByText('This line does not receive faxes yet.').waitFor();
  await gateway.set({ INBOUND_ENABLED: true });
  await itself.getByText('This needs two calls at once, but the line allows only one.').waitFor();
  await expect.poll(() => send.isDisabled()).toBe(true);
  await gateway.set({ TRUNK_LINES: 2 });
  engine.line.registration = 'Rejected';
  await send.click();
  await itself.getByText('Nothing was sent because the line is not ready').waitFor();
  await itself.getByText('The carrier refuses the registration.').waitFor();
  await expectAccessible(page);
  engine.line.registration = 'Registered';
  await send.click();
  await itself.getByText('Faxdesk will send the page in a moment.').waitFor();
  expect(engine.calls).toEqual([]);
  await gateway.processAll();
  const call = engine.calls.at(-1);
  expect(call?.dialed).toBe(OWN);
  engine.answer(call?.id ?? '');
  if (call) call.page = 1;
  await itself.getByText(/page 1 of 1/iu).waitFor();
  engine.deliver(call?.id ?? '');
  await itself.getByText('It arrived. The receiving machine confirmed the page.').waitFor();
  await handOver('1763715600.17');
  await gateway.processAll();
  await itself.getByText('It came back: the one page arrived here.').waitFor();
  await expectAccessible(page);
  await itself.getByRole('link', { name: 'Open it in the Inbox' }).click();
  await page.waitForURL(/\/inbox\/[^/]+$/u);
});

test('has its calls below it, as they come, with the facts of each', async (context) => {
  await setUp();
  const { gateway } = webConsole;
  const inbound = new EngineGateway(gateway);
  const { page } = await webConsole.open(context, { path: '/settings/phone-line' });
  const calls = part(page, 'Calls');
  const rowOf = (name: string) => calls.getByRole('row', { name });
  engine.plans.push({ kind: 'deliver' });
  await gateway.send({ to: '+12025550123' });
  await gateway.processAll();
  clock.advance(31 * SECOND);
  await gateway.processAll();
  await rowOf('Outgoing call To +1 202 555 0123').getByText('The page was confirmed.').waitFor();
  const order = orderOf('/nowhere/a.tif', { uniqueid: 'refused', from_number: '+12025550198' });
  expect((await inbound.handOver(order)).status).toBe(400);
  await rowOf('Incoming call From +1 202 555 0198').getByText('The fax was not accepted').waitFor();
  const call = { remote_station_id: 'EXAMPLE CLINIC' };
  await inbound.handOver(orderOf(await inbound.dropImage('a.tif'), { uniqueid: 'taken', call }));
  await rowOf('Incoming call From +1 202 555 0199').getByText('1 page was received.').waitFor();

  await rowOf('Outgoing call To +1 202 555 0123').getByRole('button').click();
  await calls.getByText('Q.850 16').waitFor();
  await rowOf('Incoming call From +1 202 555 0199').getByRole('button').click();
  const hint = 'The name that the other machine gives itself. Anyone can set it, so it proves nothing.';
  await calls.getByRole('definition').filter({ hasText: 'EXAMPLE CLINIC' }).getByText(hint).waitFor();
  await expectAccessible(page);
  await calls.getByRole('link', { name: 'Show the sent fax' }).click();
  await page.waitForURL(/\/sent\/[^/]+$/u);
});

/** Hands a received fax over, as the engine's script does. */
async function handOver(call: string): Promise<void> {
  const { dataFolder } = webConsole.gateway;
  await writeFile(join(dataFolder, 'inbound', `${call}.tiff`), engineImage());
  const secret = await readFile(join(dataFolder, 'telephony', 'inbound-secret'), 'utf8');
  const answer = await webConsole.gateway.request('POST', '/_internal/telephony/inbound', {
    key: null,
    headers: { 'X-Internal-Secret': secret.trim() },
    json: {
      tiff_path: `inbound/${call}.tiff`,
      uniqueid: call,
      to_number: OWN,
      from_number: OWN,
      faxstatus: 'SUCCESS',
      faxpages: 1,
    },
  });
  expect(answer.status).toBe(200);
}
