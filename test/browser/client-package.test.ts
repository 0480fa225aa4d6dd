import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleClient } from '../../scripts/build-client.ts';
import { openBrowser } from '../setup/browser.ts';
import { type BusyOffice, startBusyOffice } from '../setup/busy-office.ts';
import type { Skippable } from '../setup/tools.ts';

/** Sends a fax, waits for it and reads the newest received document, and returns what it found. */
const PROGRAM = `async ({ url, key }) => {
  const { Faxdesk, ApiError } = await import('/client.js');
  const faxdesk = new Faxdesk({ url, key, retries: 0 });
  const files = new File(['Please call back.'], 'note.txt');
  const fax = await faxdesk.faxes.send({ to: '+12025550123', files });
  const again = await faxdesk.faxes.send({ to: '+12025550123', files }, { operationId: fax.operationId });
  const refused = await faxdesk.faxes.get('not-there').catch((error) => error);
  const { delivery_state } = await faxdesk.faxes.wait(fax, { timeoutMs: 60_000 });
  const { value: received } = await faxdesk.inbound.list({ status: ['received'] }).next();
  const pdf = await new Response(await faxdesk.inbound.pdf(received.id)).text();
  const hasRequestId = refused instanceof ApiError && refused.requestId !== null;
  return { repeated: [fax.repeated, again.repeated], delivery_state, code: refused.code, hasRequestId, pdf: pdf.slice(0, 5) };
}`;

let office: BusyOffice;
let site: Server;
let origin: string;
beforeAll(async () => {
  office = await startBusyOffice('fax:send', 'fax:read', 'inbound:list', 'inbound:read', 'inbound:document');
  const code = await bundleClient();
  site = createServer(({ url }, response) => {
    const isCode = url === '/client.js';
    response.setHeader('Content-Type', isCode ? 'text/javascript' : 'text/html');
    response.end(isCode ? code : '<!doctype html><title>A page of another origin</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await office.receive();
});
afterAll(async () => {
  await office.close();
  site.close();
});

/** Runs the program in a page of that origin. */
async function runInPage(context: Skippable): Promise<unknown> {
  const browser: Browser = await openBrowser(context);
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const { FAXDESK_URL: url, FAXDESK_KEY: key } = office.environment;
    return await page.evaluate(`(${PROGRAM})(${JSON.stringify({ url, key })})`);
  } finally {
    await browser.close();
  }
}

test('the client of the API sends, waits and receives in a page of an allowed origin, and of no other', async (context) => {
  await expect(runInPage(context)).rejects.toThrow('UncertainError');
  await office.inbound.gateway.set({ ALLOWED_ORIGINS: [origin] });
  expect(await runInPage(context)).toEqual({
    repeated: [false, true],
    delivery_state: 'success',
    code: 'no_such_fax',
    hasRequestId: true,
    pdf: '%PDF-',
  });
});
