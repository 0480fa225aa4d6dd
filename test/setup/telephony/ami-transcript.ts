import type { Listener } from '../cut-off-proxy.ts';
import { behaviorOf } from './far-end.ts';

/** A message of the manager interface: its lines in order, without what differs from call to call. */
type AmiMessage = readonly string[];

/** Answers to one kind of action. */
interface Answers {
  /** Sequences of answers, by their heads; equal entries of a list count once. */
  readonly kinds: Set<string>;
  /** Each once. */
  readonly messages: Map<string, AmiMessage>;
}

/** Answers of an engine to the actions of a client, and its own events. */
export interface AmiTranscript {
  /** Hears one connection on its way. */
  listen(): Listener;
  /** By the name of the action. */
  answers(): ReadonlyMap<string, Answers>;
  /** The events of each call, in their order, by the number that was dialed. */
  calls(): readonly { readonly dialed: string; readonly events: readonly AmiMessage[] }[];
}

type Fields = readonly (readonly [name: string, value: string])[];

export function createAmiTranscript(): AmiTranscript {
  const actions = new Map<string, { readonly name: string; readonly answers: AmiMessage[] }>();
  const calls = new Map<string, { dialed: string; events: AmiMessage[] }>();

  function recordAction(fields: Fields): void {
    actions.set(valueOf(fields, 'ActionID'), { name: valueOf(fields, 'Action'), answers: [] });
  }

  function recordAnswer(fields: Fields): void {
    if (valueOf(fields, 'Privilege') === '')
      return void actions.get(valueOf(fields, 'ActionID'))?.answers.push(normalizeMessage(fields));
    const id = valueOf(fields, 'Uniqueid') || valueOf(fields, 'DestUniqueid');
    const call = calls.get(id) ?? { dialed: '', events: [] };
    call.events.push(normalizeMessage(fields));
    call.dialed ||= valueOf(fields, 'DialString').replace(/@.*$/u, '');
    calls.set(id, call);
  }

  return {
    listen: () => ({ toTarget: parseMessages(recordAction), toClient: parseMessages(recordAnswer) }),
    answers() {
      const known = new Map<string, Answers>();
      for (const { name, answers } of actions.values()) {
        if (answers.length === 0) continue;
        const of = known.get(name) ?? { kinds: new Set(), messages: new Map() };
        known.set(name, of);
        const heads = answers.map((message) => headOf(message));
        of.kinds.add(heads.filter((head, i) => head !== heads[i - 1]).join('; '));
        for (const message of answers) of.messages.set(message.join('\n'), message);
      }
      return known;
    },
    calls: () => [...calls.values()].filter(({ dialed }) => dialed !== ''),
  };
}

/**
 * Lists the differences between an emulated engine and the real one, one line each: kinds of answers that only one of
 * them gives, lines that the real one lacks or has in another order, records of the dialplan that differ. Each message
 * of the real one may contain more.
 */
export function differencesBetween(emulated: AmiTranscript, real: AmiTranscript): string[] {
  const [said, known] = [emulated.answers(), real.answers()];
  const ofAnswers = [...new Set([...said.keys(), ...known.keys()])].flatMap((action) => {
    const [ours, theirs] = [said.get(action), known.get(action)];
    if (!ours || !theirs) return [`${action}: ${ours ? 'the real' : 'the emulated'} one was not asked`];
    const others = [...theirs.messages.values()];
    return [
      ...listMissing([...ours.kinds], [...theirs.kinds], `${action}: only emulated`),
      ...listMissing([...theirs.kinds], [...ours.kinds], `${action}: only real`),
      ...[...ours.messages.values()].flatMap((message) => removeContained(message, others)),
      ...listMissing(listRecordedFacts(ours), listRecordedFacts(theirs), 'only emulated'),
      // The ends of calls depend on the line as well; the names of the recorded values do not.
      ...listMissing(namesOf(listRecordedFacts(theirs)), namesOf(listRecordedFacts(ours)), 'only real'),
    ];
  });
  const events = real.calls().flatMap((call) => call.events);
  const ofCalls = emulated
    .calls()
    .flatMap((call) => [
      ...listMissing(
        [eventOrder(call.events)],
        eventOrders(real, call.dialed),
        `only emulated, to ${call.dialed}`,
      ),
      ...call.events.flatMap((event) => removeContained(event, events)),
    ]);
  return [...ofAnswers, ...ofCalls];
}

