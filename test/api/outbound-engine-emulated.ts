import { vi } from 'vitest';
import { createAmiClient } from '../../server/platform/ami/client.ts';
import { AmiError } from '../../server/platform/ami/error.ts';
import type { AmiAction } from '../../server/platform/ami/message.ts';
import { newId } from '../../server/platform/ids.ts';
import { startCutOffProxy } from '../setup/cut-off-proxy.ts';
import {
  type AmiEmulator,
  type CallEnd,
  type CallPlan,
  startAmiEmulator,
} from '../setup/emulators/ami/index.ts';
import { eventually } from '../setup/eventually.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';
import { type AmiTranscript, createAmiTranscript } from '../setup/telephony/ami-transcript.ts';
import { type FarEndBehavior, farEndNumber } from '../setup/telephony/far-end.ts';
import { CALL_MS } from './outbound-engine-setup.ts';
import { lineSettings } from './outbound-line-setup.ts';

/** Behavior of the far end, as the emulated engine reproduces it. */
interface Behavior {
  readonly plan: CallPlan;
  /** End of an answered call; a fax that goes through reports its page first. */
  readonly end?: CallEnd;
}

const AS_SOUND = { mode: 'audio', techcause: 'SIP 488 Not Acceptable Here' } as const;
const RING = { kind: 'ring' } as const;
const NOBODY = 'Timed out waiting for initial communication';

const EMULATED: Readonly<Partial<Record<FarEndBehavior, Behavior>>> = {
  t38: { plan: RING, end: {} },
  audio: { plan: RING, end: AS_SOUND },
  audioWithoutEcm: { plan: RING, end: AS_SOUND },
  busy: { plan: { kind: 'fail', cause: 17 } },
  noAnswer: { plan: { kind: 'fail', cause: 0 } },
  rejected: { plan: { kind: 'fail', cause: 21 } },
  unknownNumber: { plan: { kind: 'fail', cause: 1 } },
  overloaded: { plan: { kind: 'fail', cause: 34 } },
  outOfOrder: { plan: { kind: 'fail', cause: 27 } },
  voice: {
    plan: { kind: 'answer' },
    end: {
      mode: 'audio',
      // So long a call is refreshed, which is what the engine answered last.
      techcause: 'SIP 200 OK',
      status: 'FAILED',
      error: NOBODY,
      statusstr: NOBODY,
      pages: 0,
      rate: 14_400,
      resolution: '0x0',
    },
  },
  hangsUpAtOnce: {
    plan: { kind: 'answer' },
    end: {
      status: 'FAILED',
      error: 'T38_NEG_ERROR',
      statusstr: 'error negotiating T.38',
      pages: 0,
      resolution: '',
      mode: 'audio',
      techcause: 'SIP 200 OK',
    },
  },
};

/** Returns the transcript of the emulated engine for one call of each behavior. */
export async function emulatedCalls(): Promise<AmiTranscript> {
  const transcript = createAmiTranscript();
  const clock = new ManualClock();
  const engine = await startAmiEmulator(() => clock.now());
  const proxy = await startCutOffProxy({ host: '127.0.0.1', port: engine.port }, transcript.listen);
  const settings = { ...lineSettings(engine), TELEPHONY_PORT: String(proxy.port) };
  const gateway = await startTestGateway({ clock, settings });
  try {
    for (const [behavior, played] of Object.entries(EMULATED))
      await play({ gateway, engine }, farEndNumber(behavior as FarEndBehavior), played);
    await cancelRinging(gateway, farEndNumber('noAnswer', 8));
    await sendUnusualRequests({ ...engine.account, host: '127.0.0.1', port: proxy.port });
    return transcript;
  } finally {
    await gateway.close();
    await proxy.close();
    await engine.close();
  }
}

async function play(
  { gateway, engine }: { gateway: TestGateway; engine: AmiEmulator },
  to: string,
  { plan, end }: Behavior,
): Promise<void> {
  engine.plans.push(plan);
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  const call = engine.calls.at(-1);
  if (!call) throw new Error('nobody was called');
  if (end) {
    await gateway.request('POST', `/fax/${id}/refresh`);
    if (end.status === undefined) {
      engine.answer(call.id);
      for (const hasSession of [false, true]) {
        call.hasSession = hasSession;
        await gateway.request('POST', `/fax/${id}/refresh`);
      }
      call.page = 1;
      await gateway.request('POST', `/fax/${id}/refresh`);
      engine.deliver(call.id, end);
    } else engine.end(call.id, end);
  }
  await eventually(async () => {
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    if ((await gateway.fax(id)).delivery_state === 'in_progress') throw new Error('the call goes on');
  });
}

/** Takes a fax back while its call rings. */
export async function cancelRinging(gateway: TestGateway, to: string): Promise<Fax> {
  const { id } = await gateway.send({ to });
  // Behind the other calls it may have to wait for a line.
  const look = async () => {
    await gateway.processAll();
    await gateway.request('POST', `/fax/${id}/refresh`);
    const { delivery_version, progress } = await gateway.fax(id);
    if (progress?.stage !== 'dialing') throw new Error('it does not ring yet');
    const json = { delivery_version };
    const { status } = await gateway.request('POST', `/fax/${id}/cancel`, { json });
    if (status !== 200) throw new Error(`not canceled: ${status}`);
    return await gateway.fax(id);
  };
  return await vi.waitFor(look, { timeout: CALL_MS, interval: 250 });
}

/** Sends requests that an engine refuses, and those that are sent only once; any answer is accepted. */
export async function sendUnusualRequests(account: {
  host: string;
  port: number;
  user: string;
  password: string;
}): Promise<void> {
  const client = createAmiClient(account);
  const stranger = createAmiClient({ ...account, password: 'wrong' });
  const order: AmiAction = [
    ['Action', 'Originate'],
    ['Channel', 'PJSIP/+12025550199@faxdesk-trunk'],
    ['Context', 'nowhere'],
    ['Exten', 's'],
    ['Priority', '1'],
    ['Async', 'true'],
  ];
  const note: AmiAction = [
    ['Family', 'faxdesk-begun'],
    ['Key', newId()],
  ];
  const questions: AmiAction[] = [
    [['Action', 'DBPut'], ...note, ['Val', '1700000000;1']],
    [
      ['Action', 'DBGetTree'],
      ['Family', 'faxdesk-begun'],
    ],
    [['Action', 'DBDel'], ...note],
    [['Action', 'CoreSettings']],
    [
      ['Action', 'Hangup'],
      ['Channel', 'PJSIP/faxdesk-trunk-0000ffff'],
    ],
    [['Action', 'Nonsense']],
    order,
  ];
  const refused = (error: unknown) => {
    if (!(error instanceof AmiError)) throw error;
  };
  try {
    for (const question of questions) await client.sendAction(question).catch(refused);
    const session: AmiAction = [
      ['Action', 'FAXSession'],
      ['SessionNumber', '9999'],
    ];
    await client.sendAction(session, 'FAXSession').catch(refused);
    await stranger.ready().catch(refused);
  } finally {
    client.close();
    stranger.close();
  }
}
