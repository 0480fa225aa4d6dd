import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, vi } from 'vitest';
import { ChildGateway } from '../restart/child-gateway.ts';
import { type CutOffProxy, startCutOffProxy } from '../setup/cut-off-proxy.ts';
import type { Fax } from '../setup/gateway.ts';
import { textFile } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import type { AmiConnection } from '../setup/telephony/ami-connection.ts';
import { hangUp, waitForPages } from '../setup/telephony/page-watch.ts';
import { type Rig, startRig } from '../setup/telephony/rig.ts';
import { CALL_MS } from './outbound-engine-setup.ts';

/** Of a call that the engine lost. */
const LOST_MS = 20 * SECOND;
const OPEN = ['ready', 'preparing', 'submitting', 'in_progress'];

interface Parts {
  readonly rig: Rig;
  readonly proxy: CutOffProxy;
  readonly farEnd: AmiConnection;
  readonly codeCache: string;
  readonly settings: Record<string, string>;
}

/** A gateway in a process of its own, on the real clock, which sends over a real engine; either may be killed. */
export class FaultyLine {
  readonly rig: Rig;
  /** Between the gateway and the manager interface of the engine. */
  readonly proxy: CutOffProxy;
  readonly #parts: Parts;
  #gateway: ChildGateway;

  private constructor(parts: Parts, gateway: ChildGateway) {
    this.#parts = parts;
    this.rig = parts.rig;
    this.proxy = parts.proxy;
    this.#gateway = gateway;
  }

  static async start(
    settings: Record<string, string>,
  ): Promise<FaultyLine | { readonly unavailable: string }> {
    const rig = await startRig();
    if ('unavailable' in rig) return rig;
    const proxy = await startCutOffProxy(rig.office.manager);
    const parts = {
      rig,
      proxy,
      farEnd: await rig.farEnd.connect(),
      codeCache: await mkdtemp(join(tmpdir(), 'faxdesk-code-')),
      settings: { ...rig.settings, TELEPHONY_PORT: String(proxy.port), INBOUND_POLLING: 'off', ...settings },
    };
    return new FaultyLine(parts, await startChild(parts));
  }

  async close(): Promise<void> {
    await this.kill();
    await this.proxy.close();
    await this.#parts.farEnd.close();
    await this.rig.stop();
    await rm(this.#parts.codeCache, { recursive: true, force: true });
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    expect(await this.#gateway.kill()).toEqual({ killed: true });
  }

  async restart(): Promise<void> {
    this.#gateway = await startChild(this.#parts);
  }

  async request<T>(method: string, path: string, json?: unknown): Promise<T> {
    const headers: Record<string, string> = json === undefined ? {} : { 'Content-Type': 'application/json' };
    const body = json === undefined ? undefined : JSON.stringify(json);
    const answer = await this.#gateway.request<T>(method, path, body, headers);
    if (answer === null) throw new Error(`the gateway does not answer: ${this.#gateway.errors}`);
    return answer;
  }

  /** A fax of some pages with a line of text each. */
  async send(to: string, pages = 1, fields: Record<string, string> = {}): Promise<Fax> {
    return this.sendFiles(
      to,
      Array.from({ length: pages }, () => textFile()),
      fields,
    );
  }

  async sendFiles(to: string, files: readonly File[], fields: Record<string, string> = {}): Promise<Fax> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ to, ...fields })) form.append(name, value);
    for (const file of files) form.append('file', file);
    const fax = await this.#gateway.request<Fax>('POST', '/fax', form);
    expect(fax).toMatchObject({ id: expect.any(String) });
    return fax as Fax;
  }

  fax(id: string): Promise<Fax> {
    return this.request('GET', `/fax/${id}`);
  }

  /** Waits for what a fax is to be. */
  waitFor(id: string, wanted: object): Promise<Fax> {
    const check = async () => {
      const fax = await this.fax(id);
      expect(fax).toMatchObject(wanted);
      return fax;
    };
    return vi.waitFor(check, { timeout: CALL_MS, interval: 250 });
  }

  /** Waits until a page is being sent, from 1, or a later one; fails when the fax ends before. */
  waitForPage(id: string, page: number): Promise<Fax> {
    const check = async () => {
      const fax = await this.fax(id);
      expect(fax.progress?.stage).toBe('sending');
      expect(fax.progress?.page).toBeGreaterThanOrEqual(page);
      return fax;
    };
    return vi.waitFor(check, { timeout: CALL_MS, interval: 250 });
  }

  waitForEnd(id: string): Promise<Fax> {
    const check = async () => {
      const fax = await this.fax(id);
      expect(OPEN).not.toContain(fax.delivery_state);
      return fax;
    };
    return vi.waitFor(check, { timeout: CALL_MS, interval: 250 });
  }

  /** Waits for the end of a call that the engine no longer has; the clock is advanced meanwhile. */
  waitForLostCall(id: string): Promise<Fax> {
    const check = async () => {
      this.#gateway.order({ advanceMs: LOST_MS });
      expect(OPEN).not.toContain((await this.fax(id)).delivery_state);
      return await this.fax(id);
    };
    return vi.waitFor(check, { timeout: CALL_MS, interval: 1_000 });
  }

  /** The far end hangs up when it has so many pages and has not confirmed the last of them. */
  async hangUpAfter(to: string, pages: number): Promise<void> {
    const ami = await this.rig.farEnd.connect();
    try {
      await hangUp(ami, await waitForPages(ami, to, pages));
    } finally {
      await ami.close();
    }
  }

  /** Counts the calls to a number at the far end. */
  callsOf(to: string): number {
    const dialed = to.replace('+', '');
    return this.#parts.farEnd.events.filter(
      (it) => it['UserEvent'] === 'FarEndCalled' && it['Dialed'] === dialed,
    ).length;
  }

  /** Waits until the engine recorded the outcome of the call of an attempt. */
  async waitForOutcome(attempt: string | undefined): Promise<void> {
    const check = () => expect(this.rig.office.cli('database show')).toContain(`faxdesk-outcome/${attempt}`);
    await vi.waitFor(check, { timeout: CALL_MS, interval: 500 });
  }

  /** The pages of a call as they lie before the engine, while it goes on. */
  imageOf(attempt: string): Promise<Buffer> {
    return readFile(join(this.rig.dataFolder, 'telephony', 'outgoing', `${attempt}.tiff`));
  }

  /** The numbers whose calls hold a line, as the store of a gateway says that is not running. */
  listHeldLines(): string[] {
    const store = new BetterSqlite(join(this.rig.dataFolder, 'faxdesk.sqlite'), { readonly: true });
    const rows = store.prepare('select to_number from fax_call where ended_at is null order by to_number');
    const numbers = rows.all().map((row) => (row as { to_number: string }).to_number);
    store.close();
    return numbers;
  }
}

async function startChild({ rig, codeCache, settings }: Parts): Promise<ChildGateway> {
  const child = new ChildGateway(rig.dataFolder, settings, { codeCache, port: rig.gatewayPort });
  if (!(await child.ready())) throw new Error(`the gateway did not start: ${child.errors}`);
  return child;
}
