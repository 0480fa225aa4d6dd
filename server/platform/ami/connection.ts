import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { newId } from '../ids.ts';
import type { Timers } from '../timers.ts';
import { AmiError } from './error.ts';
import { type AmiAction, type AmiMessage, formatAction } from './message.ts';
import { type AmiAnswer, type AnswerOptions, createPendingActions } from './pending-actions.ts';
import { createAmiReader } from './reader.ts';

export interface AmiAccount {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Connection that is signed in to the engine. */
export interface AmiConnection {
  /** Throws AmiError. */
  sendAction(action: AmiAction, wait: AnswerOptions): Promise<AmiAnswer>;
  end(): void;
}

interface AmiListeners {
  readonly timers: Timers;
  /** For the connection and for the sign-in, each. */
  readonly timeoutMs: number;
  readonly onEvent: (event: AmiMessage) => void;
  /** Once, when a connection that was handed out is gone. */
  readonly onEnd: (error: AmiError) => void;
}

/** Connects and signs in. Throws AmiError; nothing is left open then. */
export async function openAmiConnection(
  account: AmiAccount,
  listeners: AmiListeners,
): Promise<AmiConnection> {
  const { timers, timeoutMs, onEvent, onEnd } = listeners;
  const socket = connect({ host: account.host, port: account.port, keepAlive: true, noDelay: true });
  const reader = createAmiReader();
  let isHandedOut = false;
  let ended: AmiError | null = null;
  const waiting = createPendingActions(timers, () => end(lost('no answer in time')));

  function end(error: AmiError): void {
    if (ended) return;
    ended = error;
    socket.destroy();
    waiting.failAll(new AmiError(error.reason, error.message, { wrote: true, cause: error.cause }));
    if (isHandedOut) onEnd(error);
  }

  socket.on('data', (chunk) => {
    try {
      for (const message of reader.push(chunk))
        if (!waiting.handleMessage(message) && message.get('Event') !== null) onEvent(message);
    } catch (error) {
      end(error instanceof AmiError ? error : lost('a listener failed', error));
    }
  });
  socket.on('error', (error) => end(lost('the connection failed', error)));
  socket.on('close', () => end(lost('the connection was closed')));

  const connection: AmiConnection = {
    async sendAction(action, wait) {
      const actionId = newId();
      const [name, ...fields] = action;
      const written = formatAction(name ? [name, ['ActionID', actionId], ...fields] : []);
      if (ended) throw new AmiError(ended.reason, ended.message, { wrote: false });
      const answer = waiting.answerTo(actionId, wait);
      socket.write(written);
      return await answer;
    },
    end: () => end(lost('it is no longer needed')),
  };
  try {
    await awaitGreeting(socket, {
      timers,
      timeoutMs,
      isGreeted: () => reader.isGreeted,
      problem: () => ended,
    });
    await signIn(connection, account, timeoutMs);
  } catch (error) {
    connection.end();
    throw error;
  }
  isHandedOut = true;
  return connection;
}

const lost = (detail: string, cause?: unknown) => new AmiError('connection', detail, { wrote: false, cause });

/** Waits for the banner, which comes first. */
async function awaitGreeting(
  socket: Socket,
  wait: { timers: Timers; timeoutMs: number; isGreeted: () => boolean; problem: () => AmiError | null },
): Promise<void> {
  let endWait: () => void = () => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (wait.isGreeted()) resolve();
      };
      endWait = wait.timers.after(wait.timeoutMs, () =>
        reject(new AmiError('timeout', 'no banner in time', { wrote: false })),
      );
      socket.on('data', look);
      socket.on('close', () => reject(wait.problem() ?? lost('the connection was closed')));
    });
  } finally {
    endWait();
  }
}

/** The password does not travel: only a digest of it with what the engine gave for this sign-in. */
async function signIn(connection: AmiConnection, account: AmiAccount, timeoutMs: number): Promise<void> {
  try {
    const challenge = [
      ['Action', 'Challenge'],
      ['AuthType', 'MD5'],
    ] as const;
    const { response } = await connection.sendAction(challenge, { timeoutMs });
    const given = response.get('Challenge') ?? '';
    const key = createHash('md5').update(`${given}${account.password}`).digest('hex');
    const login = [
      ['Action', 'Login'],
      ['AuthType', 'MD5'],
      ['Username', account.user],
      ['Key', key],
      ['Events', 'call,user'],
    ] as const;
    await connection.sendAction(login, { timeoutMs });
  } catch (error) {
    if (!(error instanceof AmiError)) throw error;
    const reason = error.reason === 'refused' ? 'sign_in' : error.reason;
    throw new AmiError(reason, `sign-in: ${error.message}`, { wrote: false, cause: error });
  }
}
