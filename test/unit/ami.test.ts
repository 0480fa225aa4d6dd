import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AmiClient, createAmiClient } from '../../server/platform/ami/client.ts';
import { AmiError } from '../../server/platform/ami/error.ts';
import { type AmiMessage, formatAction, formatVariable } from '../../server/platform/ami/message.ts';
import { createAmiReader } from '../../server/platform/ami/reader.ts';
import { type AmiEmulator, startAmiEmulator } from '../setup/emulators/ami/index.ts';
import { eventually } from '../setup/eventually.ts';
import { ManualTimers } from '../setup/manual-timers.ts';

const TIMEOUT = 10_000;
const IDLE = 10 * 60_000;
const PING = [['Action', 'CoreSettings']] as const;

let engine: AmiEmulator;
let timers: ManualTimers;
let events: AmiMessage[];
const clients: AmiClient[] = [];
const peers: Server[] = [];
beforeEach(async () => {
  engine = await startAmiEmulator(() => 0);
  timers = new ManualTimers();
  events = [];
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const peer of peers.splice(0)) peer.close();
  await engine.close();
});

function clientOf(account: { port?: number; password?: string } = {}): AmiClient {
  const client = createAmiClient(
    { host: '127.0.0.1', port: engine.port, ...engine.account, ...account },
    { timers, timeoutMs: TIMEOUT, onEvent: (event) => events.push(event) },
  );
  clients.push(client);
  return client;
}

/** Something else that listens. */
async function peerThat(greets: (socket: Socket) => void): Promise<number> {
  const peer = createServer((socket) => {
    socket.on('error', () => undefined);
    greets(socket);
  });
  peers.push(peer);
  await new Promise<void>((resolve) => {
    peer.listen(0, '127.0.0.1', resolve);
  });
  return (peer.address() as { port: number }).port;
}

async function failure(call: Promise<unknown>): Promise<{ reason: string; wrote: boolean }> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AmiError);
  const { reason, wrote } = error as AmiError;
  return { reason, wrote };
}

describe('the manager interface of a telephone engine', () => {
  test('is signed in to without sending the password, and queried', async () => {
    const client = clientOf();
    const { response } = await client.sendAction(PING);
    expect(response.get('asteriskversion')).toBe('20.5.0');
    expect(engine.actions.map(({ name }) => name)).toEqual(['coresettings']);
    expect(JSON.stringify(engine.actions)).not.toContain(engine.account.password);
  });

  test('refuses a wrong password; nothing is queried then', async () => {
    expect(await failure(clientOf({ password: 'wrong' }).sendAction(PING))).toEqual({
      reason: 'sign_in',
      wrote: false,
    });
    expect(engine.actions).toEqual([]);
  });

  test('answers several questions at once, each with its own answer', async () => {
    const client = clientOf();
    engine.database.set('a/1', 'one').set('a/2', 'two');
    const values = await Promise.all(
      ['1', '2'].map(async (key) => {
        const { entries } = await client.sendAction([
          ['Action', 'DBGet'],
          ['Family', 'a'],
          ['Key', key],
        ]);
        return entries[0]?.get('Val');
      }),
    );
    expect(values).toEqual(['one', 'two']);
    expect(engine.sessions).toHaveLength(1);
  });

  test('answers with a list, and with an error of its own', async () => {
    const client = clientOf();
    engine.plans.push({ kind: 'answer' });
    const call = [
      ['Action', 'Originate'],
      ['Channel', 'PJSIP/+12025550123@faxdesk-trunk'],
      ['Context', 'faxdesk-send'],
      ['ChannelId', 'call-1'],
    ] as const;
    await client.sendAction(call);
    const { entries } = await client.sendAction([['Action', 'CoreShowChannels']]);
    expect(entries.map((entry) => entry.get('Uniqueid'))).toEqual(['call-1']);
    engine.plans.push({ kind: 'refuse', words: 'Extension does not exist.' });
    expect(await failure(client.sendAction(call))).toEqual({ reason: 'refused', wrote: true });
  });

  test('delivers its events to a listener', async () => {
    await clientOf().ready();
    engine.event('Event: UserEvent', 'UserEvent: FaxdeskOutcome', 'attempt: a1');
    await eventually(() => expect(events.map((event) => event.get('attempt'))).toEqual(['a1']));
  });

  test('that is away leaves nothing written, and is reached when it is back', async () => {
    const client = clientOf();
    await engine.close();
    expect(await failure(client.sendAction(PING))).toEqual({ reason: 'connection', wrote: false });
    await engine.open();
    await client.sendAction(PING);
  });

  test('that cuts the connection is connected again by itself, each time later', async () => {
    const client = clientOf();
    await client.ready();
    await engine.close();
    const retries = () => timers.waits.map(({ ms }) => ms).filter((ms) => ms < IDLE && ms !== TIMEOUT);
    for (const wait of [1_000, 2_000, 4_000, 8_000]) {
      await eventually(() => expect(retries()).toEqual([wait]));
      timers.ring(wait);
    }
    await eventually(() => expect(retries()).toEqual([16_000]));
    await engine.open();
    timers.ring(16_000);
    await eventually(() => expect(engine.sessions).toHaveLength(1));
    await client.ready();
    expect(engine.sessions).toHaveLength(1);
  });

  test('that cuts the connection after an action may have carried it out', async () => {
    const client = clientOf();
    await client.ready();
    engine.plans.push({ kind: 'cut', begun: true });
    const asked = client.sendAction([
      ['Action', 'Originate'],
      ['Context', 'faxdesk-send'],
      ['ChannelId', 'call-1'],
    ]);
    expect(await failure(asked)).toEqual({ reason: 'connection', wrote: true });
    expect(engine.calls).toHaveLength(1);
  });

  test('that keeps silent is given up, with its connection', async () => {
    const client = clientOf();
    await client.ready();
    engine.silent.add('coresettings');
    const asked = failure(client.sendAction(PING));
    await eventually(() => expect(engine.actions).toHaveLength(1));
    timers.ring(TIMEOUT);
    expect(await asked).toEqual({ reason: 'timeout', wrote: true });
    engine.silent.clear();
    await client.sendAction(PING);
  });

  test('without a query for a while is disconnected, and connected for the next one', async () => {
    const client = clientOf();
    await client.ready();
    timers.ring(IDLE);
    await eventually(() => expect(engine.sessions).toHaveLength(0));
    expect(timers.waits).toEqual([]);
    await client.sendAction(PING);
  });
});

