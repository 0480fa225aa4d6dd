/** A call as it was originated. */
export interface AmiCall {
  readonly id: string;
  /** From 0, in the order of the calls. */
  readonly number: number;
  /** The action that began it. */
  readonly actionId: string;
  readonly channel: string;
  readonly dialed: string;
  /** Endpoint of the trunk, as the engine names it. */
  readonly trunk: string;
  readonly callerId: string;
  readonly variables: Readonly<Record<string, string>>;
  state: 'Down' | 'Ringing' | 'Up';
  /** The page that is being sent; 0 until the machines have agreed, one more than there are once the last was confirmed. */
  page: number;
  /** True while the fax machines communicate; this begins some time after the answer. */
  hasSession: boolean;
}

/** End of a call as the dialplan records it. Omitted fields are as in a call that succeeded, or was not answered. */
export interface CallEnd {
  readonly status?: string;
  readonly error?: string;
  readonly statusstr?: string;
  readonly pages?: number;
  readonly rate?: number;
  readonly resolution?: string;
  readonly mode?: string;
  readonly ecm?: string;
  readonly station?: string;
  readonly cause?: number;
  readonly techcause?: string;
}

/** Record of a fax that was delivered. */
export const DELIVERED: CallEnd = {
  status: 'SUCCESS',
  // The machine that hangs up first decides it.
  error: 'HANGUP',
  statusstr: 'OK',
  rate: 14_400,
  mode: 'T38',
  techcause: 'SIP 200 OK',
};

/** Words of Asterisk for a cause that the carrier reported. */
export const TECHCAUSES: Readonly<Record<number, string>> = {
  0: 'SIP 180 Ringing',
  1: 'SIP 404 Not Found',
  17: 'SIP 486 Busy Here',
  21: 'SIP 403 Forbidden',
  27: 'SIP 502 Bad Gateway',
  34: 'SIP 503 Service Unavailable',
};

/** The two lines of `faxdesk-ended`. `answered`, `ended`: epoch seconds. */
export function outcomeLines(
  { state, variables }: AmiCall,
  end: CallEnd,
  { answered, ended }: { answered: string; ended: string },
): { facts: string; words: string } {
  const text = (value: string | undefined) => Buffer.from(value ?? '').toString('base64');
  const joined = (fields: Record<string, string | number>) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${value}`)
      .join(';');
  const facts = joined({
    status: end.status ?? '',
    pages: end.pages ?? '',
    rate: end.rate ?? '',
    resolution: end.resolution ?? (end.pages === undefined ? '' : '8031x7700'),
    mode: end.mode ?? '',
    ecm: end.ecm ?? variables['FAXDESK_ECM'] ?? '',
    answered: state === 'Up' ? answered : '',
    ended,
    cause: end.cause ?? (state === 'Up' ? 16 : 0),
  });
  // The dialplan cuts them.
  const words = joined({
    error: text(end.error?.slice(0, 20)),
    station: text(end.station?.slice(0, 20)),
    statusstr: text(end.statusstr?.slice(0, 72)),
    techcause: text(end.techcause?.slice(0, 30)),
  });
  return { facts, words };
}
