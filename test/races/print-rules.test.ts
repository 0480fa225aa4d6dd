import { expect, onTestFinished, test } from 'vitest';
import { InboundGateway } from '../api/inbound-setup.ts';
import { PrintingOffice, type PrintoutAnswer } from '../api/print-rules-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { createRandom } from '../fuzz/random.ts';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

const FAXES = 240;
const PER_ROUND = 12;

/** A one-page document that names its fax. */
const documentOf = (number: number) =>
  Buffer.concat([textPdf(1), Buffer.from(`\n% fax ${String(number).padStart(4, '0')}\n`)]);

test.for([
  ['that remembers its jobs', true],
  ['that forgets them', false],
] as const)(
  'rule (print-rules): hundreds of faxes are printed once each, through restarts of the gateway and of the printer, cut connections, jams and a printer that is away; what may have been printed is a question [at a printer %s]',
  { timeout: 280_000 },
  async ([, remembers]) => {
    const random = createRandom(20_261_129);
    let office = await PrintingOffice.start();
    onTestFinished(() => office.close());
    const { printer } = office;
    printer.keepsHistory = remembers;
    await office.addRule();
    for (let first = 0; first < FAXES; first += PER_ROUND) {
      printer.cut = random.pick([null, null, null, 'before', 'after'] as const);
      printer.reasons = random.pick([['none'], ['none'], ['none'], ['media-jam']]);
      const isAway = random.int(6) === 0;
      if (isAway) await printer.close();
      for (let number = first; number < first + PER_ROUND; number += 1) {
        await office.inbound.notify(office.inbound.arrive({ document: documentOf(number) }));
        if (random.int(4) === 0) await office.gateway.processAll();
      }
      if (random.int(2) === 0) {
        const { inbound } = office;
        office = new PrintingOffice(new InboundGateway(await inbound.gateway.restart()), printer);
      }
      if (isAway) await printer.open();
      await office.pass(MINUTE);
      printer.print();
      if (random.int(6) === 0) printer.upTime = 0;
      printer.cut = null;
      await office.pass(random.int(2) === 0 ? 15 * SECOND : MINUTE);
    }
    printer.reasons = ['none'];
    for (let round = 0; round < 12; round += 1) {
      printer.print();
      await office.pass(round < 6 ? 15 * MINUTE : HOUR);
    }
    const times = new Map<string, number>();
    for (const document of printer.taken) {
      const name = document.toString('latin1').match(/% fax (\d+)\n$/u)?.[1] ?? 'unknown';
      times.set(name, (times.get(name) ?? 0) + 1);
    }
    const printouts = await allPrintouts(office);
    const states = Map.groupBy(printouts, ({ state }) => state);
    expect(printouts).toHaveLength(FAXES);
    // No fax was taken twice, and each that is said to be printed was taken.
    expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
    const settled = (states.get('printed')?.length ?? 0) + (states.get('given')?.length ?? 0);
    const doubtful = states.get('doubtful')?.length ?? 0;
    expect(settled + doubtful).toBe(FAXES);
    expect(times.size).toBeGreaterThanOrEqual(settled);
    expect(settled).toBeGreaterThan(FAXES / 2);
    expect(doubtful).toBeGreaterThan(0);
  },
);

async function allPrintouts(office: PrintingOffice): Promise<PrintoutAnswer[]> {
  const found: PrintoutAnswer[] = [];
  let cursor = '';
  do {
    const [, page] = await office.request('GET', `/printouts?limit=100${cursor}`);
    found.push(...page.items);
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  return found;
}
