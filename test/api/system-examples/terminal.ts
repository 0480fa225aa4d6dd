import type { Examples } from './examples.ts';

/** A console terminal of the owner. */
export async function callTerminal(x: Examples, session: Record<string, string>): Promise<void> {
  const as = { key: null, session };
  const { id } = await x.call('openTerminal', { ...as, json: { columns: 80, rows: 24 } });
  const terminal = { ...as, params: { terminal_id: id } };
  await x.call('streamTerminalOutput', { ...terminal, query: { after: '0' } });
  await x.call('sendTerminalInput', { ...terminal, json: { number: 1, text: 'faxes\r' } });
  await x.call('changeTerminalSize', { ...terminal, json: { columns: 120, rows: 40 } });
  await x.call('endTerminal', terminal);
}
