import { type Dovecot, startDovecot } from './dovecot-server.ts';
import { needTools, type Skippable } from './tools.ts';

export { type Dovecot, MAILBOX, PASSWORD } from './dovecot-server.ts';

/** Starts a server; skips the running test, with the reason, where Dovecot is not installed. */
export async function needDovecot(context: Skippable): Promise<Dovecot> {
  needTools(context, 'dovecot');
  return startDovecot();
}
