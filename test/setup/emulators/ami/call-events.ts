import type { AmiCall, CallEnd } from './call.ts';

/** An event: its name, then its lines. */
export type AmiEvent = readonly string[];

const STATES = { Down: 0, Ringing: 5, Up: 6 } as const;
const UNKNOWN = '<unknown>';

/** Events of Asterisk about calls, in its order. `seconds`: the epoch time of the engine. */
export class CallEvents {
  readonly #seconds: () => number;
  constructor(seconds: () => number) {
    this.#seconds = seconds;
  }

  begun(call: AmiCall): AmiEvent[] {
    const down = { ...call, state: 'Down' } as const;
    return [
      this.#of({ ...down, callerId: UNKNOWN }, 'Newchannel'),
      this.#of(down, 'NewCallerid', { connected: UNKNOWN }),
      this.#of(down, 'NewConnectedLine'),
      this.#dial(down, 'DialBegin', `DialString: ${call.dialed}@faxdesk-trunk`),
      ...(call.state === 'Ringing'
        ? [this.#of(call, 'Newstate'), this.#dial(call, 'DialState', 'DialStatus: RINGING')]
        : []),
    ];
  }

  answered(call: AmiCall): AmiEvent[] {
    return [
      this.#of(call, 'Newstate'),
      this.#dial(call, 'DialEnd', 'DialStatus: ANSWER'),
      this.#user(call, 'faxdesk-send', `At: ${Math.floor(this.#seconds())}`),
      this.#originated(call, 4),
      ...['Allocating Resources', 'FAX Transmission In Progress'].map((status) =>
        this.#of(call, 'FAXStatus', { context: 'faxdesk-send' }, [
          'Operation: send',
          `Status: ${status}`,
          `LocalStationID: ${call.callerId}`,
          `FileName: ${call.variables['FAXDESK_FILE']}`,
        ]),
      ),
    ];
  }

  /** `facts`: the outcome line that the dialplan recorded. */
  ended(call: AmiCall, end: CallEnd, facts: string): AmiEvent[] {
    const cause = `Cause: ${end.cause ?? 16}`;
    if (call.state !== 'Up')
      return [
        ...(call.state === 'Down' ? [this.#dial(call, 'DialEnd', dialStatus(end))] : []),
        this.#user(call, 'faxdesk-ended', `Outcome: ${facts}`),
        this.#originated(call, call.state === 'Ringing' ? 3 : 0),
        this.#of(call, 'Hangup', {}, [cause]),
      ];
    const context = { context: 'faxdesk-send' };
    const sent = [
      `LocalStationID: ${call.callerId}`,
      `RemoteStationID: ${end.station ?? ''}`,
      `PagesTransferred: ${end.pages ?? 0}`,
      `Resolution: ${end.resolution ?? '8031x7700'}`,
      `TransferRate: ${end.rate ?? ''}`,
      `FileName: ${call.variables['FAXDESK_FILE']}`,
    ];
    return [
      // Without a rate the machines did not come to talk.
      ...(end.rate === undefined ? [] : [this.#of(call, 'SendFAX', context, sent)]),
      this.#of(call, 'SoftHangupRequest', context, [cause]),
      this.#user(call, 'faxdesk-ended', `Outcome: ${facts}`),
      this.#of(call, 'Hangup', context, [cause]),
    ];
  }

  #head(name: string, kind = 'call'): string[] {
    return [name, `Privilege: ${kind},all`, `Timestamp: ${this.#seconds().toFixed(6)}`];
  }

  #of(
    call: AmiCall,
    name: string,
    place: { context?: string; connected?: string } = {},
    lines: readonly string[] = [],
  ): AmiEvent {
    return [...this.#head(name), ...channelLines(call, place), ...lines];
  }

  #dial(call: AmiCall, name: string, line: string): AmiEvent {
    return [...this.#head(name), ...channelLines(call).map((each) => `Dest${each}`), line];
  }

  #user(call: AmiCall, context: string, line: string): AmiEvent {
    const name = line.startsWith('At:') ? 'FaxdeskAnswered' : 'FaxdeskOutcome';
    return [
      ...this.#head('UserEvent', 'user'),
      ...channelLines(call, { context }),
      `UserEvent: ${name}`,
      `Attempt: ${call.id}`,
      line,
    ];
  }

  #originated(call: AmiCall, reason: number): AmiEvent {
    const isAnswered = reason === 4;
    return [
      ...this.#head('OriginateResponse'),
      `ActionID: ${call.actionId}`,
      `Response: ${isAnswered ? 'Success' : 'Failure'}`,
      `Channel: ${isAnswered ? call.channel : `PJSIP/${call.dialed}@faxdesk-trunk`}`,
      'Context: faxdesk-send',
      'Exten: s',
      `Reason: ${reason}`,
      `Uniqueid: ${call.id}`,
      `CallerIDNum: ${call.callerId}`,
      `CallerIDName: ${UNKNOWN}`,
    ];
  }
}

function dialStatus({ cause }: CallEnd): string {
  const statuses: Readonly<Record<number, string>> = { 17: 'BUSY', 34: 'CONGESTION' };
  return `DialStatus: ${statuses[cause ?? 0] ?? 'NOANSWER'}`;
}

/** A channel as it stands in every event and list of channels. */
export function channelLines(
  { channel, state, callerId, id }: AmiCall,
  { context = 'faxdesk-receive', connected = callerId }: { context?: string; connected?: string } = {},
): string[] {
  return [
    `Channel: ${channel}`,
    `ChannelState: ${STATES[state]}`,
    `ChannelStateDesc: ${state}`,
    `CallerIDNum: ${callerId}`,
    `CallerIDName: ${UNKNOWN}`,
    `ConnectedLineNum: ${connected}`,
    `ConnectedLineName: ${UNKNOWN}`,
    'Language: en',
    'AccountCode: ',
    `Context: ${context}`,
    'Exten: s',
    'Priority: 1',
    `Uniqueid: ${id}`,
    `Linkedid: ${id}`,
  ];
}
