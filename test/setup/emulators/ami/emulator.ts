import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type AmiCall, type CallEnd, DELIVERED, outcomeLines, TECHCAUSES } from './call.ts';
import { type AmiEvent, CallEvents, channelLines } from './call-events.ts';
import { LineState } from './line-state.ts';
import { AmiSession, type ReadAction } from './session.ts';

/** Course of a future call, used in order; a call without a plan rings until the test decides. */
export type CallPlan =
  | { readonly kind: 'ring' }
  /** Answered, and the fax runs until the test ends it. */
  | { readonly kind: 'answer' }
  /** Not answered: the cause as Q.850 counts them. */
  | { readonly kind: 'fail'; readonly cause: number; readonly techcause?: string }
  /** Answered, and the fax goes through at once. */
  | { readonly kind: 'deliver' }
  /** The engine refuses to originate. */
  | { readonly kind: 'refuse'; readonly words: string }
  /** The connection is cut when the action came: before or after the call was begun. */
  | { readonly kind: 'cut'; readonly begun: boolean };

/**
 * A telephone engine at its manager interface, on the loopback interface: sign-in, Originate, channels, the database of the
 * engine, and what the dialplan of the product notes there. Nothing happens by itself.
 */
export class AmiEmulator {
  readonly calls: AmiCall[] = [];
  /** The calls that still exist, by their id. */
  readonly live = new Map<string, AmiCall>();
  /** `family/key`, as AstDB. */
  readonly database = new Map<string, string>();
  readonly actions: ReadAction[] = [];
  readonly plans: CallPlan[] = [];
  /** Actions by their lower-case name that are not answered. */
  readonly silent = new Set<string>();
  readonly account = { user: 'faxdesk', password: 'emulator-engine-secret' };
  /** State that the check of the phone line reads. */
  readonly line = new LineState();
  readonly #server: Server;
  readonly #now: () => number;
  #sessions: AmiSession[] = [];
  #port = 0;
  readonly #events: CallEvents;

