import { Agent, setGlobalDispatcher } from 'undici';

/** Options of the process; its files of tests share them. */
const CURRENT = Symbol.for('faxdesk.kept-connections');
const current = globalThis as { [CURRENT]?: 'brief' | 'none' };

/** Much shorter than the five seconds of a gateway, so that this side always closes first. */
const KEPT_MS = 500;

/**
 * Has `fetch` keep idle connections for half a second from now on. By itself it counts its seconds by ticks, which come late in
 * a busy process: the gateway then closed first, at the moment when the connection was used again.
 */
export function keepConnectionsBriefly(): void {
  if (current[CURRENT] === undefined)
    replace('brief', { keepAliveTimeout: KEPT_MS, keepAliveMaxTimeout: KEPT_MS });
}

/** Has `fetch` open a connection for each request from now on: a gateway that ended may leave its port to another one. */
export function keepNoConnections(): void {
  if (current[CURRENT] !== 'none') replace('none', { pipelining: 0 });
}

/** The connections of Node's own `fetch` end the process when the other side closes one whose answer is not read yet. */
function replace(kept: 'brief' | 'none', options: Agent.Options): void {
  setGlobalDispatcher(new Agent(options));
  current[CURRENT] = kept;
}
