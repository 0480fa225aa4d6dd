import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { engineImage } from '../fixtures/engine-image.ts';
import { startTestGateway, type TestGatewayOptions } from '../setup/gateway.ts';
import { InboundGateway, OWN_NUMBER, SENDER } from './inbound-setup.ts';

export const CALL = '1763715600.17';

/** A gateway whose faxes come from a telephone engine on the same computer. */
export class EngineGateway extends InboundGateway {
  static override async start(options: TestGatewayOptions = {}): Promise<EngineGateway> {
    const settings = { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off', ...options.settings };
    return new EngineGateway(await startTestGateway({ ...options, settings }));
  }

  async again(options: TestGatewayOptions = {}): Promise<EngineGateway> {
    return new EngineGateway(await this.gateway.restart(options));
  }

  path(name: string): string {
    return join(this.gateway.dataFolder, 'inbound', name);
  }

  /** The engine has written an image; `ageMs` ago by the clock of the gateway. */
  async dropImage(name: string, image: Uint8Array = engineImage(), ageMs = 0): Promise<string> {
    const path = this.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, image);
    const at = new Date(this.gateway.clock.now() - ageMs);
    await utimes(path, at, at);
    return path;
  }

  /** Names of the folder of images. */
  async listImages(): Promise<string[]> {
    return (await readdir(this.path(''))).sort();
  }

  async secret(): Promise<string> {
    return (await readFile(join(this.gateway.dataFolder, 'telephony', 'inbound-secret'), 'utf8')).trim();
  }

  /** Sends the request of the engine's script after a call; without the header when `secret` is null. */
  async handOver(
    order: Record<string, unknown>,
    secret?: string | null,
  ): Promise<{ status: number; body: { id?: string; status?: string; detail?: string } }> {
    const given = secret === undefined ? await this.secret() : secret;
    const response = await this.gateway.request('POST', '/_internal/telephony/inbound', {
      key: null,
      json: order,
      headers: given === null ? {} : { 'X-Internal-Secret': given },
    });
    return { status: response.status, body: (await response.json()) as { id?: string; detail?: string } };
  }

  async recover(): Promise<unknown> {
    const response = await this.gateway.request('POST', '/inbound/recover');
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Lets the clock go on and does what is due then. */
  async after(ms: number): Promise<void> {
    this.gateway.clock.advance(ms);
    await this.work();
  }
}

/** The facts of a call that went well. */
export function orderOf(path: string, given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    tiff_path: path,
    to_number: OWN_NUMBER,
    from_number: SENDER,
    faxstatus: 'SUCCESS',
    faxpages: 1,
    uniqueid: CALL,
    ...given,
  };
}