  constructor(now: () => number) {
    this.#now = now;
    this.#events = new CallEvents(() => now() / 1000);
    this.#server = createServer((socket) => {
      const session = new AmiSession(socket, this.account, (from, action) =>
        this.#handleAction(from, action),
      );
      this.#sessions.push(session);
      socket.on('close', () => {
        this.#sessions = this.#sessions.filter((each) => each !== session);
      });
    });
  }

  get port(): number {
    return this.#port;
  }

  get sessions(): readonly AmiSession[] {
    return this.#sessions;
  }

  async open(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** The engine goes away; its calls go on unless it was killed. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }

  /** Ends every connection. */
  cut(): void {
    for (const session of this.#sessions) session.cut();
  }

  /** Simulates a kill of the engine: connections and calls are gone, and no outcome was recorded. */
  async kill(): Promise<void> {
    await this.close();
    this.live.clear();
  }

  event(...lines: string[]): void {
    for (const session of this.#sessions) if (session.isSignedIn) session.send(...lines);
  }

  /** The other side takes the call, and the fax machines begin to talk. */
  answer(id: string): void {
    const call = this.#live(id);
    call.state = 'Up';
    call.hasSession = true;
    this.database.set(`faxdesk-answered/${id}`, this.#seconds());
    this.#sendEvents(this.#events.answered(call));
  }

  /** Ends the call. The hangup handler of the dialplan records the outcome, and sends an event unless `quiet`. */
  end(id: string, end: CallEnd, quiet = false): void {
    const call = this.#live(id);
    this.live.delete(id);
    const answered = this.database.get(`faxdesk-answered/${id}`) ?? '';
    const { facts, words } = outcomeLines(call, end, { answered, ended: this.#seconds() });
    this.database.set(`faxdesk-words/${id}`, words);
    this.database.set(`faxdesk-outcome/${id}`, facts);
    this.database.delete(`faxdesk-answered/${id}`);
    if (!quiet) this.#sendEvents(this.#events.ended(call, end, facts));
  }

  /** Somebody takes the call or has taken it, every page arrives, and the call ends. */
  deliver(id: string, end: CallEnd = {}): void {
    if (this.#live(id).state !== 'Up') this.answer(id);
    const pages = Number(this.#live(id).variables['FAXDESK_PAGES']);
    this.end(id, { ...DELIVERED, pages, station: this.#live(id).dialed.replace('+', ''), ...end });
  }

  #live(id: string): AmiCall {
    const call = this.live.get(id);
    if (!call) throw new Error(`no call ${id}`);
    return call;
  }

  #seconds(): string {
    return String(Math.floor(this.#now() / 1000));
  }

  #sendEvents(events: readonly AmiEvent[]): void {
    for (const [name, ...lines] of events) this.event(`Event: ${name}`, ...lines);
  }

  #handleAction(session: AmiSession, action: ReadAction): void {
    this.actions.push(action);
    if (this.silent.has(action.name)) return;
    if (!session.isSignedIn) return session.answer(action, 'Permission denied', 'Error');
    if (this.line.answer(session, action)) return;
    switch (action.name) {
      case 'originate':
        return this.#originate(session, action);
      case 'dbput':
        this.database.set(`${action.get('Family')}/${action.get('Key')}`, action.get('Val'));
        return session.answer(action, 'Updated database successfully');
      case 'dbdel': {
        const known = this.database.delete(`${action.get('Family')}/${action.get('Key')}`);
        return known
          ? session.answer(action, 'Key deleted successfully')
          : session.answer(action, 'Database entry could not be deleted', 'Error');
      }
      case 'dbget':
        return this.#dbget(session, action);
      case 'dbgettree':
        return this.#dbgettree(session, action);
      case 'coreshowchannels':
        return session.list(action, this.#channels(action), {
          name: 'CoreShowChannels',
          message: 'Channels will follow',
        });
      case 'faxsessions':
        return session.list(action, this.#faxSessions(action), {
          name: 'FAXSessions',
          message: 'FAXSessionsEntry event list will follow',
          // Of all lists only this one begins with a capital letter.
          begin: 'Start',
          counts: ['ListItems', 'Total'],
        });
      case 'faxsession':
        return this.#faxSession(session, action);
      case 'hangup':
        return this.#hangup(session, action);
      case 'coresettings':
        return session.send('Response: Success', `ActionID: ${action.id}`, 'AsteriskVersion: 20.5.0');
      default:
        return session.answer(
          action,
          `Invalid/unknown command: ${action.get('Action')}. Use Action: ListCommands to show available commands.`,
          'Error',
        );
    }
  }

  #channels(action: ReadAction): AmiEvent[] {
    return [...this.live.values()].map((call) => [
      'CoreShowChannel',
      `ActionID: ${action.id}`,
      ...channelLines(call, call.state === 'Up' ? { context: 'faxdesk-send' } : {}),
      `Application: ${call.state === 'Up' ? 'SendFAX' : 'AppDial2'}`,
      `ApplicationData: ${call.state === 'Up' ? call.variables['FAXDESK_FILE'] : '(Outgoing Line)'}`,
      'Duration: 00:00:00',
      'BridgeId: ',
    ]);
  }

  /** Numbered as the calls are. */
  #faxSessions(action: ReadAction): AmiEvent[] {
    return [...this.live.values()]
      .filter(({ hasSession }) => hasSession)
      .map((call) => [
        'FAXSessionsEntry',
        `ActionID: ${action.id}`,
        `Channel: ${call.channel}`,
        'Technology: Spandsp',
        `SessionNumber: ${call.number}`,
        'SessionType: T.38',
        'Operation: send',
        'State: Active',
        `Files: ${call.variables['FAXDESK_FILE']}`,
      ]);
  }

  #faxSession(session: AmiSession, action: ReadAction): void {
    const call = this.calls[Number(action.get('SessionNumber'))];
    if (!call || !this.live.has(call.id)) return session.answer(action, 'Session not found', 'Error');
    session.answer(action, 'FAXSession event will follow');
    const isAgreed = call.page > 0;
    session.send(
      'Event: FAXSession',
      `ActionID: ${action.id}`,
      `SessionNumber: ${action.get('SessionNumber')}`,
      'Operation: send',
      'State: Active',
      `ErrorCorrectionMode: ${isAgreed ? 'Yes' : 'No'}`,
      'DataRate: 14400',
      `ImageResolution: ${isAgreed ? '8031x7700' : '0x0'}`,
      `PageNumber: ${Math.max(call.page, 1)}`,
      `FileName: ${call.variables['FAXDESK_FILE']}`,
      `PagesTransmitted: ${Math.max(call.page - 1, 0)}`,
      'PagesReceived: 0',
      'TotalBadLines: 0',
    );
  }

  #dbget(session: AmiSession, action: ReadAction): void {
    const [family, key] = [action.get('Family'), action.get('Key')];
    const value = this.database.get(`${family}/${key}`);
    if (value === undefined) return session.answer(action, 'Database entry not found', 'Error');
    // The engine copies a value into 256 bytes.
    const note = [`Family: ${family}`, `Key: ${key}`, `Val: ${value.slice(0, 255)}`];
    session.list(action, [['DBGetResponse', ...note, `ActionID: ${action.id}`]], {
      name: 'DBGet',
      message: 'Result will follow',
    });
  }

  #dbgettree(session: AmiSession, action: ReadAction): void {
    const family = `${action.get('Family')}/`;
    const entries = [...this.database].filter(([name]) => name.startsWith(family));
    session.list(
      action,
      entries.map(([name, value]) => [
        'DBGetTreeResponse',
        `Key: /${name}`,
        `Val: ${value}`,
        `ActionID: ${action.id}`,
      ]),
      { name: 'DBGetTree', message: 'Result will follow' },
    );
  }

  #hangup(session: AmiSession, action: ReadAction): void {
    const call = [...this.live.values()].find(({ channel }) => channel === action.get('Channel'));
    if (!call) return session.answer(action, 'No such channel', 'Error');
    session.answer(action, 'Channel Hungup');
    if (call.state === 'Up') this.end(call.id, { status: 'FAILED', error: 'HANGUP' });
    else this.end(call.id, { cause: 0, techcause: TECHCAUSES[0] ?? '' });
  }

  #originate(session: AmiSession, action: ReadAction): void {
    if (action.get('Context') !== 'faxdesk-send')
      return session.answer(action, 'Extension does not exist.', 'Error');
    const plan = this.plans.shift() ?? { kind: 'ring' };
    if (plan.kind === 'refuse') return session.answer(action, plan.words, 'Error');
    if (plan.kind === 'cut' && !plan.begun) return session.cut();
    const id = action.get('ChannelId');
    const [, dialed = '', trunk = ''] = /^PJSIP\/(.+)@(.+)$/u.exec(action.get('Channel')) ?? [];
    const channel = `PJSIP/faxdesk-trunk-${String(this.calls.length).padStart(8, '0')}`;
    const variables = Object.fromEntries(action.all('Variable').map((variable) => readVariable(variable)));
    const isRinging = plan.kind !== 'fail' || plan.cause === 0;
    const call: AmiCall = {
      id,
      number: this.calls.length,
      actionId: action.id,
      channel,
      dialed,
      trunk,
      callerId: action.get('CallerID'),
      variables,
      state: isRinging ? 'Ringing' : 'Down',
      page: 0,
      hasSession: false,
    };
    this.calls.push(call);
    this.live.set(id, call);
    if (plan.kind === 'cut') return session.cut();
    session.answer(action, 'Originate successfully queued');
    this.#sendEvents(this.#events.begun(call));
    if (plan.kind === 'fail')
      this.end(id, { cause: plan.cause, techcause: plan.techcause ?? TECHCAUSES[plan.cause] ?? '' });
    if (plan.kind === 'answer') this.answer(id);
    if (plan.kind === 'deliver') this.deliver(id);
  }
}

/** A backslash takes its meaning from the character behind it. */
function readVariable(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1).replaceAll(/\\(.)/gu, '$1')];
}

/** `now`: epoch milliseconds. */
export async function startAmiEmulator(now: () => number): Promise<AmiEmulator> {
  const emulator = new AmiEmulator(now);
  await emulator.open();
  return emulator;
}
