import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readTemplates,
  renderConfiguration,
} from '../../../server/features/telephony/configuration/render.ts';
import type { LineSetup, TrunkSetup } from '../../../server/features/telephony/configuration/types.ts';
import { freePort } from '../free-port.ts';
import type { Packet } from './ami-connection.ts';
import { findAsterisk } from './asterisk.ts';
import { farEndFiles, OFFICE_NUMBER, TRUNK_PASSWORD, TRUNK_USER } from './far-end.ts';
import { createInstance, type Instance } from './instance.ts';
import { choosePorts, type RigPorts } from './rig-ports.ts';
import { startSipRelay } from './sip-relay.ts';

export { OFFICE_NUMBER } from './far-end.ts';

/** A real telephone engine for a gateway, set up from the product's own templates, and one that is the carrier and all it reaches. */
export interface Rig {
  readonly office: Instance;
  readonly farEnd: Instance;
  /** The data folder for the gateway, which the office's engine shares and sees under another path. */
  readonly dataFolder: string;
  /** The port on which the gateway is to listen: the office's engine hands its faxes over there. */
  readonly gatewayPort: number;
  /** The settings of a gateway that sends over the office's engine. */
  readonly settings: Readonly<Record<string, string>>;
  readonly setup: LineSetup;
  /** Paths of what the far end received at a number. */
  received(number: string): Promise<string[]>;
  /** The far end calls the office with an image; comes back when the call has ended, with what the far end says of it. */
  call(order: { image: string; ecm?: boolean; t38?: boolean; from?: string; to?: string }): Promise<Packet>;
  /** Ends both engines and removes every file. */
  stop(): Promise<void>;
}

/** Starts both engines, or says in one sentence why they cannot run here. */
export async function startRig(
  trunk: Partial<TrunkSetup> = {},
): Promise<Rig | { readonly unavailable: string }> {
  const asterisk = await findAsterisk();
  if ('unavailable' in asterisk) return asterisk;
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-rig-'));
  const [officePorts, farPorts] = [await choosePorts(), await choosePorts()];
  const dataFolder = join(folder, 'data');
  for (const path of [dataFolder, join(dataFolder, 'inbound'), join(folder, 'far', 'received')])
    await mkdir(path, { recursive: true });
  // As in a container or on another computer, the engine sees the data folder elsewhere.
  const engineFolder = join(folder, 'seen by the engine');
  await symlink(dataFolder, engineFolder);
  const gatewayPort = await freePort();
  const [toFarEnd, toOffice] = [await startSipRelay(farPorts.sip), await startSipRelay(officePorts.sip)];
  const trunkPort = toFarEnd.port;
  const setup = setupOf({ officePorts, trunkPort, engineFolder, gatewayPort }, trunk);
  const { 'modules.conf': modules, ...officeFiles } = renderConfiguration(await readTemplates(), setup);
  const farManager = { host: '127.0.0.1', port: farPorts.manager, user: 'test', password: 'test' };
  const office = await createInstance({
    asterisk,
    folder: join(folder, 'office'),
    files: { ...officeFiles, 'modules.conf': modules },
    manager: { host: '127.0.0.1', ...setup.engine.manager },
  });
  const farEnd = await createInstance({
    asterisk,
    folder: join(folder, 'far'),
    files: {
      ...farEndFiles(join(folder, 'far'), farPorts, toOffice.port),
      'modules.conf': modules,
      'manager.conf': `[general]\nenabled=yes\nbindaddr=127.0.0.1\nport=${farManager.port}\n[test]\nsecret=test\nread=all\nwrite=all\n`,
    },
    manager: farManager,
  });
  const stop = async () => {
    await Promise.all([office.kill(), farEnd.kill()]);
    for (const relay of [toFarEnd, toOffice]) relay.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await farEnd.start();
    await office.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    office,
    farEnd,
    dataFolder,
    gatewayPort,
    setup,
    settings: settingsOf(setup),
    received: async (number) => filesOf(join(folder, 'far', 'received'), number),
    call: (order) => callOffice(farEnd, toOffice.port, order),
    stop,
  };
}

function setupOf(
  made: { officePorts: RigPorts; trunkPort: number; engineFolder: string; gatewayPort: number },
  trunk: Partial<TrunkSetup>,
): LineSetup {
  const { officePorts: ports, trunkPort } = made;
  return {
    engine: {
      folder: made.engineFolder,
      gatewayUrl: `http://127.0.0.1:${made.gatewayPort}`,
      manager: { bind: '127.0.0.1', port: ports.manager, user: 'faxdesk', password: 'engine;password' },
      sip: { bind: '127.0.0.1', port: ports.sip },
      rtpPorts: ports.rtp,
      udptlPorts: ports.udptl,
    },
    trunk: {
      name: 'faxdesk-trunk',
      host: '127.0.0.1',
      port: trunkPort,
      transport: 'udp',
      authentication: 'registration',
      user: TRUNK_USER,
      password: TRUNK_PASSWORD,
      codecs: ['ulaw', 'alaw'],
      t38: true,
      t38Correction: 'redundancy',
      ecm: true,
      mostRate: 14_400,
      evenPorts: false,
      externalAddress: null,
      localNets: [],
      stationId: null,
      sources: [],
      ...trunk,
    },
    ownNumber: OFFICE_NUMBER,
  };
}

function settingsOf({ engine, trunk }: LineSetup): Record<string, string> {
  return {
    FAX_BACKEND: 'sip',
    FAX_NUMBER: OFFICE_NUMBER,
    TELEPHONY_HOST: engine.manager.bind,
    TELEPHONY_PORT: String(engine.manager.port),
    TELEPHONY_USER: engine.manager.user,
    TELEPHONY_PASSWORD: engine.manager.password,
    TELEPHONY_ENGINE_FOLDER: engine.folder,
    TRUNK_HOST: trunk.host,
    TRUNK_PORT: String(trunk.port),
    TRUNK_AUTHENTICATION: trunk.authentication,
    TRUNK_USER: trunk.user ?? '',
    TRUNK_PASSWORD: trunk.password ?? '',
    TRUNK_DIAL_FORMAT: 'plus_e164',
    TRUNK_LINES: '4',
  };
}

async function filesOf(folder: string, number: string): Promise<string[]> {
  const digits = number.replace(/\D/gu, '');
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${digits}-`));
  return names.sort().map((name) => join(folder, name));
}

async function callOffice(
  farEnd: Instance,
  port: number,
  { image, ecm = true, t38 = true, from = '+12025550199', to = OFFICE_NUMBER }: Parameters<Rig['call']>[0],
): Promise<Packet> {
  const manager = await farEnd.connect();
  const call = crypto.randomUUID();
  try {
    await manager.action({
      Action: 'Originate',
      Channel: `PJSIP/${TRUNK_USER}/sip:${to}@127.0.0.1:${port}`,
      Context: 'far-send',
      Exten: 's',
      Priority: '1',
      Async: 'true',
      Timeout: '30000',
      CallerID: from,
      ChannelId: call,
      Variable: [
        `CALL=${call}`,
        `FILE=${image}`,
        `ECM=${ecm ? 'yes' : 'no'}`,
        `OPTIONS=${t38 ? 'fzs' : 'Fs'}`,
      ],
    });
    return await manager.event(
      (it) =>
        (it['UserEvent'] === 'FarEndSent' && it['Call'] === call) ||
        (it['Event'] === 'OriginateResponse' && it['Uniqueid'] === call && it['Response'] === 'Failure'),
    );
  } finally {
    await manager.close();
  }
}