/** Returns what identifies a message: its response and words, or its event. */
function headOf(message: AmiMessage): string {
  const names = /^(?:Response|Event|UserEvent|Message): /u;
  return message.filter((line) => names.test(line)).join(', ');
}

function listMissing(lines: readonly string[], from: readonly string[], words: string): string[] {
  return lines.filter((line) => !from.includes(line)).map((line) => `${words}: ${line}`);
}

function removeContained(part: AmiMessage, messages: readonly AmiMessage[]): string[] {
  return messages.some((whole) => isPartOf(part, whole))
    ? []
    : [`nothing real has all of: ${part.join(', ')}`];
}

/** Returns true when all lines of a message occur in another one, in the same order. */
function isPartOf(part: AmiMessage, whole: AmiMessage): boolean {
  let from = 0;
  return part.every((line) => {
    const at = whole.indexOf(line, from);
    from = at + 1;
    return at !== -1;
  });
}

/** Lists the values that the dialplan recorded, as they are read. */
function listRecordedFacts({ messages }: Answers): string[] {
  return [...messages.values()].flatMap((message) => message.filter((line) => line.startsWith('Val: ')));
}

/** Removes the values from the records, so that the names remain. */
function namesOf(notes: readonly string[]): string[] {
  return notes.map((note) => note.replaceAll(/=[^;]*/gu, ''));
}

/** Of the calls to numbers where the far end does the same. */
function eventOrders(transcript: AmiTranscript, dialed: string): string[] {
  const same = transcript.calls().filter((call) => behaviorOf(call.dialed) === behaviorOf(dialed));
  return same.map(({ events }) => eventOrder(events));
}

/** The events of a call whose order does not hang on who is faster. */
function eventOrder(events: readonly AmiMessage[]): string {
  const names = /^(?:Event: (?:Newchannel|DialBegin|Hangup)|UserEvent: .*)$/u;
  return events.flatMap((event) => event.filter((line) => names.test(line))).join('; ');
}

function parseMessages(onMessage: (fields: Fields) => void): (bytes: Buffer) => void {
  let rest = '';
  return (bytes) => {
    rest += bytes.toString('utf8');
    for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
      onMessage(
        rest
          .slice(0, end)
          .split('\r\n')
          .map((line) => {
            const at = line.indexOf(':');
            return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
          }),
      );
      rest = rest.slice(end + 4);
    }
  };
}

function valueOf(fields: Fields, name: string): string {
  return fields.find(([each]) => each === name)?.[1] ?? '';
}

const normalizeMessage = (fields: Fields): AmiMessage =>
  fields.map(([name, value]) => `${name}: ${normalizeValue(name, value)}`);

/** Values that are compared as they are, though they are numbers. */
const EXACT = new Set([
  'ChannelState',
  'PageNumber',
  'DataRate',
  'PagesTransmitted',
  'PagesReceived',
  'Reason',
]);
/** Recorded numbers that depend on the line and on the fax; 0 and an empty value stay distinct from them. */
const COUNTS = new Set(['pages', 'rate', 'answered', 'ended']);
/** In base64. Who hangs up first decides some of them. */
const WORDS = new Set(['error', 'station', 'statusstr', 'techcause']);

function normalizeValue(name: string, value: string): string {
  if (name === 'Val' || name === 'Outcome') return value.split(';').map(normalizeFact).join(';');
  if (name === 'AsteriskVersion') return '(release)';
  if (EXACT.has(name)) return value;
  return plain(value);
}

function normalizeFact(pair: string): string {
  const at = pair.indexOf('=');
  if (at === -1) return plain(pair);
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  if (COUNTS.has(name)) return `${name}=${value === '0' ? value : plain(value)}`;
  if (WORDS.has(name)) return `${name}=${value && '(words)'}`;
  return pair;
}

/** Ids, numbers, times, channels and paths by what they are. */
function plain(value: string): string {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u.test(value)) return '(id)';
  if (/^PJSIP\/faxdesk-trunk-[\da-f]{8}$/u.test(value)) return '(channel)';
  if (/^\/faxdesk-\w+\/[\da-f-]{36}$/u.test(value)) return '(note)';
  if (/^\/.+\.tiff(?:,\w+)?$/u.test(value)) return '(image)';
  if (/^(?:\+\d+@faxdesk-trunk|PJSIP\/\+\d+@faxdesk-trunk)$/u.test(value)) return '(address)';
  if (/^\+?\d+(?:\.\d+)*$/u.test(value)) return '(number)';
  return /^\d\d:\d\d:\d\d$/u.test(value) ? '(duration)' : value;
}
