import { expect, test } from 'vitest';
import { headersOfPage, testConsole } from './console.ts';
import { SendPage } from './send-page.ts';

const webConsole = testConsole();

/** Bridge of the desktop window, as far as sending uses it; it records the calls of the page. */
const BRIDGE = `
  const noted = (window.noted = { notices: [], offer: null });
  const nothing = () => () => {};
  window.faxdesk = {
    platform: 'linux', version: '0.1.0',
    onFiles: (listener) => { noted.offer = listener; return () => { noted.offer = null; }; },
    takeFiles: async () => [], onCommand: nothing, onGateway: nothing,
    isInFront: async () => false, showNotice: async (notice) => { noted.notices.push(notice); },
    setTray: async () => {}, signInFirstOwner: async () => false,
    preferences: async () => ({ startAtLogin: false, closeToTraySaid: true, noticesNameSender: false, mailbox: null, printer: null, gateway: { kind: 'own' } }),
  };`;

test('files of "Send as fax" come into the draft', async (context) => {
  const { page } = await webConsole.open(context, {
    path: '/send',
    script: BRIDGE,
  });
  const send = await new SendPage(page).opened();
  await page.evaluate(`noted.offer([
    { name: 'referral.txt', type: 'text/plain', bytes: new TextEncoder().encode('Dear colleague') },
  ])`);
  await send.row('referral.txt').getByText('1 page').waitFor();
});

test('a fax of this person that needs an answer shows a notice while the window is not in front', async (context) => {
  const { page, context: browser } = await webConsole.open(context, {
    path: '/send',
    script: BRIDGE,
  });
  await new SendPage(page).opened();
  const sent = await browser.request.post('/fax', {
    headers: await headersOfPage(browser, webConsole.gateway),
    multipart: {
      to: '+12025550141',
      file: { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear colleague') },
    },
  });
  const { id } = (await sent.json()) as { id: string };
  // Somebody else's is not this person's.
  await webConsole.gateway.send({ to: '+12025550142' });
  webConsole.gateway.emulator.setFault({ kind: 'dropped', method: 'POST', accepted: true, count: 2 });
  await webConsole.gateway.processAll();
  const notices = () => page.evaluate('noted.notices');
  await expect
    .poll(notices)
    .toEqual([
      expect.objectContaining({ title: 'One of your faxes needs confirmation', open: `/send/${id}` }),
    ]);
  expect(JSON.stringify(await notices())).not.toContain('0141');
});
