import type { z } from 'zod';
import type { Printout, PrintRule } from '../../shared/api/print-rules.ts';
import { IppPrinter } from '../setup/emulators/printer/ipp-printer.ts';
import type { TestGatewayOptions } from '../setup/gateway.ts';
import { InboundGateway } from './inbound-setup.ts';

export type PrintoutAnswer = z.infer<typeof Printout>;
type RuleAnswer = z.infer<typeof PrintRule>;

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

/** A gateway that receives faxes, beside an office printer. */
export class PrintingOffice {
  readonly inbound: InboundGateway;
  printer: IppPrinter;

  constructor(inbound: InboundGateway, printer: IppPrinter) {
    this.inbound = inbound;
    this.printer = printer;
  }

  static async start(options: TestGatewayOptions = {}): Promise<PrintingOffice> {
    const printer = new IppPrinter();
    await printer.open();
    return new PrintingOffice(await InboundGateway.start(options), printer);
  }

  get gateway() {
    return this.inbound.gateway;
  }

  async request(method: string, path: string, json?: unknown, key?: string): Promise<[number, Body]> {
    const answer = await this.gateway.request(method, path, { json, ...(key !== undefined && { key }) });
    return [answer.status, await answer.json()];
  }

  /** Fields of a rule for the printer. */
  fields(given: object = {}): Record<string, unknown> {
    return { name: 'Front desk', printer: 'Reception', printer_url: this.printer.url, ...given };
  }

  async addRule(given: object = {}): Promise<RuleAnswer> {
    const [status, rule] = await this.request('POST', '/print-rules', this.fields(given));
    if (status !== 201) throw new Error(JSON.stringify(rule));
    return rule;
  }

  /** A fax arrives and is filed; nothing was printed yet. */
  async receive(given: Parameters<InboundGateway['arrive']>[0] = {}): Promise<string> {
    const before = new Set((await this.inbound.list()).map(({ id }) => id));
    await this.inbound.notify(this.inbound.arrive(given));
    const fax = (await this.inbound.list()).find(({ id }) => !before.has(id));
    if (!fax) throw new Error('no fax came');
    return fax.id;
  }

  async printouts(query = ''): Promise<PrintoutAnswer[]> {
    return (await this.request('GET', `/printouts${query}`))[1].items;
  }

  /** The only one of a fax. */
  async printout(faxId: string): Promise<PrintoutAnswer> {
    const [item, second] = await this.printouts(`?fax_id=${faxId}`);
    if (!item || second) throw new Error('not exactly one printout');
    return item;
  }

  /** Lets time go by, also at the printer, and what is due be done. */
  async pass(ms: number): Promise<void> {
    this.gateway.clock.advance(ms);
    this.printer.upTime += ms / 1000;
    await this.gateway.processAll();
  }

  /** Begins anew: no rules, and a printer that does nothing wrong and has printed nothing. */
  async clear(): Promise<void> {
    this.printer.print();
    await this.pass(15_000);
    for (const { id, version } of await this.printouts('?state=doubtful&limit=100'))
      await this.request('POST', `/printouts/${id}/confirm`, { outcome: 'printed', version });
    const [, { items }] = await this.request('GET', '/print-rules');
    for (const { id, version } of items) await this.request('POST', `/print-rules/${id}/remove`, { version });
    await this.gateway.processAll();
    await this.printer.close();
    this.printer = new IppPrinter();
    await this.printer.open();
  }

  async close(): Promise<void> {
    await this.inbound.close();
    await this.printer.close();
  }
}