describe('what is not the manager interface', () => {
  test.each([
    ['another greeting', (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
    ['a greeting without end', (socket: Socket) => socket.write('A'.repeat(64 * 1024))],
    [
      'a message without end',
      (socket: Socket) => socket.write(`Asterisk Call Manager/5.0\r\n${'a: b\r\n'.repeat(2_000)}`),
    ],
  ])('is refused: %s', async (_name, greets) => {
    const port = await peerThat(greets);
    expect(await failure(clientOf({ port }).ready())).toEqual({ reason: 'protocol', wrote: false });
  });

  test('is given up when it says nothing', async () => {
    let greeted = false;
    const port = await peerThat(() => {
      greeted = true;
    });
    const asked = failure(clientOf({ port }).ready());
    await eventually(() => expect(greeted).toBe(true));
    timers.ring(TIMEOUT);
    expect(await asked).toEqual({ reason: 'timeout', wrote: false });
  });
});

describe('an action', () => {
  test('holds no line end but its own', () => {
    const text = formatAction([
      ['Action', 'DBPut'],
      ['Val', 'a\r\nAction: Command\nb\u0000'],
    ]);
    expect(text).toBe('Action: DBPut\r\nVal: aAction: Commandb\r\n\r\n');
  });

  test('is not written with a line that the engine would drop', async () => {
    const long = [['Action', 'x'.repeat(1_015)]] as const;
    expect(formatAction([['Action', 'x'.repeat(1_014)]])).toHaveLength(1_026);
    expect(() => formatAction(long)).toThrow(AmiError);
    expect(await failure(clientOf().sendAction(long))).toEqual({ reason: 'unsendable', wrote: false });
  });

  test('keeps what a variable holds from ending it', () => {
    expect(formatVariable('CHANNEL(x)', 'a,s,1')).toBe('CHANNEL(x)=a\\,s\\,1');
    expect(formatVariable('FILE', '/a (b)/"c"\\.tiff')).toBe('FILE=/a \\(b\\)/\\"c\\"\\\\.tiff');
  });
});

test('messages are read however their bytes are cut', () => {
  const bytes = Buffer.from(
    'Asterisk Call Manager/5.0.4\r\nEvent: A\r\nName: Zoë: x\r\n\r\n\r\nEvent: B\nName:\n\nEvent: C\r\n',
  );
  for (let size = 1; size < 20; size += 1) {
    const reader = createAmiReader();
    const read: AmiMessage[] = [];
    for (let at = 0; at < bytes.length; at += size) read.push(...reader.push(bytes.subarray(at, at + size)));
    expect(read.map((message) => [message.get('event'), message.get('NAME')])).toEqual([
      ['A', 'Zoë: x'],
      ['B', ''],
    ]);
  }
});
