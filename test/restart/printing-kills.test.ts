import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOB_STATE } from '../../server/platform/ipp/codes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { freePort } from '../setup/free-port.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { endRun, RunTemplate } from './killed-run.ts';

const KILLS = 4;
/** Prints under way at once. */
const AT_ONCE = 6;

interface Waiting {
  readonly items: readonly { readonly id: string; readonly name: string; readonly pages: number }[];
}

let uri: string;
let template: RunTemplate;
beforeAll(async () => {
  const port = await freePort();
  uri = `ipp://127.0.0.1:${port}/ipp/print`;
  template = await RunTemplate.open({ PRINT_TO_FAX: 'this_computer', PRINT_PORT: String(port) });
});
afterAll(() => template.close());

test(`rule (printing): a document that was acknowledged as printed waits once, when the gateway is killed [${KILLS} times]`, async () => {
  const run = await template.start();
  let { child } = run;
  const acknowledged: string[] = [];
  try {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const prints = Array.from({ length: AT_ONCE }, async (_, at) => {
        const name = `${kill}.${at}`;
        const printed = await printByIpp(uri, textPdf(1 + at), { name }).catch(() => null);
        if (printed?.state === JOB_STATE.completed) acknowledged.push(name);
        // The first that is done ends the gateway, in the middle of the others.
        if (acknowledged.length >= kill && child.isRunning) await child.kill();
      });
      await Promise.all(prints);
      child = template.child(run.folder, {});
      expect(await child.ready()).toBe(true);
    }
    const { items } = (await child.request<Waiting>('GET', '/printed')) ?? { items: [] };
    const names = items.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS);
    // Each that waits is whole.
    for (const { id, name, pages } of items) {
      expect(pages).toBe(1 + Number(name.split('.')[1]));
      await child.request('POST', `/printed/${id}/take`);
      const headers = { 'X-API-Key': INSTALLATION_KEY };
      const document = await fetch(`${child.url}/printed/${id}/document`, { headers });
      expect(Buffer.from(await document.arrayBuffer()).equals(textPdf(pages))).toBe(true);
    }
  } finally {
    await endRun({ ...run, child });
  }
});
