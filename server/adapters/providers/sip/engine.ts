import { type AmiClient, createAmiClient } from '../../../platform/ami/client.ts';
import { AmiError } from '../../../platform/ami/error.ts';
import { type AmiAction, type AmiMessage, formatVariable } from '../../../platform/ami/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Timers } from '../../../platform/timers.ts';
import type { SipAccount } from './account.ts';
import { createNoteCleanup, type ListPending } from './note-cleanup.ts';
import { ANSWERED, BEGUN, OUTCOME, readNote, removeNotes, WORDS } from './notes.ts';
import { type CallOutcome, readOutcome } from './outcome-record.ts';

/** Names shared with the dialplan; see `resources/telephony/templates/extensions.conf`. */
/** Resolution that the engine reports before an image has one. */
const UNKNOWN_SIZE = '0x0';
const ECM_VALUES: Readonly<Record<string, boolean>> = { yes: true, no: false };
/** Ringing time after which a call counts as not answered. */
const RING_MS = 60_000;

/** One call as the engine makes it. */
interface CallOrder {
  readonly attemptId: string;
  /** Name of the trunk in the engine. */
  readonly trunk: string;
  /** As the carrier wants it. */
  readonly dialed: string;
  /** E.164; null where there is none. */
  readonly callerId: string | null;
  /** Of the channel, for the dialplan. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A call that exists at this moment. */
export interface LiveCall {
  readonly channel: string;
  readonly isAnswered: boolean;
}

/** Progress of the fax of a call. */
interface FaxSession {
  /** The page that is being sent, from 1; after the last one was confirmed, one more than there are. */
  readonly page: number;
  readonly rateBps: number | null;
  /** True when the machines agreed on error correction; null where the engine does not report it. */
  readonly ecm: boolean | null;
}

/** Operations of one engine. All of them throw AmiError. */
export interface Engine {
  ready(): Promise<void>;
  /** Its release, e.g. `20.5.0`. */
  version(): Promise<string | null>;
  /** Notes at the engine that this attempt is about to be called for, and how many pages it has. */
  recordStart(attemptId: string, pages: number): Promise<void>;
  /** Begins the call and waits for nothing of it. */
  originate(order: CallOrder): Promise<void>;
  fetchOutcome(attemptId: string): Promise<CallOutcome | null>;
  /** Returns the record made when the attempt was begun; null where the engine has none. */
  readStart(attemptId: string): Promise<{ readonly pages: number | null } | null>;
  wasAnswered(attemptId: string): Promise<boolean>;
  liveCall(attemptId: string): Promise<LiveCall | null>;
  /** Null while no page is being sent on the channel. */
  fetchSession(channel: string): Promise<FaxSession | null>;
  hangUp(channel: string): Promise<void>;
  /** Removes the engine's records of an attempt, once its outcome is recorded here. */
  forget(attemptId: string): Promise<void>;
}

/** The engines of the accounts that are in use, each with one connection. */
export interface Engines {
  forAccount(account: SipAccount): Engine;
  close(): void;
}

/**
 * Creates the engines. `onProviderEvent` is called with an attempt about which the engine sent an event: a reason to query,
 * nothing more. `listPending` returns the attempts whose outcome is still pending; null when that cannot be determined.
 */
export function createEngines(parts: {
  readonly clock: Clock;
  readonly timers?: Timers | undefined;
  readonly onProviderEvent: (attemptId: string) => void;
  readonly listPending: ListPending;
}): Engines {
  const clients = new Map<string, AmiClient>();
  return {
    forAccount({ engine }) {
      const key = JSON.stringify(engine);
      const client = clients.get(key) ?? createClient(engine, parts);
      clients.set(key, client);
      return createEngine(client, parts.clock);
    },
    close() {
      for (const client of clients.values()) client.close();
    },
  };
}

function createClient(account: SipAccount['engine'], parts: Parameters<typeof createEngines>[0]): AmiClient {
  const { clock, timers, onProviderEvent, listPending } = parts;
  const clear = createNoteCleanup({ clock, listPending });
  const client = createAmiClient(account, {
    ...(timers ? { timers } : {}),
    onEvent(event) {
      const attemptId = attemptOf(event);
      if (attemptId !== null) onProviderEvent(attemptId);
    },
    onSignedIn: () => void clear(client),
  });
  return client;
}

/** The attempt that an event of our dialplan is of; null for every other event. */
function attemptOf(event: AmiMessage): string | null {
  if (event.get('Event') !== 'UserEvent') return null;
  const isOurs = ['FaxdeskOutcome', 'FaxdeskAnswered'].includes(event.get('UserEvent') ?? '');
  const attemptId = event.get('Attempt') ?? '';
  return isOurs && /^[\w-]{1,40}$/u.test(attemptId) ? attemptId : null;
}

function createEngine(client: AmiClient, clock: Clock): Engine {
  const readRecord = async (family: string, attemptId: string) => await readNote(client, family, attemptId);

  return {
    ready: async () => await client.ready(),
    async version() {
      const { response } = await client.sendAction([['Action', 'CoreSettings']]);
      return response.get('AsteriskVersion');
    },
    async recordStart(attemptId, pages) {
      await client.sendAction([
        ['Action', 'DBPut'],
        ['Family', BEGUN],
        ['Key', attemptId],
        ['Val', `${Math.floor(clock.now() / 1000)};${pages}`],
      ]);
    },
    async originate(order) {
      await client.sendAction(originateAction(order));
    },
    async fetchOutcome(attemptId) {
      const facts = await readRecord(OUTCOME, attemptId);
      return facts === '' ? null : readOutcome(facts, await readRecord(WORDS, attemptId));
    },
    async readStart(attemptId) {
      const [, pages] = /^\d+;(\d+)$/u.exec(await readRecord(BEGUN, attemptId)) ?? [];
      return pages === undefined ? null : { pages: Number(pages) };
    },
    wasAnswered: async (attemptId) => (await readRecord(ANSWERED, attemptId)) !== '',
    async liveCall(attemptId) {
      const { entries } = await client.sendAction([['Action', 'CoreShowChannels']]);
      const call = entries.find((entry) => entry.get('Uniqueid') === attemptId);
      if (!call) return null;
      return { channel: call.get('Channel') ?? '', isAnswered: call.get('ChannelStateDesc') === 'Up' };
    },
    fetchSession: async (channel) => await fetchSession(client, channel),
    async hangUp(channel) {
      await client.sendAction([
        ['Action', 'Hangup'],
        ['Channel', channel],
      ]);
    },
    async forget(attemptId) {
      await removeNotes(client, attemptId);
    },
  };
}

async function fetchSession(client: AmiClient, channel: string): Promise<FaxSession | null> {
  const { entries } = await client.sendAction([['Action', 'FAXSessions']]);
  const number = entries.find((entry) => entry.get('Channel') === channel)?.get('SessionNumber') ?? null;
  if (number === null) return null;
  const action = [
    ['Action', 'FAXSession'],
    ['SessionNumber', number],
  ] as const;
  try {
    const [session] = (await client.sendAction(action, 'FAXSession')).entries;
    const page = Number(session?.get('PageNumber'));
    // Until the two machines have agreed on size and rate, the engine already counts page 1 and reports the rate that
    // we offer.
    const isAgreed = session?.get('ImageResolution') !== UNKNOWN_SIZE;
    if (!isAgreed || !(page >= 1)) return null;
    const ecm = (session?.get('ErrorCorrectionMode') ?? '').toLowerCase();
    return { page, rateBps: Number(session?.get('DataRate')) || null, ecm: ECM_VALUES[ecm] ?? null };
  } catch (error) {
    // It ended just now.
    if (error instanceof AmiError && error.reason === 'refused') return null;
    throw error;
  }
}

function originateAction({ attemptId, trunk, dialed, callerId, variables }: CallOrder): AmiAction {
  const named = Object.entries({ FAXDESK_ATTEMPT: attemptId, ...variables });
  return [
    ['Action', 'Originate'],
    ['Channel', `PJSIP/${dialed}@${trunk}`],
    ['Context', 'faxdesk-send'],
    ['Exten', 's'],
    ['Priority', '1'],
    ['Timeout', String(RING_MS)],
    ['Async', 'true'],
    ['ChannelId', attemptId],
    ...(callerId === null ? [] : ([['CallerID', callerId]] as const)),
    // It notes how the call ended, also of one that nobody answers.
    ['Variable', formatVariable('CHANNEL(hangup_handler_push)', 'faxdesk-ended,s,1')],
    // A call that the carrier redirects ends there.
    ['Variable', formatVariable('FORWARD_CONTEXT', 'faxdesk-nowhere')],
    ...named.map(([name, value]) => ['Variable', formatVariable(name, value)] as const),
  ];
}
